"""The command line where standard output is closed, full, or no UTF-8."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cooncan_sim import cli, rounding, terminal
from cooncan_sim.reports import card_faces


def printed(
    monkeypatch: pytest.MonkeyPatch, encoding: str, *words: str, code: int = 0
) -> tuple[str, str]:
    """What `cooncan` with these words writes to both streams of this encoding."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2)]
    monkeypatch.setattr(sys, "argv", ["cooncan", *words])
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert int(end.value.code or 0) == code
    for stream in streams:
        stream.flush()
    out, err = (stream.buffer.getvalue().decode(encoding) for stream in streams)  # type: ignore[attr-defined]
    return out, err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_signs_become_the_plain_letters_beside_them(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("replay", "jaques", "--players", "greedy,greedy", "--seed", "1")
    out, err = printed(monkeypatch, encoding, *words)
    assert err == "" and "?" not in out
    assert "\nSeat 0 (greedy) holds AS 6S 9S KS  9H  3D 7D  2C 9C JC\n" in out
    assert "Seat 0 takes 7H from the discard pile, lays 9S" in out
    jokers, _ = printed(monkeypatch, encoding, "evaluate", "konkan", "* 7H 8H")
    assert "7H 8H *=9H" in jokers
    games, _ = printed(monkeypatch, encoding, "games")
    assert games.startswith("jaques           Coon Can                      2")
    assert "?" not in games


def test_a_message_is_written_in_any_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = printed(monkeypatch, "ascii", "rules", "köni", code=2)
    assert (out, err.split(";")[0]) == ("", "cooncan: unknown game 'k?ni'")


def test_numbers_keep_their_sign() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    terminal._take_every_sign(stream)
    stream.write(f"{rounding.signed(-1.25, 2)} … {rounding.signed(0.5, 2)} × {rounding.MINUS}")
    stream.write("".join(card_faces.text(card) for card in ("TS", "2H", "QD", "AC", "*=9S")))
    stream.flush()
    assert stream.buffer.getvalue() == b"-1.25 ... +0.50 x -10S2HQDAC*=9S"  # type: ignore[attr-defined]


def ended(redirected: str, words: str) -> tuple[int, str, str]:
    """`cooncan` in a process of its own, its streams redirected as a shell does it."""
    program = 'exec "$0" -c "from cooncan_sim.cli import main; main()"'
    done = subprocess.run(
        ["sh", "-c", f"{program} {words} {redirected}", sys.executable],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_without_standard_output_nothing_is_begun() -> None:
    assert ended(">&-", "games") == (
        2,
        "",
        "cooncan: standard output is closed: send it somewhere, such as to /dev/null\n",
    )


def test_without_standard_error_all_else_is_as_ever() -> None:
    code, out, _ = ended("2>&-", "games")
    assert code == 0 and out.startswith("jaques")
    assert ended("2>&-", "gamess") == (2, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_standard_output_is_named(unbuffered: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "PYTHONUNBUFFERED", unbuffered)
    assert ended(">/dev/full", "games") == (
        2,
        "",
        "cooncan: standard output: No space left on device\n",
    )
