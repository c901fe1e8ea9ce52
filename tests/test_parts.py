"""Parts of a page about observations, contrasts and conditions, from made-up tables."""

import pandas as pd
import pytest

from cooncan_sim.designs import METRICS
from cooncan_sim.measures import MEASURES
from cooncan_sim.reports import (
    conditional,
    contrasted,
    house_rules,
    observed,
    quoting,
    side_by_side,
    tables,
    wording,
)
from cooncan_sim.reports.charts import forest
from cooncan_sim.reports.parts import Judged, Told, plain_text


def test_every_metric_has_words() -> None:
    assert set(METRICS) <= set(tables.AXES)
    assert set(METRICS) <= set(wording.MORE_OR_LESS)
    assert set(METRICS) <= set(quoting.TOLD)
    assert {metric.suffix for metric in METRICS.values()} <= set(wording.UNITS)
    verdicts = {word for metric in METRICS.values() for word in (metric.more, metric.less)}
    assert verdicts <= set(tables.MARKS)
    assert set(tables.MARKS) <= set(forest.VERDICT_MARKERS)


def conditionals() -> pd.DataFrame:
    """One condition on hands, and one on matches."""
    shared = {
        "treatment_label": "holding back", "control_label": "laying", "control": "greedy",
        "treatment": "hold", "rules": "", "game": "jaques", "deals": 900, "se": 0.1, "design": "D4",
        "changed": 0.4, "vrf": 1.2, "p": 0.01, "treatment_mean": 1.0, "control_mean": 1.2,
    }  # fmt: skip
    hands = {"given": "lost under both", "metric": "penalty", "field": "greedy", "unit": "deals",
             "players": 3, "effect": -0.42, "low": -0.61, "high": -0.23, "min_effect": 0.3,
             "claim": "supported", "p_holm": 0.02, "count": 512}  # fmt: skip
    matches = {"given": "30 behind", "metric": "win", "field": "hold", "unit": "matches",
               "players": 2, "effect": 0.004, "low": -0.02, "high": 0.028, "min_effect": 0.01,
               "claim": "open", "p_holm": 1.0, "count": 77}  # fmt: skip
    return pd.DataFrame([shared | hands, shared | matches])


def test_what_is_said_of_a_condition() -> None:
    told = conditional.told("x", {"conditionals": conditionals()})
    assert told is not None
    [part] = told.parts
    assert [plain_text(sentence) for sentence in part.sentences] == [
        "In hands lost either way, compared with laying, holding back is charged less with three "
        "players, by 0.4 points a hand.",
        "In matches, from 30 points behind on, compared with laying, among players of “hold”, "
        "holding back may be better or worse with two players: that is not settled yet.",
    ]
    assert plain_text(told.quote) == (
        "In hands lost either way (Coon Can, 512 times), holding back was charged 0.4 points a "
        "hand less than laying with three players."
    )
    assert told.made["quoted_where"]["count"].tolist() == [512]
    assert told.judged == [
        Judged("supported", "supported", "", "greedy", "jaques", "", "lost under both", 3),
        Judged("open", "open", "hold", "greedy", "jaques", "", "30 behind", 2),
    ]
    assert [figure.chart.name for figure in part.figures] == ["x-where-penalty", "x-where-win"]
    assert part.figures[1].chart.table["effect"].tolist() == pytest.approx([0.4])
    assert part.figures[1].chart.table["least"].tolist() == pytest.approx([1.0])
    [table] = part.tables
    assert [len(row) for rows in table.groups.values() for row in rows] == [len(table.heads)] * 2
    assert conditional.told("x", {}) is None


