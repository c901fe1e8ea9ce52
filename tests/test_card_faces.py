"""Tokens as people see them."""

import pytest

from cooncan_sim.reports import card_faces

TOKENS = {
    "TH": ("10♥", "ten of hearts"),
    "AS": ("A♠", "ace of spades"),
    "*": ("★", "joker"),
    "2C=6H": ("2♣=6♥", "two of clubs standing for the six of hearts"),
    "2C=8": ("2♣=8", "two of clubs standing for an eight"),
    "*=9S": ("★=9♠", "joker standing for the nine of spades"),
    "*=T": ("★=10", "joker standing for a ten"),
    "*x=5S": ("★x=5♠", "joker standing for the five of spades, moved and locked"),
}


@pytest.mark.parametrize("token", TOKENS)
def test_text_and_name(token: str) -> None:
    text, name = TOKENS[token]
    assert card_faces.text(token) == text
    assert card_faces.text(token, symbols=False) == token
    assert card_faces.name(token) == name


def test_parts_of_a_token() -> None:
    assert card_faces.parse("*x=5S") == ("*", "5S", True)
    assert card_faces.parse("2H=6S") == ("2H", "6S", False)
    assert card_faces.stands_for("2H=6S") == "6S"
    assert card_faces.stands_for("KD") == "KD"


@pytest.mark.parametrize(
    "text", ["", "1H", "10H", "HT", "5h", "*x", "*=", "=5H", "5H=", "*=99", "x=5S"]
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        card_faces.parse(text)


def test_order_of_a_hand() -> None:
    hand = ["*", "AC", "KD", "2D", "TH", "9H", "AS"]
    assert sorted(hand, key=card_faces.order) == ["AS", "9H", "TH", "2D", "KD", "AC", "*"]


def test_runs_and_sets_are_told_apart_by_rank() -> None:
    assert card_faces.is_run(("AS", "*=2S", "3S"))
    assert not card_faces.is_run(("7C", "7C", "*=7"))
    assert not card_faces.is_run(("9H", "2D=9", "9S"))


@pytest.mark.parametrize("suit", card_faces.SUIT_NAMES.values())
def test_shapes_keep_to_their_box_and_grammar(suit: str) -> None:
    words = card_faces.SHAPES[suit].split()
    numbers = [float(word) for word in words if not word.isalpha()]
    assert {word for word in words if word.isalpha()} <= set("MLCZ")
    assert len(numbers) % 2 == 0
    assert 0 <= min(numbers) < max(numbers) <= 100
