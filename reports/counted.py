"""Parts about what was counted, every case once: runs through each rank, ways from a long run."""

from collections.abc import Iterable, Mapping

import pandas as pd

from cooncan_sim import rounding
from cooncan_sim.reports.charts.counts import runs_chart
from cooncan_sim.reports.charts.forest import forest_chart
from cooncan_sim.reports.parts import Cell, Figure, Number, Part, Sentence, Table
from cooncan_sim.reports.tables import listed, named, rank_text

MELDS = {"free": "melds may be rearranged", "none": "melds stay as they are"}


def parts(name: str, tables: Mapping[str, pd.DataFrame]) -> list[Part]:
    """The parts of a question `name` that has counted, from its tables."""
    found = []
    if "counts" in tables:
        found.append(_runs(name, tables["counts"], tables["bands"], tables["chances"]))
    if "long_runs" in tables:
        found.append(_long_runs(name, tables["long_runs"]))
    return found


def _runs(name: str, counts: pd.DataFrame, bands: pd.DataFrame, chances: pd.DataFrame) -> Part:
    tip = bands.iloc[0]
    band = (str(tip["band"]), int(tip["low"]), int(tip["high"]))
    low_ace = counts[counts["ace"] == "low"]
    lengths = listed(named(int(length)) for length in sorted(low_ace["length"].unique()))
    caption = (
        f"How many runs of {lengths} cards in one suit hold a given card. The ace is low. "
        "Counted, not estimated."
    )
    size = named(int(chances["hand_size"].iloc[0]))
    return Part(
        "What counting says",
        [*counted(counts, *band), dealt(chances)],
        [Figure(runs_chart(f"{name}-runs", low_ace, band), [caption])],
        [_rank_table(counts, chances), _band_table(bands)],
        [[f"“In a run” and “in any meld”: the chance that the card already is in one, as {size} "
          "cards are dealt; every hand was counted."]],
    )  # fmt: skip


def _rank_table(counts: pd.DataFrame, chances: pd.DataFrame, ace: str = "low") -> Table:
    """One row per rank: runs of each length through it, and the chances to be in a meld."""
    counts, chances = counts[counts["ace"] == ace], chances[chances["ace"] == ace]
    lengths = [f"runs of {length}" for length in sorted(counts["length"].unique())]
    rows = []
    for chance in chances.itertuples():
        runs = counts[counts["rank"] == chance.rank].sort_values("length")["runs"]
        rows.append(
            [
                rank_text(chance.rank),
                *(Number(int(number), str(number)) for number in runs),
                Number(chance.in_run_share, rounding.percent(chance.in_run_share)),
                Number(chance.in_meld_share, rounding.percent(chance.in_meld_share, 3)),
            ]
        )
    return Table("Card by card", ["card", *lengths, "in a run", "in any meld"], {"": rows})


def _band_table(bands: pd.DataFrame, ace: str = "low") -> Table:
    """One row per band, in the order of the question: mean runs of each length."""
    bands = bands[bands["ace"] == ace]
    lengths = [f"runs of {length}" for length in sorted(bands["length"].unique())]
    rows = []
    for band in bands["band"].unique():
        means = bands[bands["band"] == band].sort_values("length")["runs"]
        rows.append([band, *(Number(runs, rounding.plain(runs, 2)) for runs in means)])
    return Table("Runs per card, on average", ["cards", *lengths], {"": rows})


def _long_runs(name: str, ways: pd.DataFrame) -> Part:
    groups: dict[str, list[list[Cell]]] = {}
    for row in ways.itertuples():
        cells: list[Cell] = [row.run, Number(row.length, str(row.length)),
                 Number(row.ways, rounding.count(row.ways)),
                 Number(row.sets, rounding.count(row.sets))]  # fmt: skip
        groups.setdefault(MELDS[row.rearrange], []).append(cells)
    table = ways.assign(
        group=[MELDS[kind] for kind in ways["rearrange"]], label="run " + ways["run"],
        effect=ways["ways"].astype(float), low=float("nan"), high=float("nan"),
        least=float("nan"), verdict="", interval="–",
        shown=[rounding.count(number) for number in ways["ways"]],
    )  # fmt: skip
    title = "Ways to go out from a long run"
    chart = forest_chart(f"{name}-ways", title, table, "sets of further cards that fill the table")
    caption = "How many sets of further cards make eleven that split into melds. Counted."
    heads = ["run", "cards", "ways to eleven", "sets of so many cards"]
    return Part(
        "What counting says",
        _of_lengths(ways),
        [Figure(chart, [caption])],
        [Table("Run by run", heads, groups)],
    )


