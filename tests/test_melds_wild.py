"""A wild rank: equal to the slow search of slow_melds, and by hand."""

from itertools import combinations

import numpy as np
import pytest

from cooncan_sim.cards import Pack
from cooncan_sim.melds import single, wild, wild_melds
from tests import slow_melds as slow

PACK = Pack()
TWO = PACK.ranks.index("2")
# Wild rank, naturals a meld needs, points of an unused wild (0: face value).
SWITCHES = [
    (TWO, 1, 0),
    (TWO, 1, 25),
    (TWO, 2, 0),
    (TWO, 2, 20),
    (TWO, 3, 15),
    (0, 2, 25),
    (6, 1, 15),
    (6, 2, 25),
    (9, 3, 25),
    (12, 1, 0),
    (12, 2, 20),
]
Switches = tuple[int, int, int]


def masks_of(hands: list[list[int]]) -> np.ndarray:
    return np.ascontiguousarray(slow.words_of(hands)[:, :1])


def mask_of(text: str) -> np.uint64:
    return np.uint64(PACK.row(PACK.numbers(text))[0])


def check_costs(hands: list[list[int]], switches: Switches) -> None:
    """The penalty of every hand, one at a time and as a batch."""
    masks = masks_of(hands)
    expected = slow.wild_costs(slow.hands_array(hands), *switches) // 100
    penalties = np.empty(len(hands), dtype=np.int64)
    wild.least_penalties(masks, *switches, penalties)
    wrong = np.flatnonzero(penalties != expected)
    assert not wrong.size, (hands[wrong[0]], switches)
    assert [wild.least_penalty(mask, *switches) for mask in masks[:100, 0]] == expected[
        :100
    ].tolist()


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "switches", "penalty"),
    [
        ("", (TWO, 1, 0), 0),
        ("2C 5H 6H 8H 9S 9D KC KS QD 3S", (TWO, 1, 0), 50),  # C-WLD-15
        ("9D 2C 2H", (TWO, 1, 0), 0),
        ("9D 2C 2H", (TWO, 2, 0), 13),
        ("2S 2H 2D", (TWO, 3, 25), 0),
        ("2S 2H", (TWO, 1, 25), 50),
        ("KS KH KD KC 2H", (TWO, 1, 0), 2),  # the set is full
        ("KS KH KD KC 2H", (TWO, 1, 25), 10),  # a king costs less than the wild
        ("KS KH KD KC 2H 2S", (TWO, 1, 25), 0),  # two sets of two kings and a wild
        ("KS KH KD 2H 2S", (TWO, 1, 25), 10),
        ("5S 6S 7S 2H 2S", (TWO, 3, 25), 0),  # wilds at the ends
        ("3S 2S 2H", (TWO, 2, 0), 0),  # the two of spades at its own place is a natural
        ("3S 2D 2H", (TWO, 2, 0), 7),
        ("5H 4H 5S 5D 6H 2C", (TWO, 1, 0), 0),
    ],
)
def test_hands_anybody_can_check(hand: str, switches: Switches, penalty: int) -> None:
    assert wild.least_penalty(mask_of(hand), *switches) == penalty


@pytest.mark.parametrize("switches", SWITCHES)
def test_least_penalty_of_random_hands(switches: Switches) -> None:
    rng = np.random.default_rng(list(switches))
    count = 4000 if switches == (TWO, 1, 0) else 1600
    check_costs([slow.random_hand(rng, 1, switches[0]) for _ in range(count)], switches)


@pytest.mark.parametrize("switches", SWITCHES[:5])
@pytest.mark.parametrize(("suits", "ranks"), [(2, range(5)), (4, range(1, 4)), (1, range(10))])
def test_every_hand_of_a_tiny_pack(suits: int, ranks: range, switches: Switches) -> None:
    """With the wild rank among the ranks; of one suit also with all four wilds in hand."""
    pack = [16 * suit + rank for suit in range(suits) for rank in ranks if rank != TWO]
    wilds = [16 * suit + TWO for suit in range(4 if suits == 1 else suits)]
    hands = [
        [*plain, *held]
        for size in range(len(pack) + 1)
        for plain in combinations(pack, size)
        for number in range(len(wilds) + 1)
        for held in combinations(wilds, number)
    ]
    check_costs([hand for hand in hands if len(hand) <= slow.MOST_CARDS], switches)


@pytest.mark.parametrize("switches", SWITCHES[::2])
def test_hands_longer_than_any_in_play(switches: Switches) -> None:
    rng = np.random.default_rng(2)
    check_costs([slow.random_hand(rng, 1, switches[0], most=14) for _ in range(60)], switches)


