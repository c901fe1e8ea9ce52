"""Ratings: the equations of a likelihood's top, general optimisers, exact arithmetic."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.optimize import minimize

from cooncan_sim.intervals import bootstrap
from cooncan_sim.ratings import (
    alpha_rank,
    cyclicity,
    davidson,
    hodge,
    plackett_luce,
    points_ols,
    strongly_connected,
    uninvadable,
    winner_only,
)

# --- win models ----------------------------------------------------------------------------

WINS = np.array([[0, 30, 22, 9], [18, 0, 31, 14], [11, 25, 0, 20], [4, 9, 16, 0]])
TIES = np.array([[0, 7, 4, 1], [7, 0, 9, 5], [4, 9, 0, 6], [1, 5, 6, 0]])


def davidson_odds(strength, tie):
    """P(i beats j) and P(tie), as Davidson writes them."""
    pi = np.exp(strength)
    root = tie * np.sqrt(np.outer(pi, pi))
    total = pi[:, None] + pi + root
    return pi[:, None] / total, root / total


def test_davidson_is_the_maximum_of_its_likelihood():
    def minus_log(theta):
        win, tie = davidson_odds(theta[:4], math.exp(theta[4]))
        return -np.sum(WINS * np.log(win)) - np.sum(TIES * np.log(tie)) / 2

    found = davidson(WINS, TIES)
    best = minimize(minus_log, np.zeros(5), options={"gtol": 1e-8}, method="BFGS")
    assert best.fun == pytest.approx(minus_log([*found.strength, math.log(found.tie)]))
    assert found.strength == pytest.approx(best.x[:4] - best.x[:4].mean(), abs=1e-5)
    assert found.strength.sum() == pytest.approx(0, abs=1e-12)
    assert not found.padded


def test_davidson_expects_the_points_and_ties_it_has_seen():
    found = davidson(WINS, TIES)
    win, tie = davidson_odds(found.strength, found.tie)
    games = WINS + WINS.T + TIES
    points = (games * (win + tie / 2)).sum(axis=1)
    assert points == pytest.approx((WINS + TIES / 2).sum(axis=1))
    assert (games * tie).sum() == pytest.approx(TIES.sum())


def test_without_ties_davidson_is_winner_only_at_tables_of_two():
    tables = np.array(list(itertools.combinations(range(4), 2)))
    won = np.array([[WINS[i, j], WINS[j, i]] for i, j in tables])
    found = davidson(WINS, np.zeros((4, 4)))
    assert found.tie == 0
    two = winner_only(tables, won, 4, seats=False)
    assert two.strength == pytest.approx(found.strength)
    assert two.seat is None


def test_two_strategies_have_the_log_odds():
    assert davidson([[0, 30], [10, 0]], np.zeros((2, 2))).strength == pytest.approx(
        [math.log(3) / 2, -math.log(3) / 2]
    )


def test_winner_only_finds_strengths_and_seats():
    strength, seat = np.array([0.5, 0.1, -0.2, -0.4]), np.array([0.3, 0.0, -0.3])
    tables = np.array(list(itertools.permutations(range(4), 3)))
    odds = np.exp(strength[tables] + seat)
    expected = 1000 * odds / odds.sum(axis=1, keepdims=True)
    found = winner_only(tables, expected, 4)
    assert found.strength == pytest.approx(strength)
    assert found.seat == pytest.approx(seat)
    assert not found.padded


def test_winner_only_settles_on_a_lopsided_record():
    """Full Newton steps overshoot here; at the top each strategy and seat wins as it should."""
    tables = np.array([[2, 3, 0], [3, 0, 2], [1, 3, 2], [1, 3, 2]])
    won = np.array([[826, 8, 1], [1, 1, 13], [1, 1109, 10], [33, 2, 11]])
    found = winner_only(tables, won, 4)
    odds = np.exp(found.strength[tables] + found.seat)
    expected = won.sum(axis=1, keepdims=True) * odds / odds.sum(axis=1, keepdims=True)
    assert expected.sum(axis=0) == pytest.approx(won.sum(axis=0))
    assert np.bincount(tables.ravel(), expected.ravel()) == pytest.approx(
        np.bincount(tables.ravel(), won.ravel())
    )


def test_the_same_strategy_may_sit_twice():
    """One A among two B: A's seat wins with odds e^a against 2e^b."""
    found = winner_only([[0, 1, 1]], [[50, 25, 25]], 2, seats=False)
    assert found.strength == pytest.approx([math.log(2) / 2, -math.log(2) / 2])


