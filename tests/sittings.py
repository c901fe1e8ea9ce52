"""Random tables to play at: who sits there, under which rules, for which deals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, islice
from random import Random

from cooncan_sim import replay
from cooncan_sim.catalog import Page, game, strategies
from cooncan_sim.games.rulebook import Switch
from cooncan_sim.simulate import STOCK_ORDERS

BANDS = ("", "(low=1, high=4)", "(low=10, high=13)", "(low=2, high=4)", "(low=9, high=12)")
TURN_LIMITS = (1, 30, 120, 120, 120, 1000)  # most hands are over long before the 120th turn
DEALS = 5  # at one sitting
# Here players at random bring about most of the rare corners: every other player is one.
OFTEN_RANDOM = ("conquian", "conquian_jaques", "konkan")


@dataclass(frozen=True)
class Sitting:
    """The arguments of `replay` for a few hands."""

    game: str
    players: tuple[str, ...]
    rules: dict[str, object] = field(default_factory=dict)
    stock_order: str = "shared"
    seed: int = 0
    deal: int = 0
    deals: int = DEALS

    def logs(self) -> list[dict]:
        """The hand logs."""
        return replay(
            self.game,
            self.players,
            self.seed,
            self.deal,
            self.deals,
            self.rules,
            stock_order=self.stock_order,
        )


def quick(page: Page) -> str:
    """A strategy as tests ask for it that play it a lot: with one sample, if it takes samples."""
    return f"{page.name}(samples=1)" if "samples" in page.weights else page.name


def specs(game_key: str) -> list[str]:
    """Every strategy of the catalogue that plays a game, `greedy-keep` with all its bands."""
    names = [quick(page) for page in strategies(game_key)]
    bands = [f"greedy-keep{band}" for band in BANDS[1:] if "greedy-keep" in names]
    return names + bands


def choices(switch: Switch) -> Sequence[object]:
    """Values of a switch that are worth a try."""
    if switch.name == "MAX_TURNS":
        return TURN_LIMITS
    if switch.options:
        return switch.options
    return sorted({switch.low, int(switch.default), min(int(switch.default) + 7, switch.high)})


def sittings(game_key: str, seed: int, players: Sequence[str] | None = None) -> Iterator[Sitting]:
    """Sittings without end, each strategy of `players` (default: all) and each switch in turn."""
    rng = Random(f"{game_key} {seed}")
    played = game(game_key)
    seated = list(players or specs(game_key))
    often = max(len(seated) - 1, 1) if game_key in OFTEN_RANDOM else 1
    shares = [often if spec == "random" else 1 for spec in seated]
    for place in count():
        changed = [
            s for s in played.switches.values() if s.name == "MAX_TURNS" or rng.random() < 0.4
        ]
        yield Sitting(
            game_key,
            tuple(rng.choices(seated, shares, k=played.players[place % len(played.players)])),
            {switch.name: rng.choice(choices(switch)) for switch in changed},
            STOCK_ORDERS[place % 2],
            seed,
            place * DEALS,
        )


def hands(sittings: Iterator[Sitting], count: int) -> Iterator[dict]:
    """The logs of the first `count` hands."""
    return islice(chain.from_iterable(sitting.logs() for sitting in sittings), count)
