"""Roll-outs: the fast ones against the referee's, what a seat may know, and what is settled."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cooncan_sim import rollouts
from cooncan_sim.games.cooncan_rollouts import DRAWING, LAYING, THROWING
from cooncan_sim.intervals import wilson
from cooncan_sim.observing import Arm
from cooncan_sim.replay import replay
from cooncan_sim.rollouts import ABOVE, BELOW, KINDS, OPEN, Weighed
from cooncan_sim.simulate import Plan, StrategyError, play
from tests import slow_rollouts
from tests.positions import positions, set_up
from tests.referee.rummy import State, copy_of
from tests.scripted import laid_out, mask

RULES = {"LAYOFF_SCOPE": "own", "MAX_TURNS": 60}
SEED = 2**62 + 5


@cache
def plan(players: int = 2, own: bool = False, order: str = "shared") -> Plan:
    made = Plan("jaques", (("greedy",) * players,), 9, RULES if own else {}, order)
    made.prepare()
    return made


def watched(players: int, own: bool, deal: int) -> Iterator[tuple[State, list[set[str]], dict]]:
    """The positions of a hand, the cards each seat took from the pile and holds, and its action."""
    rules = RULES if own else {}
    [log] = replay("jaques", ["greedy"] * players, 9, deal, rules=rules)
    picked: list[set[str]] = [set() for _ in range(players)]
    for state, action in zip(positions(log), log["actions"], strict=True):
        yield copy_of(state), [set(cards) for cards in picked], action
        if action["a"] == "DRAW_DISCARD":
            picked[action["seat"]].add(action["card"])
        elif action["a"] != "DRAW_STOCK":
            picked[action["seat"]] -= {*action.get("cards", ()), action.get("card")}


def engine_state(state: State, picked: list[set[str]]) -> np.ndarray:
    states = set_up(state)
    states["table"]["picked"][0, : len(picked)] = [mask(" ".join(cards)) for cards in picked]
    return states


def late(players: int, own: bool, kind: str, most: int) -> list[tuple[State, list[set[str]]]]:
    """Positions with a choice of this kind, towards the end of hands, where roll-outs are short."""
    found = []
    for deal in range(40):
        met = [
            (state, picked)
            for state, picked, _ in watched(players, own, deal)
            if (state.phase == "DRAW") == (kind == "draw")
            and len(slow_rollouts.answers_to(state, kind)) > 1
        ]
        found += met[-1:]
        if len(found) >= most:
            break
    return found[:most]


@pytest.mark.parametrize(
    ("players", "own", "positions", "worlds"),
    [
        pytest.param(2, True, 1, 2, marks=pytest.mark.plain),
        pytest.param(2, False, 4, 6),
        pytest.param(4, True, 3, 4),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_as_the_referee_plays_it(
    kind: str, players: int, own: bool, positions: int, worlds: int
) -> None:
    """Every answer, in every world: the same streams, the same part of the win."""
    met = late(players, own, kind, positions)
    assert len(met) == positions
    for state, picked in met:
        answers = slow_rollouts.answers_to(state, kind)
        slow = [
            [
                slow_rollouts.share(
                    slow_rollouts.world_of(state, picked, SEED, world), answer, SEED, world
                )
                for world in range(3, 3 + worlds)
            ]
            for answer in answers
        ]
        fast = rollouts.roll_out(
            plan(players, own), engine_state(state, picked), KINDS.index(kind), len(answers), SEED,
            3, worlds,
        )  # fmt: skip
        found = np.rint(players * fast).astype(int).tolist()
        # The engine counts moves on the table in another order, but ends with no more of them.
        if kind == "table":
            assert found[-1] == slow[-1]
            found, slow = sorted(found), sorted(slow)
        assert found == slow


@pytest.mark.parametrize("own", [False, True])
def test_the_answers_are_those_of_the_referee(own: bool) -> None:
    """Each decision of a turn with more than one answer is met, at each of its actions."""
    turns = 0
    for deal in range(6):
        met: list[tuple[str, int]] = []
        start: np.ndarray | None = None
        for state, picked, action in watched(2, own, deal):
            if "recycled" in action:  # the position does not say how the new stock will lie
                break
            kinds = ["table"] if action["a"] in ("MELD", "LAYOFF") else ["table", "discard"]
            if state.phase == "DRAW":
                if start is not None:
                    assert answers_met(own, start) == met
                    turns += 1
                start, met, kinds = engine_state(state, picked), [], ["draw"]
            answers = {kind: len(slow_rollouts.answers_to(state, kind)) for kind in kinds}
            met += [(kind, number) for kind, number in answers.items() if number > 1]
    assert turns > 60


def answers_met(own: bool, position: np.ndarray) -> list[tuple[str, int]]:
    found = rollouts.decisions(plan(2, own), position)
    return [(KINDS[kind], answers) for kind, answers, _ in found]


# --- what a seat may know --------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("order", ["shared", "per_seat"])
def test_hidden_cards_do_not_matter(order: str) -> None:
    """The same roll-outs, however the cards that the seat does not see lie."""
    hand, pile, laid = "2S 7D 9D KC", "AC 5H", "1: 3C 4C 5C"
    unseen = [c for c in slow_rollouts.PACK if c not in f"{hand} {pile} {laid}".split()]
    found = []
    for hidden in (unseen, unseen[::-1], unseen[20:] + unseen[:20]):
        states = laid_out(hand, laid, pile, others=[" ".join(hidden[:5])],
                          stock=" ".join(hidden[5:]))  # fmt: skip
        states["deck"]["per_seat"] = order == "per_seat"
        states["seats"]["memory"][0, 1] = len(found)
        states["seats"]["rng"][0] = len(found)
        shares = rollouts.roll_out(plan(2, False, order), states, THROWING, 4, SEED, 0, 6)
        found.append(shares)
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()
    assert len(np.unique(found[0])) > 1


def test_what_somebody_took_stays_where_it_is() -> None:
    """The other seat goes out with the card it took; nobody else can hold it."""
    hand, pile, laid = "JS KC QD", "AC", "1: 3C 4C 5C"
    unseen = [c for c in slow_rollouts.PACK if c not in f"{hand} {pile} {laid} 6C".split()]
    values = []
    for took in ({1: "6C"}, {}):
        states = laid_out(hand, laid, pile, others=["6C"], stock=" ".join(unseen), turns=9,
                          picked=took)  # fmt: skip
        values.append(rollouts.roll_out(plan(), states, THROWING, 3, SEED, 0, 400).mean(axis=1))
    assert (values[0] == 0).all()  # it lays the six of clubs off at its next turn
    assert (values[1] > 0).all()


@pytest.mark.plain
def test_a_win_at_once_is_worth_one() -> None:
    states = laid_out("5H 6H 7H", stock="2D 4H 9S TS JS", others=["3H 9C JD"])
    laying = rollouts.roll_out(plan(), states, LAYING, 2, SEED, 0, 20)
    assert (laying[0] == 1).all()  # the only meld; the other answer is to lay nothing
    assert laying[1].mean() < 1
    last = laid_out("KC", stock="2D 4H 9S TS JS", others=["3H 9C JD"])
    assert (rollouts.roll_out(plan(), last, THROWING, 1, SEED, 0, 5) == 1).all()


@pytest.mark.plain
def test_what_is_forced_is_no_decision() -> None:
    """One source, nothing to lay, and one card that may go: the other was just taken."""
    position = laid_out("KC", pile="2H", stock="", phase="DRAW", others=["3H 9C JD"])
    assert rollouts.decisions(plan(), position) == []
    position = laid_out("KC", pile="2H 9S", stock="4D", phase="DRAW", others=["3H 9C JD"])
    assert [kind for kind, _, _ in rollouts.decisions(plan(), position)][0] == DRAWING


# --- what is settled -------------------------------------------------------------------------


def chances(*values: float, seed: int = 0) -> Callable[[int, int], np.ndarray]:
    """Answers that win with these chances, each in worlds of its own."""
    rng = np.random.default_rng(seed)
    return lambda first, count: (
        rng.random((len(values), count)) < np.array(values)[:, None]
    ).astype(float)


def test_gaps_are_settled_on_their_side() -> None:
    assert rollouts.weigh(chances(0.5, 0.5, 0.4), 0.01, 1e-4)[:2] == (1500, ABOVE)
    assert rollouts.weigh(lambda first, count: np.ones((5, count)), 0.01, 1e-4)[:2] == (1500, BELOW)
    assert rollouts.weigh(chances(0.5, 0.51), 0.01, 1e-4)[:2] == (24_000, OPEN)
    assert rollouts.LOOKS == 1 + np.log2(rollouts.MOST_WORLDS / rollouts.FIRST_WORLDS)


def test_noise_is_not_taken_for_a_gap() -> None:
    """Ten equal answers: some pair always differs by much, and the mean gap is 0 all the same."""
    found = [rollouts.weigh(chances(*[0.4] * 10, seed=k), 0.01, 0.002 / 5) for k in range(150)]
    assert ABOVE not in [one[1] for one in found]
    gaps, leanings = (np.array([one[place] for one in found]) for place in (3, 4))
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(len(gaps))
    assert leanings.mean() > 0.03


@pytest.mark.parametrize("gap", [0.0101, 0.0099])
def test_errors_are_as_rare_as_promised(gap: float) -> None:
    """Just beyond the limit, and with rare differences, where a normal bound is worst."""
    wrong = BELOW if gap > 0.01 else ABOVE
    runs = 1000
    found = [rollouts.weigh(chances(gap, 0.0, seed=k), 0.01, 0.004)[1] for k in range(runs)]
    expected = 0.004 * rollouts.LOOKS * runs
    assert found.count(wrong) <= expected + 3 * np.sqrt(expected)


def test_a_half_width_is_wilsons() -> None:
    for won, count in ((0, 1500), (3, 1500), (400, 1500)):
        share = won / count
        half = rollouts.half_width(won, share, count, 1.959963984540054)
        found = wilson(won, count)
        assert share - half < found.low
        assert found.high < share + half < found.high * 1.1 + 0.001


def test_what_is_settled_of_several_decisions() -> None:
    def of(*names: str) -> str:
        return rollouts.settled([Weighed("draw", 2, 1500, name, 0.0, 0.0, 0.0) for name in names])

    assert of() == of(BELOW, BELOW) == BELOW
    assert of(BELOW, OPEN) == OPEN
    assert of(OPEN, ABOVE, BELOW) == ABOVE


# --- turns taken from deals ------------------------------------------------------------------


def test_the_same_turns_whatever_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollouts, "MOST_WORLDS", rollouts.FIRST_WORLDS)
    monkeypatch.setattr(rollouts, "PIECE", 7)
    arm = Arm("jaques", 2, "greedy", RULES, False, 9)
    done: list[int] = []
    one, two = (rollouts.take(arm, 50, 0.01, jobs, done.append) for jobs in (1, 2))
    assert one == two
    assert sum(done) == 100
    assert len(one.turns) > 10
    monkeypatch.setattr(rollouts, "PIECE", 32)
    assert rollouts.take(arm, 50, 0.01, 1) == one


def test_one_turn_in_so_many_is_taken() -> None:
    arm = Arm("jaques", 2, "greedy", RULES, False, 9)
    made = arm.plan("everyone")
    made.prepare()
    hands = play(made, 0, 4000)
    engine, player = made.engine("rollouts"), [functions[0] for functions in made.functions]
    turns, ending = np.zeros(4000, dtype=np.int64), np.zeros(4000, dtype=np.int8)
    states = made.new_state()
    nothing = states[:0]
    found = engine.take_turns(*player, made.weights[0], states, 9, 0, 64, nothing, turns, ending)
    assert found == turns.sum()
    assert (ending == hands.ending[:, 0]).all()
    expected = hands.turns.sum() / 64
    assert abs(found - expected) < 4 * np.sqrt(expected)


def test_a_strategy_that_breaks_a_hand_is_told(tmp_path: Path) -> None:
    page = tmp_path / "cheat.py"
    page.write_text(
        '"""Throws what it does not hold. Source: nobody."""\n'
        'GAMES = ("jaques",)\nBASE = "greedy"\n\n\n'
        "def choose_discard(table, seat):\n    return 64\n"
    )
    with pytest.raises(StrategyError, match=r"cheat\.py.* deal 0"):
        rollouts.take(Arm("jaques", 2, str(page), {}, False, 9), 3, 0.01, 1)
    made = Plan("jaques", ((str(page),) * 2,), 9)
    made.prepare()
    with pytest.raises(StrategyError, match="played on from deal"):
        rollouts.roll_out(made, laid_out("5H KC", stock="2D 4H"), DRAWING, 2, SEED, 0, 3)
