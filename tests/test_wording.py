"""Sentences say what the rows say, no more and no less."""

from types import SimpleNamespace

import pandas as pd
import pytest

from cooncan_sim.designs import METRICS
from cooncan_sim.reports import counted, index, quoting, tables, wording
from cooncan_sim.reports.parts import plain_text

VERDICTS = ("helps", "no practical difference", "unresolved", "hurts")


def comparisons(metric: str = "win", size: float = 0.01) -> pd.DataFrame:
    """Eight comparisons, every verdict among them, from −3 to +4 times `size`."""
    verdicts = VERDICTS if metric != "turns" else ("longer", *VERDICTS[1:3], "shorter")
    return pd.DataFrame(
        {
            "comparison": number + 1,
            "design": "D1",
            "treatment_label": "having more",
            "control_label": f"having {'little' if number < 4 else 'some'}",
            "control": f"s{number // 4}",
            "treatment": "s9",
            "field": f"s{number // 4}",
            "game": "jaques",
            "rules": "",
            "sweep": "",
            "unit": "deals",
            "players": 2 + number % 4,
            "metric": metric,
            "effect": size * (number - 3),
            "low": size * (number - 3.5),
            "high": size * (number - 2.4),
            "min_effect": 0.3 * size,
            "verdict": verdicts[number % 4],
            "claim": "open",
            "treatment_mean": 0.5,
            "control_mean": 0.25,
            "single_sd": 0.5,
            "deals": 1000,
            "hands": 2000,
            "changed": 0.5,
            "vrf": 1.5,
            "hands_to_notice": 100.0,
            "p": 0.02,
            "p_holm": 0.04,
        }
        for number in range(8)
    )


def rows_with(claims: list[str], verdicts: list[str] | None = None) -> list[tables.EffectRow]:
    """Two alternatives at two tables, in the order little/2, little/3, some/2, some/3."""
    table = comparisons().iloc[[0, 1, 4, 5]].assign(claim=claims)
    if verdicts:
        table = table.assign(verdict=verdicts)
    return tables.effect_rows(table)


def short(claims: list[str], verdicts: list[str] | None = None) -> str:
    return wording.short([row.judged for row in rows_with(claims, verdicts)])


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        (["supported"] * 4, "Yes."),
        (["refuted"] * 4, "No."),
        (["open"] * 4, "Not settled yet."),
        (["supported", "open"] * 2, "Yes, as far as it is settled."),
        (["refuted", "open"] * 2, "No, as far as it is settled."),
        (["supported"] * 2 + ["refuted"] * 2, "That depends on what you would do instead."),
        (["supported", "refuted"] * 2, "That depends on how many play."),
        (
            ["supported", "refuted", "open", "open"],
            "That depends on what you would do instead, and on how many play.",
        ),
    ],
)
def test_the_short_answer(claims: list[str], said: str) -> None:
    assert short(claims) == said


def test_no_claim_no_verdict() -> None:
    assert wording.short([]) == ""


def test_a_tip_that_always_hurts() -> None:
    assert short(["refuted"] * 4, ["hurts"] * 4) == "No, it hurts."


def in_two_fields(verdicts: list[str], claims: list[str]) -> list[tables.EffectRow]:
    """One alternative at two tables, first among those who play it, then among `hold`."""
    table = comparisons().iloc[[0, 1, 0, 1]].reset_index(drop=True)
    table["field"] = ["s0", "s0", "hold", "hold"]
    return tables.effect_rows(table.assign(verdict=verdicts, claim=claims))


def test_where_the_verdict_differs_between_fields_that_is_the_finding() -> None:
    rows = in_two_fields(["helps", "helps", "hurts", "hurts"], ["supported"] * 2 + ["refuted"] * 2)
    assert wording.short([row.judged for row in rows]) == "That depends on what the others play."
    [said] = wording.fields(rows)
    assert plain_text(said) == (
        "It matters what the others play. Having more against having little with two players, "
        "among players who do the same: helps; among players of “hold”: hurts; and the verdicts "
        "differ like that in two places of two."
    )
    assert rows[2].group == "against having little, among players of “hold”"
    alike = in_two_fields(["helps", "hurts"] * 2, ["supported", "refuted"] * 2)
    [said] = wording.fields(alike)
    assert plain_text(said).startswith("It does not matter what the others play")
    assert wording.fields(rows[:2]) == []
    vague = in_two_fields(["unresolved", "unresolved", "hurts", "hurts"], ["open"] * 4)
    assert plain_text(wording.fields(vague)[0]).startswith("Nothing settled so far says")


