"""How numbers are rounded for people: one set of rules for the terminal, tables and pages.

An interval decides: its half-width is shown with two significant digits, and the estimate and
both limits get the same number of decimals. More digits would claim a precision that is not
there, fewer would hide what was measured.
"""

import math

MINUS = "\N{MINUS SIGN}"


def decimals(width: float, digits: int = 2, most: int = 6) -> int:
    """Decimals that show `width` with that many significant digits; 0 for a width of 0."""
    if not width or not math.isfinite(width):
        return 0
    shown = f"{abs(width):.{digits - 1}e}"  # rounded first: 0.0999 is 0.10, not 0.100
    return min(most, max(0, digits - 1 - int(shown.split("e")[1])))


def plain(value: float, places: int) -> str:
    """`1,234.5`, `−0.30`; never a negative zero."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else MINUS + "∞"
    text = f"{abs(value):,.{places}f}"
    negative = value < 0 and any(digit in text for digit in "123456789")
    return MINUS + text if negative else text


def signed(value: float, places: int) -> str:
    """As `plain`, with a plus before what is above 0."""
    text = plain(value, places)
    positive = value > 0 and any(digit in text for digit in "123456789∞")
    return "+" + text if positive else text


def significant(value: float, digits: int = 2) -> str:
    """`0.0012`, `3.4`, `1,200`: rounded to that many significant digits."""
    if not math.isfinite(value) or value == 0:
        return plain(value, 0)
    rounded = float(f"{value:.{digits - 1}e}")
    return plain(rounded, decimals(rounded, digits))


def count(value: int) -> str:
    """`1,000,000`."""
    return f"{value:,}"


def counted(value: int, one: str, many: str) -> str:
    """`1 match`, `1,000 matches`."""
    return f"{count(value)} {one if value == 1 else many}"


def whole(value: float, digits: int = 2) -> str:
    """As `significant` for what comes in whole pieces: `1,200`, `7`; never below 1."""
    if not math.isfinite(value):
        return plain(value, 0)
    return plain(max(1.0, float(f"{value:.{digits - 1}e}")), 0)


def percent(share: float, digits: int = 2) -> str:
    """`12 %`, `0.031 %`; near a whole what is missing counts: `99.80 %`, `> 99.99 %`."""
    if 0.9999 < share < 1:
        return "> 99.99 %"
    missing = 1 - share
    places = decimals(100 * (missing if 0 < missing < 0.01 else share), digits)
    return plain(100 * share, places) + " %"


def chance(probability: float) -> str:
    """A chance worked out from an estimate, not counted: `67 %`, `> 99.9 %`, `< 0.1 %`."""
    if probability > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if probability < 0.001 else percent(probability)
