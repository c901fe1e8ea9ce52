"""Everything that the README shows is run, and what it prints is compared.

What it shows of a cluster is in `test_cluster.py`.
"""

import json
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from cooncan_sim import cli

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
PAGE, SCRIPT = re.findall(r"^```python\n(.*?)^```$", README, re.S | re.M)
[QUESTION] = re.findall(r"^```toml\n(.*?)^```$", README, re.S | re.M)


def shown() -> list[tuple[str, str]]:
    """Command lines of the README, each with the output printed below it ("" if there is none)."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.S | re.M):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, output = part.partition("\n")
            found.append((line, output.strip()))
    for block in re.findall(r"^```sh\n(.*?)^```$", README, re.S | re.M):
        lines = [line.removeprefix(".venv/bin/") for line in block.splitlines()]
        own = [line for line in lines if line.startswith("cooncan ")]
        found += [(line, "") for line in own if "--scheduler" not in line]
    return found


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shipped questions, with a hundredth of their deals.

    The commands are run there in the README's order, so a page finds the results before it.
    """
    folder = tmp_path_factory.mktemp("desk")
    shutil.copytree(ROOT / "experiments", folder / "experiments")
    for question in (folder / "experiments").glob("*.toml"):
        shorter = re.sub(r"(deals = [\d_]+)_?00\b", r"\1", question.read_text("utf-8"))
        question.write_text(shorter, "utf-8")
    return folder


@pytest.mark.parametrize(("line", "output"), shown())
def test_commands(
    line: str,
    output: str,
    desk: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(desk)
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    with pytest.raises(SystemExit) as end:
        cli.main()
    printed, complaint = capsys.readouterr()
    assert (end.value.code, complaint) == (0, "")
    assert printed.strip()
    if output:
        assert printed.strip() == output
    if line == "cooncan new-strategy low":  # the README's reader edits the page now
        assert (desk / "low.toml").read_text("utf-8") == QUESTION
        (desk / "low.py").write_text(PAGE, "utf-8")


def test_every_command_is_shown() -> None:
    names = {command.name for command in cli.app.registered_commands}
    assert names <= {line.split()[1] for line, _ in shown()}


def test_the_strategy_and_the_question_are_short() -> None:
    assert len(PAGE.splitlines()) < 15
    assert len(QUESTION.splitlines()) <= 10


def test_links_lead_somewhere() -> None:
    for place in re.findall(r"\]\(([^)#]+)\)", README):
        assert place.startswith("https://") or (ROOT / place).exists(), place


def test_the_page_of_the_readme_is_that_of_the_notebook() -> None:
    notebook = json.loads((ROOT / "examples/from-an-idea-to-a-chart.ipynb").read_text("utf-8"))
    assert f"%%writefile low.py\n{PAGE}".strip() in [
        "".join(cell["source"]) for cell in notebook["cells"]
    ]


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(SCRIPT, "README.md", "exec"), {"__name__": "readme"})
    printed = capsys.readouterr().out
    assert printed.startswith("29 [['5S', '5H', '5D', '5C'], ['2H', '3H', '4H']]\n")
    assert "greedy" in printed and "hold" in printed
