"""One readable hand of every game, committed and played again line by line.

A rule or a strategy that changes shows here as the line where the hand takes another turn. To
write a new transcript after such a change: `python -m tests.test_transcripts`.
"""

from pathlib import Path

import pytest

from cooncan_sim import replay
from cooncan_sim.catalog import GAMES, strategies
from cooncan_sim.reports.hand_words import words

FOLDER = Path(__file__).parent / "transcripts"
SEED = 1909


def players_of(game: str) -> list[str]:
    """The strongest plain strategy of the catalogue in each seat but one, `random` in the last."""
    names = [page.name for page in strategies(game)]
    first = next(name for name in names if name.endswith("greedy"))
    seats = min(GAMES[game].players)
    return [first] * (seats - 1) + ["random"]


def told(game: str) -> list[str]:
    """The first hand of the seed that is short enough to read, as the engine plays it now."""
    logs = (replay(game, players_of(game), SEED, deal)[0] for deal in range(50))
    log = next(log for log in logs if log["result"]["turns"] <= 40)
    return words(log).splitlines()


@pytest.mark.parametrize("game", GAMES)
def test_transcript(game):
    path = FOLDER / f"{game}.txt"
    assert path.exists(), f"{game} has no transcript"
    for number, (now, then) in enumerate(
        zip(told(game), path.read_text(encoding="utf-8").splitlines(), strict=True), start=1
    ):
        assert now == then, f"{path.name}:{number}"


if __name__ == "__main__":
    for key in GAMES:
        text = "\n".join(told(key)) + "\n"
        (FOLDER / f"{key}.txt").write_text(text, encoding="utf-8")