def test_sentences_say_what_the_rows_say() -> None:
    def said(verdicts: list[str]) -> list[str]:
        rows = rows_with(["open"] * 4, verdicts)
        return [plain_text(line) for line in wording.lines(rows)]

    assert said(["hurts", "hurts", "helps", "helps"]) == [
        "Compared with having some, having more wins more hands whether two or three play, "
        "by 1.0 to 2.0 percentage points.",
        "Compared with having little, having more wins fewer hands whether two or three play, "
        "by 2.0 to 3.0 percentage points.",
    ]
    assert said(["hurts", "unresolved", "no practical difference", "helps"]) == [
        "Compared with having some, having more wins as many hands with two players, give or "
        "take 0.3 percentage points; it wins more hands with three players, by 2.0 percentage "
        "points.",
        "Compared with having little, having more wins fewer hands with two players, by 3.0 "
        "percentage points; it may be better or worse with three players: that is not settled yet.",
    ]


def test_a_sentence_to_quote() -> None:
    def quoted(verdicts: list[str], **changes: object) -> str:
        table = comparisons().iloc[:2].assign(verdict=verdicts, **changes)
        return plain_text(quoting.quote(tables.effect_rows(table)))

    assert quoted(["hurts", "hurts"]) == (
        "In 4,000 hands of Coon Can, having more won 2.0 to 3.0 fewer hands in a hundred than "
        "having little whether two or three played."
    )
    assert quoted(["no practical difference"] * 2, min_effect=0.01).endswith(
        "whether two or three played, give or take 1 percentage point."
    )
    assert quoted(["hurts", "hurts"], unit="matches").endswith(
        "won 2.0 to 3.0 fewer matches in a hundred than having little whether two or three played."
    )
    swept = quoted(
        ["hurts", "helps"], players=2, sweep=["k=1", "k=2"], treatment_label=["one", "two"]
    )
    assert swept == (
        "In 2,000 hands of Coon Can, two, the best of those tried, won 2.0 fewer hands in a "
        "hundred than having little with two players."
    )


def settled(claims: list[str], verdicts: list[str], **changes: object) -> str:
    """The quote of two alternatives at two tables, little/2, little/3, some/2, some/3."""
    table = comparisons().iloc[[0, 1, 4, 5]].assign(claim=claims, verdict=verdicts)
    for name, values in changes.items():
        table[name] = values
    return plain_text(quoting.quote(tables.effect_rows(table)))


def test_what_is_quoted_carries_the_verdict() -> None:
    """`Yes, as far as it is settled.` and a comparison that is not: they must never meet."""
    some = settled(["open", "open", "open", "supported"], ["unresolved"] * 3 + ["helps"])
    assert some == (
        "In 2,000 hands of Coon Can, having more won 2.0 more hands in a hundred than having some "
        "with three players."
    )
    both = settled(
        ["refuted", "open", "supported", "open"], ["hurts", "unresolved", "helps", "unresolved"]
    )
    assert both == (
        "In 4,000 hands of Coon Can, having more won 1.0 more hands in a hundred than having some "
        "with two players; but having more won 3.0 fewer hands in a hundred than having little "
        "with two players."
    )
    none = settled(["open"] * 4, ["unresolved"] * 4)
    assert "may have done better or worse than having little whether two or three" in none


