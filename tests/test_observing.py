"""Hands watched from inside, and what is read off them."""

from collections import Counter
from functools import cache

import numpy as np
import pytest

from cooncan_sim import intervals
from cooncan_sim.errors import CooncanError
from cooncan_sim.evaluate import parse_hands
from cooncan_sim.intervals import Moments
from cooncan_sim.measures import MEASURES, Ratio, check_measure
from cooncan_sim.melds.single import running
from cooncan_sim.observing import Arm, observe, on_same_deals, on_their_own, read
from cooncan_sim.replay import replay
from cooncan_sim.simulate import Plan, joined, play_many
from cooncan_sim.watch import Watched, watch_many

DEALS = 40
TABLES = {
    "jaques": ("greedy", 3),
    "two_deck": ("random", 3),
    "conquian": ("random", 2),
    "conquian_jaques": ("cq-greedy", 2),
    "double_rum": ("random", 8),
    "konkan": ("random", 3),
}


@cache
def watched(game: str, jobs: int = 1) -> Watched:
    strategy, players = TABLES[game]
    plan = Plan(game, ((strategy,) * players,), 7, {}, "per_seat")
    pieces = list(watch_many(plan, DEALS, jobs))
    names = pieces[0].seen
    seen = {name: np.concatenate([piece.seen[name] for piece in pieces]) for name in names}
    return Watched(joined([piece.hands for piece in pieces]), seen)


@cache
def logs(game: str) -> list[dict]:
    strategy, players = TABLES[game]
    return replay(game, [strategy] * players, 7, 0, DEALS, stock_order="per_seat")


def counted(game: str, column: str) -> list[list[int]]:
    return watched(game).seen[column][:, 0].tolist()


@pytest.mark.parametrize("game", TABLES)
def test_watched_hands_are_those_that_are_played(game: str) -> None:
    strategy, players = TABLES[game]
    plan = Plan(game, ((strategy,) * players,), 7, {}, "per_seat")
    played = joined([hands for _, hands in play_many(plan, DEALS)])
    for mine, theirs in zip(watched(game).hands.columns, played.columns, strict=True):
        assert (mine == theirs).all()


@pytest.mark.parametrize("game", ["jaques", "two_deck"])
def test_melds_laid_are_those_of_the_log(game: str) -> None:
    players = TABLES[game][1]
    for deal, log in enumerate(logs(game)):
        laid = Counter(
            (action["seat"], len({card[0] for card in action["cards"]}) == 1)
            for action in log["actions"]
            if action["a"] == "MELD"
        )
        turns = Counter(a["seat"] for a in log["actions"] if a["a"].startswith("DRAW"))
        for seat in range(players):
            assert counted(game, "laid_sets")[deal][seat] == laid[seat, True]
            assert counted(game, "laid_runs")[deal][seat] == laid[seat, False]
            assert counted(game, "own_turns")[deal][seat] == turns[seat]


def _first_run(log: dict, seat: int, game: str) -> int:
    """Own turns until the hand first held a run, card by card from the log."""
    hand = list(log["hands"][seat])
    turn = 0

    def has_run() -> bool:
        return bool(running(parse_hands([" ".join(hand)], game)[0][0]))

    if has_run():
        return 0
    for action in log["actions"]:
        if action["seat"] != seat:
            continue
        if action["a"].startswith("DRAW"):
            turn += 1
            hand.append(action["card"])
            if has_run():
                return turn
        elif action["a"] != "HOLD":
            for card in action.get("cards") or [action["card"]]:
                hand.remove(card)
    return -1


def test_the_first_run_is_that_of_the_log() -> None:
    for deal, log in enumerate(logs("jaques")):
        for seat in range(3):
            assert counted("jaques", "run_turn")[deal][seat] == _first_run(log, seat, "jaques")


def test_forced_acceptances_are_those_of_the_log() -> None:
    forced = longest = 0
    for deal, log in enumerate(logs("conquian")):
        after = [
            (one["a"], two["seat"])
            for one, two in zip(log["actions"], log["actions"][1:], strict=False)
            if one["a"] == "FORCE"
        ]
        victims = Counter(seat for _, seat in after)
        for seat in range(2):
            assert counted("conquian", "forced")[deal][seat] == victims[seat]
            assert counted("conquian", "dead")[deal][seat] <= victims[seat]
        forced += len(after)
        longest = max(longest, *counted("conquian", "longest")[deal])
    assert forced > 0
    assert longest >= 4


def test_frozen_melds_are_never_regrouped() -> None:
    assert sum(map(sum, counted("conquian_jaques", "regrouped"))) == 0
    assert sum(map(sum, counted("conquian", "regrouped"))) > 0


