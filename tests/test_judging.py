"""What is said of a claim, by itself and among the others of its file."""

import pandas as pd
import pytest

from cooncan_sim import judging
from cooncan_sim.judging import judge, judge_range


@pytest.mark.parametrize(
    ("low", "high", "effect", "claim"),
    [
        (0.1, 0.9, 0.5, "supported"),
        (0.1, 0.5, 0.25, "open"),
        (-0.1, 0.7, 0.3, "open"),
        (-0.1, 0.2, 0.05, "refuted"),
        (0.05, 0.2, 0.12, "refuted"),
        (-0.9, -0.1, -0.5, "refuted"),
        (float("nan"), float("nan"), 0.0, "open"),
    ],
)
def test_the_decision_on_a_claim(low: float, high: float, effect: float, claim: str) -> None:
    assert judge(low, high, effect, 0.3) == claim


@pytest.mark.parametrize(
    ("above", "below", "low", "high", "claim"),
    [
        (None, None, 0.1, 0.2, ""),
        (0.0, None, 0.1, 0.2, "supported"),
        (0.0, None, 0.0, 0.2, "open"),
        (0.3, None, 0.1, 0.2, "refuted"),
        (None, 0.05, 0.1, 0.2, "refuted"),
        (None, 0.15, 0.1, 0.2, "open"),
        (0.05, 0.3, 0.1, 0.2, "supported"),
        (None, 0.0, 0.01, 0.2, "refuted"),
        (None, 0.0, 0.0, 0.2, "open"),
        (None, 0.3, float("nan"), float("nan"), "open"),
    ],
)
def test_the_decision_on_a_range(
    above: float | None, below: float | None, low: float, high: float, claim: str
) -> None:
    assert judge_range(low, high, above, below) == claim


def test_a_fall_is_claimed_by_a_least_below_zero() -> None:
    assert judge(-0.9, -0.1, -0.5, -0.3) == "supported"
    assert judge(0.1, 0.9, 0.5, -0.3) == "refuted"


def rows_of(p: list[float], **named: object) -> pd.DataFrame:
    """Rows of a table of claims in which only luck can be in the way of the claim."""
    usual = {"metric": "win", "low": 0.001, "high": 0.02, "effect": 0.01, "min_effect": 0.003}
    return pd.DataFrame({**usual, "p": p, **named})


NAN = float("nan")


def test_several_claims_are_held_to_more() -> None:
    """What is found by itself at 5 % may not be found among others; p = 1 where there is none."""
    judged = judging.judged({"comparisons": rows_of([0.03, 0.04, 0.0001, NAN])}, 4)["comparisons"]
    assert judged["p_holm"].round(6).tolist()[:3] == [0.09, 0.09, 0.0004]
    assert judged["claim"].tolist() == ["open", "open", "supported", "supported"]
    early = judging.judged({"comparisons": rows_of([0.01])}, 6)["comparisons"]
    assert early["p_holm"].tolist() == [0.06]
    assert early["claim"].tolist() == ["open"]


def test_all_tables_of_a_file_are_one_family() -> None:
    """Holm by hand over the claims of three tables; what claims nothing is left out."""
    tables = {
        "comparisons": rows_of([0.012, 0.0001]),
        "conditionals": rows_of(
            [0.02, 0.013], metric="penalty", low=-0.02, high=-0.001, effect=-0.01
        ),
        "contrasts": rows_of([0.0002, 0.011], min_effect=[NAN, 0.003], metric="turns"),
        "observations": rows_of([0.5]),
    }
    found = judging.judged(tables, judging.tests_in(tables))
    p = sorted([0.012, 0.0001, 0.02, 0.013, 0.011])
    by_hand = {one: max(p[k] * (5 - k) for k in range(p.index(one) + 1)) for one in p}
    for name in judging.FAMILY:
        for row in found[name].itertuples():
            if row.min_effect == row.min_effect:
                assert row.p_holm == pytest.approx(by_hand[row.p])
            else:
                assert row.p_holm != row.p_holm
    assert found["comparisons"]["claim"].tolist() == ["supported"] * 2
    assert found["conditionals"]["claim"].tolist() == ["supported"] * 2
    assert found["contrasts"]["claim"].tolist() == ["", "supported"]
    assert found["observations"] is tables["observations"]
    again = judging.judged(found, 5)
    for name in judging.FAMILY:
        pd.testing.assert_frame_equal(again[name], found[name])
    more = judging.judged(found, 50)  # so many are stated: none but the surest stands now
    assert more["comparisons"]["claim"].tolist() == ["open", "supported"]
    assert more["conditionals"]["claim"].tolist() == ["open"] * 2
    for name in judging.FAMILY:  # and stands again when the others have been played
        pd.testing.assert_frame_equal(judging.judged(more, 5)[name], found[name])
