"""Batches: the same bytes however the work is split, and numbers that agree with one another."""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cooncan_sim import CooncanError, catalog, cli, replay, simulate
from cooncan_sim.simulate import (
    ENDINGS,
    Hands,
    Plan,
    Simulation,
    Totals,
    joined,
    play,
    play_many,
)
from cooncan_sim.workers import PIECE_SECONDS
from tests.sizes import sizes

simulate_module = sys.modules["cooncan_sim.simulate"]
SEATINGS = {
    2: ("greedy", "random"),
    3: ("greedy", "hold", "random"),
    4: ("greedy", "random", "hold", "greedy-keep(low=1, high=4)"),
}
every_table = pytest.mark.parametrize("players", list(SEATINGS.values()), ids=len)


def same(one: Hands, other: Hands) -> bool:
    """Whether all columns are equal, bytes and types."""
    pairs = zip(one.columns, other.columns, strict=True)
    return all(a.tobytes() == b.tobytes() and a.dtype == b.dtype for a, b in pairs)


# ---- the same, however it is split --------------------------------------------------------


@every_table
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
def test_threads_and_chunks_change_no_byte(
    players: tuple[str, ...], stock_order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rotated = players[1:] + players[:1]
    plan = Plan("jaques", (players, rotated), 5, {"MAX_TURNS": 200}, stock_order)
    whole = play(plan, 0, 300)
    for jobs, chunk, later in ((1, 4096, 1), (2, 101, 1), (1, 10, 1e-3), (2, 10, 0), (4, 2, 1e-3)):
        monkeypatch.setattr(simulate_module, "CHUNK", chunk)
        monkeypatch.setitem(PIECE_SECONDS, None, later)
        starts, parts = zip(*play_many(plan, 300, jobs), strict=True)
        assert list(starts) == list(np.cumsum([0, *map(len, parts)])[:-1])
        assert len(parts[0]) == min(300, chunk // 2)
        assert same(joined(parts), whole)


def test_files_are_the_same_byte_for_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: dict[str, set[bytes]] = {".csv": set(), ".parquet": set()}
    for jobs, chunk in ((1, 4096), (2, 4096), (2, 37)):
        monkeypatch.setattr(simulate_module, "CHUNK", chunk)
        for suffix, found in written.items():
            out = tmp_path / f"hands{jobs}-{chunk}{suffix}"
            words = ["simulate", "jaques", "--players", "greedy,hold,random", "--deals", "500"]
            monkeypatch.setattr(
                sys, "argv", ["cooncan", *words, "--jobs", str(jobs), "--out", str(out)]
            )
            with pytest.raises(SystemExit) as end:
                cli.main()
            assert end.value.code == 0, capsys.readouterr().err
            found.add(out.read_bytes())
    assert [len(found) for found in written.values()] == [1, 1]


@pytest.mark.plain
@every_table
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
def test_a_deal_made_alone_is_that_deal_of_a_batch(
    players: tuple[str, ...], stock_order: str
) -> None:
    plan = Plan("jaques", (players, players[::-1]), 6, {"MAX_TURNS": 200}, stock_order)
    batch = play(plan, 0, 12)
    for deal in (0, 1, 7, 11):
        assert same(play(plan, deal, 1), batch[deal : deal + 1])


def test_a_far_deal_needs_none_before_it() -> None:
    plan = Plan("jaques", (("greedy", "hold"),), 1)
    far = play(plan, 7_000_000, 3)
    assert same(play(plan, 7_000_001, 1), far[1:2])
    assert (
        replay("jaques", ["greedy", "hold"], 1, 7_000_001)[0]["result"]["turns"] == far.turns[1, 0]
    )


@pytest.mark.plain
@every_table
@pytest.mark.parametrize("stock_order", ["shared", "per_seat"])
def test_replay_shows_the_hands_of_the_batch(players: tuple[str, ...], stock_order: str) -> None:
    rules = {"MAX_TURNS": 60, "VOID_HAND_SCORING": "all_count"}
    hands = play(Plan("jaques", (players,), 9, rules, stock_order), 0, 8)
    logs = replay("jaques", players, 9, 0, 8, rules, stock_order=stock_order)
    for deal, log in enumerate(logs):
        assert log["deal"] == deal and log["dealer"] == hands.dealer[deal]
        result = log["result"]
        assert result["ending"] == ENDINGS[hands.ending[deal, 0]]
        assert result["winner"] == (None if hands.winner[deal, 0] < 0 else hands.winner[deal, 0])
        assert result["turns"] == hands.turns[deal, 0]
        assert result["points"] == hands.points[deal, 0].tolist()


def test_the_cards_do_not_depend_on_who_plays() -> None:
    shown = ("dealer", "hands", "pile", "stock")
    tables = [
        replay("jaques", players, 4, 0, 5, rules)
        for players in (["greedy", "hold"], ["random", "random"])
        for rules in ({}, {"MAX_TURNS": 3}, {"GO_OUT_BY_DISCARD": "forbidden"})
    ]
    for logs in tables:
        for log, first in zip(logs, tables[0], strict=True):
            assert [log[key] for key in shown] == [first[key] for key in shown]


def test_both_stock_orders_deal_the_same_hands() -> None:
    shared = replay("jaques", ["greedy"] * 4, 4, 0, 5)
    per_seat = replay("jaques", ["greedy"] * 4, 4, 0, 5, stock_order="per_seat")
    for one, other in zip(shared, per_seat, strict=True):
        assert (one["hands"], one["pile"]) == (other["hands"], other["pile"])
        assert sorted(one["stock"]) == sorted(other["stock"])
    assert [log["actions"] for log in shared] != [log["actions"] for log in per_seat]


@every_table
@pytest.mark.parametrize("count", sizes(ordinary=20_000, soak=200_000))
def test_both_stock_orders_play_the_same_game(players: tuple[str, ...], count: int) -> None:
    """Mean wins, penalties and turns differ by chance alone."""
    rules = {"MAX_TURNS": 150, "VOID_HAND_SCORING": "all_count"}
    plans = [Plan("jaques", (players,), 2, rules, order) for order in ("shared", "per_seat")]
    one, other = (joined([hands for _, hands in play_many(plan, count)]) for plan in plans)
    for name, before, after in zip(*measures(one), measures(other)[1], strict=True):
        difference = after.astype(float) - before
        z = difference.mean() / (difference.std(ddof=1) / count**0.5)
        assert abs(z) < 4, (name, z)


def measures(hands: Hands) -> tuple[list[str], list[np.ndarray]]:
    """Names and columns by deal: turns, and each seat's wins and points."""
    columns = {"turns": hands.turns[:, 0]}
    for seat in range(hands.points.shape[2]):
        columns[f"wins {seat}"] = hands.winner[:, 0] == seat
        columns[f"points {seat}"] = hands.points[:, 0, seat]
    return list(columns), list(columns.values())


# ---- results ------------------------------------------------------------------------------


@pytest.mark.plain
def test_summary_and_frame_say_the_same() -> None:
    batch = simulate("jaques", SEATINGS[3], 20, 3, rules={"MAX_TURNS": 60}, jobs=1)
    frame, summary = batch.frame(), batch.summary()
    assert list(frame.columns) == (
        ["deal", "seating", "seat", "strategy", "won", "points", "turns", "ending"]
    )
    assert frame["deal"].tolist() == [deal for deal in range(20) for _ in range(3)]
    assert frame["strategy"].tolist() == list(SEATINGS[3]) * 20
    by_seat = frame.groupby("seat")
    assert summary["strategy"].tolist() == list(SEATINGS[3])
    assert summary["wins"].tolist() == by_seat["won"].sum().tolist()
    assert np.allclose(summary["win_rate"], by_seat["won"].mean())
    assert np.allclose(summary["points"], by_seat["points"].mean())
    assert np.allclose(summary["points_se"], by_seat["points"].sem())
    assert np.allclose(summary["turns"], frame["turns"].mean())
    assert (summary["low"] <= summary["win_rate"]).all()
    assert (summary["win_rate"] <= summary["high"]).all()
    assert frame.groupby("deal")["won"].sum().isin([0, 1]).all()
    assert (frame.loc[frame["won"], "points"] == 0).all()


def test_it_prints_and_shows_itself() -> None:
    batch = simulate("jaques", ["greedy", "greedy-keep(high=9)"], 200, 3)
    text = str(batch)
    assert text.startswith("jaques, 200 hands, seed 3\n")
    assert "seat 1  greedy-keep(high=9)" in text
    assert f"{batch.summary()['win_rate'][0]:.2%}" in text
    assert "ended: out " in text
    assert "<table" in batch._repr_html_()


def test_means_below_zero_are_printed_as_everywhere() -> None:
    totals = Totals(2, 2, hands=1000)
    totals.points[:], totals.squares[:] = (-1, -3250), 20_000
    text = str(Simulation("konkan", ("kk-greedy",) * 2, 1000, 0, {}, totals, None))
    assert re.findall(r"] .* a hand(.*)", text) == ["   0.00", "  −3.25"]


def test_a_frame_may_go_to_a_file_and_come_back() -> None:
    frame = simulate("jaques", SEATINGS[2], 50, 3).frame()
    file = io.BytesIO()
    frame.to_parquet(file, index=False)
    pd.testing.assert_frame_equal(pd.read_parquet(file), frame)


def test_without_the_hands_there_are_the_totals() -> None:
    kept = simulate("jaques", SEATINGS[3], 300, 3)
    totals = simulate("jaques", SEATINGS[3], 300, 3, keep=False)
    assert totals.hands is None
    pd.testing.assert_frame_equal(totals.summary(), kept.summary())
    assert str(totals) == str(kept)
    with pytest.raises(CooncanError, match="keep=True"):
        totals.frame()


def test_progress_counts_every_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate_module, "CHUNK", 30)
    monkeypatch.setitem(PIECE_SECONDS, None, 0)
    told: list[int] = []
    simulate("jaques", SEATINGS[2], 100, jobs=1, progress=told.append)
    assert told[0] == 30 and told[-1] == 1 and sum(told) == 100


def test_stopping_early_is_allowed() -> None:
    parts: Iterator[tuple[int, Hands]] = play_many(Plan("jaques", (SEATINGS[2],)), 50_000, 2)
    start, hands = next(parts)
    assert start == 0 and len(hands) == simulate_module.CHUNK
    parts.close()  # type: ignore[attr-defined]


def test_a_page_is_played_like_its_copy(tmp_path: Path) -> None:
    from cooncan_sim.catalog import strategy

    copy = tmp_path / "copy.py"
    copy.write_bytes(strategy("greedy", "jaques").page.path.read_bytes())
    named = simulate("jaques", ["greedy", "hold"], 100, 1)
    assert same(simulate("jaques", [str(copy), "hold"], 100, 1).hands, named.hands)


# ---- what is refused ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"deals": 0}, "deals must be a whole number from 1 to"),
        ({"deals": -3}, "not -3"),
        ({"deals": 2.5}, "not 2.5"),
        ({"deals": True}, "not True"),
        ({"deals": "10"}, "not '10'"),
        ({"seed": -1}, r"seed -1: it is a whole number from 0 to 2\*\*63 - 1"),
        ({"seed": 2**63}, "seed 9223372036854775808: it is a whole number"),
        ({"seed": 1.5}, "seed 1.5: it is a whole number"),
        ({"jobs": 0}, "jobs must be a whole number from 1 to 1024, not 0"),
        ({"players": ["greedy"]}, "jaques is for 2, 3 or 4 players, not 1"),
        ({"players": ["greedy"] * 5}, "jaques is for 2, 3 or 4 players, not 5"),
        ({"players": []}, "jaques is for 2, 3 or 4 players, not 0"),
        ({"players": ["greedy", "gredy"]}, r"unknown strategy 'gredy' \(did you mean 'greedy'\?\)"),
        ({"game": "jaqes"}, r"unknown game 'jaqes' \(did you mean 'jaques'\?\)"),
        ({"rules": {"HAND_SIZ": 10}}, r"no switch 'HAND_SIZ' \(did you mean 'HAND_SIZE'\?\)"),
        ({"rules": {"HAND_SIZE": 9}}, "HAND_SIZE cannot be 9: it takes 10, 11"),
        ({"rules": {"MAX_TURNS": 0}}, "MAX_TURNS cannot be 0: it takes a whole number from 1"),
        ({"rules": {"MAX_TURNS": "many"}}, "MAX_TURNS cannot be 'many'"),
        ({"rules": {"LAYOFF_SCOPE": True}}, "LAYOFF_SCOPE cannot be True: it takes all, own"),
        ({"backend": "cluster"}, "unknown backend 'cluster'; there is dask, and without one"),
        ({"backend": "dusk"}, r"unknown backend 'dusk' \(did you mean 'dask'\?\)"),
        ({"backend": "dask", "jobs": 2}, "jobs are threads of this machine"),
    ],
    ids=str,
)
def test_what_cannot_be_played(changed: dict, said: str) -> None:
    wanted = {"game": "jaques", "players": ["greedy", "hold"], "deals": 10, "seed": 0} | changed
    with pytest.raises(CooncanError, match=said):
        simulate(wanted.pop("game"), wanted.pop("players"), **wanted)


