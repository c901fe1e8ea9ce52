"""Conquian: every question about an offered card against a search over all arrangements."""

import itertools
import json
from pathlib import Path

import numba
import numpy as np
import pytest

from cooncan_sim.cards import Pack
from cooncan_sim.melds import conquian as cq
from cooncan_sim.melds.conquian_search import covered, split

PACK = Pack("A234567JQK")
FACES = np.array(PACK.faces)
CENTER, HAND = -1, -2
FREE, HAND_RULE, CAP, KEEP, FORCE = range(5)
CASES = json.loads((Path(__file__).parent / "cases/rules_cases.json").read_text())["cases"]
GAMES = ("conquian", "conquian_jaques")
OFFERS = [c for c in CASES if c["game"] in GAMES and c["kind"] == "cq_offer"]
FUTURES = [c for c in CASES if c["game"] in GAMES and c["kind"] == "cq_future"]

# CQ_REARRANGE free or not, CQ_HAND_CARDS, CQ_RUN_CAP, cards to keep, CQ_FORCE_SCOPE
RULES = [
    (1, cq.WITH_CENTER, 10, 0, cq.TABLE),
    (1, cq.WITH_CENTER, 8, 0, cq.TABLE_DIRECT),
    (1, cq.WITH_CENTER, 10, 1, cq.ANY_FORCED),
    (1, cq.NO_ALL_HAND_MELD, 10, 0, cq.TABLE),
    (1, cq.NO_ALL_HAND_MELD, 8, 1, cq.ANY_FORCED),
    (1, cq.ANY_MELD, 10, 0, cq.TABLE_DIRECT),
    (0, cq.WITH_CENTER, 10, 0, cq.TABLE),
    (0, cq.WITH_CENTER, 8, 1, cq.ANY_FORCED),
    (0, cq.NO_ALL_HAND_MELD, 10, 0, cq.TABLE_DIRECT),
    (0, cq.ANY_MELD, 8, 0, cq.ANY_FORCED),
]


def as_rules(rule):
    free, *numbers = rule
    return cq.CqRules(bool(free), *(np.int64(number) for number in numbers))


def as_mask(cards):
    return np.uint64(sum(1 << int(card) for card in cards))


def as_cards(mask):
    return [int(face) for face in FACES if int(mask) >> int(face) & 1]


def as_table(cards, owners):
    """The melds (masks) of a table and their number."""
    table = np.zeros(cq.MOST_MELDS, dtype=np.uint64)
    size = max(0, owners.max(initial=-1) + 1)
    for i in range(size):
        table[i] = as_mask(cards[owners == i])
    return table, np.int64(size)


# --- the slow way -------------------------------------------------------------------------------


@numba.njit(cache=True)
def slow_blocks(cards, owners, free, hand_rule, cap):
    """The parts of the cards (numbers, one bit a card) that may lie on the table as one meld.

    owners: of each card its old meld, 0 … 2, or CENTER or HAND.
    """
    blocks = []
    for part in range(1 << len(cards)):
        size = hand = center = 0
        low, high, same_rank = 1 << 10, -1, True
        inside = np.zeros(3, dtype=np.int64)
        for i in range(len(cards)):
            if part >> i & 1:
                same_rank = same_rank and (size == 0 or cards[i] % 16 == low % 16)
                low, high = min(low, cards[i]), max(high, cards[i])
                size += 1
                hand += owners[i] == HAND
                center += owners[i] == CENTER
                if owners[i] >= 0:
                    inside[owners[i]] += 1
        run = size <= cap and high - low == size - 1
        if size < 3 or not (run or same_rank):
            continue
        if hand_rule == 0 and hand > 0 and center == 0:
            continue
        if hand_rule == 1 and hand == size:
            continue
        whole = True
        for meld in range(3):
            whole = whole and inside[meld] in (0, np.sum(owners == meld))
        if free or (whole and np.sum(inside > 0) <= 1):
            blocks.append(part)
    return blocks


@numba.njit(cache=True)
def slow_joins(cards, owners, free, hand_rule, cap):
    """For each part of the cards: can it be split into such blocks?"""
    blocks = slow_blocks(cards, owners, free, hand_rule, cap)
    can = np.zeros(1 << len(cards), dtype=np.bool_)
    can[0] = True
    for part in range(1, 1 << len(cards)):
        for block in blocks:
            if block & ~part == 0 and can[part & ~block]:
                can[part] = True
                break
    return can