def test_a_difference_too_small_to_matter_is_said_to_be_none() -> None:
    small = settled(["refuted"] * 4, ["hurts"] * 4, low=-0.002, high=-0.0001, effect=-0.001)
    assert small.endswith(
        "having more made no difference to having little whether two or three played, give or "
        "take 0.3 percentage points."
    )
    lines = wording.lines(
        tables.effect_rows(comparisons().iloc[:1].assign(low=-0.002, high=-0.0001, effect=-0.001))
    )
    assert "wins as many hands" in plain_text(lines[0])


def test_what_is_refuted_without_a_sign_did_no_better() -> None:
    said = settled(["refuted"] * 4, ["unresolved"] * 4)
    assert "having more did no better than having little" in said


def test_sizes_have_no_more_digits_than_are_known() -> None:
    vague = settled(["supported"] * 4, ["helps"] * 4, effect=0.0347, low=0.01, high=0.06)
    assert "won 3 more hands" in vague
    known = settled(["supported"] * 4, ["helps"] * 4, effect=0.0347, low=0.034, high=0.035)
    assert "won 3.5 more hands" in known


def test_how_many_settings_bear_a_claim_out() -> None:
    def said(claims: list[str]) -> str:
        return plain_text(quoting.tally([row.judged for row in rows_with(claims)]))

    assert said(["supported", "open", "open", "open"]) == (
        " Of four settings tried, one bears the claim out and three leave it open."
    )
    assert said(["refuted"] * 4) == " All four settings tried speak against it."
    counted_claims = quoting.settings_table([row.judged for row in rows_with(["open"] * 4)])
    assert counted_claims.to_numpy().tolist() == [["open", 4, 4]]
    assert quoting.tally([]) == []


def test_hands_and_matches_do_not_share_a_heading() -> None:
    table = comparisons().iloc[[0, 1, 0, 1]].assign(unit=["deals", "deals", "matches", "matches"])
    groups = {row.group for row in tables.effect_rows(table.reset_index(drop=True))}
    assert groups == {
        "against having little, hand by hand", "against having little, in matches",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("penalty", "was charged 2.0 to 3.0 points a hand less than having little"),
        ("net", "came out 2.0 to 3.0 points a hand worse than having little"),
        ("balance", "came out 2.0 to 3.0 units a hand worse than having little"),
        ("turns", "made hands 2.0 to 3.0 turns shorter than having little"),
    ],
)
def test_other_metrics_in_a_sentence(metric: str, words: str) -> None:
    table = comparisons(metric, 1.0).iloc[:2]
    table["verdict"] = "hurts" if metric != "turns" else "shorter"
    assert words in plain_text(quoting.quote(tables.effect_rows(table)))


def test_how_sure_it_is() -> None:
    def said(**changes: object) -> str:
        return plain_text(wording.sure(tables.effect_rows(comparisons().assign(**changes)), 8))

    assert said() == (
        "How sure is that? For having more against having little with two players the difference "
        "is −3.00 percentage points, and a 95 % interval goes from −3.50 to −2.40; without any "
        "difference luck alone would bring one as large with a chance of 0.040 (all tests "
        "of this question taken together, Holm)."
    )
    alone = plain_text(wording.sure(tables.effect_rows(comparisons()), 1))
    assert alone.endswith("with a chance of 0.040.")
    assert "less than once in a million" in said(p_holm=1e-9)
    assert "luck alone" not in said(p_holm=float("nan"))
    assert "Too few deals came out differently" in said(low=float("nan"), high=float("nan"))


def test_when_a_player_would_notice() -> None:
    table = comparisons().iloc[[0, 5]].assign(hands_to_notice=[2345.0, 7.2])
    said = plain_text(wording.notice(tables.effect_rows(table)))
    assert said == (
        "Would you notice? The largest of these differences, having more against having some "
        "with three players, stands out from the luck of the deal after about 7 hands; the "
        "smallest, having more against having little with two players, after about 2,300."
    )
    one = wording.notice(tables.effect_rows(table.iloc[:1]))
    assert plain_text(one).endswith("after about 2,300 hands.")
    never = table.assign(hands_to_notice=[float("inf"), 7.2])
    assert plain_text(wording.notice(tables.effect_rows(never))).endswith("never does.")
    none = table.assign(hands_to_notice=float("inf"))
    assert plain_text(wording.notice(tables.effect_rows(none))).startswith("Would you notice? No:")


