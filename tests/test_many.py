"""Many tips at once, the race on common deals and the split where deals cannot be shared."""

import math

import numpy as np
import pytest

from cooncan_sim.intervals import Moments, Summary, deals_for_power
from cooncan_sim.many import (
    Dropped,
    benjamini_hochberg,
    e_benjamini_hochberg,
    holm,
    joint_rules,
    ocba,
    race,
)
from cooncan_sim.sequential import ConfidenceRule, next_look, radius, rho_squared

# --- adjustments ---------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("ours", "theirs"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
def test_adjusted_p_values_are_those_of_statsmodels(ours, theirs):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(1)
    for size in (1, 2, 9, 40):
        p = np.round(rng.random(size) ** 3, 2)  # with ties
        assert ours(p) == pytest.approx(multitest.multipletests(p, method=theirs)[1])


def test_holm_keeps_the_chance_of_any_false_claim():
    rng = np.random.default_rng(2)
    claimed = [(holm(rng.random(12)) <= 0.05).any() for _ in range(2000)]
    assert np.mean(claimed) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 2000)


def slow_e_bh(e, q):
    """The definition: the largest k whose k-th largest e-value reaches m/(kq)."""
    ordered, m = sorted(e, reverse=True), len(e)
    sizes = [k for k in range(1, m + 1) if ordered[k - 1] >= m / (k * q)]
    least = ordered[max(sizes) - 1] if sizes else math.inf
    return [value >= least for value in e]


def test_e_bh_is_its_definition():
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(300):
        e = rng.lognormal(1.5, 2.5, rng.integers(1, 12))
        discoveries = e_benjamini_hochberg(np.log(e), 0.1)
        assert discoveries.tolist() == slow_e_bh(e, 0.1)
        found += discoveries.sum()
    assert found > 100


def test_e_bh_lets_a_later_step_carry_the_earlier_ones():
    """Of three e-values at q = .05 all of 25 go, though the largest alone would need 60."""
    assert e_benjamini_hochberg(np.log([25, 25, 25])).tolist() == [True] * 3
    assert e_benjamini_hochberg(np.log([25, 25, 15])).tolist() == [False] * 3
    assert e_benjamini_hochberg([800.0, 0.0, -5.0]).tolist() == [True, False, False]


def test_joint_rules_share_alpha():
    rules = joint_rules(0.02, [0.3, 0.5], max_deals=10**5, alpha=0.05)
    assert [rule.alpha for rule in rules] == [0.025, 0.025]
    assert rules == [ConfidenceRule.planned(0.02, sd, 10**5, 0.025) for sd in (0.3, 0.5)]
    for rule, sd in zip(rules, (0.3, 0.5), strict=True):
        rho2 = rho_squared(rule.n_opt, 0.025)
        assert radius(Summary(rule.n_opt, 0, sd), rho2, 0.025) == pytest.approx(0.02, rel=1e-3)


# --- the race ------------------------------------------------------------------------------

UNIT = 100
STRENGTHS = np.array([0, 5, -10, 30, 12, 0, -20, 8])  # hundredths of a point


def table(seed, strengths=STRENGTHS):
    """Results of a game whose luck is mostly the deal's: SD 1 for the deal, 0.5 for the play."""

    def play(alive, first, deals):
        luck = np.random.default_rng([seed, first]).normal(0, 100, (deals, 1))
        own = np.random.default_rng([seed, first, 1]).normal(0, 50, (deals, len(strengths)))
        return np.rint(strengths + luck + own).astype(np.int64)[:, list(alive)]

    return play


RULE = ConfidenceRule.planned(delta=0.04, sd=math.sqrt(0.5), max_deals=50_000)


def test_the_best_wins_the_race():
    found = race(table(1), 8, RULE, UNIT)
    assert (found.leader, found.alive, found.unresolved) == (3, (3,), False)
    assert sorted(drop.strategy for drop in found.dropped) == [0, 1, 2, 4, 5, 6, 7]
    assert {drop.why for drop in found.dropped} == {"worse"}
    first, last = found.dropped[0], found.dropped[-1]
    assert first.n <= last.n == found.n
    assert found.games == sum(drop.n for drop in found.dropped) + found.n


def slow_race(play, rule):
    """The same from all the results kept, one pair of strategies after the other."""
    alive, dropped, seen, n = list(range(8)), [], np.empty((0, 8), dtype=np.int64), 0
    strict = ConfidenceRule(rule.delta, rule.max_deals, rule.alpha / 7, rule.n_opt)
    while len(alive) > 1 and n < rule.max_deals:
        count = next_look(n, rule.max_deals) - n
        batch = np.zeros((count, 8), dtype=np.int64)
        batch[:, alive] = play(tuple(alive), n, count)
        seen, n = np.vstack([seen, batch]), n + count
        leader = max(alive, key=lambda i: (seen[:, i].sum(), -i))
        for i in list(alive):
            said = strict.look(Moments.of(seen[:, leader] - seen[:, i], UNIT)).verdict
            if i != leader and said in ("helps", "no practical difference"):
                why = "worse" if said == "helps" else said
                dropped.append(Dropped(i, leader, n, why))
                alive.remove(i)
    return alive, dropped


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_the_race_is_its_slow_twin(seed):
    strengths = np.array([0, 29, -10, 30, 12, 28, -20, 8])
    found = race(table(seed, strengths), 8, RULE, UNIT)
    alive, dropped = slow_race(table(seed, strengths), RULE)
    assert (list(found.alive), list(found.dropped)) == (alive, dropped)
    assert "no practical difference" in {drop.why for drop in found.dropped}


def test_the_race_costs_a_fraction_of_independent_samples():
    """Against eight samples on deals of their own, large enough to part the best two."""
    games = np.mean([race(table(seed), 8, RULE, UNIT).games for seed in range(10, 16)])
    single_sd, gap = math.sqrt(1.25), 0.18
    apart = deals_for_power(gap, math.sqrt(2) * single_sd, 0.9, 0.05 / 7)
    assert games < 8 * apart / 2


def test_level_strategies_are_left_unresolved_at_the_cap():
    found = race(table(5, np.zeros(3)), 3, ConfidenceRule(delta=0.001, max_deals=1000), UNIT)
    assert found.unresolved
    assert (found.alive, found.n, found.games) == ((0, 1, 2), 1000, 3000)


def test_the_race_asks_for_whole_numbers():
    with pytest.raises(TypeError, match="integer numerators"):
        race(lambda alive, first, deals: np.zeros((deals, len(alive))), 2, RULE)


# --- OCBA ----------------------------------------------------------------------------------


def test_ocba_does_better_than_an_even_split():
    means, sds = np.array([0.0, 0.5, 1.0, 1.3]), np.array([1.0, 2.0, 2.0, 1.5])
    split = ocba(means, sds, 400)
    assert split.sum() == pytest.approx(400)
    rng = np.random.default_rng(6)

    def hits(games):
        drawn = rng.normal(means, sds / np.sqrt(games), (20_000, 4))
        return np.mean(drawn.argmax(axis=1) == 3)

    assert hits(split) > hits(np.full(4, 100)) + 0.02


def test_ocba_cannot_part_equals():
    with pytest.raises(ValueError, match="share the best mean"):
        ocba([1, 1, 0], [1, 1, 1], 100)
