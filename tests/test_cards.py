"""Cards as text, numbers and bits; what is refused; the words of a mask."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cooncan_sim import bits
from cooncan_sim.cards import JOKER, SUITS, Pack, mask_of
from cooncan_sim.errors import CooncanError

PACK = Pack()
SHORT = Pack(ranks="A234567JQK")
TWO_PACKS = Pack(copies=2)
WITH_JOKERS = Pack(copies=2, jokers=2)
calm = settings(deadline=None, derandomize=True, database=None)
PACKS = [PACK, SHORT, TWO_PACKS, WITH_JOKERS]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("AS", 0),
        ("KS", 12),
        ("AH", 16),
        ("5H", 20),
        ("5h", 20),
        ("5♥", 20),
        ("5♡", 20),
        (" 5H ", 20),
        ("TD", 41),
        ("10D", 41),
        ("10♦", 41),
        ("td", 41),
        ("KC", 60),
        ("k♣", 60),
        ("A♠", 0),
    ],
)
def test_a_card_has_one_number_however_it_is_written(text: str, number: int) -> None:
    assert PACK.number(text) == number


@pytest.mark.parametrize("pack", PACKS)
def test_text_and_number_are_inverse(pack: Pack) -> None:
    faces = [*pack.faces, *[JOKER] * bool(pack.jokers)]
    assert [pack.number(pack.text(face)) for face in faces] == faces
    assert len(pack.faces) * pack.copies + pack.jokers == pack.size
    assert list(pack.faces) == sorted(set(pack.faces))


def test_the_packs_of_the_games() -> None:
    assert [pack.size for pack in PACKS] == [52, 40, 104, 106]
    assert [pack.words for pack in PACKS] == [1, 1, 2, 3]
    assert [SHORT.text(16 + rank) for rank in range(10)] == [rank + "H" for rank in "A234567JQK"]


@pytest.mark.parametrize("text", ["", "5", "H5", "1H", "11H", "5X", "5HH", "*", "joker", "5H 6H"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(CooncanError, match="unknown card") as refused:
        PACK.number(text)
    assert repr(text) in str(refused.value) and "such as 5H" in str(refused.value)


@pytest.mark.parametrize("text", ["8H", "9S", "TC", "10C"])
def test_the_short_pack_has_no_eight_nine_ten(text: str) -> None:
    with pytest.raises(CooncanError, match="A 2 3 4 5 6 7 J Q K"):
        SHORT.number(text)


def test_jokers_are_cards_of_packs_that_have_them() -> None:
    assert WITH_JOKERS.number(" * ") == WITH_JOKERS.number("★") == JOKER
    with pytest.raises(CooncanError, match="unknown card '★'"):
        PACK.number("★")
    with pytest.raises(CooncanError, match=r"or \* for a joker"):
        WITH_JOKERS.number("?")


@pytest.mark.parametrize(
    ("pack", "hand", "said"),
    [
        (PACK, "5H 6H 5♥", "5H stands 2 times in the hand: this pack has 1"),
        (PACK, "10H TH", "TH stands 2 times"),
        (TWO_PACKS, "5H 5H 5H", "5H stands 3 times in the hand: this pack has 2"),
        (WITH_JOKERS, "* * *", r"\* stands 3 times in the hand: this pack has 2"),
    ],
)
def test_too_many_copies_are_named(pack: Pack, hand: str, said: str) -> None:
    with pytest.raises(CooncanError, match=said):
        pack.numbers(hand)


def test_a_hand_is_one_text_or_a_list() -> None:
    assert PACK.numbers("5H, 6H 10d") == PACK.numbers(["5H", "6H", "TD"]) == [20, 21, 41]
    assert PACK.numbers("") == PACK.numbers([]) == []


@calm
@given(st.randoms(use_true_random=False), st.sampled_from(PACKS))
def test_words_of_a_hand_and_back(rng: Random, pack: Pack) -> None:
    whole = [face for face in pack.faces for _ in range(pack.copies)] + [JOKER] * pack.jokers
    hand = sorted(rng.sample(whole, rng.randint(0, 15)))
    row = pack.row(hand)
    assert len(row) == pack.words and pack.cards(row) == hand
    assert pack.numbers([pack.text(card) for card in hand]) == hand
    once = {card for card in hand if card != JOKER}
    assert np.uint64(row[0]) == mask_of(sorted(once))


# ---- words of cards -----------------------------------------------------------------------

faces = st.sets(st.sampled_from(PACK.faces), min_size=1)


def throw_order(card: int) -> tuple[int, int, int]:
    """Dearest first, then K … A, then S H D C (RULES, Part 3)."""
    return -min((card & 15) + 1, 10), -(card & 15), card >> 4


@pytest.mark.plain
@calm
@given(faces)
def test_first_and_last_of_a_mask(cards: set[int]) -> None:
    mask = mask_of(sorted(cards))
    assert bits.count(mask) == len(cards)
    assert bits.lowest(mask) == min(cards)
    assert bits.first_bit(mask) == bits.bit(min(cards)) == mask_of([min(cards)])
    assert bits.first_to_throw(mask) == min(cards, key=throw_order)
    assert bits.last_to_throw(mask) == max(cards, key=throw_order)


@pytest.mark.plain
@calm
@given(faces)
def test_value_of_a_mask(cards: set[int]) -> None:
    points = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10} | {str(n): n for n in range(2, 10)}
    values = [points[PACK.text(card)[0]] for card in sorted(cards)]
    assert [bits.card_value(card) for card in sorted(cards)] == values
    assert bits.value(mask_of(sorted(cards))) == sum(values)


@pytest.mark.plain
@calm
@given(faces)
def test_ranks_of_a_mask(cards: set[int]) -> None:
    mask = mask_of(sorted(cards))
    ranks = {card & 15 for card in cards}
    assert bits.fold(mask) == mask_of(sorted(ranks))
    assert bits.top_rank(bits.fold(mask)) == max(ranks)
    everywhere = [16 * suit + rank for suit in range(len(SUITS)) for rank in ranks]
    assert bits.spread(bits.fold(mask)) == mask_of(sorted(everywhere))


@pytest.mark.plain
def test_the_whole_pack_and_the_empty_mask() -> None:
    assert bits.ALL == mask_of(list(PACK.faces))
    assert bits.value(bits.ALL) == 4 * (45 + 40)
    assert bits.count(bits.NONE) == bits.value(bits.NONE) == bits.first_bit(bits.NONE) == 0
