"""Intervals against other implementations, obvious slow twins and repeated sampling."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cooncan_sim.intervals import (
    Interval,
    Moments,
    SparseBound,
    Summary,
    bootstrap,
    bootstrap_sums,
    chance_ahead,
    clopper_pearson_upper,
    cluster_ratio,
    deals_for_half_width,
    deals_for_power,
    effect_interval,
    hands_to_notice,
    kaplan_meier,
    newcombe,
    quantile_interval,
    restricted_mean,
    survival,
    t_interval,
    t_test,
    variance_reduction,
    variance_reduction_of_arms,
    welch,
    wilson,
)


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


# --- moments -----------------------------------------------------------------------------


@given(st.lists(st.integers(-(10**12), 10**12), min_size=2), st.integers(1, 60), st.data())
def test_moments_are_exact_however_the_deals_are_cut(values, unit, draw):
    cut = draw.draw(st.integers(0, len(values)))
    whole = Moments.of(values, unit)
    assert Moments.of(values[:cut], unit) + Moments.of(values[cut:], unit) == whole
    assert whole.total == sum(values)
    assert whole.squares == sum(v * v for v in values)
    assert whole.nonzero == sum(v != 0 for v in values)
    assert whole.n == len(values)


def test_moments_agree_with_numpy():
    values = rng(1).integers(-90, 120, 1000)
    moments, d = Moments.of(values, 12), values / 12
    assert moments.mean == pytest.approx(d.mean(), rel=1e-12)
    assert moments.variance == pytest.approx(d.var(ddof=1), rel=1e-12)
    assert moments.population_variance == pytest.approx(d.var(), rel=1e-12)
    assert moments.summary == (1000, moments.mean, math.sqrt(moments.variance))


def test_a_small_spread_around_a_large_mean_is_not_lost():
    values = 10**9 + np.array([0, 1, 2])
    assert Moments.of(values).variance == 1
    assert Moments.of(values, 3).variance == pytest.approx(1 / 9, rel=1e-15)


def test_moments_take_wins_as_booleans_and_refuse_the_rest():
    assert Moments.of(np.array([True, False, True])) == Moments(3, 2, 2, 2)
    assert Moments.of([]) == Moments()
    with pytest.raises(TypeError, match="float64"):
        Moments.of([0.5, 1.0])
    with pytest.raises(ValueError, match="unit"):
        Moments.of([1], 0)
    with pytest.raises(ValueError, match="1/2 to values in 1/3"):
        Moments(unit=2) + Moments(unit=3)
    with pytest.raises(ValueError, match="two deals"):
        _ = Moments.of([4]).variance


# --- means and proportions -----------------------------------------------------------------


def test_t_interval_and_test_are_those_of_scipy():
    values = rng(2).integers(-50, 60, 77)
    deals = Moments.of(values).summary
    found, theirs = t_interval(deals, 0.9), stats.ttest_1samp(values, 0)
    assert (found.low, found.high) == pytest.approx(tuple(theirs.confidence_interval(0.9)))
    assert t_test(deals) == pytest.approx(theirs.pvalue)
    assert found.df == 76


def test_welch_is_that_of_scipy():
    x, y = rng(3).normal(1, 2, 40), rng(4).normal(0, 5, 90)
    arms = [Summary(len(v), v.mean(), v.std(ddof=1)) for v in (x, y)]
    theirs = stats.ttest_ind(x, y, equal_var=False)
    found, limits = welch(*arms), theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((limits.low, limits.high))
    assert found.df == pytest.approx(theirs.df)


@pytest.mark.parametrize(("wins", "n"), [(0, 20), (7, 20), (20, 20), (5230, 10000)])
def test_wilson_is_that_of_scipy(wins, n):
    theirs = stats.binomtest(wins, n).proportion_ci(0.9, method="wilson")
    found = wilson(wins, n, 0.9)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_wilson_of_shared_hands_lies_between_its_neighbours():
    below, between, above = wilson(6, 20), wilson(6.5, 20), wilson(7, 20)
    assert below.low < between.low < above.low
    assert below.high < between.high < above.high


@pytest.mark.filterwarnings("ignore")
def test_newcombe_is_that_of_statsmodels():
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    theirs = proportion.confint_proportions_2indep(56, 70, 48, 80, method="newcomb")
    found = newcombe(wilson(56, 70), wilson(48, 80))
    assert (found.low, found.high) == pytest.approx(theirs)


@pytest.mark.parametrize(("count", "n"), [(0, 10), (3, 10), (49, 10**6)])
def test_clopper_pearson_is_a_beta_quantile(count, n):
    wanted = stats.beta.ppf(0.95, count + 1, n - count)
    assert clopper_pearson_upper(count, n) == pytest.approx(wanted, rel=1e-9)


def test_clopper_pearson_when_everything_changed():
    assert clopper_pearson_upper(10, 10) == 1


@pytest.mark.filterwarnings("ignore")
def test_cluster_ratio_is_the_cluster_robust_regression_on_a_constant():
    models = pytest.importorskip("statsmodels.api")
    games = rng(5).integers(1, 5, 60)
    deal = np.repeat(np.arange(60), games)
    score = rng(6).normal(size=60)[deal] + rng(7).normal(size=len(deal))
    theirs = models.OLS(score, np.ones(len(score))).fit(
        cov_type="cluster", cov_kwds={"groups": deal}, use_t=True
    )
    found = cluster_ratio(np.bincount(deal, score), games)
    assert found.estimate == pytest.approx(theirs.params[0])
    assert found.se == pytest.approx(theirs.bse[0])
    assert (found.low, found.high) == pytest.approx(tuple(theirs.conf_int()[0]))


def test_cluster_ratio_of_equal_clusters_is_the_t_interval():
    sums = rng(8).integers(-9, 9, 50)
    found, plain = cluster_ratio(sums, np.full(50, 3)), t_interval(Moments.of(sums, 3).summary)
    assert (found.estimate, found.se) == pytest.approx((plain.estimate, plain.se))
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


# --- sparse differences --------------------------------------------------------------------


def test_fifty_changed_deals_make_an_interval_and_fewer_a_bound():
    enough = effect_interval(Moments.of([2] * 50 + [0] * 950, 4), span=0.5)
    assert isinstance(enough, Interval)
    assert enough.estimate == 0.025
    sparse = effect_interval(Moments.of([2] * 49 + [0] * 951, 4), span=0.5)
    assert isinstance(sparse, SparseBound)
    assert sparse.share == 0.049
    assert sparse.upper == pytest.approx(stats.beta.ppf(0.95, 50, 951))
    assert (sparse.low, sparse.high) == pytest.approx((-sparse.upper / 2, sparse.upper / 2))


def test_no_changed_deal_still_leaves_a_bound():
    found = effect_interval(Moments.of([0] * 10_000), span=1)
    assert (found.share, found.upper) == (0, pytest.approx(1 - 0.05 ** (1 / 10_000)))


# --- bootstrap -----------------------------------------------------------------------------


@pytest.mark.parametrize("bayesian", [False, True])
def test_bootstrap_of_a_mean_is_its_t_interval(bayesian):
    values = rng(9).normal(3, 2, 400)
    plain = t_interval(Summary(400, values.mean(), values.std(ddof=1)))
    found = bootstrap(lambda w: w @ values / w.sum(), np.ones(400), 1, bayesian=bayesian)
    assert found.estimate == pytest.approx(plain.estimate)
    assert found.se == pytest.approx(plain.se, rel=0.06)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.15 * plain.se)


def test_poisson_weights_take_over_for_many_deals():
    """Here all deals are of four kinds; a resampled total would be exactly 120,000."""
    kinds, counts = np.array([-1, 0, 1, 5]), np.array([30_000, 50_000, 30_000, 10_000])
    mean = kinds @ counts / 120_000
    sd = math.sqrt(kinds**2 @ counts / 120_000 - mean**2)
    found = bootstrap(lambda w: np.array([w @ kinds / w.sum(), w.sum()]), counts, 2)
    assert found.estimate == pytest.approx([mean, 120_000])
    assert found.se == pytest.approx([sd / math.sqrt(120_000), math.sqrt(120_000)], rel=0.06)


def test_rows_that_stand_for_many_deals_are_resampled_as_deals():
    counts = np.array([20, 70, 10])
    found = bootstrap(lambda w: w / w.sum(), counts, 3)
    assert found.se == pytest.approx(np.sqrt(counts / 100 * (1 - counts / 100) / 100), rel=0.06)
    totals = bootstrap(lambda w: w.sum(), counts, 3)
    assert (totals.low, totals.high) == (100, 100)


@pytest.mark.parametrize("poisson", [False, True])
def test_sums_are_resampled_by_group(poisson):
    """The mean of two columns over 400 groups; the second column is constant."""
    sums = np.column_stack([rng(9).normal(3, 2, 400), np.full(400, 7.0)])
    shapes = []

    def means(totals, drawn):
        shapes.append((totals.shape, drawn.shape))
        return np.column_stack([totals / drawn[:, None], drawn])

    found = bootstrap_sums(means, sums, 1, poisson=poisson)
    assert shapes == [((2001, 2), (2001,))]
    assert found.estimate == pytest.approx([sums[:, 0].mean(), 7, 400])
    wanted = [sums[:, 0].std() / 20, 0, 20 if poisson else 0]
    assert found.se == pytest.approx(wanted, rel=0.06, abs=1e-9)
    again = bootstrap_sums(means, sums, 1, poisson=poisson)
    assert np.array_equal(found.low, again.low)
    assert bootstrap_sums(means, sums, 2, poisson=poisson).low[0] != found.low[0]


def test_bootstrap_repeats_itself():
    values = rng(10).normal(size=30)
    first, again = (bootstrap(lambda w: w @ values, np.ones(30), 7) for _ in range(2))
    assert (first.low, first.high) == (again.low, again.high)
    assert bootstrap(lambda w: w @ values, np.ones(30), 8).low != first.low


def test_quantiles_are_the_least_values_reached():
    values = rng(11).integers(5, 40, (300, 2))
    levels = [0.1, 0.5, 0.9, 1.0]
    found = quantile_interval(values, levels, 1)
    ordered = np.sort(values.ravel())
    wanted = [ordered[math.ceil(round(level * 600, 6)) - 1] for level in levels]
    assert found.estimate.tolist() == wanted
    assert np.all(found.low <= found.estimate)
    assert np.all(found.estimate <= found.high)


def test_the_interval_of_a_median_covers_it():
    """Games of a deal go together; 200 samples, and binomial luck of four standard errors."""
    covered = 0
    for seed in range(200):
        deal = rng(seed).poisson(20, (150, 1))
        found = quantile_interval(deal + rng(seed + 1000).poisson(3, (150, 2)), 0.5, seed)
        covered += found.low <= 23 <= found.high  # the median of Poisson(23)
    assert covered >= 200 * (0.95 - 4 * math.sqrt(0.05 * 0.95 / 200))


# --- hand length ---------------------------------------------------------------------------


def test_survival_is_the_mean_of_shares_per_deal():
    turns, cap = rng(12).integers(1, 30, (250, 3)), 25
    found = survival(turns, cap)
    for t in range(cap):
        slow = t_interval(Moments.of((turns > t).sum(axis=1), 3).summary)
        assert found.estimate[t] == pytest.approx(slow.estimate)
        assert (found.low[t], found.high[t]) == pytest.approx((slow.low, slow.high))


def test_capped_hands_count_as_lasting_to_the_cap():
    turns = np.array([[4, 9], [10, 10], [7, 3], [10, 2]])
    assert restricted_mean(turns, 10).estimate == pytest.approx(survival(turns, 10).estimate.sum())
    longer = np.where(turns == 10, 99, turns)
    assert restricted_mean(longer, 10) == restricted_mean(turns, 10)
    assert survival(longer, 10).estimate.tolist() == survival(turns, 10).estimate.tolist()


def test_kaplan_meier_below_a_common_cap_is_plain_survival():
    turns = np.minimum(rng(13).integers(1, 40, 200), 30)
    times, curve = kaplan_meier(turns, turns < 30)
    plain = survival(turns[:, None], 30)
    below = times < 30
    assert curve.estimate[below] == pytest.approx(plain.estimate[times[below].astype(int)])
    # Greenwood without censoring is the binomial error, n in place of n − 1.
    wanted = plain.se[times[below].astype(int)] * math.sqrt(199 / 200)
    assert curve.se[below] == pytest.approx(wanted)


@pytest.mark.filterwarnings("ignore")
def test_kaplan_meier_is_that_of_statsmodels():
    survival_function = pytest.importorskip("statsmodels.api").SurvfuncRight
    times = rng(14).integers(1, 12, 80)
    ended = rng(15).random(80) < 0.6
    theirs = survival_function(times, ended.astype(int))
    distinct, curve = kaplan_meier(times, ended)
    at = np.searchsorted(distinct, theirs.surv_times)
    alive = theirs.surv_prob > 0
    assert curve.estimate[at] == pytest.approx(theirs.surv_prob)
    assert curve.se[at][alive] == pytest.approx(theirs.surv_prob_se[alive])


def test_nobody_left_means_no_error_left():
    _, curve = kaplan_meier([1, 2, 3], [True, True, True])
    assert (curve.estimate[-1], curve.se[-1]) == (0, 0)


# --- planning ------------------------------------------------------------------------------


def test_variance_reduction_of_swapped_seats():
    """Deal luck that the swap cancels: Var(single) = 4 + 1, Var(mean of two) = 1/2."""
    luck, noise = rng(16).normal(0, 2, 100_000), rng(17).normal(0, 1, (100_000, 2))
    single, paired = luck + noise[:, 0], (noise[:, 0] + noise[:, 1]) / 2
    assert variance_reduction(single.var(), 2, paired.var()) == pytest.approx(5, rel=0.03)
    x, y = luck + noise[:, 0], luck + noise[:, 1]
    found = variance_reduction_of_arms(x.var(), y.var(), (x - y).var())
    assert found == pytest.approx(5, rel=0.03)


def test_the_planned_number_of_deals_has_the_planned_power():
    n = math.ceil(deals_for_power(0.2, 1, power=0.8, alpha=0.05))
    means = rng(18).normal(0.2, 1 / math.sqrt(n), 40_000)
    assert np.mean(np.abs(means) * math.sqrt(n) > 1.959964) == pytest.approx(0.8, abs=0.01)


def test_half_width_and_hands_to_notice():
    n = deals_for_half_width(0.1, 3)
    assert 3 / math.sqrt(n) * stats.norm.ppf(0.975) == pytest.approx(0.1)
    assert hands_to_notice(-0.1, 3) == pytest.approx(n)
    assert chance_ahead(0.1, 3, n) == pytest.approx(0.975)
    assert chance_ahead(0.1, 3, [0, 4]) == pytest.approx([0.5, stats.norm.cdf(0.2 / 3)])