def test_the_chance_to_be_ahead_grows_with_the_hands() -> None:
    rows = tables.effect_rows(comparisons())
    assert plain_text(wording.session(rows[7])) == (
        "The chance to have gained by it (having more against having some with five players) "
        "after 10, 100 and 1,000 hands: 60 %, 79 %, 99.43 %."
    )
    less = tables.effect_rows(comparisons("penalty"))
    assert [n.text for n in less[7].ahead] == ["40 %", "21 %", "0.57 %"]


def test_a_row_without_an_interval_is_shown_as_such() -> None:
    table = comparisons("net", 0.2)
    table.loc[0, ["low", "high"]] = float("nan")
    rows = tables.effect_rows(table)
    assert (rows[0].low.text, rows[0].high.text) == ("–", "–")


def test_ranks_in_words() -> None:
    assert counted.ranks([1, 2, 12, 13]) == "A, 2, Q and K"
    assert counted.ranks([4, 3, 9, 10, 11]) == "3, 4 and 9 to J"
    assert counted.ranks([5]) == "5"


def test_what_counting_says() -> None:
    tip = {"ace": ["low"] * 13, "length": [3] * 13, "position": range(1, 14)}
    counts = pd.DataFrame({**tip, "runs": [1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1]})
    lines = [plain_text(line) for line in counted.counted(counts, "5–8", 5, 8)]
    assert lines == [
        "Runs of three cards: every card from 5–8 fits into three, the most that any card does; "
        "so do 3, 4 and 9 to J. A, 2, Q and K fit into fewer.",
        "Whatever the length, A, 2, Q and K fit into fewer, 3, 4 and 9 to J fit into no fewer.",
    ]
    lines = [plain_text(line) for line in counted.counted(counts, "A–4", 1, 4)]
    assert lines == [
        "Runs of three cards: every card from A–4 fits into one or more; so do 5 to K.",
        "Whatever the length, 5 to K fit into no fewer.",
    ]


def test_ways_from_a_long_run() -> None:
    ways = pd.DataFrame(
        [("free", 9, "A–J", 15, 465), ("free", 9, "2–Q", 15, 465), ("none", 10, "A–K", 0, 30)],
        columns=["rearrange", "length", "run", "ways", "sets"],
    )
    [part] = counted.parts("x", {"long_runs": ways})
    assert [plain_text(line) for line in part.sentences] == [
        "Where melds may be rearranged, a run of nine leaves 15 ways to go out.",
        "Where melds stay as they are, a run of ten leaves no way to go out: of all sets of "
        "further cards none fills the table.",
    ]


def test_several_of_the_treatment_at_a_table() -> None:
    table = comparisons().iloc[[0]].assign(design="2 v 2", players=4)
    [row] = tables.effect_rows(table)
    assert (row.group, row.label) == ("against having little, 2 v 2 at a table", "4 players")
    assert "having more against having little, 2 v 2 at a table, with four players" in plain_text(
        wording.sure([row], 1)
    )
    assert "having little, 2 v 2 at a table, with four players" in plain_text(quoting.quote([row]))


@pytest.mark.parametrize("metric", ["win", "penalty"])
def test_the_charts_of_the_index_name_each_tip_beside_its_own_number(metric: str) -> None:
    rows = tables.effect_rows(comparisons(metric))
    heads = [
        (SimpleNamespace(name=f"q{k}", manifest={"claim": f"T-{k:02}"}), row)
        for k, row in enumerate(rows)
    ]
    [figure] = index._figures(heads)  # type: ignore[arg-type]
    shown = figure.chart.table
    scale = METRICS[metric].scale
    effects = {f"T-{k:02}": scale * row.effect.value for k, row in enumerate(rows)}
    assert [label.split()[0] for label in shown["label"]] == sorted(
        effects, key=lambda claim: METRICS[metric].better * effects[claim], reverse=True
    )
    assert [effects[label.split()[0]] for label in shown["label"]] == shown["effect"].tolist()
