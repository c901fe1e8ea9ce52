"""`strong` with two packs, wild cards and jokers: the decisions that matter, worked out by hand."""

from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from cooncan_sim.view_hopes import Loose, Unseen, links, waited_for
from tests.double_rum_positions import turn_of
from tests.scripted import laid_out, turn
from tests.sizes import sizes

FACES = list(product(range(4), range(13)))  # suit, rank
THREE = "3H 9C JD"

family = pytest.mark.parametrize("key", ["two_deck", "wild_card"])


def laid(hand: str, key: str, others: str = THREE, **fields: object) -> np.ndarray:
    """A position in which every other player holds the same."""
    return laid_out(hand, key=key, others=[others] * (2 if key == "two_deck" else 1), **fields)


# ---- two packs, wild cards ----------------------------------------------------------------


@pytest.mark.plain
@family
@pytest.mark.parametrize(
    ("others", "target", "lays"),
    [(THREE, 0, False), (THREE + " 4S", 100, True), (THREE + " 4S 5S", 100, False)],
)
def test_it_shows_nothing_until_it_must(key: str, others: str, target: int, lays: bool) -> None:
    states = laid("7S 7H 7D KC 4D", key, others, target=target)
    assert turn("strong(near=4)", states, key) == "MELD 7S 7H 7D; " * lays + "DISCARD KC"
    won = "MELD 7S 7H 7D; DISCARD KC"
    assert turn("strong", laid("7S 7H 7D KC", key, others), key) == won


@pytest.mark.plain
@family
def test_it_keeps_cards_that_wait_for_a_third(key: str) -> None:
    """Of the other cards the eight costs more than the three."""
    assert turn("strong", laid("JC QC 3D 8H", key), key) == "DISCARD 8H"
    assert turn("strong(out=0, links=0)", laid("JC QC 3D 8H", key), key) == "DISCARD QC"


@pytest.mark.plain
@family
@pytest.mark.parametrize(
    ("hand", "pile", "takes"),
    [
        ("JC QC 3D 8H", "KC", True),  # a meld saves two cards
        ("KH QS 3C", "9S", False),  # a point saved is not worth a turn
        ("7S 7H 4D", "7D", True),  # out
    ],
)
def test_it_draws_for_a_card_saved(key: str, hand: str, pile: str, takes: bool) -> None:
    drawn = turn("strong", laid(hand, key, pile=pile, phase="DRAW"), key)
    assert drawn.startswith("DRAW_DISCARD" if takes else "DRAW_STOCK")


@pytest.mark.plain
def test_a_twin_waits_for_a_third_like_any_card_of_its_rank() -> None:
    """Six kings are left for the two; when four of them are gone it is the nines that wait."""
    assert turn("strong", laid("KH KH 9S 8D 3C", "two_deck"), "two_deck") == "DISCARD 9S"
    gone = laid("KH KH 9S 9D 3C", "two_deck", pile="KS KS KD KC 5H")
    assert turn("strong", gone, "two_deck") == "DISCARD KH"


@pytest.mark.plain
def test_a_wild_card_is_taken_and_kept() -> None:
    drawn = turn("strong", laid("3S KH 8D", "wild_card", pile="2S", phase="DRAW"), "wild_card")
    assert drawn == "DRAW_DISCARD 2S; DISCARD KH"
    # It melds with the king and the queen; of the rest the eight and the nine wait for a third.
    hand = laid("2S KH QH 3D 8H 9H", "wild_card")
    assert turn("strong", hand, "wild_card") == "DISCARD 3D"


# ---- two packs and jokers -----------------------------------------------------------------

MANY = "2C 3C 4C 6C 8C TC QC AC".split()
FIVE = "JC 8D 4S 9H TD"


def rum(hand: str, strategy: str = "strong", others: str = FIVE, **given: object) -> str:
    """The turn at Double Rum in one line, after the draw if nothing else is given."""
    usual = {"hands": [hand.split(), others.split()], "phase": "TABLE", "stock": MANY}
    actions = turn_of(strategy, usual | given)
    return "; ".join(" ".join([a["a"], *a.get("cards", [a.get("card", "")])]) for a in actions)