def test_a_curve_from_counts() -> None:
    values = pd.DataFrame({"value": [12, 10, 11], "count": [1, 4, 5]})
    seen = {"deals": 10, "capped_hands": 0}
    longer = observed.curve(values, True, seen)
    assert longer["at"].tolist() == [0, 10, 11, 12]
    assert longer["share"].tolist() == pytest.approx([1, 0.6, 0.1, 0])
    assert (longer["low"] <= longer["share"] + 1e-9).all()
    assert (longer["share"] <= longer["high"] + 1e-9).all()
    upto = observed.curve(values, False, seen)
    assert upto["share"].tolist() == pytest.approx([0.4, 0.9, 1])
    # What the limit on turns has stopped would have gone on.
    stopped = observed.curve(values, True, seen | {"capped_hands": 1})
    assert stopped["at"].tolist() == [0, 10, 11]
    # The band is that of deals, however many hands they gave.
    wide = observed.curve(values.assign(count=100 * values["count"]), True, seen)
    assert wide.equals(longer)


def contrast(label: str, effect: float, half: float, **changes: object) -> dict[str, object]:
    row = {
        "metric": "turns", "primary": True, "switch": "HAND_SIZE", "option": label,
        "treatment_label": label, "control_label": "as it comes", "treatment_game": "jaques",
        "control_game": "jaques", "treatment_rules": "", "control_rules": "",
        "strategy": "greedy", "players": 2, "unit": "deals", "deals": 50, "hands": 100,
        "treatment_mean": 30 + effect, "control_mean": 30.0, "effect": effect,
        "low": effect - half, "high": effect + half, "min_effect": float("nan"), "claim": "",
        "se": half / 2, "alpha": 0.05,
    }  # fmt: skip
    return row | changes


def rules_told(rows: list[dict[str, object]]) -> Told:
    told = house_rules.told("x", {"contrasts": pd.DataFrame(rows)})
    assert told is not None
    return told


def test_the_house_rule_that_matters_most_is_the_one_that_surely_does() -> None:
    rules = [("VAGUE", 9, 10), ("SURE", -6, 1), ("SMALL", 1, 0.5)]
    rows = [contrast("on", effect, half, switch=name, option="on", control_label=f"{name} off")
            for name, effect, half in rules]  # fmt: skip
    told = rules_told(rows)
    assert plain_text(told.quote) == (
        "Of three house rules tried one at a time, the length of a hand depends most on SURE: at "
        "Coon Can, “on” in place of “off” takes it from 30.0 to 24.0 turns."
    )
    [ranked, everything] = told.parts
    shown = ranked.figures[0].chart.table
    assert list(shown["label"]) == [f"Coon Can: {name} on" for name in ("SURE", "SMALL", "VAGUE")]
    assert shown["effect"].tolist() == pytest.approx([-20, 10 / 3, 30])
    assert [plain_text(line).split(":")[0] for line in ranked.sentences] == [
        "The length of a hand changes most with SURE (SURE)",
        "The length of a hand changes next with SMALL (SMALL)",
    ]
    assert [row[0] for row in everything.tables[0].groups["Coon Can, 2 players of “greedy”"]] == [
        "SMALL on", "SURE on", "VAGUE on",
    ]  # fmt: skip
    assert told.judged == []
    unsure = rules_told(rows[:1])
    assert plain_text(unsure.quote).endswith("none is sure to change the length of a hand.")


def test_rules_of_hands_are_not_ranked_with_those_of_matches() -> None:
    """A match to twice the points is longer: that says nothing of its hands."""
    match = contrast("200", 700, 9, switch="TARGET", option="200", control_label="TARGET 100",
                     unit="matches")  # fmt: skip
    hand = contrast("on", 2, 0.5, switch="RULE", option="on", control_label="RULE off")
    told = rules_told([match, hand])
    assert "TARGET" not in plain_text(told.quote)
    assert [part.title for part in told.parts] == [
        "Which rules matter most", "Every rule, hand by hand", "Every rule, in matches",
    ]  # fmt: skip
    assert "TARGET" in plain_text(rules_told([match]).quote)


