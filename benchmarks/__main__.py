"""Measures, prints a table and writes benchmarks/out/bench.json (with --peers: peers.json)."""

import argparse
import json
import os
import platform
from dataclasses import asdict
from importlib import import_module

from benchmarks.rounds import HERE, Row

SECTIONS = ("evaluator", "packs", "hands", "games", "costs")


def main() -> None:
    """Runs the sections one after the other; each imports what it measures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--peers", action="store_true", help="beside open_spiel and rlcard")
    parser.add_argument("--only", choices=SECTIONS, help="one section alone")
    chosen = parser.parse_args()
    sections = ("peers",) if chosen.peers else (chosen.only,) if chosen.only else SECTIONS
    load = os.getloadavg()[0]
    found: list[Row] = []
    for section in sections:
        for row in import_module(f"benchmarks.{section}").rows():
            print(line(row), flush=True)
            found.append(row)
    name = "peers" if chosen.peers else chosen.only or "bench"
    out = HERE / "out" / f"{name}.json"
    out.parent.mkdir(exist_ok=True)
    machine = {"processor": platform.machine(), "cores": os.cpu_count(), "load": load}
    out.write_text(
        json.dumps({"machine": machine, "rows": [asdict(row) for row in found]}, indent=1)
    )
    print(f"written: {out.relative_to(HERE.parent)}")


def line(row: Row) -> str:
    """A row of the table."""
    figure = f"{row.figure:,.0f}" if row.figure >= 1000 else f"{row.figure:.2f}"
    ratio = f"{row.ratio:,.2f} x {row.beside}" if row.ratio is not None else ""
    met = {True: "reached", False: "MISSED", None: ""}[row.met]
    return f"{row.what:<66} {figure:>12} {row.unit:<12} {ratio:<36} {row.target:<10} {met}".rstrip()


if __name__ == "__main__":
    main()
