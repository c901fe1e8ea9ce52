"""The evaluators of the harder packs beside that of one pack: two packs, wilds, jokers, Conquian.

For each it is known how many times as long as for one pack it took before; twice that may be.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import thread_time

import numpy as np

from benchmarks.rounds import Row, fastest
from cooncan_sim import deal_hands
from cooncan_sim.bits import ALL, NONE
from cooncan_sim.cards import JOKER, Pack
from cooncan_sim.catalog import game
from cooncan_sim.games.conquian_split import fewest_loose
from cooncan_sim.kernel import kernel
from cooncan_sim.melds import conquian, konkan, rum, single, twins, wild
from cooncan_sim.melds.aces_search import without
from cooncan_sim.melds.conquian_search import covered

HANDS, ROUNDS = 5_000, 15
LOOKED_AT, REPEATS = 2_000, 3  # hands timed one by one, the quietest of so many
TWO = 1  # the wild rank
MOST_MICROSECONDS = 100


# ---- tasks: rows of hands into out, (n,) int64 --------------------------------------------


@kernel
def singles(hands, out):
    """Least penalty of one pack, one hand at a time."""
    for i in range(hands.shape[0]):
        out[i] = single.least_penalty(hands[i, 0])


def two_packs(hands, out):
    """Least penalty of two packs, sets to four."""
    twins.least_penalties(hands, 4, out)


def wilds(hands, out):
    """Least penalty with wild twos."""
    wild.least_penalties(hands, TWO, 1, 0, out)


def jokers_apart(hands, out):
    """Least penalty of `konkan` with one joker a pair at most."""
    konkan.least_penalties(hands, 1, out)


def jokers(hands, out):
    """Least penalty of `konkan`."""
    konkan.least_penalties(hands, 2, out)


@kernel
def _openings(hands, jokers_a_pair, out):
    for i in range(hands.shape[0]):
        held = np.int64(hands[i, 2])
        out[i] = konkan.open_max(hands[i, 0], hands[i, 1], held, jokers_a_pair, -1, False, False)


def openings(hands, out):
    """Largest come-down."""
    _openings(hands, 2, out)


def openings_apart(hands, out):
    """Largest come-down with one joker a pair at most."""
    _openings(hands, 1, out)


@kernel
def are_covered(hands, out):
    """Can all cards of a Conquian table be split into melds?"""
    for i in range(hands.shape[0]):
        out[i] = covered(hands[i, 0])


@kernel
def taken(hands, out):
    """Most cards down when a card is offered: rows are the table, the hand and the card."""
    rules = conquian.CqRules(True, conquian.WITH_CENTER, conquian.NO_CAP, 0, conquian.TABLE)
    for i in range(hands.shape[0]):
        card = np.int64(hands[i, 2])
        can, cards = conquian.best_with_center(hands[i, 0], card, hands[i, 1], rules)
        out[i] = np.int64(cards) if can else -1


@kernel
def loose(hands, out):
    """Fewest cards of a Conquian hand in no meld."""
    for i in range(hands.shape[0]):
        out[i] = fewest_loose(hands[i, 0])


@kernel
def rum_discards(hands, out):
    """The penalty after the best discard of `double_rum`."""
    for i in range(hands.shape[0]):
        out[i] = rum.best_discard(hands[i, 0], hands[i, 1], np.int64(hands[i, 2]), ALL, False)[1]


@kernel
def rum_each(hands, out):
    """The same by one evaluation a card."""
    for i in range(hands.shape[0]):
        out[i] = 1 << 20
        rest = hands[i, 0]
        while rest != NONE:
            face = rest & (~rest + np.uint64(1))
            rest = rest & ~face
            once, twice = without(hands[i, 0], hands[i, 1], face)
            out[i] = min(out[i], rum.least_penalty(once, twice, np.int64(hands[i, 2])))


@kernel
def konkan_discards(hands, out):
    """The penalty after the best discard of `konkan`."""
    for i in range(hands.shape[0]):
        held = np.int64(hands[i, 2])
        out[i] = konkan.best_discard(hands[i, 0], hands[i, 1], held, 2, ALL, False)[1]


@kernel
def konkan_each(hands, out):
    """The same by one evaluation a card."""
    for i in range(hands.shape[0]):
        out[i] = 1 << 20
        rest = hands[i, 0]
        while rest != NONE:
            face = rest & (~rest + np.uint64(1))
            rest = rest & ~face
            once, twice = without(hands[i, 0], hands[i, 1], face)
            out[i] = min(out[i], konkan.least_penalty(once, twice, np.int64(hands[i, 2]), 2))


# ---- hands --------------------------------------------------------------------------------


def dealt(key: str, size: int, clustered: bool, forced: int = 0) -> np.ndarray:
    """Random hands (HANDS, words) of a game; clustered: from six adjacent ranks, all copies.

    forced: so many jokers, or cards of the wild rank, are in every hand; clustered hands may hold
    others of these too.
    """
    pack = game(key).pack
    if not clustered and not forced:
        return deal_hands(HANDS, size, key, seed=1)
    rng = np.random.default_rng(1)
    extra = [JOKER] * pack.jokers if key != "wild_card" else [16 * suit + TWO for suit in range(4)]
    rows = np.zeros((HANDS, pack.words), dtype=np.uint64)
    for i in range(HANDS):
        low = rng.integers(0, len(pack.ranks) - 5) if clustered else 0
        ranks = range(low, low + 6) if clustered else range(len(pack.ranks))
        plain = [16 * s + r for s in range(4) for r in ranks for _ in range(pack.copies)]
        plain = [card for card in plain if card not in extra]
        rest = rng.permutation(plain + extra[forced:])[: size - forced]
        rows[i] = pack.row([*extra[:forced], *rest.tolist()])
    return rows


def offers(clustered: bool) -> np.ndarray:
    """Conquian tables of six or seven cards in melds, a hand and an offered card, a row each."""
    rng = np.random.default_rng(2)
    hands = dealt("conquian", 11, clustered)
    rows = np.zeros((HANDS, 3), dtype=np.uint64)
    faces = np.array(Pack("A234567JQK").faces)
    for i, hand in enumerate(hands[:, 0].tolist()):
        cards = rng.permutation(faces[[bool(hand >> int(face) & 1) for face in faces]])
        meld = 0x7 << (16 * int(cards[0] >> 4) + min(int(cards[0] & 15), 7))
        free = [int(card) for card in cards[1:] if not meld >> int(card) & 1]
        rows[i] = meld, sum(1 << card for card in free[1:8]), free[0]
    return rows


# ---- rows ---------------------------------------------------------------------------------

Task = Callable[[np.ndarray, np.ndarray], None]


@dataclass(frozen=True)
class Measured:
    """An evaluator on hands of a game; times: as long as one pack before, uniform, clustered."""

    what: str
    task: Task
    key: str
    size: int
    times: tuple[float, float]


EVALUATORS = (
    Measured("two_deck", two_packs, "two_deck", 11, (2.5, 3)),
    Measured("wild_card, twos", wilds, "wild_card", 10, (40, 47)),
    Measured("double_rum", rum.least_penalties, "double_rum", 10, (10, 13)),
    Measured("double_rum", rum.least_penalties, "double_rum", 11, (12, 18)),
    Measured("konkan", jokers, "konkan", 14, (24, 50)),
    Measured("konkan", jokers, "konkan", 15, (30, 70)),
    Measured("konkan, come-down", openings, "konkan", 15, (60, 200)),
    Measured("Conquian, table covered", are_covered, "conquian", 10, (0.9, 0.4)),
    Measured("Conquian, most in melds", loose, "conquian", 11, (2.7, 3.3)),
)


def rows() -> Iterator[Row]:
    """Measures all of it; a row is printed as soon as it is known."""
    for clustered in (False, True):
        for case in EVALUATORS:
            hands = dealt(case.key, case.size, clustered)
            yield _beside_one_pack(case, hands, clustered)
        offer = Measured("Conquian, most down after an offer", taken, "", 10, (3.8, 2.3))
        yield _beside_one_pack(offer, offers(clustered), clustered)
        yield from _discards(clustered)
    for what, task, key, size, forced in (
        ("wild_card, three twos or more", wilds, "wild_card", 10, 3),
        ("double_rum, two jokers", rum.least_penalties, "double_rum", 11, 2),
        ("konkan, two jokers", jokers, "konkan", 15, 2),
        ("konkan, two jokers, one a pair", jokers_apart, "konkan", 15, 2),
        ("konkan, come-down, two jokers", openings, "konkan", 15, 2),
        ("konkan, come-down, one joker a pair", openings_apart, "konkan", 15, 2),
    ):
        hands = dealt(key, size, True, forced)
        yield _slowest(f"slowest hand: {what}, {size} cards, clustered", task, hands)


def _timed(tasks: dict[str, Task], hands: dict[str, np.ndarray]) -> dict[str, float]:
    """Nanoseconds a hand of each task, in rounds together."""
    out = np.empty(HANDS, dtype=np.int64)
    runs = {name: lambda t=task, h=hands[name]: t(h, out) for name, task in tasks.items()}
    for run in runs.values():
        run()
    return {name: 1e9 * took / HANDS for name, took in fastest(runs, ROUNDS, thread_time).items()}


def _beside_one_pack(case: Measured, hands: np.ndarray, clustered: bool) -> Row:
    one = dealt("jaques", case.size, clustered)
    took = _timed({"one": singles, "ours": case.task}, {"one": one, "ours": hands})
    ratio, most = took["ours"] / took["one"], 2 * case.times[clustered]
    kind = "clustered" if clustered else "uniform"
    what = f"{case.what}, {case.size} cards, {kind}"
    wanted = f"<= {most:g}"
    return Row("packs", what, took["ours"], "ns a hand", "one pack", ratio, wanted, ratio <= most)


def _discards(clustered: bool) -> Iterator[Row]:
    """Best discards with one or two jokers, against one evaluation a card."""
    kind = "clustered" if clustered else "uniform"
    for key, size, best, each in (
        ("double_rum", 11, rum_discards, rum_each),
        ("konkan", 15, konkan_discards, konkan_each),
    ):
        hands = dealt(key, size, clustered, forced=1)
        results = np.empty((2, HANDS), dtype=np.int64)
        for task, out in zip((best, each), results, strict=True):
            task(hands, out)
        assert np.array_equal(*results), f"{key}: best discards differ"
        took = _timed({"best": best, "each": each}, {"best": hands, "each": hands})
        ratio = took["each"] / took["best"]
        what = f"{key}, best discard of {size} with a joker, {kind}"
        row = Row("packs", what, took["best"], "ns a hand", "a card each", ratio, "> 1", ratio > 1)
        yield row


def _slowest(what: str, task: Task, hands: np.ndarray) -> Row:
    """The hand that takes longest, in its quietest run."""
    out = np.empty(1, dtype=np.int64)
    longest = 0.0
    for i in range(LOOKED_AT):
        row, took = hands[i : i + 1], float("inf")
        for _ in range(REPEATS):
            start = thread_time()
            task(row, out)
            took = min(took, thread_time() - start)
        longest = max(longest, 1e6 * took)
    wanted = f"<= {MOST_MICROSECONDS}"
    return Row("packs", what, longest, "µs", target=wanted, met=longest <= MOST_MICROSECONDS)
