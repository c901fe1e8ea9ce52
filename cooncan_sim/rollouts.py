"""How much hangs on a turn: its decisions weighed by roll-outs (claim T-09).

Turns are taken at random from hands that all seats play with one strategy. A turn is the chain of
decisions that were made in it: where to draw from; what to lay, one move at a time, until no more
is laid; what to throw. Each legal answer to one of them is an action, and its value is the acting
seat's chance to win when the rest of the turn and of the hand is played by the same strategy. It
is estimated in worlds in which the cards that the seat does not see are dealt anew (a card that
somebody took from the pile stays where it is); all answers of a decision meet the same worlds.

The gap of a decision is the value of its best answer less that of its worst; that of a turn is
the largest of its decisions. Among several noisy values some pair always differs, so the pair to
be compared is chosen in one half of the worlds and compared in the other. Worlds are doubled, up
to MOST_WORLDS, until the gap is shown to lie

    above   the pair chosen differs by more, in the worlds it was not chosen in
    below   every pair differs by less, in all worlds (the true best and worst are one of them)

each by Wilson's bound. ERROR is the chance that a turn is settled wrongly, over all its
decisions and looks together. What is not settled then is open, and counts against a claim as well
as for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from cooncan_sim import rng
from cooncan_sim.kernel import records
from cooncan_sim.observing import Arm
from cooncan_sim.simulate import BROKEN, ENDINGS, Plan, StrategyError, broken_hand
from cooncan_sim.workers import in_order

EVERY = 64  # turns of which one is taken
FIRST_WORLDS, MOST_WORLDS = 1500, 24_000
LOOKS = 5  # from the one to the other
ERROR = 0.002
PIECE = 32  # deals in one piece of work
KINDS = ("draw", "table", "discard")  # as the engine numbers them
ABOVE, BELOW, OPEN = "above", "below", "open"
CAPPED = ENDINGS.index("max_turns")

Shares = NDArray[np.int8]


@dataclass(frozen=True)
class Weighed:
    """What the worlds say of one decision.

    settled: above, below or open. value: the pair's difference in win rate at the last look. gap:
    at the first look, which nothing that came later has chosen, so means of it have no bias but
    that the pair may not be the best and the worst; leaning: the same in the half that chose it.
    """

    kind: str
    answers: int
    worlds: int
    settled: str
    value: float
    gap: float
    leaning: float


@dataclass(frozen=True)
class Turn:
    """A turn that was taken: `number` turns of the hand came before it. Its real decisions."""

    deal: int
    number: int
    seat: int
    decisions: tuple[Weighed, ...]


@dataclass(frozen=True)
class Taken:
    """Turns taken from deals 0 … deals − 1, in order. hands, of which the limit ended `capped`."""

    deals: int
    turns: tuple[Turn, ...]
    capped: int


def take(
    arm: Arm,
    deals: int,
    worth: float,
    jobs: int | None = None,
    tick: Callable[[int], None] | None = None,
) -> Taken:
    """Weighs the turns taken from these deals; `worth` is the difference in win rate that counts.

    `tick(n)` hears of n more deals done. The same for any `jobs`. Raises StrategyError for the
    first hand that the strategy breaks.
    """
    plan = arm.plan("everyone")
    plan.prepare()

    def piece(first: int) -> tuple[list[Turn], int]:
        return _turns(plan, first, min(PIECE, deals - first), worth)

    turns: list[Turn] = []
    capped = 0
    for number, (found, stopped) in enumerate(in_order(piece, range(0, deals, PIECE), jobs)):
        turns += found
        capped += stopped
        if tick is not None:
            tick(min(PIECE, deals - number * PIECE))
    return Taken(deals, tuple(turns), capped)


def _turns(plan: Plan, first: int, count: int, worth: float) -> tuple[list[Turn], int]:
    """The turns taken from so many deals, weighed, and how many hands the limit stopped."""
    engine, player = plan.engine("rollouts"), [functions[0] for functions in plan.functions]
    states, turns = plan.new_state(), np.zeros(count, dtype=np.int64)
    ending = np.zeros(count, dtype=np.int8)
    positions = records(0, states.dtype)
    for _ in range(2):  # once to count them
        found = engine.take_turns(
            *player, plan.weights[0], states, plan.seed, first, EVERY, positions, turns, ending
        )
        if BROKEN in ending:
            raise broken_hand(plan, plan.seatings[0], int(states["deck"]["deal"][0]), states, None)
        positions = records(found, states.dtype) if not len(positions) else positions
    weighed = [_weigh_turn(plan, positions[i : i + 1], worth) for i in range(found)]
    return weighed, int((ending == CAPPED).sum())


def _weigh_turn(plan: Plan, position: np.ndarray, worth: float) -> Turn:
    table = position["table"][0]
    deal, number = int(position["deck"]["deal"][0]), int(table["turns"])
    seed = int(rng.stream(plan.seed, deal, rng.WORLD, number)) >> 1
    found = decisions(plan, position)
    chance = ERROR / LOOKS / max(len(found), 1)
    weighed = []
    for kind, answers, at in found:
        play = partial(roll_out, plan, at, kind, answers, seed)
        weighed.append(Weighed(KINDS[kind], answers, *weigh(play, worth, chance)))
    return Turn(deal, number, int(table["turn"]), tuple(weighed))


def decisions(plan: Plan, position: np.ndarray) -> list[tuple[int, int, np.ndarray]]:
    """Kind, number of answers and position of each decision of a turn with more than one answer.

    The turn that begins at the position, shape (1,), is played; a decision is met where it was
    made then. Positions are states, shape (1,).
    """
    engine = plan.engine("rollouts")
    states = _copies(position)
    played = states[1:2]
    plan.engine("play").play_on(*plan.functions, plan.seats[0], played)
    kept = records(engine.MOST_DECISIONS, states.dtype)
    about = np.zeros((len(kept), 2), dtype=np.int64)
    found = engine.decisions_of(states, kept, about)
    return [(int(about[i, 0]), int(about[i, 1]), kept[i : i + 1]) for i in range(found)]


def roll_out(
    plan: Plan, position: np.ndarray, kind: int, answers: int, seed: int, first: int, count: int
) -> NDArray[np.float64]:
    """The acting seat's part of the win by (answer, world), in worlds first … first + count − 1."""
    engine, player = plan.engine("rollouts"), [functions[0] for functions in plan.functions]
    states = _copies(position)
    shares = np.zeros((answers, count), dtype=np.int8)
    if engine.roll_out(*player, states, kind, seed, first, shares) < count:
        what = plan.engine("text").what_broke(states[2:])
        deal = int(position["deck"]["deal"][0])
        raise StrategyError(f"strategy {plan.seatings[0][0]}, played on from deal {deal}, {what}")
    return shares / plan.sides


