"""What holds for every game, every strategy that plays it and every number of players.

New games and strategies are found in the catalogue.
"""

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import numba
import numpy as np
import pytest

from cooncan_sim import replay, simulate
from cooncan_sim.catalog import GAMES, strategies
from cooncan_sim.catalog import strategy as found
from cooncan_sim.simulate import ENDINGS, Plan, play
from tests.positions import play_turn, positions, set_up
from tests.referee.cards import PACKS, face
from tests.referee.frame import FAMILY
from tests.referee.rummy import State, copy_of
from tests.sittings import quick

# As plain Python every game and strategy too, but with the fewest players, and fewer deals.
DEALS = 2 if numba.config.DISABLE_JIT else 12
COMBINATIONS = [
    pytest.param(
        key,
        quick(page),
        players,
        id=f"{key}-{page.name}-{players}",
        marks=[pytest.mark.plain] if players == min(game.players) else [],
    )
    for key, game in GAMES.items()
    for page in strategies(key)
    for players in game.players
]
every_combination = pytest.mark.parametrize(("game", "strategy", "players"), COMBINATIONS)
# Where the cards go and who sees them is followed here in the `jaques` family, and in a file of
# its own for each other engine.
every_followed = pytest.mark.parametrize(
    ("game", "strategy", "players"), [one for one in COMBINATIONS if one.values[0] in FAMILY]
)


def limited(game: str, turns: int) -> dict[str, object]:
    """Rules that stop a hand after so many turns, if the game has no limit of its own."""
    return {"MAX_TURNS": turns} if "MAX_TURNS" in GAMES[game].switches else {}


@cache
def logs(game: str, strategy: str, players: int) -> list[dict]:
    """Hands of the strategy against itself and against `random`."""
    mixed = (strategy, *["random"] * (players - 1))
    return [
        log
        for seats in ((strategy,) * players, mixed)
        for log in replay(game, seats, seed=8, deal=0, count=2, rules=limited(game, 150))
    ]


@every_combination
def test_every_hand_ends(game: str, strategy: str, players: int) -> None:
    for log in logs(game, strategy, players):
        result = log["result"]
        assert result["ending"] in ENDINGS[:-1]
        assert 1 <= result["turns"] <= 150
        assert (result["winner"] in range(players)) == (result["ending"] == "out")


# ---- cards are conserved ------------------------------------------------------------------


@every_followed
def test_no_action_gains_or_loses_a_card(game: str, strategy: str, players: int) -> None:
    for log in logs(game, strategy, players):
        places = list(followed(log))
        assert all(cards == Counter(PACKS[game]) for cards, _ in places)
        assert [sorted(h) for h in places[-1][1]] == [sorted(h) for h in log["result"]["hands"]]


def followed(log: dict) -> Iterator[tuple[Counter, list[list[str]]]]:
    """All cards wherever they are, and the hands, at the deal and after each action of a log."""
    hands, pile, stock = ([*map(list, log["hands"])], list(log["pile"]), list(log["stock"]))
    table: list[str] = []
    yield Counter([*sum(hands, []), *pile, *stock, *table]), hands
    for action in log["actions"]:
        hand = hands[action["seat"]]
        moved = [face(token) for token in action.get("cards") or [action.get("card", "")]]
        if "recycled" in action:
            assert not stock
            stock, pile = list(action["recycled"]), pile[-1:]
        if action["a"] == "DRAW_STOCK":
            stock.remove(*moved)
            hand += moved
        elif action["a"] == "DRAW_DISCARD":
            assert moved == [pile.pop()]
            hand += moved
        elif action["a"] != "HOLD":
            for card in moved:
                hand.remove(card)
            {"MELD": table, "LAYOFF": table, "DISCARD": pile}[action["a"]].extend(moved)
        yield Counter([*sum(hands, []), *pile, *stock, *table]), hands


@every_followed
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
def test_no_turn_gains_or_loses_a_card(
    game: str, strategy: str, players: int, stock_order: str
) -> None:
    plan = Plan(game, ((strategy,) * players,), 8, limited(game, 100), stock_order)
    states = plan.new_state()
    plan.engine("play").begin(states, plan.seed, 3)
    while states["table"]["ending"][0] < 0:
        assert cards_in(states, plan) == Counter(PACKS[game])
        play_turn(plan, states, stream=5)
    assert cards_in(states, plan) == Counter(PACKS[game])