@pytest.mark.parametrize(
    ("given", "rank"), [("10", "T"), (10, "T"), ("t", "T"), ("k", "K"), (" a ", "A"), (2, "2")]
)
def test_a_rank_is_given_as_on_cards(given: object, rank: str) -> None:
    plan = Plan("wild_card", (SEATINGS[2],), rules={"WILD_RANK": given})
    assert plan.full_rules["WILD_RANK"] == rank


@pytest.mark.parametrize("match", [False, True])
def test_a_cluster_needs_dask(match: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(CooncanError, match=r"not installed: pip install 'cooncan-sim\[cluster\]'$"):
        simulate("jaques", SEATINGS[2], 10, backend="dask", match=match)


def test_a_plan_has_one_of_two_stock_orders() -> None:
    with pytest.raises(CooncanError, match="stock order 'sorted': it is shared or per_seat"):
        Plan("jaques", (SEATINGS[2],), stock_order="sorted")


def test_a_plan_has_few_strategies() -> None:
    seatings = tuple(
        (f"greedy-keep(low={n})", f"greedy-keep(low={n + 1})") for n in range(1, 11, 2)
    )
    with pytest.raises(CooncanError, match="^10 strategies.*: 8 at most$"):
        list(play_many(Plan("jaques", seatings), 1))


def test_a_number_may_be_given_as_text() -> None:
    as_text = simulate("jaques", SEATINGS[2], 20, rules={"HAND_SIZE": "11"})
    assert same(as_text.hands, simulate("jaques", SEATINGS[2], 20, rules={"HAND_SIZE": 11}).hands)
    assert as_text.rules["HAND_SIZE"] == 11


@pytest.mark.parametrize(
    ("game", "named"),
    [
        ("jaques", "points charged a hand"),
        ("double_rum", "units won and paid a hand"),
        ("konkan", "points (fewest wins) a hand"),
        ("conquian", "points won and lost a hand"),
    ],
)
def test_the_summary_says_what_the_points_are(game: str, named: str) -> None:
    """Charged in one game, won in another: in the words of the game's own entry."""
    totals = Totals(2, 2, hands=2, turns=9)
    totals.points[:], totals.squares[:] = (8, -3), (34, 5)
    said = str(Simulation(game, ("a", "b"), 2, 0, catalog.game(game).rules(), totals, None))
    assert f"]  {named}   4.00\n" in said and f"]  {named}  −1.50\n" in said
    assert catalog.game(game).points.lower() == named.removesuffix(" a hand")
