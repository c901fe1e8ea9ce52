"""From hands to matches: totals, who leaves, who deals next, who has won."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Standing:
    """A match after a hand. Seats are those of the match; `leaving`: out with this hand."""

    scores: tuple[int, ...]
    leaving: tuple[int, ...]
    winners: tuple[int, ...]  # empty while the match goes on; several if it is shared
    next_dealer: int | None


def settle(
    rules: Mapping[str, str | int],
    scores: Sequence[int],
    charges: Sequence[int],
    dealer: int,
    winner: int | None = None,
    out: Sequence[int] = (),
) -> Standing:
    """A match to a target after a hand (R-JAQ-24 … R-JAQ-26, R-JAQ-33).

    rules: MATCH_TARGET, ELIMINATION, DEALER_ROTATION. scores: totals before; charges: points added
    by seat; winner: the seat that went out; out: seats that had left before.
    """
    totals = tuple(score + charge for score, charge in zip(scores, charges, strict=True))
    seats = [seat for seat in range(len(totals)) if seat not in out]
    leaving = [seat for seat in seats if totals[seat] >= rules["MATCH_TARGET"]]
    if leaving and rules["ELIMINATION"] == "first_only":
        highest = max(totals[seat] for seat in leaving)
        leaving = [seat for seat in leaving if totals[seat] == highest]
    staying = [seat for seat in seats if seat not in leaving]
    if len(staying) > 1:
        following = _next_dealer(rules, charges, dealer, winner, seats, staying)
        return Standing(totals, tuple(leaving), (), following)
    if not staying:
        lowest = min(totals[seat] for seat in seats)
        staying = [seat for seat in seats if totals[seat] == lowest]
    return Standing(totals, tuple(leaving), tuple(staying), None)


def _next_dealer(
    rules: Mapping[str, str | int],
    charges: Sequence[int],
    dealer: int,
    winner: int | None,
    seats: Sequence[int],
    staying: Sequence[int],
) -> int:
    """Who deals next (DEALER_ROTATION); a player who has just left is followed by his left."""
    count = len(charges)
    rotation = rules["DEALER_ROTATION"]
    if winner is None or rotation == "left":
        return _first_left_of(dealer, staying, count)
    chosen = winner
    if rotation == "loser":
        losers = [seat for seat in seats if seat != winner]
        chosen = max(losers, key=lambda seat: (charges[seat], -((seat - dealer - 1) % count)))
    return chosen if chosen in staying else _first_left_of(chosen, staying, count)


def _first_left_of(seat: int, staying: Sequence[int], count: int) -> int:
    return min(staying, key=lambda other: (other - seat - 1) % count)