def _copies(position: np.ndarray) -> np.ndarray:
    states = records(3, position.dtype)
    states[:] = position[0]
    return states


def weigh(
    play: Callable[[int, int], NDArray[np.float64]], worth: float, chance: float
) -> tuple[int, str, float, float, float]:
    """Worlds, settled, value, gap and leaning (see `Weighed`) of one decision.

    play(first, count): float64 (answer, world), parts of the win. chance: of an error at a look.
    """
    z = float(stats.norm.isf(chance))
    shares = play(0, FIRST_WORLDS)
    leaning, gap, _ = _pair(shares, z)
    while True:
        worlds = shares.shape[1]
        value, half = _pair(shares, z)[1:]
        if value - half > worth:
            return worlds, ABOVE, value, gap, leaning
        if _widest(shares, z) < worth:
            return worlds, BELOW, value, gap, leaning
        if worlds >= MOST_WORLDS:
            return worlds, OPEN, value, gap, leaning
        shares = np.concatenate([shares, play(worlds, worlds)], axis=1)


def _pair(shares: NDArray[np.float64], z: float) -> tuple[float, float, float]:
    """Best less worst of the first half of the worlds: there, in the other half, its half-width."""
    half = shares.shape[1] // 2
    chosen = shares[:, :half].mean(axis=1)
    best, worst = int(chosen.argmax()), int(chosen.argmin())
    fresh = shares[best, half:] - shares[worst, half:]
    width = half_width((fresh**2).sum(), fresh.mean(), len(fresh), z)
    return float(chosen[best] - chosen[worst]), float(fresh.mean()), float(width)


def half_width(squares: np.ndarray, mean: np.ndarray, count: int, z: float) -> np.ndarray:
    """Of the interval of a mean of differences between −1 and 1, from the sum of their squares.

    Wilson's bound for a share, on both sides the outer one: where hardly any world shows a
    difference the normal one would be too sure that there is none.
    """
    spread = squares - count * mean**2
    return (z * np.sqrt(spread + z * z / 4) + z * z / 2) / count


def _widest(shares: NDArray[np.float64], z: float) -> float:
    """The upper limit of the largest difference between two answers, each pair at its own level."""
    count = shares.shape[1]
    products = shares @ shares.T
    squares = products.diagonal()[:, None] + products.diagonal() - 2 * products
    means = shares.mean(axis=1)
    differences = means[:, None] - means
    return float((differences + half_width(squares, differences, count, z)).max())


def settled(decisions: Sequence[Weighed]) -> str:
    """What is settled of the largest gap of these decisions; of none it is below."""
    found = {one.settled for one in decisions}
    return ABOVE if ABOVE in found else OPEN if OPEN in found else BELOW