@numba.njit(cache=True)
def slow_offer(cards, owners, rule):
    """The sets of hand cards (masks, ascending) with which the centre card may be accepted."""
    can = slow_joins(cards, owners, rule[FREE], rule[HAND_RULE], rule[CAP])
    found = []
    for part in range(1 << len(cards)):
        mask = np.uint64(0)
        kept = 0
        must = True
        for i in range(len(cards)):
            laid = part >> i & 1 == 1
            if owners[i] == HAND:
                kept += not laid
                mask |= np.uint64(laid) << np.uint64(cards[i])
            else:
                must = must and laid
        if must and kept >= rule[KEEP] and can[part]:
            found.append(mask)
    return np.sort(np.array(found, dtype=np.uint64))


@numba.njit(cache=True)
def slow_future(cards, owners, free, cap, target):
    """Can the old melds and some of the other cards make just `target` cards in melds?"""
    can = slow_joins(cards, owners, free, 2, cap)
    for part in range(1 << len(cards)):
        size = 0
        must = True
        for i in range(len(cards)):
            size += part >> i & 1
            must = must and (owners[i] < 0 or part >> i & 1 == 1)
        if must and size == target and can[part]:
            return True
    return False


def slow_melds_with(card, cards, cap):
    """All melds with a card: runs by length, then height; sets by size, then in card order."""
    melds = []
    for size in range(min(len(cards), cap), 2, -1):
        for low in range(card, card - size, -1):
            run = list(range(low, low + size))
            if all(c in cards for c in run):
                melds.append(run)
    rank = sorted(c for c in cards if c % 16 == card % 16)
    for size in (4, 3):
        melds += [list(s) for s in itertools.combinations(rank, size) if card in s]
    return melds


def slow_split(cards, cap, lawful=lambda meld: True):
    """The lawful melds of sorted cards in the order of the search, or None."""
    if not cards:
        return []
    for meld in filter(lawful, slow_melds_with(cards[0], cards, cap)):
        rest = slow_split([card for card in cards if card not in meld], cap, lawful)
        if rest is not None:
            return [meld, *rest]
    return None


def slow_other_arrangement(melds, card, cards, rule):
    """The table that `cq_greedy` lays where hand cards may lie elsewhere: the first lawful one."""

    def lawful(meld):
        if rule[HAND_RULE] == cq.NO_ALL_HAND_MELD and set(meld) <= set(cards):
            return False
        touched = [old for old in melds if set(old) & set(meld)]
        return rule[FREE] or (len(touched) < 2 and all(set(old) <= set(meld) for old in touched))

    return slow_split(
        sorted([c for meld in melds for c in meld] + [card, *cards]), rule[CAP], lawful
    )


def slow_arrangement(melds, card, cards, rule):
    """The table (sorted melds) that `cq_greedy` lays where hand cards join the centre card."""
    if not rule[FREE]:
        new = sorted([card, *cards])
        for i, meld in enumerate(melds):
            grown = sorted([*meld, *new])
            if grown in slow_melds_with(card, grown, rule[CAP]):
                return [*melds[:i], grown, *melds[i + 1 :]]
        return [*melds, new]
    table = [c for meld in melds for c in meld]
    for meld in slow_melds_with(card, sorted([*table, card, *cards]), rule[CAP]):
        rest = slow_split(sorted(c for c in table if c not in meld), rule[CAP])
        if set(cards) <= set(meld) and rest is not None:
            return [meld, *rest]
    raise AssertionError("no arrangement")


# --- positions ----------------------------------------------------------------------------------


@numba.njit(cache=True)
def deal(rng, low, ranks, suits, most):
    """A table of up to three melds, a hand and a centre card, as (cards, owners).

    Table and hand have ten cards together, or fewer. Only these ranks and the first suits occur.
    """
    left = np.zeros(64, dtype=np.bool_)
    for suit in range(suits):
        left[16 * suit + low : 16 * suit + low + ranks] = True
    cards = []
    owners = []
    melds = 0
    for _ in range(rng.integers(0, 6)):
        size = rng.integers(3, 8)
        suit, rank = rng.integers(0, suits), low + rng.integers(0, ranks)
        if rng.random() < 0.5:
            meld = [16 * suit + rank + i for i in range(size)]
        else:
            meld = [16 * s + rank for s in range(4) if size != 3 or s != suit]
        inside = melds < 3 and len(cards) + len(meld) <= most
        for card in meld:
            inside = inside and card < 64 and left[card]
        if inside:
            for card in meld:
                left[card] = False
                cards.append(card)
                owners.append(melds)
            melds += 1
    rest = np.nonzero(left)[0]
    rng.shuffle(rest)
    hand = max(0, min(most - len(cards) - rng.integers(0, 3), len(rest) - 1))
    for i in range(hand):
        cards.append(rest[i])
        owners.append(HAND)
    if hand < len(rest):
        cards.append(rest[hand])
        owners.append(CENTER)
    return np.array(cards), np.array(owners)