def many_games() -> pd.DataFrame:
    rows = [("jaques", 2, 0.9, 0.02), ("conquian", 2, 0.6, 0.01), ("partnership", 4, 0.8, 0.01)]
    return pd.DataFrame(
        {"observation": number, "metric": metric, "primary": metric == "skill", "game": game,
         "rules": "", "strategy": "greedy", "players": players, "unit": "deals", "deals": 50,
         "hands": 100, "capped_hands": 0, "value": value, "low": value - half,
         "high": value + half, "above": float("nan"), "below": float("nan"), "claim": ""}
        for number, (game, players, value, half) in enumerate(rows)
        for metric in ("skill", "starter")
    )  # fmt: skip


def test_many_games_stand_side_by_side() -> None:
    seen = many_games()
    spread = pd.DataFrame({"observation": 0, "game": "jaques", "rules": "", "strategy": "greedy",
                           "players": 2, "metric": "points", "value": [0, 7, 30],
                           "count": [50, 40, 10]})  # fmt: skip
    costs = side_by_side.quantiles(spread)
    assert costs[["share", "points"]].to_numpy().tolist() == [[0.5, 0], [0.9, 7]]
    told = observed.told("x", {"observations": seen})
    assert told is not None
    assert plain_text(told.quote) == (
        "Skill counts most at Coon Can with two players: a player of “greedy” among players who "
        "play at random wins 90 of 100 hands, where luck alone would give 50. Luck counts most at "
        "Conquian with two players: a player of “greedy” among players who play at random wins 60 "
        "of 100 hands, where luck alone would give 50."
    )
    assert told.made["luck"]["rest"].tolist() == pytest.approx([0.8, 0.6, 0.2])
    [table] = told.parts[0].tables
    assert [len(row) for rows in table.groups.values() for row in rows] == [len(table.heads)] * 3
    better = pd.concat([seen, seen.assign(strategy="strong", value=0.99)], ignore_index=True)
    again = observed.told("x", {"observations": better})
    assert again is not None and again.quote == told.quote  # better players tell nothing of games


def test_a_contrast_with_a_claim_is_judged() -> None:
    claim = contrast("two packs", 4, 1, switch="", option="", min_effect=2.0, claim="supported",
                     p_holm=0.012)  # fmt: skip
    told = contrasted.told("x", {"contrasts": pd.DataFrame([claim])})
    assert told is not None
    assert [one.claim for one in told.judged] == ["supported"]
    [part] = told.parts
    assert part.figures[0].chart.table["least"].tolist() == [2.0]
    [[row]] = part.tables[0].groups.values()
    assert dict(zip(part.tables[0].heads, row, strict=True))["p (Holm)"] == (0.012, "0.012")
    assert "all tests of the question are taken together" in plain_text(part.notes[0])


def test_every_measure_can_be_told() -> None:
    for name in MEASURES:
        assert observed.what_of(name)
        assert not observed.what_of(name).endswith((",", ":"))


def test_what_is_measured_twice_is_shown_once() -> None:
    shared = {"game": "konkan", "rules": "", "strategy": "kk-greedy", "players": 2, "unit": "deals",
              "deals": 90, "hands": 90, "capped_hands": 0, "low": 0.1, "high": 0.3, "above": 0.05,
              "below": float("nan")}  # fmt: skip
    rows = [
        {"observation": 1, "metric": "starter", "primary": True, "value": 0.2, "claim": "open"},
        {"observation": 1, "metric": "void", "primary": False, "value": 0.2, "claim": ""},
        {"observation": 2, "metric": "void", "primary": True, "value": 0.2, "claim": "supported"},
    ]
    table = pd.DataFrame([shared | row for row in rows])
    told = observed.told("x", {"observations": table})
    assert told is not None
    [part] = told.parts
    assert [len(rows) for rows in part.tables[0].groups.values()] == [1, 1]
    assert [one.claim for one in told.judged] == ["open", "supported"]
    assert plain_text(told.quote) == (
        "Hands won by the player who acts first, in 90 hands: 20 % at KonKan with two players of "
        "“kk-greedy” (95 % interval 10 to 30)."
    )
    assert plain_text(part.notes[0]).startswith("The claim is that this lies above 5 %: ")