def test_jokers_and_the_end_of_the_stock_are_those_of_the_log() -> None:
    gone = 0
    for deal, log in enumerate(logs("double_rum")):
        drawn = sum(action["a"] == "DRAW_STOCK" for action in log["actions"])
        exhausted = int(drawn == len(log["stock"]))
        gone += exhausted
        assert counted("double_rum", "exhausted")[deal] == [exhausted] * 8
        held = [hand.count("*") for hand in log["hands"]]
        assert counted("double_rum", "jokers")[deal] == held
    assert 0 < gone


def test_announcements_are_those_of_the_log() -> None:
    spoke = won = 0
    for deal, log in enumerate(logs("konkan")):
        turns: list[list[dict]] = []
        for action in log["actions"]:
            if turns and turns[-1][0]["seat"] == action["seat"]:
                turns[-1].append(action)
            else:
                turns.append([action])
        for seat in range(3):
            own = [turn for turn in turns if turn[0]["seat"] == seat]
            told = [any(a["a"] == "ANNOUNCE" for a in turn) for turn in own]
            winner = log["result"]["winner"] == seat
            if winner and told[-1]:  # the hand did not go on
                told[-1] = False
            assert counted("konkan", "spoke")[deal][seat] == sum(told)
            soon = sum(told[-3:-1]) if winner else 0
            assert counted("konkan", "spoke_won")[deal][seat] == soon
            spoke, won = spoke + sum(told), won + soon
    assert spoke > 0


def test_an_exchanged_joker_changes_one_pair_of_hands() -> None:
    plan = Plan("konkan", (("kk-greedy",) * 3,), 7, {}, "per_seat")
    [pair] = watch_many(plan, DEALS, exchange=True)
    played = joined([hands for _, hands in play_many(plan, DEALS)])
    assert (pair.hands.winner[:, 0] == played.winner[:, 0]).all()
    parted, jokers = pair.seen["parted"], pair.seen["jokers"]
    assert (parted[:, 0] == parted[:, 1]).all()
    assert (parted.sum(axis=2) == (jokers.sum(axis=2) > 0)).all()
    assert (jokers[:, 0][parted[:, 0] == 1] > 0).all()
    changed = pair.hands.turns[:, 0] != pair.hands.turns[:, 1]
    assert changed.any()
    assert not changed[parted[:, 0].sum(axis=1) == 0].any()


def test_the_same_whatever_the_threads() -> None:
    arm = Arm("konkan", 3, "kk-greedy", {}, False, 3)
    names = ["turns", "skill", "joker_worth", "starter"]
    one, three = (observe(arm, names, 300, jobs, distribution=["points"]) for jobs in (1, 3))
    for name in names:
        for a, b in zip(one.ratios[name], three.ratios[name], strict=True):
            assert (a.sums == b.sums).all()
    assert (one.values["points"][1] == three.values["points"][1]).all()
    assert int(one.values["points"][1].sum()) == 300 * 3
    assert (one.hands, one.capped) == (three.hands, three.capped)
    assert one.hands == 300 * (1 + 3 + 2)


def test_whoever_acts_first_is_the_seat_of_the_log() -> None:
    for game in ("jaques", "double_rum", "conquian"):
        strategy, players = TABLES[game]
        seen = observe(Arm(game, players, strategy, {}, False, 7), ["starter"], DEALS)
        first = [log["actions"][0]["seat"] for log in logs(game)]
        won = [log["result"]["winner"] == seat for log, seat in zip(logs(game), first, strict=True)]
        nobody = [log["result"]["winner"] is None for log in logs(game)]
        [ratio] = seen.ratios["starter"]
        expected = [w + n / players for w, n in zip(won, nobody, strict=True)]
        assert (ratio.sums / ratio.unit).tolist() == pytest.approx(expected)


def test_a_strategy_for_all_or_one_for_each_seat() -> None:
    assert Arm("jaques", 3, "greedy-keep(low=1,high=4)").seats == ("greedy-keep(low=1,high=4)",) * 3
    mixed = Arm("jaques", 2, "hold, greedy-keep(low=1, high=4)")
    assert mixed.seats == ("hold", "greedy-keep(low=1, high=4)")
    assert mixed.plan("everyone").seatings == (mixed.seats,)
    with pytest.raises(CooncanError, match="2 players, not 3"):
        _ = Arm("jaques", 3, "hold, greedy").seats


# --- reading numbers -------------------------------------------------------------------


def ratio(rng: np.random.Generator, deals: int, most: int) -> Ratio:
    counts = rng.integers(0, most + 1, deals)
    return Ratio(rng.binomial(counts, 0.3), counts)