def positions(rng, count, most=10):
    """Positions, half of them from six ranks or fewer."""
    while count > 0:
        ranks, suits = (10, 4) if rng.random() < 0.5 else rng.integers((3, 2), (7, 5))
        cards, owners = deal(rng, rng.integers(0, 11 - ranks), ranks, suits, most)
        if CENTER in owners:
            yield cards, owners
            count -= 1


def check_offer(cards, owners, rule):
    """All questions about one offer; the sets of hand cards that may join."""
    table, size = as_table(cards, owners)
    rules = as_rules(rule)
    card = np.int64(cards[owners == CENTER][0])
    hand = as_mask(cards[owners == HAND])
    down = int((owners >= 0).sum()) + 1
    want = slow_offer(cards, owners, np.array(rule))
    out = np.zeros(1024, dtype=np.uint64)
    found = cq.joinable(table, size, card, hand, rules, out)
    assert np.array_equal(np.sort(out[:found]), want)
    can, best = cq.best_join(table, size, card, hand, rules)
    assert can == (len(want) > 0)
    if rule[FREE] and rule[HAND_RULE] == cq.WITH_CENTER:
        every = as_mask(cards[owners >= 0])
        assert cq.best_with_center(every, card, hand, rules) == (can, best)
    melded = cq.most_melded(table, size, card, hand, rules)
    if can:
        first = min(want.tolist(), key=lambda mask: (-mask.bit_count(), as_cards(mask)))
        assert int(best) == first
        assert melded == down + first.bit_count()
    else:
        assert melded == 0
    forced = cq.forceable(table, size, card, hand, rules)
    if rule[FORCE] == cq.TABLE_DIRECT:
        melds = [sorted([*cards[owners == i].tolist(), int(card)]) for i in range(size)]
        fits = any(meld in slow_melds_with(int(card), meld, rule[CAP]) for meld in melds)
        assert forced == (fits and (owners == HAND).sum() >= rule[KEEP])
    else:
        assert forced == (len(want) > 0 if rule[FORCE] == cq.ANY_FORCED else 0 in want)
    return want


def check_arrangement(cards, owners, rule, joining):
    """The table after accepting with these hand cards (a mask) is the stated one."""
    table, size = as_table(cards, owners)
    card = int(cards[owners == CENTER][0])
    out = np.zeros(cq.MOST_MELDS, dtype=np.uint64)
    count = cq.arrange(table, size, card, joining, as_rules(rule), out)
    laid = [as_cards(mask) for mask in out[:count]]
    old = [as_cards(mask) for mask in table[:size]]
    slow = slow_arrangement if rule[HAND_RULE] == cq.WITH_CENTER else slow_other_arrangement
    assert laid == slow(old, card, as_cards(joining), rule)


def check_futures(rng, count):
    """Near the end: a table, some cards that can still come, ten or eleven needed."""
    for cards, owners in positions(rng, count, most=14):
        owners[owners == CENTER] = HAND
        table, size = as_table(cards, owners)
        gone = as_mask(set(FACES.tolist()) - set(cards.tolist()))
        target = np.int64(rng.integers(10, 12))
        for rule in (RULES[0], RULES[6], RULES[7]):
            wanted = slow_future(cards, owners, rule[FREE], rule[CAP], target)
            assert cq.can_still_win(table, size, gone, target, as_rules(rule)) == wanted