def test_no_wild_in_hand_is_the_single_evaluator() -> None:
    rng = np.random.default_rng(1)
    hands = masks_of([slow.random_hand(rng, 1) for _ in range(5000)])
    hands &= ~np.uint64(sum(1 << (16 * suit + TWO) for suit in range(4)))
    ours, theirs = np.empty((2, len(hands)), dtype=np.int64)
    wild.least_penalties(hands, TWO, 3, 25, ours)
    single.least_penalties(hands, theirs)
    assert np.array_equal(ours, theirs)


def check_discards(hands: list[list[int]], rng: np.random.Generator, switches: Switches) -> None:
    """`best_discard` against throwing each card, with some faces barred."""
    for hand, mask in zip(hands, masks_of(hands)[:, 0], strict=True):
        least = slow.wild_parts(np.array(hand), *switches) // 100
        barred = set(rng.choice(hand, rng.integers(len(hand) + 1)).tolist())
        may_go = [card for card in hand if card not in barred]
        plain = slow.in_throw_order([card for card in may_go if card % 16 != switches[0]])
        left = {card: least[-1 - (1 << hand.index(card))] for card in plain or may_go}
        expected = min(left, key=lambda card: left[card], default=-1)
        allowed = np.uint64(sum(1 << card for card in range(64) if card not in barred))
        found = wild.best_discard(mask, *switches, allowed)
        assert found == (expected, left.get(expected, least[-1])), (hand, barred, switches)


@pytest.mark.parametrize("switches", SWITCHES)
def test_best_discard_is_that_of_trying_every_card(switches: Switches) -> None:
    rng = np.random.default_rng(list(switches))
    check_discards([slow.random_hand(rng, 1, switches[0]) for _ in range(400)], rng, switches)


def check_melds(hands: list[list[int]], switches: Switches) -> None:
    wild_rank, min_naturals, _ = switches
    out = np.zeros((wild_melds.MOST_MELDS, wild_melds.MELD_WIDTH), dtype=np.int64)
    for hand, mask in zip(hands, masks_of(hands)[:, 0], strict=True):
        count = wild_melds.best_melds(mask, *switches, out)
        least = slow.wild_parts(np.array(hand), *switches)
        expected = slow.slow_best_melds(
            hand, least, lambda cards: slow.wild_melds(cards, wild_rank, min_naturals)
        )
        found = [
            (("run", "set")[row[0]], row[1], row[2], tuple(row[4 : 4 + row[3]]))
            for row in out[:count].tolist()
        ]
        assert found == expected, (hand, switches)


@pytest.mark.parametrize("switches", SWITCHES)
def test_best_melds_are_the_first_in_order(switches: Switches) -> None:
    rng = np.random.default_rng(list(switches))
    check_melds([slow.random_hand(rng, 1, switches[0]) for _ in range(300)], switches)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "tokens"),
    [
        ("5S 7S 2H", "5S 2H=6S 7S"),
        ("2S 2H 2D", "2S 2H=3S 2D=4S"),  # a run before a set
        ("KS KD 2H 2C", "KS KD 2H=K 2C=K"),
        ("3S 2S 2H", "3S 2S=4S 2H=5S"),  # of equal length the one that starts highest
        ("AS 3S 4S 2S 2H", "AS 2S 3S 4S 2H=5S"),
    ],
)
def test_melds_as_tokens(hand: str, tokens: str) -> None:
    """A row says all that the tokens of the table need."""
    out = np.zeros((wild_melds.MOST_MELDS, wild_melds.MELD_WIDTH), dtype=np.int64)
    assert wild_melds.best_melds(mask_of(hand), TWO, 1, 0, out) == 1
    kind, where, low, size, *cards = out[0].tolist()
    texts = []
    for i, card in enumerate(cards[:size]):
        place = 16 * where + low + i
        stands_for = PACK.text(place) if kind == wild_melds.RUN else PACK.ranks[where]
        natural = card == place if kind == wild_melds.RUN else card % 16 == where
        texts.append(PACK.text(card) + ("" if natural else f"={stands_for}"))
    assert " ".join(texts) == tokens


@pytest.mark.plain
@pytest.mark.parametrize("switches", SWITCHES[1:5])
def test_plain_python_gives_the_same(switches: Switches) -> None:
    rng = np.random.default_rng(3)
    hands = [slow.random_hand(rng, 1, TWO)[-7:] for _ in range(12)]
    check_costs(hands, switches)
    check_discards(hands, rng, switches)
    check_melds(hands, switches)


@pytest.mark.soak
@pytest.mark.parametrize("switches", SWITCHES)
def test_ninety_thousand_hands(switches: Switches) -> None:
    """A million in all."""
    rng = np.random.default_rng([99, *switches])
    for _ in range(9):
        hands = [slow.random_hand(rng, 1, switches[0]) for _ in range(10200)]
        check_costs(hands, switches)
        check_discards(hands[:500], rng, switches)
        check_melds(hands[:500], switches)