def test_a_ratio_reads_as_the_cluster_formula() -> None:
    one = ratio(np.random.default_rng(1), 500, 4)
    reading = read([one], 0.05, share=True)
    found = intervals.cluster_ratio(one.sums, one.counts)
    assert reading.interval == "t over deals"
    assert (reading.value, reading.se, reading.low) == pytest.approx(
        (found.estimate, found.se, found.low), rel=1e-12
    )


def test_one_thing_a_deal_reads_as_wilson_and_so_do_rare_ones() -> None:
    one = ratio(np.random.default_rng(1), 500, 1)
    reading = read([one], 0.05, share=True)
    found = intervals.wilson(int(one.sums.sum()), int(one.counts.sum()))
    assert (reading.interval, reading.low, reading.high) == ("Wilson", found.low, found.high)
    assert read([one], 0.05, share=False).interval == "t over deals"
    rare = Ratio(np.r_[3, np.zeros(99, dtype=np.int64)], np.full(100, 3))
    assert read([rare], 0.05, share=True).low == intervals.wilson(3, 300).low
    halves = Ratio(np.r_[np.full(90, 2), np.full(60, 1), np.zeros(90, dtype=np.int64)],
                   np.full(240, 2), 2)  # fmt: skip
    assert read([halves], 0.05, share=True).low == intervals.wilson(120, 240).low


def test_nothing_counted_is_said() -> None:
    nothing = Ratio(np.zeros(9, dtype=np.int64), np.zeros(9, dtype=np.int64))
    reading = read([nothing], 0.05, share=True)
    assert reading.interval == "nothing counted"
    assert np.isnan(reading.value)
    assert np.isnan(on_same_deals([nothing], [nothing], 0.05, True).effect)


def test_the_same_deals_read_as_a_paired_t() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.integers(0, 50, 400), rng.integers(0, 40, 400)
    ones = np.ones(400, dtype=np.int64)
    found = on_same_deals([Ratio(x, ones)], [Ratio(y, ones)], 0.05, share=False)
    deals = Moments.of(x - y).summary
    paired = intervals.t_interval(deals)
    assert (found.effect, found.se, found.low, found.high, found.p) == pytest.approx(
        (paired.estimate, paired.se, paired.low, paired.high, intervals.t_test(deals)), rel=1e-9
    )
    assert found.vrf == pytest.approx((x.var() + y.var()) / (x - y).var(), rel=1e-9)
    assert found.changed == (x != y).mean()


def test_hardly_changed_deals_are_bounded() -> None:
    ones = np.ones(1000, dtype=np.int64)
    x = np.r_[np.ones(9, dtype=np.int64), np.zeros(991, dtype=np.int64)]
    zero = np.zeros(1000, dtype=np.int64)
    found = on_same_deals([Ratio(x, ones)], [Ratio(zero, ones)], 0.05, share=True)
    bound = intervals.clopper_pearson_upper(9, 1000)
    assert (found.low, found.high, found.changed) == (-bound, bound, 0.009)
    assert np.isnan(on_same_deals([Ratio(x, ones)], [Ratio(zero, ones)], 0.05, False).low)


def test_independent_arms_read_as_welch_or_newcombe() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 50, 400), rng.integers(0, 20, 400)
    ones = np.ones(400, dtype=np.int64)
    arms = [read([Ratio(values, ones)], 0.05, share=False) for values in (x, y)]
    found = on_their_own(*arms, 400, 0.05)
    welch = intervals.welch(Moments.of(x).summary, Moments.of(y).summary)
    assert (found.effect, found.low, found.high) == pytest.approx(
        (welch.estimate, welch.low, welch.high), rel=1e-9
    )
    arms = [read([Ratio((values < 9) * 1, ones)], 0.05, share=True) for values in (x, y)]
    found = on_their_own(*arms, 400, 0.05)
    wilsons = [intervals.wilson(int((values < 9).sum()), 400) for values in (x, y)]
    assert found.low == intervals.newcombe(*wilsons).low


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_can_be_measured(name: str) -> None:
    measure = MEASURES[name]
    game = (measure.games or ("jaques",))[0]
    match = name == "hands"
    check_measure(name, game, match)
    strategy = "random" if game == "konkan" else TABLES[game][0]
    arm = Arm(game, TABLES[game][1], strategy, {}, match, 5)
    seen = observe(arm, [name], 8 if match else 30)
    for part in seen.ratios[name]:
        assert len(part.sums) == len(part.counts) == seen.deals
        if measure.suffix == "%":
            assert (0 <= part.sums).all()
            assert (part.sums <= part.counts).all()
    reading = read(seen.ratios[name], 0.05, measure.scale == 100)
    assert reading.low <= reading.value <= reading.high or reading.interval == "nothing counted"
