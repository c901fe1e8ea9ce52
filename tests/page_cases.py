"""Results to be written up: a question played by chance, and a small one of every kind played."""

from pathlib import Path

import pytest

from cooncan_sim import experiment
from cooncan_sim.simulate import Plan
from tests import fake_play
from tests.question_cases import GOOD

MORE = GOOD.replace("players = [2, 3]", 'players = [2, 3, 4]\nfields = ["control", "s9"]')
MORE = MORE.replace('metric = "win"', 'metric = "win"\nsecondary = ["penalty"]')
SCREENED = GOOD.replace("\ndeals = 700", "\nmax_deals = 4000")
SCREENED = SCREENED.replace("quick_deals = 300", "quick_deals = 2000")
SWEPT = """
[[compare]]
game = "jaques"
treatment = { strategy = "s{k}", label = "having {k}" }
controls = [{ strategy = "s3", label = "having three" }]
players = [2]
metric = "win"
min_effect = 0.003
deals = 300
quick_deals = 300
sweep = { k = [1, 3, 5, 7] }

[[compare]]
game = "jaques"
treatment = { strategy = "s9", label = "having nine" }
controls = [{ strategy = "s3", label = "having three" }]
players = [2]
metric = "win"
min_effect = 0.003
deals = 300
quick_deals = 300
"""
PLAYED = """
question = "Does it pay to hold everything back?"
claim = "T-20"
tip = "Melding at once is optional, so keep your cards to yourself."
source = "an onlooker"
seed = 20

[long_runs]
lengths = [9, 10]

[[compare]]
game = "jaques"
treatment = { strategy = "hold", label = "holding everything back" }
controls = [{ strategy = "greedy", label = "laying at once" }]
players = [2]
metric = "win"
min_effect = 0.005
deals = 150
quick_deals = 150

[[contrast]]
treatment = { game = "jaques", label = "eleven cards", rules = { HAND_SIZE = 11 } }
control = { game = "jaques", label = "ten cards" }
strategies = ["greedy"]
players = [2]
metric = "turns"
secondary = ["void"]
min_effect = "5 %"
deals = 100
quick_deals = 100

[[house_rules]]
game = "jaques"
options = { HAND_SIZE = [11], LAYOFF_SCOPE = ["own"] }
strategies = ["greedy"]
players = [2]
metric = "turns"
deals = 100
quick_deals = 100

[[observe]]
game = "jaques"
strategies = ["greedy", "hold"]
players = [2]
metric = "starter"
secondary = ["turns"]
above = 0.4
distribution = ["points", "turns"]
deals = 120
quick_deals = 120
"""


def by_chance(folder: Path, **texts: str) -> Path:
    """Runs questions with hands by chance; returns the folder of their results."""
    files = []
    for name, text in texts.items():
        files.append(folder / f"{name}.toml")
        files[-1].write_text(text, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cooncan_sim.outcomes.play_many", fake_play.play_many)
        patch.setattr(Plan, "strategies", ())
        return experiment.run(files, folder / "out", quick=True)


def played(folder: Path) -> Path:
    """Runs the small question of every kind; returns the folder of its results."""
    path = folder / "back.toml"
    path.write_text(PLAYED, "utf-8")
    return experiment.run([path], folder / "out", quick=True) / "back"