def test_plackett_luce_is_a_chain_of_choices():
    strength = np.array([0.7, 0.2, -0.1, -0.8])
    orders = np.array(list(itertools.permutations(range(4))))
    chance = np.ones(len(orders))
    for row, order in enumerate(orders):
        for place in range(3):
            odds = np.exp(strength[order[place:]])
            chance[row] *= odds[0] / odds.sum()
    assert chance.sum() == pytest.approx(1)
    assert plackett_luce(orders, 500 * chance, 4).strength == pytest.approx(strength)


def test_plackett_luce_joins_tables_of_different_players():
    found = plackett_luce([[0, 1], [1, 0], [1, 2], [2, 1]], [20, 10, 20, 10], 3)
    assert found.strength == pytest.approx([math.log(2), 0, -math.log(2)])


def test_bootstrap_over_deals_gives_the_error_of_a_strength():
    """400 games of two strategies: the log odds of p have the error 1/√(np(1−p))."""
    won = np.array([300, 100])

    def rate(weights):
        return davidson([[0, weights[0]], [weights[1], 0]], np.zeros((2, 2))).strength

    found = bootstrap(rate, won, 1, resamples=500)
    assert found.se == pytest.approx(np.full(2, 1 / math.sqrt(400 * 3 / 16) / 2), rel=0.1)


def test_a_batch_is_its_records_one_by_one():
    """Resamples are fitted together; what connects one record and not the next is padded alone."""
    rng = np.random.default_rng(4)
    wins = rng.poisson(WINS, (30, 4, 4)).astype(float)
    ties = np.triu(rng.poisson(TIES, (30, 4, 4)))
    ties = (ties + np.swapaxes(ties, 1, 2)).astype(float)
    ties[3] = 0
    wins[5, 0], wins[5, :, 0] = 9 * (1 - np.eye(4)[0]), 0
    together = davidson(wins, ties)
    tables = np.array(list(itertools.permutations(range(4), 3)))
    by_table = rng.poisson(3, (30, 24, 3)).astype(float)
    by_table[7][tables == 2] = 0
    seated = winner_only(tables, by_table, 4)
    orders = np.array([*tables, [0, 1, 1], [1, 0, 1], [1, 1, 0]])
    counts = rng.poisson(4, (30, 27)).astype(float)
    counts[9][orders[:, 0] != 3] = 0
    placed = plackett_luce(orders, counts, 4)
    net = rng.normal(size=(30, 72))
    who, where = tables.ravel(), np.tile(np.arange(3), 24)
    points = points_ols(who, where, net)
    ranks = alpha_rank(wins / 99 - np.swapaxes(wins, 1, 2) / 99, 3)
    for k in range(30):
        one = davidson(wins[k], ties[k])
        assert together.strength[k] == pytest.approx(one.strength, abs=1e-8)
        assert (together.padded[k], one.padded) == (k == 5, k == 5)
        assert together.tie[k] == pytest.approx(one.tie, abs=1e-8)
        two = winner_only(tables, by_table[k], 4)
        assert seated.strength[k] == pytest.approx(two.strength, abs=1e-8)
        assert seated.seat[k] == pytest.approx(two.seat, abs=1e-8)
        assert (seated.padded[k], two.padded) == (k == 7, k == 7)
        three = plackett_luce(orders, counts[k], 4)
        assert placed.strength[k] == pytest.approx(three.strength, abs=1e-8)
        assert (placed.padded[k], three.padded) == (k == 9, k == 9)
        assert points.strength[k] == pytest.approx(points_ols(who, where, net[k]).strength)
        assert ranks[k] == pytest.approx(alpha_rank((wins[k] - wins[k].T) / 99, 3))
    assert (together.tie == 0).tolist() == [k == 3 for k in range(30)]


def test_in_a_full_order_the_same_strategy_may_stand_twice():
    """A among two B: it comes first with odds a : 2b, and then second with odds a : b."""
    a, b = 3.0, 1.0
    first, second = a / (a + 2 * b), 2 * b / (a + 2 * b) * a / (a + b)
    orders = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    found = plackett_luce(orders, [100 * first, 100 * second, 100 * (1 - first - second)], 2)
    assert found.strength == pytest.approx([math.log(3) / 2, -math.log(3) / 2])


# --- records that do not connect -------------------------------------------------------------


