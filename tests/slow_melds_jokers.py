"""Best melds of hands with jokers the slow way: the search of RULES, Part 3, word for word.

Nothing here is shared with the kernels. A hand is an array of 53 counts: 13 * suit + rank, suits
S H D C, ranks from the ace; place 52 counts the jokers. The search takes the first card without a
place, tries every meld with it in the stated order, then leaves it in hand, and keeps the first
of the best results that meet a condition.

A meld is six numbers: kind; suit (run) or rank (set); lowest place, 0 … 13 with 13 for the high
ace, or suits held (bits S H D C); cards; 0, or suits held twice; jokers: which places of the run,
as bits from the low end, or in a set how many (`double_rum`) or which suits (`konkan`).
"""

import numba
import numpy as np
from numpy.typing import NDArray

JOKER = 52
RUN, SET = 0, 1
KIND, WHICH, LOW, SIZE, TWICE, JOKERS = range(6)
MOST_MELDS = 6
MOST_TRIALS = 1 << 16

# How a game differs: see `double_rum` and `konkan`.
ACE_POINTS, JOKER_POINTS, TWINS_IN_SETS, JOKERS_A_MELD, BOTH_ACES = range(5)
# What a result must meet: see `condition`.
WORTH, LEAVE, TAKEN, BY_FACE, MUST_USE, AIM = range(6)
# The best result so far: deadwood, cards left and melds, or its worth in place of the deadwood;
# and the first free row of the list of melds to try.
BEST, LEFT, MELDS, FREE = range(4)
CHEAPEST, MOST_WORTH = 0, 1


def double_rum(both_aces: bool = True) -> NDArray[np.int64]:
    """The numbers of `double_rum`: aces 11, a loose joker 15, sets of any size with twins."""
    return np.array([11, 15, 1, 2, both_aces], dtype=np.int64)


def konkan(jokers_a_meld: int = 2, both_aces: bool = True) -> NDArray[np.int64]:
    """The numbers of `konkan`: aces 10, a loose joker 25, sets of three or four suits."""
    return np.array([10, 25, 0, jokers_a_meld, both_aces], dtype=np.int64)


def condition(
    worth: int = 0,
    leave: bool = False,
    taken: int = -1,
    by_face: bool = False,
    must_use: bool = False,
    aim: int = CHEAPEST,
) -> list[int]:
    """What the melds must be: worth so much, leaving a card to throw, with the card taken in them.

    taken: the place in the counts of the card taken from the pile in this turn, -1 for none;
    by_face: no card like it may be thrown while it is still held (`TAKEN_CARD_MATCH`); aim:
    whether the cheapest such melds are sought or those worth most.
    """
    return [worth, int(leave), taken, int(by_face), int(must_use), aim]


@numba.njit(cache=True)
def card_points(card, rules):
    """Points of a card in hand."""
    if card == JOKER:
        return rules[JOKER_POINTS]
    return rules[ACE_POINTS] if card % 13 == 0 else min(card % 13 + 1, 10)


@numba.njit(cache=True)
def meets(hand, loose, worth, cond):
    """Does a result that leaves these cards of the hand meet the condition?"""
    taken = cond[TAKEN]
    if worth < cond[WORTH]:
        return False
    if cond[MUST_USE] and taken >= 0 and loose[taken] == hand[taken]:
        return False
    if not cond[LEAVE]:
        return True
    for card in range(53):
        still_held = card == taken and loose[card] == hand[card]
        if loose[card] > 0 and not still_held:
            return True
        if loose[card] > 1 and not cond[BY_FACE]:
            return True
    return False


@numba.njit(cache=True)
def list_runs(card, rest, rules, trials, count):
    """Every run with this card: longest first, then highest, then the card before a joker."""
    suit, rank = card // 13, card % 13
    most = min(rest[JOKER], rules[JOKERS_A_MELD])
    for length in range(14 if rules[BOTH_ACES] else 13, 2, -1):
        for low in range(14 - length, -1, -1):
            inside = low <= rank < low + length or (rank == 0 and low + length == 14)
            if not inside or missing(rest, suit, low, length) > most:
                continue
            # The first joker place, later ones first, and the second; `length`: there is none.
            for first in range(length, -1 if most > 0 else length - 1, -1):
                stop = first if first < length and most > 1 else length - 1
                for second in range(length, stop, -1):
                    if fits(card, rest, suit, low, length, first, second):
                        bits = ((1 << first) | (1 << second)) & ((1 << length) - 1)
                        trials[count, :] = RUN, suit, low, length, 0, bits
                        count += 1
    return count


@numba.njit(cache=True)
def missing(rest, suit, low, length):
    """How many places of a run are not held."""
    absent = 0
    for place in range(low, low + length):
        absent += rest[13 * suit + place % 13] == 0
    return absent