def cards_in(states: np.ndarray, plan: Plan) -> Counter:
    """All cards of a state, wherever they are."""
    text, table = plan.engine("text"), states["table"][0]
    opening = text.opening(states)
    pile = [text.FACES.text(int(card)) for card in table["pile"][: table["pile_size"]]]
    laid = [face(token) for meld in text.table_text(table) for token in meld]
    return Counter([*sum(opening["hands"], []), *opening["stock"], *pile, *laid])


# ---- nobody peeks -------------------------------------------------------------------------


@every_followed
def test_hidden_cards_change_nothing(game: str, strategy: str, players: int) -> None:
    """Other hands and the stock mixed anew, but for the card that is drawn: the same turn."""
    plan = Plan(game, ((strategy,) * players,))
    rng = Random(f"{game} {strategy} {players}")
    turns = (state for state in own_positions(game, strategy, players) if state.phase == "DRAW")
    moved = 0
    for state in islice(turns, 40):
        other = mixed_anew(state, rng)
        moved += other.hands != state.hands
        here, there = set_up(state), set_up(other)
        assert play_turn(plan, here, stream=7) == play_turn(plan, there, stream=7)
        assert here["table"] == there["table"]
        assert here["seats"][0, state.turn] == there["seats"][0, state.turn]
    assert moved > 15


def own_positions(game: str, strategy: str, players: int) -> Iterator[State]:
    """Positions in which the strategy has to decide something."""
    for log in logs(game, strategy, players):
        for state in positions(log):
            if log["strategies"][state.turn] == found(strategy, game).name:
                yield copy_of(state)


def mixed_anew(state: State, rng: Random) -> State:
    """The same for the player to act: what he cannot see is shuffled, the next card excepted."""
    other = copy_of(state)
    unseen = [card for seat, hand in enumerate(state.hands) if seat != state.turn for card in hand]
    unseen += state.stock[1:]
    rng.shuffle(unseen)
    for seat, hand in enumerate(state.hands):
        if seat != state.turn:
            other.hands[seat] = [unseen.pop() for _ in hand]
    other.stock[1:] = unseen
    return other


@every_followed
def test_decisions_change_nothing(game: str, strategy: str, players: int) -> None:
    """But for the strategy's own memory and random stream."""
    plan = Plan(game, ((strategy,) * players,))
    names = list(plan.engine("play").DECISIONS)
    asked: Counter[str] = Counter()
    for state in islice(own_positions(game, strategy, players), 60):
        states = set_up(state)
        seat = states["seats"][0, state.turn]
        seat["weights"][: plan.weights.shape[1]] = plan.weights[0]
        before = states.copy()
        for name in (
            ["choose_draw"] if state.phase == "DRAW" else ["choose_table", "choose_discard"]
        ):
            decide = plan.functions[names.index(name)][0]
            decide(states["table"][0], seat)
            asked[name] += 1
        for own in ("memory", "rng"):
            before["seats"][own][0, state.turn] = seat[own]
        assert before == states
    assert len(asked) == 3


# ---- against itself -----------------------------------------------------------------------


@every_combination
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
def test_a_strategy_is_no_better_than_itself(
    game: str, strategy: str, players: int, stock_order: str
) -> None:
    """Under another name it sits in each seat in turn: every single deal comes out even."""
    page = found(strategy, game).page
    seats = [strategy.replace(page.name, str(page.path))] + [strategy] * (players - 1)
    seatings = tuple(tuple(seats[-seat:] + seats[:-seat]) for seat in range(players))
    plan = Plan(game, seatings, 8, limited(game, 100), stock_order)
    hands = play(plan, 0, DEALS)
    won = sum(hands.winner[:, seat] == seat for seat in range(players))
    assert (won == (hands.winner[:, 0] >= 0)).all()
    own = sum(hands.points[:, seat, seat] for seat in range(players))
    assert (own == hands.points[:, 0].sum(axis=1)).all()
    for column in (hands.winner, hands.ending, hands.turns):
        assert (column == column[:, :1]).all()


@every_combination
def test_every_number_is_finite(game: str, strategy: str, players: int) -> None:
    batch = simulate(game, [strategy] * players, DEALS, 8, rules=limited(game, 100), jobs=1)
    summary = batch.summary().select_dtypes("number")
    assert np.isfinite(summary.to_numpy()).all() and len(summary) == players
    frame = batch.frame()
    assert len(frame) == DEALS * players and not frame.isna().any(axis=None)
    assert np.isfinite(frame.select_dtypes("number").to_numpy()).all()
    assert all(
        math.isfinite(n) for log in logs(game, strategy, players) for n in log["result"]["points"]
    )
