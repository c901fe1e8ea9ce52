"""A recorded hand in words a card player can read."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from textwrap import fill

from cooncan_sim import catalog, rounding
from cooncan_sim.games.game import CHARGED
from cooncan_sim.reports import card_faces
from cooncan_sim.reports.follow import Action, Log, Meld, Step, steps

GAME_NAMES = {
    "jaques": "Coon Can",
    "two_deck": "Two-Deck Coon Can",
    "wild_card": "Wild Card Coon Can",
    "partnership": "Partnership Coon Can",
    "conquian": "Conquian",
    "conquian_jaques": "Conquian (Jaques)",
    "double_rum": "Double Rum",
    "konkan": "KonKan",
}
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_ENDINGS = {
    "void": "Nobody can draw any more: the hand is void.",
    "draw": "The stock is used up: the hand is drawn.",
    "pool": "Nobody could finish: all hands are counted into the pool.",
}

Clause = tuple[int, str]  # a seat and what it does: (0, "throws K♣")


def words(log: Log, symbols: bool = True) -> str:
    """The hand as text, one paragraph a turn.

    With `symbols` cards are written `10♥` and jokers `★`, otherwise as in the log (`TH`, `*`) and
    the whole in ASCII.
    Raises ValueError where the log cannot be followed.
    """
    followed = steps(log)
    lines = [*introduction(log), "", *_dealt(followed[0], log, symbols), ""]
    table: tuple[Meld, ...] = ()
    for number, turn in groupby(pairwise(followed), key=lambda moment: moment[1].turn):
        moments = list(turn)
        said = clauses(None, followed[0], symbols) if number == 1 else []
        said += [clause for moment in moments for clause in clauses(*moment, symbols)]
        last = moments[-1][1]
        lines.append(
            f"Turn {number} {'·' if symbols else '-'} {sentence(said)}{_count_left(last)}."
        )
        if last.table != table:
            table = last.table
            lines.append(f"  Table: {_table(table, symbols)}.")
    lines += ["", *outcome(log), *_left_in_hand(followed[-1], symbols), *match_end(log)]
    told = "\n".join(_wrapped(line) for line in lines) + "\n"
    return told if symbols else told.replace(rounding.MINUS, "-")


def introduction(log: Log) -> list[str]:
    """Sentences on which deal this is, who plays, and what is unusual about it."""
    seats = [f"seat {seat} ({name})" for seat, name in enumerate(log["strategies"])]
    played_by = " against ".join(seats) if len(seats) == 2 else _listed(seats)
    if log["game"] == "partnership":
        played_by = f"{_listed(seats[0::2])} against {_listed(seats[1::2])}"
    told = f"{_capital(played_by)}; seat {log['dealer']} dealt."
    return [f"{heading(log)}.", told, *unusual(log)]


def unusual(log: Log) -> list[str]:
    """Sentences on house rules, stock order, match and pool, where there is something to say."""
    told = []
    if log.get("switches"):
        rules = ", ".join(f"{switch} = {value}" for switch, value in log["switches"].items())
        told.append(f"House rules: {rules}.")
        told += [f"{remark}." for remark in catalog.game(log["game"]).remarks(log["switches"])]
    if log.get("stock_order") == "per_seat":
        told.append("Each seat draws from a stock order of its own.")
    if "match" in log:
        match = log["match"]
        scores = ", ".join(rounding.plain(score, 0) for score in match["scores"])
        told.append(f"Hand {match['hand']} of a match; scores before it: {scores}.")
        if len(match["seats"]) < len(match["scores"]):
            still_in = _listed([f"seat {seat}" for seat in match["seats"]])
            told.append(f"Still in the match, and here numbered from 0: {still_in}.")
    if log.get("pool"):
        told.append(f"In the pool: {rounding.counted(log['pool'], 'unit', 'units')}.")
    return told


def heading(log: Log) -> str:
    """`Deal 1 of seed 1, Coon Can for two`."""
    game = GAME_NAMES.get(log["game"], log["game"])
    return f"Deal {log['deal']} of seed {log['seed']}, {game} for {_count(log['players'])}"


def outcome(log: Log) -> list[str]:
    """How the hand ended and what it changed in the scores. The log of a hand that a strategy
    broke has no result."""
    return [_ending(log), _points(log)] if "result" in log else ["The hand breaks off here."]


def _ending(log: Log) -> str:
    result = log["result"]
    if result["ending"] == "max_turns":
        return f"The hand was stopped after {result['turns']} turns."
    winner = result["winner"]
    if winner is None:
        return _ENDINGS[result["ending"]]
    side = f" for side {winner % 2}" if log["game"] == "partnership" else ""
    return f"Seat {winner} goes out on turn {result['turns']} and wins the hand{side}."


def match_end(log: Log) -> list[str]:
    """A sentence on who has won the match, after its last hand, and with what.

    The seats are those of the match, and not of a hand from which some have left.
    """
    if "match_end" not in log or "result" not in log:
        return []
    end = log["match_end"]
    whose = _sides(log["game"], len(end["scores"]))
    totals = [rounding.plain(score, 0) for score in end["scores"]]
    scores = ", ".join(f"{who}: {total}" for who, total in zip(whose, totals, strict=True))
    winners = _listed([whose[side] for side in end["winners"]])
    left = len(log["match"]["seats"]) < len(log["match"]["scores"])
    if not winners:
        hands = rounding.counted(log["match"]["hand"], "hand", "hands")
        told = f"The match was stopped after {hands}: nobody wins it"
    elif len(end["winners"]) > 1:
        told = f"{_capital(winners)} share the match"
    else:
        told = f"{_capital(winners)}{' of the match wins it' if left else ' wins the match'}"
    return [f"{told}. Final scores{', by seats of the match' if left else ''}: {scores}."]


def _sides(game: str, count: int) -> list[str]:
    """`seat 0`, or `side 0 (seats 0 and 2)`."""
    if game == "partnership":
        return [f"side {side} (seats {side} and {side + 2})" for side in range(count)]
    return [f"seat {seat}" for seat in range(count)]


def _points(log: Log) -> str:
    label = catalog.game(log["game"]).points
    changes = log["result"]["points"]
    whose = _sides(log["game"], len(changes))
    told = ", ".join(
        f"{who}: {rounding.signed(change, 0) if label != CHARGED else change}"
        for who, change in zip(whose, changes, strict=True)
    )
    pool = log["result"].get("pool")
    in_pool = (
        f" In the pool: {rounding.counted(pool, 'unit', 'units')}." if pool is not None else ""
    )
    return f"{label}: {told}.{in_pool}"


def clauses(
    before: Step | None, after: Step, symbols: bool = True, show_drawn: bool = True
) -> list[Clause]:
    """What the action between two steps does, in words (before the deal there is no step).

    Without `show_drawn` a card from the stock is not named, so that a hand can be kept hidden.
    """
    if before is None or after.action is None:
        return _turned(None, after, symbols)
    action = after.action
    seat, kind = action["seat"], action["a"]
    if kind in ("DRAW_STOCK", "DRAW_DISCARD"):
        told = _draw_words(action, symbols, show_drawn)
    elif kind in ("MELD", "COME_DOWN"):
        melds = [action["cards"]] if kind == "MELD" else action["melds"]
        laid = _listed([meld_text(cards, symbols) for cards in melds])
        told = f"lays {laid}" if kind == "MELD" else f"comes down with {laid}"
    elif kind in ("LAYOFF", "JOKER_MOVE", "JOKER_SWAP"):
        told = _added_words(action, before, symbols)
    elif kind == "ACCEPT":
        told = _accepted_words(action, before, symbols)
    elif kind == "DISCARD":
        told = f"throws {card_faces.text(action['card'], symbols)}"
    elif kind == "DECLINE":
        told = f"declines {card_faces.text(action['card'], symbols)}"
    elif kind == "FORCE":
        told = f"forces seat {1 - seat} to take it"
    elif kind == "ANNOUNCE":
        told = "announces " + ("a joker" if action["n"] == 1 else f"{_count(action['n'])} jokers")
    else:
        told = {"HOLD": "holds, since no card may be thrown", "LET_PASS": "lets that pass"}[kind]
    if after.burned:
        told += ", and the full set burns" if len(after.burned) == 1 else ", and full sets burn"
    return [(seat, told), *_turned(before, after, symbols)]


def _draw_words(action: Action, symbols: bool, show_drawn: bool) -> str:
    card = card_faces.text(action["card"], symbols)
    recycled = action.get("recycled")
    shuffled = f"has {len(recycled)} discards shuffled into a new stock, " if recycled else ""
    if action["a"] == "DRAW_DISCARD":
        return f"{shuffled}takes {card} from the discard pile"
    drawn = card if show_drawn else "a card"
    return f"{shuffled}draws {drawn} from {'it' if recycled else 'the stock'}"


def _added_words(action: Action, before: Step, symbols: bool) -> str:
    meld = before.table[action["meld"]]
    card = card_faces.text(action["card"], symbols)
    owner = "its own" if meld.owner == action["seat"] else f"seat {meld.owner}'s"
    where = f"{owner} {meld_text(meld.cards, symbols)}"
    if action["a"] == "LAYOFF":
        return f"lays off {card} on {where}"
    if action["a"] == "JOKER_SWAP":
        return f"takes the joker out of {where} for {card}"
    if any(card_faces.stands_for(token) == action["card"] for token in meld.cards):
        return f"puts {card} in the joker's place in {where} and moves the joker to the other end"
    return f"moves the joker of {where} to the other end and lays off {card} beyond it"


def _accepted_words(action: Action, before: Step, symbols: bool) -> str:
    card = card_faces.text(action["card"], symbols)
    own = [meld.cards for meld in before.table if meld.owner == action["seat"]]
    new = [tuple(cards) for cards in action["melds"] if tuple(cards) not in own]
    broken = any(not any(set(old) <= set(cards) for cards in action["melds"]) for old in own)
    helpers = [card_faces.text(helper, symbols) for helper in action["hand_cards"]]
    taken = f"takes {card}" + (f" with {_listed(helpers)} from the hand" if helpers else "")
    made = _listed([meld_text(cards, symbols) for cards in new])
    return f"{taken} and {'rearranges the table to' if broken else 'makes'} {made}"


def _turned(before: Step | None, after: Step, symbols: bool) -> list[Clause]:
    """Conquian: the stock card that was turned between two steps."""
    if after.offer is None or after.offer.origin != "stock":
        return []
    if before is not None and before.stock == after.stock:
        return []
    card = card_faces.text(after.offer.card, symbols)
    return [(after.offer.seat, f"turns {card} from the stock")]


def sentence(said: Iterable[Clause]) -> str:
    """Clauses in one sentence without its full stop, the seat named where it changes."""
    parts = [
        f"seat {seat} {', '.join(told for _, told in group)}"
        for seat, group in groupby(said, key=lambda clause: clause[0])
    ]
    return _capital("; ".join(parts))


def meld_text(cards: Sequence[str], symbols: bool = True) -> str:
    """`5♥-6♥-7♥`."""
    return "-".join(card_faces.text(token, symbols) for token in cards)


def cards_in_suits(cards: Iterable[str], symbols: bool = True) -> str:
    """A hand sorted, its suits set apart: `A♠ 9♠  5♥ 6♥  ★`."""
    suits = groupby(sorted(cards, key=card_faces.order), key=lambda card: card_faces.order(card)[0])
    return "  ".join(" ".join(card_faces.text(card, symbols) for card in suit) for _, suit in suits)


def _dealt(deal: Step, log: Log, symbols: bool) -> list[str]:
    lines = [
        f"Seat {seat} ({name}) holds {cards_in_suits(hand, symbols)}"
        for seat, (hand, name) in enumerate(zip(deal.hands, log["strategies"], strict=True))
    ]
    up = f"{card_faces.text(deal.pile[-1], symbols)} is turned up; " if deal.pile else ""
    return [
        *lines,
        _capital(f"{up}{rounding.counted(len(log['stock']), 'card', 'cards')} in the stock."),
    ]


def _left_in_hand(last: Step, symbols: bool) -> list[str]:
    left = [
        f"seat {seat} {cards_in_suits(hand, symbols)}"
        for seat, hand in enumerate(last.hands)
        if hand
    ]
    return [f"Left in hand: {'; '.join(left)}."] if left else []


def _table(table: Iterable[Meld], symbols: bool) -> str:
    told = [f"{meld_text(meld.cards, symbols)} (seat {meld.owner})" for meld in table]
    return ", ".join(told) or "empty"


def _count_left(last: Step) -> str:
    """How many cards the player of a finished turn has left."""
    if last.action is None or last.action["a"] not in ("DISCARD", "HOLD"):
        return ""
    seat = last.action["seat"]
    held = len(last.hands[seat])
    left = f"{held} card left" if held == 1 else f"{held} cards left"
    if last.offer is not None:
        down = sum(len(meld.cards) for meld in last.table if meld.owner == seat)
        return f" ({left}, {down} on the table)"
    return f" ({left})" if held else ""


def _count(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _listed(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


def _capital(told: str) -> str:
    return told[:1].upper() + told[1:]


def _wrapped(line: str) -> str:
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return fill(line, 100, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)
