"""The first deals on which two strategies part ways, to be clicked through side by side."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from cooncan_sim.errors import CooncanError
from cooncan_sim.replay import replay
from cooncan_sim.reports import tables

LOOKED_AT = 60  # deals that are searched
SHOWN = 2
MOST_ACTIONS = 160  # of a hand that somebody would click through


class Parting(NamedTuple):
    """A deal that goes two ways: the hand with the tip, the one without, and the action (from 1)
    at which they part."""

    deal: int
    treated: Mapping[str, Any]
    control: Mapping[str, Any]
    action: int


def partings(row: Mapping[str, Any], rules: Mapping[str, Any]) -> list[Parting]:
    """The first two deals of a row of `comparisons` on which its strategies do not play alike.

    Hands of more than `MOST_ACTIONS` actions are passed over while there are shorter ones. The
    focal player sits in seat 0 (of several: they sit in the first seats), the others play the
    field. Raises CooncanError for what cannot be played here, such as a strategy whose file is
    gone.
    """
    first = int(row["first_deal"])
    if row["unit"] == "matches":
        raise CooncanError("matches are too long to be shown side by side")
    hands = [
        replay(row["game"], _seated(row, own), int(row["seed"]), first, LOOKED_AT, rules,
               stock_order=row["stock_order"])
        for own in ("treatment", "control")
    ]  # fmt: skip
    found = []
    for treated, control in zip(*hands, strict=True):
        action = _first_difference(treated["actions"], control["actions"])
        if action is not None:
            found.append(Parting(treated["deal"], treated, control, action + 1))
    return sorted(found, key=_too_long)[:SHOWN]


def _too_long(one: Parting) -> int:
    """By how many actions a hand is longer than those that are shown gladly."""
    return max(0, *(len(log["actions"]) - MOST_ACTIONS for log in (one.treated, one.control)))


def _seated(row: Mapping[str, Any], own: str) -> list[str]:
    several = tables.sides_of(row["design"])
    count = int(several.split(" ")[0]) if several else 1
    return [row[own]] * count + [row["field"]] * (row["players"] - count)


def _first_difference(one: list[Any], other: list[Any]) -> int | None:
    for number, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return number
    return None if len(one) == len(other) else min(len(one), len(other))


def command(row: Mapping[str, Any], rules: str, own: str, deal: int) -> str:
    """What to type to see one of these hands."""
    names = ",".join(_seated(row, own))
    switches = "".join(f" --rule {rule}" for rule in rules.split(", ") if rule)
    which = f"--seed {row['seed']} --deal {deal} --stock-order {row['stock_order']}{switches}"
    return f"cooncan replay {row['game']} --players '{names}' {which} --html hand.html"
