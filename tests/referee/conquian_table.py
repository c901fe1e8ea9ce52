"""Melds and tables of Conquian, by listing everything: the slow way.

A table is a list of melds, a meld a list of cards (runs from low to high).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

from tests.referee.cards import SHORT_RANKS, SUITS, card_order
from tests.referee.tokens2 import in_card_order

Rules = dict[str, Any]
Meld = list[str]


def kinds(cards: Sequence[str], rules: Rules) -> list[str]:
    """`["set"]`, `["run"]` or `[]` for cards in any order (R-CQN-13, R-CQN-14)."""
    if len(set(cards)) != len(cards) or len(cards) < 3:
        return []
    if any(card[0] not in SHORT_RANKS for card in cards):
        return []
    ranks = sorted(SHORT_RANKS.index(card[0]) for card in cards)
    if len(set(ranks)) == 1:
        return ["set"]
    one_suit = len({card[1] for card in cards}) == 1
    neighbours = ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    too_long = rules["CQ_RUN_CAP"] != "none" and len(cards) > rules["CQ_RUN_CAP"]
    return ["run"] if one_suit and neighbours and not too_long else []


def melds_with(card: str, others: Sequence[str], rules: Rules) -> Iterator[Meld]:
    """Melds of `card` and some of `others`, in the order in which the search tries them.

    Runs: longest first, then the highest start. Sets: largest first, then by card order.
    """
    suit = card[1]
    low = high = SHORT_RANKS.index(card[0])
    while low > 0 and SHORT_RANKS[low - 1] + suit in others:
        low -= 1
    while high < 9 and SHORT_RANKS[high + 1] + suit in others:
        high += 1
    for length in range(high - low + 1, 2, -1):
        for start in range(high + 1 - length, low - 1, -1):
            run = [rank + suit for rank in SHORT_RANKS[start : start + length]]
            if card in run and kinds(run, rules):
                yield run
    same_rank = in_card_order(c for c in others if c[0] == card[0])
    for size in (4, 3):
        choices = (in_card_order([card, *more]) for more in combinations(same_rank, size - 1))
        yield from sorted(choices, key=lambda meld: [card_order(c) for c in meld])


def split(
    cards: Sequence[str], rules: Rules, allowed: Callable[[Meld], bool] = lambda meld: True
) -> list[Meld] | None:
    """The first way the search finds to put all cards into allowed melds, or None."""
    if not cards:
        return []
    first, *rest = in_card_order(cards)
    for meld in melds_with(first, rest, rules):
        if allowed(meld):
            more = split([c for c in rest if c not in meld], rules, allowed)
            if more is not None:
                return [meld, *more]
    return None


def keeps_old_melds(meld: Sequence[str], table: list[Meld]) -> bool:
    """CQ_REARRANGE=none: the meld holds each old meld whole or not at all, and at most one."""
    touched = [old for old in table if set(old) & set(meld)]
    return len(touched) <= 1 and all(set(old) <= set(meld) for old in touched)


def meld_allowed(
    meld: Sequence[str], table: list[Meld], hand_cards: Sequence[str], card: str, rules: Rules
) -> bool:
    """May this meld stand after `card` is accepted with `hand_cards` (R-CQN-16, R-CQN-18)?"""
    if rules["CQ_REARRANGE"] == "none" and not keeps_old_melds(meld, table):
        return False
    from_hand = [c for c in meld if c in hand_cards]
    if rules["CQ_HAND_CARDS"] == "with_center":
        return not from_hand or card in meld
    if rules["CQ_HAND_CARDS"] == "no_all_hand_meld":
        return len(from_hand) < len(meld)
    return True


def arrangement(
    table: list[Meld], hand_cards: Sequence[str], card: str, rules: Rules
) -> list[Meld] | None:
    """The new table as `cq_greedy` lays it when just these hand cards go down, or None.

    The order of old melds is kept where melds are frozen and the rest is from with_center.
    """
    if rules["CQ_HAND_CARDS"] != "with_center":
        cards = [c for meld in table for c in meld] + [card, *hand_cards]
        return split(cards, rules, lambda meld: meld_allowed(meld, table, hand_cards, card, rules))
    if rules["CQ_REARRANGE"] == "none":
        for number, old in enumerate(table):
            if kinds([*old, card, *hand_cards], rules):
                grown = in_table_order([*old, card, *hand_cards])
                return [*table[:number], grown, *table[number + 1 :]]
        if kinds([card, *hand_cards], rules):
            return [*table, in_table_order([card, *hand_cards])]
        return None
    down = [c for meld in table for c in meld]
    for meld in melds_with(card, [*down, *hand_cards], rules):
        if set(hand_cards) <= set(meld):
            rest = split([c for c in down if c not in meld], rules)
            if rest is not None:
                return [meld, *rest]
    return None


def in_table_order(cards: Sequence[str]) -> Meld:
    """Runs low to high; sets in card order."""
    return sorted(cards, key=lambda card: (SHORT_RANKS.index(card[0]), SUITS.index(card[1])))


def acceptances(
    table: list[Meld], hand: Sequence[str], card: str, rules: Rules, target: int
) -> dict[tuple[str, ...], list[Meld]]:
    """Every set of hand cards that may come down with `card`, and the table it makes.

    Most hand cards first, then by card order, as `cq_greedy` prefers them. An acceptance that
    empties the hand without reaching the target is not legal, because no discard could follow.
    """
    down = [c for meld in table for c in meld]
    every = [*down, *hand, card]
    useful = [
        c
        for c in in_card_order(hand)
        if any(True for _ in melds_with(c, [o for o in every if o != c], rules))
    ]
    found = {}
    for size in range(len(useful), -1, -1):
        for hand_cards in combinations(useful, size):
            if size == len(hand) and len(down) + 1 + size < target:
                continue
            table_after = arrangement(table, hand_cards, card, rules)
            if table_after is not None:
                found[hand_cards] = table_after
    return found


def can_be_forced(
    table: list[Meld], hand: Sequence[str], card: str, rules: Rules, target: int
) -> bool:
    """May the opponent force this card after it was declined (R-CQN-21, CQ_FORCE_SCOPE)?"""
    if rules["CQ_FORCING"] == "off":
        return False
    down = sum(len(meld) for meld in table)
    if rules["CQ_FORCE_SCOPE"] == "any":
        return bool(acceptances(table, hand, card, rules, target))
    if not hand and down + 1 < target:
        return False
    if rules["CQ_FORCE_SCOPE"] == "table_direct":
        return any(kinds([*meld, card], rules) for meld in table)
    return arrangement(table, (), card, rules) is not None


def can_still_win(table: list[Meld], usable: set[str], rules: Rules, target: int) -> bool:
    """Can cards out of `usable` bring the table to exactly `target` cards in valid melds?

    The order in which the cards would come is ignored; old melds stay whole where frozen.
    """
    down = [c for meld in table for c in meld]

    def cover(uncovered: list[str], free: list[str], missing: int) -> bool:
        if not uncovered:
            return fill(free, missing)
        first, *rest = uncovered
        for meld in melds_with(first, rest + free, rules):
            new = [c for c in meld if c in free]
            frozen = rules["CQ_REARRANGE"] == "none" and not keeps_old_melds(meld, table)
            if frozen or len(new) > missing:
                continue
            left = [c for c in rest if c not in meld]
            if cover(left, [c for c in free if c not in new], missing - len(new)):
                return True
        return False

    def fill(free: list[str], missing: int) -> bool:
        if missing == 0:
            return True
        if missing < 3 or not free:
            return False
        first, *rest = free
        for meld in melds_with(first, rest, rules):
            if len(meld) <= missing:
                if fill([c for c in rest if c not in meld], missing - len(meld)):
                    return True
        return fill(rest, missing)

    free = in_card_order(usable - set(down))
    return cover(in_card_order(down), free, target - len(down))
