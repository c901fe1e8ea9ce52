"""Comparisons where something holds: against the same counted hand by hand."""

import numpy as np
import pytest

from cooncan_sim.compare import Trial
from cooncan_sim.conditional import first_behind, from_behind, lost_under_both, play_from
from cooncan_sim.match import play_matches
from cooncan_sim.observing import joined
from cooncan_sim.outcomes import hand_rows
from cooncan_sim.simulate import Plan


@pytest.mark.parametrize("field", ["greedy", "hold"])
def test_hands_lost_under_both_forms(field: str) -> None:
    trial = Trial("jaques", "greedy", "hold", field, 3, 4, metrics=("penalty",))
    pieces = list(lost_under_both(trial, 60))
    treated = joined([piece.treated for piece in pieces])
    control = joined([piece.control for piece in pieces])
    games = 4 if field == "greedy" else 6
    assert sum(piece.hands for piece in pieces) == 60 * games
    rows = hand_rows(trial.plan(), 0, 60).set_index(["deal", "seating", "seat"])
    base = (lambda seat: 3) if field == "greedy" else (lambda seat: 3 + seat)
    for deal in range(60):
        charges, count = [0, 0], 0
        for seat in range(3):
            games = [rows.loc[deal, game] for game in (seat, base(seat))]
            if all(game["won"].any() and not game["won"][seat] for game in games):
                count += 1
                charges = [c + game["points"][seat] for c, game in zip(charges, games, strict=True)]
        assert (treated.sums[deal], control.sums[deal]) == tuple(charges)
        assert treated.counts[deal] == control.counts[deal] == count
    assert treated.counts.sum() > 20
    assert (treated.sums != control.sums).any()


def test_the_first_hand_from_behind() -> None:
    plan = Plan("jaques", (("greedy",) * 3,), 4, {}, "per_seat")
    matches = play_matches(plan, 0, 20)
    starts = [first_behind(matches, seat, 40).tolist() for seat in range(3)]
    for match in range(20):
        expected = [-1] * 3
        for played in matches.rounds:
            [at] = np.flatnonzero(played.match == match) if match in played.match else [None]
            if at is None:
                break
            best = min(played.scores[at][played.alive[at]])
            for seat in range(3):
                far = played.alive[at][seat] and played.scores[at][seat] - best >= 40
                if far and expected[seat] < 0:
                    expected[seat] = played.hand
        assert [start[match] for start in starts] == expected
    assert any(start > 0 for start in starts[0])


@pytest.mark.parametrize("players", [2, 3])
def test_played_on_as_before_a_match_ends_as_before(players: int) -> None:
    """From whatever hand it is taken up."""
    plan = Plan("jaques", (("greedy",) * players,), 4, {}, "per_seat")
    matches = play_matches(plan, 5, 30)
    for behind in (1, 40):
        start = first_behind(matches, 1, behind)
        shares, hands = play_from(plan, 5, matches, start)
        assert hands == (matches.hands - start)[start >= 0].sum()
        assert (start >= 0).any()
        assert (shares[start >= 0] == matches.share[start >= 0]).all()
        assert (shares[start < 0] == 0).all()


def test_the_same_strategy_gains_nothing_from_behind() -> None:
    trial = Trial("jaques", "greedy", "greedy", "hold", 2, 4, metrics=("win",), match=True)
    for jobs in (1, 2):
        [piece] = from_behind(trial, 30, 40, jobs)
        treated, control = piece.treated, piece.control
        assert (treated.sums == control.sums).all()
        assert treated.counts.sum() > 20


def test_another_strategy_is_played_from_behind_only() -> None:
    trial = Trial("jaques", "greedy", "hold", "greedy", 2, 4, metrics=("win",), match=True)
    [piece] = from_behind(trial, 60, 40)
    treated, control = piece.treated, piece.control
    changed = treated.sums != control.sums
    assert changed.any()
    assert (treated.counts[changed] > 0).all()
    assert (treated.counts <= 2 * treated.unit).all()
    reference = play_matches(Plan(
        "jaques", (("greedy", "greedy"),), 4, {}, "per_seat"), 0, 40)  # fmt: skip
    far = [first_behind(reference, seat, 60) >= 0 for seat in range(2)]
    assert (treated.counts == 2 * (far[0].astype(int) + far[1])).all()
    assert piece.hands > reference.hands.sum()
    assert piece.capped == 0


def test_matches_that_the_limit_stops_are_counted() -> None:
    rules = {"MAX_HANDS": 2}
    trial = Trial("jaques", "greedy", "hold", "greedy", 2, 4, rules, metrics=("win",), match=True)
    [piece] = from_behind(trial, 1, 30)
    plan = Plan("jaques", (("greedy", "greedy"),), 4, rules, "per_seat")
    reference = play_matches(plan, 0, 30)
    assert reference.unfinished.all()
    # From behind after the first hand: one more hand each, that does not end the match either.
    behind = sum((first_behind(reference, seat, 1) == 1).sum() for seat in range(2))
    assert (piece.hands, piece.capped) == (60 + behind, 30 + behind)
