"""The notebook under examples/ is run again: every cell says what is stored of it.

To store it anew: jupyter execute --inplace examples/from-an-idea-to-a-chart.ipynb
"""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "examples" / "from-an-idea-to-a-chart.ipynb"
MOST_BYTES = 300_000
# In a process of its own, since a kernel leaves sockets and event loops behind.
RUN = """
import sys
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def cells(path: Path) -> list[dict[str, Any]]:
    notebook = json.loads(path.read_text("utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def told(cell: dict[str, Any]) -> tuple[str, int]:
    """The text of a cell's outputs, and how many pictures are among them."""
    text, pictures = "", 0
    for output in cell["outputs"]:
        assert output["output_type"] in ("stream", "display_data", "execute_result")
        shown = output.get("data", {})
        text += "".join(output.get("text", [])) + "".join(shown.get("text/plain", []))
        if "image/png" in shown:
            assert base64.b64decode("".join(shown["image/png"])).startswith(b"\x89PNG")
            pictures += 1
    return text, pictures


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The cells, run anew."""
    folder = tmp_path_factory.mktemp("notebook")
    words = [sys.executable, "-c", RUN, str(NOTEBOOK), str(folder / "again.ipynb")]
    done = subprocess.run(
        words, cwd=folder, env=os.environ | {"TMPDIR": str(folder)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return cells(folder / "again.ipynb")


def test_every_cell_says_what_is_stored(again: list[dict[str, Any]]) -> None:
    stored = cells(NOTEBOOK)
    assert [cell["source"] for cell in again] == [cell["source"] for cell in stored]
    for one, other in zip(again, stored, strict=True):
        assert told(one) == told(other)


def test_the_walk_leads_from_an_idea_to_a_chart() -> None:
    stored = cells(NOTEBOOK)
    text = "".join(told(cell)[0] for cell in stored)
    assert sum(told(cell)[1] for cell in stored) == 2
    for step in ("Overwriting low.py", "./low.py against greedy", "Forest plot.", "report.html"):
        assert step in text
    assert str(ROOT) not in NOTEBOOK.read_text("utf-8")
    assert NOTEBOOK.stat().st_size < MOST_BYTES
