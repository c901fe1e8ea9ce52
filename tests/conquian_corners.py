"""The rare points that hands of Conquian reach, found in their logs with the referee's help."""

from collections.abc import Iterator

from tests.conquian_positions import positions
from tests.referee.cards import PACKS
from tests.referee.conquian_hand import ConquianHand
from tests.referee.conquian_table import acceptances, can_still_win, kinds

CORNERS = {
    "ending out",
    "ending draw",
    "won with a forced card",
    "won with the last stock card",
    "won with a discard when the stock is empty",
    "won from ten down and an empty hand",
    "drawn for want of a stock card",
    "drawn when the last card is accepted",
    "drawn when the last card is declined",
    "drawn as the note has it word for word",
    "refused because the hand would be empty",
    "forced by table",
    "forced by table_direct",
    "forced by any",
    "forced, and hand cards went down too",
    "a force let pass",
    "a forced acceptance killed a hand",
    "melds rearranged",
    "a frozen meld took hand cards too",
    "a frozen meld grew past a gap",
    "a run of nine or ten",
    "hand cards in another meld",
    "a meld of hand cards alone",
    "a turned card taken by the opponent",
}


def corners(log: dict) -> Iterator[str]:
    """The rare points that a hand has reached."""
    yield f"ending {log['result']['ending']}"
    dealt = {card for hand in log["hands"] for card in hand}
    for before, action, after in positions(log):
        if action["a"] == "LET_PASS":
            yield "a force let pass"
        elif action["a"] == "FORCE":
            yield f"forced by {before.rules['CQ_FORCE_SCOPE']}"
        elif action["a"] == "ACCEPT":
            if before.origin == "discard" and before.card not in dealt:
                yield "a turned card taken by the opponent"
            yield from _of_accepting(before, action, after)
        elif action["a"] == "DECLINE" and _would_empty(before):
            yield "refused because the hand would be empty"
        if after.ending == "draw":
            yield from _of_drawing(before, action)


def _would_empty(before: ConquianHand) -> bool:
    """Whether the whole hand could go down with the offered card, were it enough to win."""
    hand = before.hands[before.to]
    if before.rules.get("CQJ_SIZE") != "deal9_need11_literal" or len(hand) > 3:
        return False
    assert before.card is not None
    down = before.tables[before.to]
    return tuple(hand) in acceptances(down, hand, before.card, before.rules, 10)


def _of_drawing(before: ConquianHand, action: dict) -> Iterator[str]:
    if before.rules.get("CQJ_SIZE") == "deal9_need11_literal":
        yield "drawn as the note has it word for word"
    if before.rules["CQ_STOCK_END"] == "when_draw_needed":
        yield "drawn for want of a stock card"
    elif action["a"] == "ACCEPT":
        yield "drawn when the last card is accepted"
    elif before.origin == "stock":
        yield "drawn when the last card is declined"


def _of_accepting(before: ConquianHand, action: dict, after: ConquianHand) -> Iterator[str]:
    old, new, hand = before.tables[before.to], after.tables[before.to], set(action["hand_cards"])
    centre = next(meld for meld in new if before.card in meld)
    if after.ending == "out":
        yield from _of_winning(before)
    if before.forced and hand:
        yield "forced, and hand cards went down too"
    if before.forced and _killed(before, after):
        yield "a forced acceptance killed a hand"
    if any(not any(set(meld) <= set(grown) for grown in new) for meld in old):
        yield "melds rearranged"
    if any(len(meld) >= 9 for meld in new):
        yield "a run of nine or ten"
    if hand - set(centre):
        yield "hand cards in another meld"
    if any(set(meld) <= hand for meld in new):
        yield "a meld of hand cards alone"
    if before.rules["CQ_REARRANGE"] == "none" and hand & set(centre):
        if any(set(meld) < set(centre) for meld in old):
            yield "a frozen meld took hand cards too"
            if not any(kinds([*meld, before.card], before.rules) for meld in old):
                yield "a frozen meld grew past a gap"


def _of_winning(before: ConquianHand) -> Iterator[str]:
    if before.forced:
        yield "won with a forced card"
    if not before.stock:
        last = {"stock": "the last stock card", "discard": "a discard when the stock is empty"}
        yield f"won with {last[before.origin]}"
    if not before.hands[before.to]:
        yield "won from ten down and an empty hand"


def _killed(before: ConquianHand, after: ConquianHand) -> bool:
    """Whether the seat could still win before it accepted, and can no more (claim T-15)."""
    if after.ended:
        return False
    seat = before.to
    gone = {*before.dead, *(card for meld in before.tables[1 - seat] for card in meld)}
    usable = set(PACKS["conquian"]) - gone
    could, can = (
        can_still_win(state.tables[seat], usable, before.rules, before.target)
        for state in (before, after)
    )
    return could and not can
