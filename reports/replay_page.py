"""One self-contained page to click through recorded hands."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from importlib import resources
from itertools import chain, pairwise
from typing import Any

from jinja2 import Environment, StrictUndefined

from cooncan_sim.reports import card_faces, hand_words
from cooncan_sim.reports.follow import Action, Log, Step, steps

_TEMPLATE = "replay_page.html.jinja"
# U+FE0E asks for the plain form of a suit sign, which some devices draw as a coloured emoji;
# U+2011 is a hyphen that does not break the line within a meld.
_AS_TEXT = str.maketrans({**{sign: f"{sign}\ufe0e" for sign in "♠♥♦♣★"}, "-": "\u2011"})


def page(logs: list[Log]) -> str:
    """HTML of a page that shows these hands card by card; it fetches nothing and works offline.

    Raises ValueError if there is no hand, or where a log cannot be followed.
    """
    if not logs:
        raise ValueError("there is no hand to show")
    followed = [steps(log) for log in logs]
    template = resources.files(__package__).joinpath(_TEMPLATE).read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(template).render(
        title=hand_words.heading(logs[0]),
        shapes=card_faces.SHAPES,
        recorded={
            "hands": [_hand(*recorded) for recorded in zip(logs, followed, strict=True)],
            "faces": _faces(chain.from_iterable(followed)),
        },
        in_words=[hand_words.words(log) for log in logs],
    )


def _hand(log: Log, followed: list[Step]) -> dict[str, Any]:
    """What the page has to know of one hand."""
    dealt = _step(None, followed[0])
    moved = [_step(*moment) for moment in pairwise(followed)]
    return {
        "heading": hand_words.heading(log),
        "choice": _choice(log),
        "facts": " ".join([f"Seat {log['dealer']} dealt.", *hand_words.unusual(log)]),
        "seats": [_seat(log, seat) for seat in range(log["players"])],
        "outcome": [*hand_words.outcome(log), *hand_words.match_end(log)],
        "steps": [dealt, *moved],
    }


def _choice(log: Log) -> str:
    """A hand in a list of hands: `Deal 3, seat 1 wins, 35 turns`."""
    if "result" not in log:
        return f"Deal {log['deal']}, broken off"
    result = log["result"]
    ending = "stopped" if result["ending"] == "max_turns" else result["ending"]
    turns = result["turns"]
    how = ending if result["winner"] is None else f"seat {result['winner']} wins"
    return f"Deal {log['deal']}, {how}, {turns} turn{'s' * (turns != 1)}"


def _seat(log: Log, seat: int) -> dict[str, str]:
    side = f"side {seat % 2}" if log["game"] == "partnership" else ""
    return {"name": f"Seat {seat}", "strategy": log["strategies"][seat], "side": side}


def _step(before: Step | None, after: Step) -> dict[str, Any]:
    """The table after an action, cards as tokens with blanks between, and the action in words."""
    action = after.action or {}
    hands = [sorted(hand, key=card_faces.order) for hand in after.hands]
    return {
        "turn": after.turn,
        "seat": action.get("seat"),
        "words": _words(before, after),
        # The same for a reader from whom the hand is hidden that drew a card.
        "veiled": _words(before, after, False) if action.get("a") == "DRAW_STOCK" else "",
        "hands": [" ".join(hand) for hand in hands],
        "drawn": _drawn(action, hands),
        "melds": _melds(before, after),
        "pile": len(after.pile),
        "top": after.pile[-1] if after.pile else "",
        "thrown": action.get("a") == "DISCARD",
        "stock": after.stock,
        "offer": asdict(after.offer) if after.offer else None,
        "down": sorted(after.down),
    }


def _words(before: Step | None, after: Step, show_drawn: bool = True) -> str:
    if before is None:
        up = f"; {card_faces.text(after.pile[-1])} is turned up" if after.pile else ""
        turned = hand_words.sentence(hand_words.clauses(None, after))
        told = f"The cards are dealt{up}." + (f" {turned}." if turned else "")
    else:
        told = hand_words.sentence(hand_words.clauses(before, after, True, show_drawn)) + "."
    return told.translate(_AS_TEXT)


def _drawn(action: Action, hands: list[list[str]]) -> int | None:
    """Where in the acting seat's sorted hand the card lies that this action brought there."""
    kind = action.get("a", "")
    if kind not in ("DRAW_STOCK", "DRAW_DISCARD", "JOKER_SWAP"):
        return None
    card = card_faces.JOKER if kind == "JOKER_SWAP" else action["card"]
    return hands[action["seat"]].index(card)


def _melds(before: Step | None, after: Step) -> list[dict[str, Any]]:
    """The melds on the table and, as places in them, the tokens that have just come there."""
    old = Counter(before.table if before else ())
    untouched = old & Counter(after.table)
    lay_there = Counter(token for meld in (old - untouched).elements() for token in meld.cards)
    shown = []
    for meld in after.table:
        new = []
        if untouched[meld]:
            untouched[meld] -= 1
        else:
            for place, token in enumerate(meld.cards):
                if not lay_there[token]:
                    new.append(place)
                lay_there[token] -= lay_there[token] > 0
        shown.append({"owner": meld.owner, "cards": " ".join(meld.cards), "new": new})
    return shown


def _faces(followed: Iterable[Step]) -> dict[str, dict[str, str]]:
    """How each token that occurs is drawn and spoken."""
    tokens: set[str] = set()
    for step in followed:
        tokens.update(*step.hands, *(meld.cards for meld in step.table), step.pile)
        if step.offer:
            tokens.add(step.offer.card)
    return {token: _face(token) for token in sorted(tokens)}


def _face(token: str) -> dict[str, str]:
    card, meaning, locked = card_faces.parse(token)
    rank = "" if card == card_faces.JOKER else card_faces.rank_text(card)
    return {
        "name": card_faces.name(token),
        "rank": "×" if locked else rank,  # at the table a locked joker is turned crosswise
        "suit": card_faces.SUIT_NAMES[card[-1]],
        "for_rank": card_faces.rank_text(meaning) if meaning else "",
        "for_suit": card_faces.SUIT_NAMES[meaning[1]] if len(meaning) == 2 else "",
    }