def check_covered(rng, count):
    """`covered` and `split` on random cards and on unions of melds."""
    for cards, owners in positions(rng, count // 3, most=11):
        for some in (cards, cards[owners >= 0], rng.permutation(cards)[: rng.integers(3, 10)]):
            every = np.full(len(some), CENTER)
            can = slow_joins(some, every, 1, 2, 10)[-1]
            assert covered(as_mask(some)) == can
    out = np.zeros(cq.MOST_MELDS, dtype=np.uint64)
    for cards, owners in positions(rng, count // 40, most=11):
        cap = 8 if rng.random() < 0.3 else 10
        some = cards[owners >= 0]
        found = split(as_mask(some), np.uint64(0), cap, out, 0)
        assert [as_cards(mask) for mask in out[:found]] == slow_split(sorted(some.tolist()), cap)
        melds = slow_split(sorted(cards.tolist()), cap)
        found = split(as_mask(cards), np.uint64(0), cap, out, 0)
        assert found == (-1 if melds is None else len(melds))


# --- tests --------------------------------------------------------------------------------------


def case_position(case):
    """(table, number of its melds, rules, target) of a worked case."""
    switches = case.get("switches", {})
    free = switches.get("CQ_REARRANGE", "free" if case["game"] == "conquian" else "none")
    hand_cards = ["with_center", "no_all_hand_meld", "any"]
    force = ["table", "table_direct", "any"]
    rule = (
        free == "free",
        hand_cards.index(switches.get("CQ_HAND_CARDS", "with_center")),
        8 if switches.get("CQ_RUN_CAP") == "8" else cq.NO_CAP,
        0,
        force.index(switches.get("CQ_FORCE_SCOPE", "table")),
    )
    table = np.zeros(cq.MOST_MELDS, dtype=np.uint64)
    for i, meld in enumerate(case["given"]["table"]):
        table[i] = as_mask(PACK.numbers(meld))
    target = 11 if case["game"] == "conquian" else 10
    return table, np.int64(len(case["given"]["table"])), as_rules(rule), np.int64(target)


@pytest.mark.plain
@pytest.mark.parametrize("case", OFFERS, ids=lambda case: case["id"])
def test_worked_offers(case):
    table, size, rules, target = case_position(case)
    card = np.int64(PACK.number(case["given"]["card"]))
    hand = as_mask(PACK.numbers(case["given"]["hand"]))
    melded = cq.most_melded(table, size, card, hand, rules)
    assert {
        "can_accept": bool(cq.best_join(table, size, card, hand, rules)[0]),
        "forceable": bool(cq.forceable(table, size, card, hand, rules)),
        "max_melded": int(melded) or None,
        "wins": bool(melded == target),
    } == case["expect"]


@pytest.mark.plain
@pytest.mark.parametrize("case", FUTURES, ids=lambda case: case["id"])
def test_worked_futures(case):
    table, size, rules, target = case_position(case)
    gone = as_mask(PACK.numbers(case["given"]["unavailable"]))
    found = cq.can_still_win(table, size, gone, target, rules)
    assert found == case["expect"]["can_still_win"]


@pytest.mark.plain
def test_every_nine_card_run_can_be_saved_only_where_it_bends():
    """R-CQN-15: A … Q is saved by a second and third A, 4, 5, 6 or Q, and by nothing else."""
    table = np.zeros(cq.MOST_MELDS, dtype=np.uint64)
    table[0] = as_mask(PACK.numbers("AS 2S 3S 4S 5S 6S 7S JS QS"))
    for rank in PACK.ranks:
        gone = as_mask([f for f in PACK.faces if f >= 16 and PACK.ranks[f & 15] != rank] + [9])
        saved = cq.can_still_win(table, np.int64(1), gone, np.int64(11), as_rules(RULES[0]))
        assert saved == (rank in "A456Q")


@pytest.mark.plain
def test_a_few_positions_in_plain_python_too():
    rng = np.random.default_rng(1)
    for i, (cards, owners) in enumerate(positions(rng, 60, most=7)):
        rule = RULES[i % len(RULES)]
        for joining in check_offer(cards, owners, rule):
            check_arrangement(cards, owners, rule, joining)
    check_covered(rng, 60)


def test_twenty_thousand_offers():
    """Half of them under the default rules, half under others."""
    rng = np.random.default_rng(11)
    for i, (cards, owners) in enumerate(positions(rng, 20_000)):
        rule = RULES[i // 2 % len(RULES)] if i % 2 else RULES[0]
        joining = check_offer(cards, owners, rule)
        if i % 10 < 2:
            for some in joining[:3]:
                check_arrangement(cards, owners, rule, some)


def test_twenty_thousand_tables():
    check_covered(np.random.default_rng(12), 20_000)


def test_futures_near_the_end():
    check_futures(np.random.default_rng(13), 300)


@pytest.mark.soak
def test_a_million_offers():
    rng = np.random.default_rng(14)
    for i, (cards, owners) in enumerate(positions(rng, 1_000_000)):
        rule = RULES[i // 2 % len(RULES)] if i % 2 else RULES[0]
        joining = check_offer(cards, owners, rule)
        if i % 10 < 2:
            for some in joining[:3]:
                check_arrangement(cards, owners, rule, some)
    check_covered(rng, 300_000)
    check_futures(rng, 100_000)
