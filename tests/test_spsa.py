"""The tuning step: its gains, its moves, and where it ends up on a bowl of known shape."""

import numpy as np
import pytest

from cooncan_sim.spsa import PILOT, Gains, flips, moved, pilot_sd, sides, spsa

BEST = np.array([0.7, 0.2, 0.5, 0.9, 0.4])
GAINS = Gains(3000)


def bowl(seed, noise=1.0):
    """Result of plus against minus where a game is worth −40·|θ−best|², with noise per step."""

    def play(plus, minus, step):
        gain = 40 * (np.sum((minus - BEST) ** 2) - np.sum((plus - BEST) ** 2))
        return gain + noise * np.random.default_rng([seed, step, 9]).normal()

    return play


def test_gains_end_at_their_end_values():
    c, a = Gains(400, c_end=0.2, r_end=0.01).at(400)
    assert (c, a) == pytest.approx((0.2, 0.01 * 0.2**2))
    first, later = GAINS.at(1), GAINS.at(100)
    assert first[0] > later[0] > GAINS.c_end
    assert first[1] > later[1]


def test_a_step_moves_along_the_flip_and_stays_inside():
    theta, flip = np.array([0.5, 0.99]), np.array([-1.0, 1.0])
    assert moved(theta, (0.1, 0.02), flip, 0.25) == pytest.approx([0.45, 1.0])
    assert moved(theta, (0.1, 0.02), flip, -0.25) == pytest.approx([0.55, 0.94])
    plus, minus = sides(theta, 0.1, flip)
    assert plus == pytest.approx([0.4, 1.0])
    assert minus == pytest.approx([0.6, 0.89])


def test_flips_are_fair_and_belong_to_their_step():
    drawn = np.array([flips(4, step, 1) for step in range(3000)])
    assert set(np.unique(drawn)) == {-1.0, 1.0}
    assert np.abs(drawn.mean(axis=0)).max() < 4 / np.sqrt(3000)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(4)).max() < 4 / np.sqrt(3000)
    assert flips(4, 17, 1).tolist() == drawn[17].tolist()


def test_the_search_finds_the_best_weights():
    start = np.full(5, 0.5)
    play = bowl(1)
    path = spsa(play, start, GAINS, pilot_sd(play, start, GAINS, 2), 2)
    assert path.shape == (3001, 5)
    assert path[0].tolist() == start.tolist()
    assert np.sum((path[-1] - BEST) ** 2) < np.sum((start - BEST) ** 2) / 20
    assert np.all((path >= 0) & (path <= 1))


def test_every_step_has_deals_of_its_own():
    steps = []

    def play(plus, minus, step):
        steps.append(step)
        return float(step % 7)

    gains = Gains(40)
    spsa(play, [0.5], gains, pilot_sd(play, [0.5], gains, 1), 1)
    assert steps == list(range(PILOT + 40))


def test_the_pilot_moves_nothing_and_measures_the_noise():
    seen = []

    def play(plus, minus, step):
        seen.append((plus + minus) / 2)
        return np.random.default_rng([5, step]).normal(0, 3)

    assert pilot_sd(play, [0.4, 0.6], GAINS, 1) == pytest.approx(3, rel=0.15)
    assert np.allclose(seen, [0.4, 0.6])


def test_results_count_in_their_own_spread():
    """A game scored in hundredths and one scored in whole points are tuned alike."""
    start, small = np.full(5, 0.5), bowl(3)

    def large(plus, minus, step):
        return 100 * small(plus, minus, step)

    gains = Gains(300)
    paths = [
        spsa(play, start, gains, pilot_sd(play, start, gains, 4), 4) for play in (small, large)
    ]
    assert paths[0] == pytest.approx(paths[1])


def test_weights_that_change_nothing_are_refused():
    with pytest.raises(ValueError, match="change no play"):
        pilot_sd(lambda plus, minus, step: 0.0, [0.5], GAINS, 1)