def _of_lengths(ways: pd.DataFrame) -> list[Sentence]:
    """For each length, whether a win is left at all."""
    sentences: list[Sentence] = []
    for (kind, length), inside in ways.groupby(["rearrange", "length"]):
        where = f"Where {MELDS[kind]}, a run of {named(int(length))} "
        if not inside["ways"].max():
            sentences.append([where + "leaves no way to go out: of all sets of further cards ",
                              Number(0, "none"), " fills the table."])  # fmt: skip
            continue
        least, most = int(inside["ways"].min()), int(inside["ways"].max())
        sentence: Sentence = [where + "leaves ", Number(least, rounding.count(least))]
        if most > least:
            sentence += [" to ", Number(most, rounding.count(most))]
        sentences.append([*sentence, " ways to go out."])
    return sentences


def counted(counts: pd.DataFrame, band: str, low: int, high: int) -> list[Sentence]:
    """What the counts of runs say of the ranks `low` to `high` (1 the ace), called `band`."""
    low_ace = counts[counts["ace"] == "low"]
    inside = set(range(low, high + 1))
    outside = set(range(1, 14)) - inside
    always_fewer, always_as_many = set(outside), set(outside)
    sentences: list[Sentence] = []
    for length, group in low_ace.groupby("length"):
        runs = dict(zip(group["position"], group["runs"], strict=True))
        least = min(runs[position] for position in inside)
        fewer = {position for position in outside if runs[position] < least}
        as_many = outside - fewer
        always_fewer &= fewer
        always_as_many -= fewer
        most = ", the most that any card does" if least == max(runs.values()) else " or more"
        so_do = f"; so {_do(as_many)} {ranks(as_many)}" if as_many else ""
        rest = f". {ranks(fewer)} {_fit(fewer)} into fewer." if fewer else "."
        said = f"Runs of {named(int(length))} cards: every card from {band} fits into "
        sentences.append([said, Number(int(least), named(int(least))), f"{most}{so_do}{rest}"])
    always = [(always_fewer, "fewer"), (always_as_many, "no fewer")]
    said_of = [f"{ranks(which)} {_fit(which)} into {many}" for which, many in always if which]
    if said_of:
        sentences.append([f"Whatever the length, {', '.join(said_of)}."])
    return sentences


def _do(positions: set[int]) -> str:
    return "does" if len(positions) == 1 else "do"


def _fit(positions: set[int]) -> str:
    return "fits" if len(positions) == 1 else "fit"


def dealt(chances: pd.DataFrame) -> Sentence:
    """The chance that a card of a dealt hand is in a run there: best ranks and worst."""
    chances = chances[chances["ace"] == "low"]
    size = int(chances["hand_size"].iloc[0])
    best, worst = chances["in_run_share"].max(), chances["in_run_share"].min()

    def who(share: float) -> str:
        return ranks(set(chances.loc[chances["in_run_share"] == share, "position"]))

    return [
        f"In a hand of {named(size)} as dealt, a card from {who(best)} is part of a run with a "
        "chance of ",
        Number(best, rounding.percent(best)),
        f", always the same; for {who(worst)} it is ",
        Number(worst, rounding.percent(worst)),
        ".",
    ]


def ranks(positions: Iterable[int]) -> str:
    """`3, 4 and 9 to J`: positions from 1 as ranks, three or more in a row as a span."""
    spans: list[list[int]] = []
    for position in sorted(positions):
        if spans and position == spans[-1][-1] + 1:
            spans[-1].append(position)
        else:
            spans.append([position])
    words = []
    for span in spans:
        names = [rank_text("A23456789TJQK"[position - 1]) for position in span]
        words += [f"{names[0]} to {names[-1]}"] if len(names) > 2 else names
    return listed(words)
