"""Several tips at once: who drops out when, and who is left."""

import numpy as np
import pytest

from cooncan_sim.compare import PILOT, Trial, measure
from cooncan_sim.errors import CooncanError
from cooncan_sim.racing import Race, race_tips
from cooncan_sim.simulate import Plan
from tests import fake_play

TIPS = ("s2", "s7", "s1", "s4")


@pytest.fixture
def chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance in place of the game, and strategies that need not exist."""
    monkeypatch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)
    monkeypatch.setattr(Plan, "prepare", lambda plan: None)


def racing(**named: object) -> Race:
    return race_tips("jaques", TIPS, "s0", seed=5, **named)  # type: ignore[arg-type]


def test_the_best_is_left_and_measured_on_fresh_deals(chance: None) -> None:
    found = racing(max_deals=4000)
    assert found.leader == "s7"
    assert not found.result.unresolved
    assert found.result.games < len(TIPS) * found.result.n
    table = found.summary().set_index("tip")
    assert table.loc["s7", "place"] == "leader"
    assert set(table.drop("s7")["place"]) == {"worse"}
    assert table.loc["s1", "deals"] <= table.loc["s4", "deals"] <= found.result.n
    trial = Trial("jaques", "s0", "s7", "s0", 2, 5)
    first = PILOT + found.result.n
    delta = found.measured.estimates[0].min_effect
    assert found.measured == measure(trial, found.measured.deals, first=first, min_effect=delta)
    assert "s7 leads; settled after" in str(found)
    assert found._repr_html_().count("<tr>") == 5 + 5


def test_all_tips_play_the_same_deals(chance: None, monkeypatch: pytest.MonkeyPatch) -> None:
    played: dict[str, list[tuple[int, int]]] = {}

    def noting(plan: Plan, deals: int, jobs: int | None, first: int) -> object:
        played.setdefault(plan.seatings[0][0], []).append((first, deals))
        return fake_play.play_many(plan, deals, jobs, first=first)

    monkeypatch.setattr("cooncan_sim.outcomes.play_many", noting)
    found = racing(max_deals=4000)
    leader = played.pop("s7")[:-1]  # the last is its measurement
    assert leader[:2] == [(0, PILOT), (PILOT, 200)]
    assert sum(deals for _, deals in leader) == PILOT + found.result.n
    for one in played.values():
        assert one == leader[: len(one)]


def test_same_answer_for_any_threads(chance: None) -> None:
    answers = [racing(max_deals=1500, jobs=jobs) for jobs in (1, 2, 3)]
    assert answers[0] == answers[1] == answers[2]


def test_equals_are_left_at_the_cap(chance: None) -> None:
    found = race_tips("jaques", ["s5a", "s5b"], "s0", max_deals=400)
    assert found.result.unresolved
    assert "unresolved: several are left at the cap after 400 deals" in str(found)
    assert found.summary()["place"].tolist() == ["leader", "level with the leader"]


@pytest.mark.parametrize("tips", [["s1"], ["s1", "s2", "s1"]])
def test_what_is_no_race(tips: list[str]) -> None:
    with pytest.raises(CooncanError, match="at least two tips, each of them once"):
        race_tips("jaques", tips, "s0")


def test_the_game_itself() -> None:
    found = race_tips("jaques", ["random", "greedy"], "greedy", max_deals=400)
    assert found.leader == "greedy"
    assert found.summary()["deals"].tolist() == [200, 200]
    assert np.isclose(found.measured.estimates[0].effect, 0)