@pytest.mark.plain
def test_at_double_rum_it_lays_when_the_hand_may_soon_be_over() -> None:
    hand, lays = "5H 6H 7H KD 9S", "MELD 5H 6H 7H; DISCARD KD"
    holds = "strong(near=4, rest=0.5)"
    assert rum(hand, holds) == "DISCARD KD"
    assert rum(hand, holds, others="JC 8D 4S 9H") == lays  # somebody has four cards
    assert rum(hand, holds, stock=["2C"]) == lays  # half a card for each
    assert rum("5H 6H 7H KD", holds) == lays  # out


@pytest.mark.plain
def test_at_double_rum_a_joker_is_taken_and_kept() -> None:
    drawn = rum("3C KD 8S", phase="DRAW", pile=["*"])
    assert drawn == "DRAW_DISCARD *; DISCARD KD"
    assert rum("* KD 9S 3C") == "DISCARD KD"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("KC AC 3D 8H", "8H"),  # the ace is high
        ("AH 2H KD 9S", "KD"),  # and low
        ("9H 9H TD JS 3C", "JS"),  # twins wait for seven others of their rank
    ],
)
def test_at_double_rum_it_keeps_what_waits(hand: str, thrown: str) -> None:
    assert rum(hand) == f"DISCARD {thrown}"


@pytest.mark.plain
def test_at_double_rum_without_a_stock_the_draw_is_no_choice() -> None:
    assert rum("2H 3D", phase="DRAW", stock=[], pile=["4C", "KC"]).startswith("DRAW_DISCARD KC")


# ---- what loose cards may become ----------------------------------------------------------


def word(faces: list[tuple[int, int]]) -> np.uint64:
    """Faces as a mask."""
    return np.uint64(sum(1 << (16 * suit + rank) for suit, rank in faces))


def places(face: tuple[int, int], high_aces: bool) -> set[int]:
    """Where a face stands in a run: an ace may have a second place above the king."""
    return {face[1], 13} if high_aces and face[1] == 0 else {face[1]}


def in_a_row(three: tuple[tuple[int, int], ...], high_aces: bool) -> bool:
    """Whether three faces are a run."""
    if len({suit for suit, _ in three}) > 1:
        return False
    stands = product(*(places(face, high_aces) for face in three))
    return any(sorted(chosen) == [min(chosen) + n for n in range(3)] for chosen in stands)


def drawn_hand(dice: Random) -> tuple[list, list]:
    """Some faces, and those of them that are held twice."""
    once = dice.sample(FACES, dice.randint(1, 8))
    return once, [face for face in once if dice.random() < 0.2]


@pytest.mark.parametrize("count", sizes(plain=40, ordinary=300))
def test_the_cards_that_are_waited_for(count: int) -> None:
    dice = Random(1)
    for number in range(count):
        once, twice = drawn_hand(dice)
        high_aces = number % 2 == 0
        pairs = list(combinations(once + twice, 2))
        expected = [
            face
            for face in FACES
            if any(
                one[1] == two[1] == face[1] or in_a_row((one, two, face), high_aces)
                for one, two in pairs
            )
        ]
        loose = Loose(word(once), word(twice), np.uint64(0), high_aces)
        assert waited_for(loose) == word(expected), (once, twice)


@pytest.mark.parametrize("count", sizes(plain=20, ordinary=100))
def test_the_melds_that_loose_cards_may_become(count: int) -> None:
    dice = Random(2)
    for number in range(count):
        high_aces = number % 2 == 0
        left = {face: dice.choice((0, 1, 1, 2, 2)) for face in FACES}
        once = dice.sample([face for face in FACES if left[face]], 6)
        expected = 0
        for face in once:
            mates = sum(left[other] for other in FACES if other[1] == face[1]) - 1
            expected += mates * (mates - 1) // 2
            for place, low in product(places(face, high_aces), range(-2, 1)):
                run = [place + low + step for step in range(3)]
                if min(run) >= 0 and max(run) <= 12 + high_aces:
                    fewest = min(left[face[0], rank % 13] for rank in run)
                    expected += (0, 1, 4)[fewest]
        unseen = Unseen(
            np.uint64(0),
            np.uint64(0),
            word([face for face in FACES if left[face]]),
            word([face for face in FACES if left[face] == 2]),
        )
        loose = Loose(word(once), np.uint64(0), np.uint64(0), high_aces)
        assert links(loose, unseen) == expected, (once, left)
