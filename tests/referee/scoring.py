"""Points of a hand and the course of a match in the `jaques` family."""

from collections.abc import Sequence

from tests.referee.melds import is_natural, meld_rules


def points(
    game: str,
    switches: dict,
    hands: list[list[str]],
    winner: int | None,
    winners_melds: Sequence[Sequence[str]] = (),
) -> list[int]:
    """Score changes of one hand by seat, by side in `partnership` (R-JAQ-22, R-PAR-05).

    `winner` is None for a void hand and one that MAX_TURNS has stopped.
    """
    rules = meld_rules(game, switches)
    left = [sum(rules.value(card) for card in hand) for hand in hands]
    if winner is None and switches["VOID_HAND_SCORING"] == "no_score":
        left = [0] * len(hands)
    if game == "partnership":
        return _by_side(switches["PARTNER_SCORING"], left, winner)
    if winner is not None:
        natural = sum(all(is_natural(token) for token in meld) for meld in winners_melds)
        left[winner] = -natural * switches.get("WILD_BONUS", 0)
    return left


def _by_side(how: str, left: list[int], winner: int | None) -> list[int]:
    sides = [left[0] + left[2], left[1] + left[3]]
    if winner is None:
        return sides
    won, lost = winner % 2, 1 - winner % 2
    partners_hand = sides[won]  # the winner's own is empty
    if how == "net":
        sides[lost] = max(0, sides[lost] - partners_hand)
    if how != "each_side":
        sides[won] = 0
    return sides


def settle(game: str, switches: dict, before: dict, hand: dict) -> dict:
    """The match after a hand, in the words of the worked cases (R-JAQ-24…26, R-JAQ-33).

    `before` has `scores`, `dealer` and `already_out`; `hand` has `delta`, the `winner`'s seat or
    None and the losers' `charges` by seat. Scores, and who is out, go by side in `partnership`.
    """
    scores = [one + other for one, other in zip(before["scores"], hand["delta"], strict=True)]
    still_in = [one for one in range(len(scores)) if one not in before["already_out"]]
    eliminated = _leaving(switches, scores, still_in)
    remaining = [one for one in still_in if one not in eliminated]
    over = len(remaining) < 2
    seats = 4 if game == "partnership" else len(scores)
    seats_in = [0, 1, 2, 3] if game == "partnership" else remaining
    return {
        "scores": scores,
        "eliminated": eliminated,
        "over": over,
        "match_winner": _match_winner(scores, remaining or eliminated) if over else None,
        "next_dealer": None if over else _next_dealer(switches, before, hand, seats_in, seats),
    }


def _leaving(switches: dict, totals: list[int], still_in: list[int]) -> list[int]:
    """Who leaves the match after a hand (R-JAQ-25, ELIMINATION)."""
    over = [one for one in still_in if totals[one] >= switches["MATCH_TARGET"]]
    if switches["ELIMINATION"] == "first_only":
        return [one for one in over if totals[one] == max(totals[other] for other in over)]
    return over


def _match_winner(totals: list[int], last: list[int]) -> int | list[int]:
    """The last one in, or the lowest of those who left together (R-JAQ-26, R-JAQ-33)."""
    best = [one for one in last if totals[one] == min(totals[other] for other in last)]
    return best[0] if len(best) == 1 else best


def _next_dealer(switches: dict, before: dict, hand: dict, seats_in: list[int], seats: int) -> int:
    """Who deals the next hand (DEALER_ROTATION)."""
    dealer, winner = before["dealer"], hand["winner"]
    after_dealer = [(dealer + step) % seats for step in range(1, seats + 1)]
    chosen = None
    if winner is not None and switches["DEALER_ROTATION"] == "winner":
        chosen = winner
    if winner is not None and switches["DEALER_ROTATION"] == "loser":
        losers = [seat for seat in after_dealer if seat in hand["charges"]]
        chosen = max(losers, key=hand["charges"].get)  # of equals the first
    if chosen in seats_in:
        return chosen
    left_of = dealer if chosen is None else chosen
    return min(seats_in, key=lambda seat: (seat - left_of - 1) % seats)


def losers_charges(game: str, switches: dict, hands: list[list[str]], winner: int | None) -> dict:
    """Value of each losing hand by seat; in `partnership` the winner's partner has not lost."""
    rules = meld_rules(game, switches)
    winners = [winner] if game != "partnership" or winner is None else [winner, (winner + 2) % 4]
    return {
        seat: sum(rules.value(card) for card in hand)
        for seat, hand in enumerate(hands)
        if seat not in winners
    }


def match_faults(log: dict, switches: dict) -> list[str]:
    """Whether the seats of a match hand are those that its scores leave in (R-JAQ-25)."""
    scores, seats = log["match"]["scores"], log["match"]["seats"]
    target = switches["MATCH_TARGET"]
    if log["game"] == "partnership":
        fits = seats == [0, 1, 2, 3] and len(scores) == 2
        in_play, gone = scores, []
    else:
        fits = set(seats) <= set(range(len(scores)))
        in_play = [score for seat, score in enumerate(scores) if seat in seats]
        gone = [score for seat, score in enumerate(scores) if seat not in seats]
    faults = [] if fits else ["match: seats and scores do not fit the game"]
    if switches["ELIMINATION"] == "each_at_or_over" and any(one >= target for one in in_play):
        faults.append("match: a player at or above the target is still in")
    if any(one < target for one in gone):
        faults.append("match: a player below the target is out")
    return faults


def after_hand(log: dict, switches: dict) -> dict | None:
    """`match` and `dealer` of the next hand log of a match, or None if it is over."""
    game, match, end = log["game"], log["match"], log["result"]
    seats = match["seats"]
    charges = losers_charges(game, switches, end["hands"], end["winner"])
    delta = [0] * len(match["scores"])
    for place, gained in enumerate(end["points"]):
        delta[place if game == "partnership" else seats[place]] = gained
    out = [] if game == "partnership" else [s for s in range(len(delta)) if s not in seats]
    hand = {
        "delta": delta,
        "winner": None if end["winner"] is None else seats[end["winner"]],
        "charges": {seats[place]: charge for place, charge in charges.items()},
    }
    before = match | {"dealer": seats[log["dealer"]], "already_out": out}
    after = settle(game, switches, before, hand)
    if after["over"]:
        return None
    seats_in = [s for s in seats if game == "partnership" or s not in after["eliminated"]]
    return {
        "match": {"hand": match["hand"] + 1, "scores": after["scores"], "seats": seats_in},
        "dealer": seats_in.index(after["next_dealer"]),
    }
