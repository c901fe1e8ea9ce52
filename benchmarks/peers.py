"""The same questions put to open_spiel and rlcard, where they are installed (`make bench-peers`).

Their game is gin rummy, ours Coon Can: hands end differently, so turns are compared as well.
"""

import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np

from benchmarks.hands import HANDS as PLAYED
from benchmarks.hands import SEED, batch
from benchmarks.rounds import Row
from cooncan_sim import deal_hands, min_penalty, simulate

HANDS = 2_000  # evaluated by each peer
SECONDS = 10.0  # of play by each peer
OURS = 200_000


def rows() -> list[Row]:
    """Both peers beside this program; a line for one that is not installed."""
    found: list[Row] = []
    hands = deal_hands(HANDS, 10, "jaques", seed=1)
    held = [[c for c in range(64) if int(row[0]) >> c & 1] for row in hands]
    ours = _ours()
    for name, module, measure in (
        ("open_spiel", "pyspiel", _open_spiel),
        ("rlcard", "rlcard", _rlcard),
    ):
        if find_spec(module) is None:
            print(f"{name}: not installed, skipped (make bench-peers installs it)")
        else:
            found += measure(held, ours, min_penalty(hands, "jaques"))
    return found


def _ours() -> tuple[float, float, float]:
    """Evaluations, hands and turns a second of this program, one thread."""
    hands = deal_hands(OURS, 10, "jaques", seed=1)
    min_penalty(hands, "jaques")
    evaluations = OURS / min(_timed(lambda: min_penalty(hands, "jaques")) for _ in range(9))
    play = batch("greedy", 1)
    play()
    seconds = min(_timed(play) for _ in range(5))
    played = PLAYED["greedy"]
    totals = simulate("jaques", ("greedy", "greedy"), played, SEED, jobs=1, keep=False).totals
    return evaluations, played / seconds, totals.turns / seconds


def _timed(task: Callable[[], object]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def _row(what: str, rate: float, unit: str, ours: float, target: int) -> Row:
    ratio = ours / rate
    beside, wanted = f"(ours: {ours:,.0f})", f">= {target:,}"
    return Row("peers", what, rate, unit, beside, ratio, wanted, ratio >= target)


def _open_spiel(held: list[list[int]], ours: tuple, penalties: np.ndarray) -> list[Row]:
    import pyspiel

    # Its cards are 13 * suit + rank; the order of the suits does not matter to melds.
    hands = [[13 * (card >> 4) + (card & 15) for card in cards] for cards in held]
    of = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    values = [of.min_deadwood(hand) for hand in hands]
    assert np.array_equal(values, penalties), "open_spiel's deadwood differs"
    seconds = min(_timed(lambda: [of.min_deadwood(hand) for hand in hands]) for _ in range(5))
    played, turns = _spiel_games(pyspiel)
    return [
        _row("open_spiel: deadwood of 10 cards", len(hands) / seconds, "hands/s", ours[0], 400),
        _row("open_spiel: simple bots, gin rummy", played, "hands/s", ours[1], 500),
        _row("open_spiel: the same, turns", turns, "turns/s", ours[2], 200),
    ]


def _spiel_games(pyspiel) -> tuple[float, float]:
    """Hands and turns (draws) a second of two simple gin rummy bots."""
    game = pyspiel.load_game("gin_rummy")
    root = game.new_initial_state()
    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), p) for p in range(2)]
    draws = {pyspiel.gin_rummy.DRAW_UPCARD_ACTION, pyspiel.gin_rummy.DRAW_STOCK_ACTION}
    rng = np.random.default_rng(1)
    hands = turns = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        state = root.clone()
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            if state.is_chance_node():
                cards, chances = zip(*state.chance_outcomes(), strict=True)
                action = cards[int(rng.random() * len(cards))]
            else:
                action = bots[state.current_player()].step(state)
                turns += action in draws
            state.apply_action(action)
        hands += 1
    spent = time.process_time() - start
    return hands / spent, turns / spent


def _rlcard(held: list[list[int]], ours: tuple, penalties: np.ndarray) -> list[Row]:
    from rlcard.games.gin_rummy.utils import melding, utils

    hands = [[utils.get_card(13 * (c >> 4) + (c & 15)) for c in cards] for cards in held]

    def deadwood(hand: list) -> int:
        clusters = melding.get_best_meld_clusters(hand)
        return utils.get_deadwood_count(hand, clusters[0] if clusters else [])

    values = [deadwood(hand) for hand in hands]
    # Its melds overlap in some hands, so it may differ; it must not in nearly all.
    assert np.mean(np.array(values) == penalties) > 0.99, "rlcard's deadwood differs"
    seconds = min(_timed(lambda: [deadwood(hand) for hand in hands]) for _ in range(3))
    played, turns = _rlcard_games()
    return [
        _row("rlcard: deadwood of 10 cards", len(hands) / seconds, "hands/s", ours[0], 10_000),
        _row("rlcard: novice rule, gin rummy", played, "hands/s", ours[1], 10_000),
        Row("peers", "rlcard: the same, turns", turns, "turns/s", f"(ours: {ours[2]:,.0f})",
            ours[2] / turns),
    ]  # fmt: skip


def _rlcard_games() -> tuple[float, float]:
    """Hands and turns (draws) a second of two novice rule agents."""
    import rlcard
    from rlcard.games.gin_rummy.utils.action_event import (
        ActionEvent,
        DrawCardAction,
        PickUpDiscardAction,
    )
    from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

    env = rlcard.make("gin-rummy", config={"seed": 1})
    agent = GinRummyNoviceRuleAgent()
    np.random.seed(1)
    hands = turns = 0
    start = time.process_time()
    while time.process_time() - start < SECONDS:
        state, _ = env.reset()
        while not env.is_over():
            action = agent.step(state)
            event = ActionEvent.decode_action(int(action))
            turns += isinstance(event, DrawCardAction | PickUpDiscardAction)
            state, _ = env.step(action)
        hands += 1
    spent = time.process_time() - start
    return hands / spent, turns / spent
