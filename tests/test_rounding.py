"""The rules by which numbers are shown."""

import math

import pytest

from cooncan_sim import rounding


@pytest.mark.parametrize(
    ("width", "places"),
    [(0.12, 2), (0.0999, 2), (0.012, 3), (1.0, 1), (12.0, 0), (1200.0, 0), (0.0, 0), (math.nan, 0)],
)
def test_an_interval_shows_two_digits_of_its_half_width(width: float, places: int) -> None:
    assert rounding.decimals(width) == places


@pytest.mark.parametrize(
    ("value", "places", "plain", "signed"),
    [
        (1234.56, 1, "1,234.6", "+1,234.6"),
        (-0.3, 2, "−0.30", "−0.30"),
        (-0.001, 2, "0.00", "0.00"),
        (0.001, 2, "0.00", "0.00"),
        (0.0, 0, "0", "0"),
        (math.inf, 2, "∞", "+∞"),
        (-math.inf, 2, "−∞", "−∞"),
        (math.nan, 2, "–", "–"),
    ],
)
def test_signs(value: float, places: int, plain: str, signed: str) -> None:
    assert rounding.plain(value, places) == plain
    assert rounding.signed(value, places) == signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (9800.6, "9,800"),
        (0.00123, "0.0012"),
        (3.44, "3.4"),
        (0.0, "0"),
        (math.inf, "∞"),
        (9.96, "10"),
    ],
)
def test_two_significant_digits(value: float, text: str) -> None:
    assert rounding.significant(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.5, "50 %"),
        (0.00031, "0.031 %"),
        (0.998, "99.80 %"),
        (0.99995, "> 99.99 %"),
        (1.0, "100 %"),
        (0.0, "0 %"),
    ],
)
def test_percent(share: float, text: str) -> None:
    assert rounding.percent(share) == text


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.672, "67 %"),
        (0.9995, "> 99.9 %"),
        (1.0, "> 99.9 %"),
        (0.0004, "< 0.1 %"),
        (0.01, "1.0 %"),
    ],
)
def test_chance(probability: float, text: str) -> None:
    assert rounding.chance(probability) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(7.02, "7"), (9860.0, "9,900"), (0.2, "1"), (96.4, "96"), (math.inf, "∞")],
)
def test_whole(value: float, text: str) -> None:
    assert rounding.whole(value) == text


def test_count() -> None:
    assert rounding.count(1000000) == "1,000,000"
    told = [rounding.counted(number, "match", "matches") for number in (0, 1, 2, 1000)]
    assert told == ["0 matches", "1 match", "2 matches", "1,000 matches"]