@numba.njit(cache=True)
def fits(card, rest, suit, low, length, first, second):
    """Are all places of a run but the two given ones held, and is this card among them?"""
    has = False
    aces = 0
    for i in range(length):
        if i != first and i != second:
            face = 13 * suit + (low + i) % 13
            aces += face % 13 == 0
            if rest[face] == 0 or (face % 13 == 0 and rest[face] < aces):
                return False
            has = has or face == card
    return has


@numba.njit(cache=True)
def list_sets(card, rest, rules, trials, count):
    """Every set with this card: largest first, fewest jokers, then in card order."""
    rank = card % 13
    held = rest[rank:52:13].copy()
    twins = rules[TWINS_IN_SETS]
    if not twins:
        held = np.minimum(held, 1)
    for size in range(10 if twins else 4, 2, -1):
        for jokers in range(min(rest[JOKER], rules[JOKERS_A_MELD]) + 1):
            for s in range(held[0], -1, -1):
                for h in range(held[1], -1, -1):
                    for d in range(held[2], -1, -1):
                        c = size - jokers - s - h - d
                        copies = (s, h, d, c)
                        if c < 0 or c > held[3] or copies[card // 13] == 0:
                            continue
                        once = twice = 0
                        for suit in range(4):
                            once += (copies[suit] > 0) << suit
                            twice += (copies[suit] > 1) << suit
                        bits = jokers if twins else missing_suits(once, jokers)
                        trials[count, :] = SET, rank, once, size, twice, bits
                        count += 1
    return count


@numba.njit(cache=True)
def missing_suits(once, jokers):
    """The first suits (bits S H D C) that a set lacks, one for each joker."""
    bits = 0
    for suit in range(4):
        if jokers > 0 and not once >> suit & 1:
            bits += 1 << suit
            jokers -= 1
    return bits


@numba.njit(cache=True)
def move(meld, rest, step, rules):
    """Takes the cards of a meld out of the rest (step -1) or puts them back (1); its worth."""
    worth = 0
    if meld[KIND] == RUN:
        for i in range(meld[SIZE]):
            face = 13 * meld[WHICH] + (meld[LOW] + i) % 13
            worth += card_points(face, rules)
            rest[JOKER if meld[JOKERS] >> i & 1 else face] += step
        return worth
    naturals = 0
    for suit in range(4):
        copies = (meld[LOW] >> suit & 1) + (meld[TWICE] >> suit & 1)
        rest[13 * suit + meld[WHICH]] += step * copies
        naturals += copies
    rest[JOKER] += step * (meld[SIZE] - naturals)
    return meld[SIZE] * card_points(meld[WHICH], rules)


@numba.njit(cache=True)
def hopeless(rest, dead, left, worth, rules, cond, best):
    """Can the cards without a place no longer lead to a better result?"""
    if cond[AIM] == CHEAPEST:
        return dead > best[BEST] or (dead == best[BEST] and left >= best[LEFT])
    for face in range(52):
        worth += rest[face] * card_points(face, rules)
    return worth + 10 * rest[JOKER] <= best[BEST]


@numba.njit(cache=True)
def explore(hand, rest, loose, dead, left, worth, depth, rules, cond, path, trials, best, out):
    """Tries the melds of the first card without a place, in order, then leaves it in hand.

    rest: cards without a place; loose: cards that stay; path: the melds so far, `depth` of them.
    """
    if hopeless(rest, dead, left, worth, rules, cond, best):
        return
    card = 0
    while card < 53 and rest[card] == 0:
        card += 1
    if card == 53:
        if meets(hand, loose, worth, cond):
            best[BEST] = dead if cond[AIM] == CHEAPEST else worth
            best[LEFT], best[MELDS] = left, depth
            out[:] = path
        return
    if card != JOKER:
        start = best[FREE]
        stop = list_runs(card, rest, rules, trials, start)
        stop = list_sets(card, rest, rules, trials, stop)
        best[FREE] = stop
        for i in range(start, stop):
            more = worth + move(trials[i], rest, -1, rules)
            path[depth] = trials[i]
            explore(hand, rest, loose, dead, left, more, depth + 1, rules, cond, path, trials,
                    best, out)  # fmt: skip
            path[depth] = 0
            move(trials[i], rest, 1, rules)
        best[FREE] = start
    rest[card] -= 1
    loose[card] += 1
    more = dead + card_points(card, rules)
    explore(hand, rest, loose, more, left + 1, worth, depth, rules, cond, path, trials, best, out)
    rest[card] += 1
    loose[card] -= 1


@numba.njit(cache=True)
def slow_results(hands: NDArray, rules: NDArray, conds: NDArray, melds: NDArray) -> NDArray:
    """`melds(H | condition)` of hands of counts, shape (n, 53), each with its condition, (n, 6).

    Returns (deadwood or worth, cards left, melds) of each, shape (n, 3), -1 where there is no
    result; melds, shape (n, MOST_MELDS, 6), is filled with the melds in the order found.
    """
    results = np.full((len(hands), 3), -1)
    trials = np.zeros((MOST_TRIALS, 6), dtype=np.int64)
    path = np.zeros((MOST_MELDS, 6), dtype=np.int64)
    zero = np.int64(0)
    for i in range(len(hands)):
        worst = 1 << 30 if conds[i, AIM] == CHEAPEST else -1
        best = np.array([worst, 1 << 30, -1, 0])
        explore(hands[i], hands[i].copy(), np.zeros(53, dtype=np.int64), zero, zero, zero, zero,
                rules, conds[i], path, trials, best, melds[i])  # fmt: skip
        if best[MELDS] >= 0:
            results[i] = best[:3]
    return results


def slow_melds(hands: NDArray, rules: NDArray, conds: list) -> tuple[NDArray, NDArray]:
    """(results, melds) of `slow_results`; conds: one condition, or one for each hand."""
    melds = np.zeros((len(hands), MOST_MELDS, 6), dtype=np.int64)
    each = np.broadcast_to(np.array(conds, dtype=np.int64), (len(hands), 6)).copy()
    return slow_results(hands, rules, each, melds), melds


def random_hands(rng: np.random.Generator, count: int, most_cards: int) -> NDArray[np.int64]:
    """Hands of counts, shape (about count, 53), of 1 … most_cards cards.

    A quarter from all cards, half from six neighbouring ranks and two to four suits, a quarter
    from two to four ranks; in half of them two of the cards are made jokers.
    """
    hands = []
    each = count // most_cards
    for size in range(1, most_cards + 1):
        kind = rng.integers(0, 4, each)
        ranks = np.select([kind == 0, kind == 1], [13, rng.integers(2, 5, each)], 6)
        suits = np.where(kind == 0, 4, rng.integers(1 + (kind > 1), 5))
        place = (np.arange(13) - rng.integers(0, 13, (each, 1))) % 13
        in_suits = rng.permuted(np.tile(np.arange(4), (each, 1)), axis=1) < suits[:, None]
        faces = in_suits[:, :, None] & (place < ranks[:, None])[:, None, :]
        pack = np.concatenate([faces.reshape(each, 52)] * 2 + [np.ones((each, 2), bool)], axis=1)
        keys = rng.random(pack.shape) + 2 * ~pack
        forced = np.where(rng.random(each) < 0.5, 2, 0)
        keys[:, 104:] -= 4 * (np.arange(2) < forced[:, None])
        drawn = np.argsort(keys, axis=1)[:, :size]
        drawn = np.where(np.take_along_axis(pack, drawn, axis=1), drawn, -1)
        held = np.zeros((each, 53), dtype=np.int64)
        for card in range(53):
            twins = (drawn % 52 == card) & (drawn < 104) if card < 52 else drawn >= 104
            held[:, card] = ((drawn >= 0) & twins).sum(axis=1)
        hands.append(held)
    return np.concatenate(hands)


def words(hands: NDArray) -> list[tuple[np.uint64, np.uint64, np.int64]]:
    """The words that kernels take, of hands of counts."""
    bits = np.array([1 << (16 * (card // 13) + card % 13) for card in range(52)], dtype=np.uint64)
    once = ((hands[:, :52] > 0) * bits).sum(axis=1, dtype=np.uint64)
    twice = ((hands[:, :52] > 1) * bits).sum(axis=1, dtype=np.uint64)
    return list(zip(once, twice, hands[:, 52], strict=True))


def number(card: int) -> int:
    """The card number of a place in the counts; -1 stays -1."""
    if card in (-1, JOKER):
        return 64 if card == JOKER else -1
    return 16 * (card // 13) + card % 13


def slow_discards(
    hands: NDArray, rules: NDArray, order: list[int], rng: np.random.Generator
) -> list[tuple[np.uint64, bool, tuple[int, int]]]:
    """`throw(H)` by the deadwood without each card in turn, with some faces barred at random.

    order: the plain cards in throw order. For each hand: the faces allowed (a mask), whether a
    joker may go, and the choice as (card number, penalty).
    """
    owners = [(i, int(card)) for i, hand in enumerate(hands) for card in np.nonzero(hand)[0]]
    without = np.array([hands[i] for i, _ in owners])
    without[np.arange(len(owners)), [card for _, card in owners]] -= 1
    dead = dict(zip(owners, slow_melds(without, rules, condition())[0][:, 0].tolist(), strict=True))
    whole = slow_melds(hands, rules, condition())[0][:, 0]
    expected = []
    for i in range(len(hands)):
        barred = set(rng.choice(52, rng.integers(0, 40))) if rng.random() < 0.4 else set()
        plain = [card for card in order if (i, card) in dead and card not in barred]
        joker_allowed = bool(rng.random() < 0.8)
        choice = (-1, int(whole[i]))
        if plain:
            penalty = min(dead[i, card] for card in plain)
            best = next(card for card in plain if dead[i, card] == penalty)
            choice = (number(best), penalty)
        elif joker_allowed and (i, JOKER) in dead:
            choice = (64, dead[i, JOKER])
        allowed = sum(1 << number(card) for card in range(52) if card not in barred)
        expected.append((np.uint64(allowed), joker_allowed, choice))
    return expected
