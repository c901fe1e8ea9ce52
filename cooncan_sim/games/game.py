"""What a game of the family is, as plain facts: name, players, pack and house-rule switches."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from cooncan_sim.arguments import is_whole, read_rules
from cooncan_sim.cards import Pack
from cooncan_sim.errors import CooncanError, either, nearest

CHARGED = "Points charged"


@dataclass(frozen=True)
class Switch:
    """One house rule. `options` are its words; without them it takes whole numbers low … high."""

    name: str
    default: str | int
    about: str
    options: tuple[str | int, ...] = ()
    low: int = 0
    high: int = 10**9
    remarks: tuple[tuple[str, str], ...] = ()  # option, what must be known of hands played so
    spelled: Callable[[str], str] = str  # what is given as the options have it: `10` as `T`

    @property
    def choices(self) -> str:
        """What the switch accepts, in words."""
        if self.options:
            return ", ".join(str(option) for option in self.options)
        return f"a whole number from {self.low} to {self.high}"

    def read(self, given: object) -> str | int:
        """The option that `given` (text or number) names; CooncanError if there is none."""
        for option in self.options:
            if self.spelled(str(given)) == str(option) and not isinstance(given, bool):
                return option
        if not self.options and not isinstance(given, bool):
            try:
                number = int(str(given))
            except ValueError:
                number = self.low - 1
            if self.low <= number <= self.high:
                return number
        raise CooncanError(f"switch {self.name} cannot be {given!r}: it takes {self.choices}")

    def code(self, option: str | int) -> int:
        """The number that kernels know an option by: its place in the list, or itself."""
        return self.options.index(option) if isinstance(option, str) else option


@dataclass(frozen=True)
class Game:
    """One game of the family: what stands on its box, and its switches by name.

    `points`: what the points of a hand are. Those charged have no sign.
    """

    key: str
    name: str
    players: tuple[int, ...]
    pack: Pack
    deal: str
    goal: str
    switches: dict[str, Switch]
    partners: bool = False  # seats 0 and 2 against 1 and 3
    engine: str = "cooncan"
    points: str = CHARGED

    def part(self, name: str) -> ModuleType:
        """A module of the game's engine: `play`, `text`, `split` or `rulings`."""
        return import_module(f"cooncan_sim.games.{self.engine}_{name}")

    def rules(self, given: Mapping[str, object] | None = None) -> dict[str, str | int]:
        """Every switch with its value: the defaults, changed as `given` says.

        Raises CooncanError for a switch that this game has not, or a value it does not take.
        """
        values = {name: switch.default for name, switch in self.switches.items()}
        for name, option in read_rules(given).items():
            if name not in self.switches:
                command = f"cooncan rules {self.key}"
                known = nearest(name, self.switches, "its switches are", command)
                raise CooncanError(f"{self.key} has no switch {name!r}{known}")
            values[name] = self.switches[name].read(option)
        return values

    def codes(self, rules: Mapping[str, str | int]) -> dict[str, int]:
        """The numbers that kernels know these values of all switches by."""
        return {name: self.switches[name].code(value) for name, value in rules.items()}

    def remarks(self, rules: Mapping[str, str | int]) -> list[str]:
        """What must be known of hands played under these values of the switches."""
        return [
            f"{name}={option}: {remark}"
            for name, value in rules.items()
            for option, remark in self.switches[name].remarks
            if option == value
        ]

    def check_players(self, players: int) -> None:
        """Raises CooncanError unless so many can play."""
        if not is_whole(players) or players not in self.players:
            raise CooncanError(f"{self.key} is for {either(self.players)} players, not {players!r}")


def by_name(*switches: Switch) -> dict[str, Switch]:
    """Switches as a game holds them."""
    return {switch.name: switch for switch in switches}


ILLEGAL_MELD = Switch(
    "ILLEGAL_MELD",
    "prevented",
    "wrong melds cannot happen at this table",
    ("prevented",),
)
FIRST_DEALER = Switch("FIRST_DEALER", "random", "who deals the first hand", ("random", "seat0"))