def test_strong_connection_needs_a_way_back():
    assert strongly_connected([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert not strongly_connected([[0, 1, 1], [0, 0, 1], [0, 1, 0]])


def test_an_unbeaten_strategy_gets_half_a_win_against_it_and_it_is_said():
    wins, none = np.array([[0, 8, 5], [0, 0, 6], [0, 4, 0]]), np.zeros((3, 3))
    found = davidson(wins, none)
    assert found.padded
    half = np.where(np.eye(3) == 1, 0, 0.5)
    assert found.strength == pytest.approx(davidson(wins + half, none).strength)

    tables, won = [[0, 1], [0, 2], [1, 2]], [[8, 0], [5, 0], [6, 4]]
    by_table = winner_only(tables, won, 3, seats=False)
    assert by_table.padded
    assert by_table.strength == pytest.approx(found.strength)

    orders, counts = [[0, 1], [0, 2], [1, 2], [2, 1]], [8, 5, 6, 4]
    by_order = plackett_luce(orders, counts, 3)
    assert by_order.padded
    assert by_order.strength == pytest.approx(found.strength)


def test_only_pairs_that_met_are_padded():
    wins = np.array([[0, 8, 0], [0, 0, 6], [0, 0, 0]])
    found = davidson(wins, np.zeros((3, 3)))
    assert found.padded
    first, second = math.log(8.5 / 0.5), math.log(6.5 / 0.5)
    assert np.diff(found.strength) == pytest.approx([-first, -second])


def test_ties_alone_can_be_rated():
    found = davidson(np.zeros((2, 2)), [[0, 9], [9, 0]])
    assert found.padded
    assert found.strength == pytest.approx([0, 0])
    assert found.tie == pytest.approx(18)  # nine ties to half a win each way: ν/2 = 9


def test_strategies_that_never_met_cannot_be_rated():
    apart = np.zeros((4, 4))
    apart[0, 1] = apart[1, 0] = apart[2, 3] = apart[3, 2] = 5
    with pytest.raises(ValueError, match="no games join"):
        davidson(apart, np.zeros((4, 4)))
    with pytest.raises(ValueError, match="no games join"):
        winner_only([[0, 1], [2, 3]], [[5, 5], [5, 5]], 4)
    with pytest.raises(ValueError, match="no games join"):
        plackett_luce([[0, 1], [1, 0], [2, 3], [3, 2]], [5, 5, 5, 5], 4)


def test_a_strategy_bound_to_its_seat_cannot_be_told_from_it():
    with pytest.raises(ValueError, match="apart"):
        winner_only([[0, 1]], [[7, 5]], 2)
    tables = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    with pytest.raises(ValueError, match="without bound"):
        winner_only(tables, [[30, 20, 0], [25, 30, 0], [20, 40, 0]], 3)
    with pytest.raises(ValueError, match="apart"):
        points_ols([0, 1, 0, 1], [0, 1, 0, 1], [3, -3, 1, -1])


def test_ties_must_be_symmetric():
    with pytest.raises(ValueError, match="symmetric"):
        davidson([[0, 1], [1, 0]], [[0, 2], [0, 0]])


# --- points ----------------------------------------------------------------------------------


def test_points_ols_is_least_squares():
    rng = np.random.default_rng(1)
    strategy, seat = rng.integers(0, 4, 600), rng.integers(0, 3, 600)
    weights = rng.poisson(1, 600)
    net = np.array([4, 1, -2, -3])[strategy] + np.array([2, 0, -2])[seat] + rng.normal(size=600)
    found = points_ols(strategy, seat, net, weights)
    columns = np.column_stack([np.ones(600), np.eye(4)[strategy], np.eye(3)[seat]])
    scale = np.sqrt(weights)
    theirs = np.linalg.lstsq(columns * scale[:, None], net * scale, rcond=None)[0]
    assert found.strength == pytest.approx(theirs[1:5] - theirs[1:5].mean())
    assert found.seat == pytest.approx(theirs[5:] - theirs[5:].mean())
    assert found.mean == pytest.approx(theirs[0] + theirs[1:5].mean() + theirs[5:].mean())
    whole = points_ols(strategy, seat, net)
    assert whole.strength == pytest.approx([4, 1, -2, -3], abs=0.3)


# --- cycles ----------------------------------------------------------------------------------

ROCK = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def test_hodge_parts_a_list_from_a_cycle():
    strength = np.array([0.3, 0.1, -0.4])
    ordered = strength[:, None] - strength
    assert hodge(ordered).strength == pytest.approx(strength)
    assert hodge(ordered).cyclic_share == pytest.approx(0, abs=1e-15)
    assert hodge(ROCK).strength == pytest.approx([0, 0, 0])
    assert hodge(ROCK).cyclic_share == 1
    mixed = hodge(ordered + 0.2 * ROCK)
    assert mixed.strength == pytest.approx(strength)
    assert mixed.cyclic_share == pytest.approx(0.24 / (0.24 + np.sum(ordered**2)))
    assert hodge(np.zeros((3, 3))).cyclic_share == 0
    with pytest.raises(ValueError, match="antisymmetric"):
        hodge([[0, 1], [1, 0]])


def pairs(matrix, noise, deals, seed):
    """Results per deal of each pair i < j around the means of a matrix."""
    i, j = np.triu_indices(len(matrix), 1)
    rng = np.random.default_rng(seed)
    return matrix[i, j] + noise * rng.standard_normal((deals, len(i)))


def test_noise_looks_cyclic_but_is_not_called_a_cycle():
    found = [cyclicity(pairs(np.zeros((5, 5)), 1, 400, seed), seed) for seed in range(12)]
    assert np.mean([one.share.estimate for one in found]) > 0.4  # 6 of 10 dimensions
    assert sum(one.clear for one in found) <= 3


def test_a_cycle_is_found_and_a_list_is_not():
    strength = np.array([0.3, 0.1, -0.4])
    ordered = strength[:, None] - strength
    cycle = cyclicity(pairs(ordered + 0.4 * ROCK, 1, 2000, 1), 1)
    wanted = hodge(ordered + 0.4 * ROCK).cyclic_share
    assert cycle.clear
    assert cycle.share.low < wanted < cycle.share.high
    plain = cyclicity(pairs(ordered, 1, 2000, 2), 2)
    assert not plain.clear
    assert plain.share.low < 0.05
    small = cyclicity(pairs(ordered + 0.08 * ROCK, 0.1, 2000, 3), 3)
    assert (small.p < 1e-6, small.clear) == (True, False)  # certain, and under a tenth


def test_p_of_no_cycle_is_uniform_without_one():
    strength = np.array([0.3, 0.1, 0.0, -0.4])
    ordered = strength[:, None] - strength
    p = [cyclicity(pairs(ordered, 1, 200, seed), seed).p for seed in range(40)]
    assert 0.3 < np.mean(p) < 0.7


def test_a_cycle_without_any_noise_is_certain():
    always = np.tile([1.0, -1.0, 1.0], (50, 1))
    assert cyclicity(always, 1).p == 0
    assert cyclicity(always, 1).clear
    never = np.tile([1.0, 2.0, 1.0], (50, 1))
    assert cyclicity(never, 1).p == 1
    with pytest.raises(ValueError, match="three strategies"):
        cyclicity(np.ones((50, 1)), 1)


# --- populations -----------------------------------------------------------------------------


def exact_alpha_rank(matrix, alpha, population):
    """Shares of three strategies by the Markov chain tree theorem, in 400 digits."""
    with localcontext() as context:
        context.prec = 400

        def rate(resident, mutant):
            edge = Decimal(alpha) * population / (population - 1)
            u = edge * Decimal(float(matrix[mutant][resident]))
            if u == 0:
                return Decimal(1) / population
            return (1 - (-u).exp()) / (1 - (-population * u).exp())

        shares = []
        for root in range(3):
            a, b = (state for state in range(3) if state != root)
            shares.append(
                rate(a, root) * rate(b, root)
                + rate(a, b) * rate(b, root)
                + rate(b, a) * rate(a, root)
            )
        return [float(share / sum(shares)) for share in shares]


@pytest.mark.parametrize("alpha", [0.01, 1, 30, 1000])
def test_alpha_rank_is_exact_at_any_selection_strength(alpha):
    """Double precision holds none of the rates at α = 1000: the largest u is near 400·m."""
    cycle = np.array([[0, 0.1, -0.3], [-0.1, 0, 0.2], [0.3, -0.2, 0]])
    ladder = np.array([[0, 0.1, 0.4], [-0.1, 0, 0.0], [-0.4, 0.0, 0]])
    for matrix in (cycle, ladder):
        wanted = exact_alpha_rank(matrix, alpha, 50)
        assert alpha_rank(matrix, alpha) == pytest.approx(wanted, rel=1e-9, abs=1e-300)


def test_alpha_rank_is_stationary():
    rng = np.random.default_rng(2)
    upper = np.triu(rng.normal(0, 0.2, (6, 6)), 1)
    matrix, m = upper - upper.T, 20
    u = 2 * m / (m - 1) * matrix.T + np.eye(6)  # the diagonal is not used
    flow = (1 - np.exp(-u)) / (1 - np.exp(-m * u)) / 5
    np.fill_diagonal(flow, 0)
    flow += np.diag(1 - flow.sum(axis=1))
    share = alpha_rank(matrix, 2, m)
    assert share @ flow == pytest.approx(share)
    assert share.sum() == pytest.approx(1)


def test_without_selection_all_are_alike():
    assert alpha_rank(ROCK, 0) == pytest.approx(np.full(3, 1 / 3))


def test_uninvadable_fields():
    gain = [[0, 0.2, -0.1], [-0.1, 9, -0.2], [0.0, 0.1, 0]]  # one of the row in the column's field
    assert uninvadable(gain) == [0, 2]
    assert uninvadable(ROCK) == []
