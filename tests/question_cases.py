"""A question as its author writes it, and what it compares."""

from cooncan_sim.comparing import Comparing
from cooncan_sim.question import Question
from cooncan_sim.steps import steps

GOOD = """\
# A comment with deals = "none" in it.
question = "Is more better?"
claim = "T-99"
tip = "Have more."
source = "nobody"
seed = 3

[exact]
lengths = [3, 4]
hand_size = 4
bands = [
    { label = "5–8", low = 5, high = 8 },
    { label = "A–4", low = 1, high = 4 },
]

[[compare]]
game = "jaques"
treatment = { strategy = "s6", label = "having more" }
controls = [
    { strategy = "s1", label = "having little" },
    { strategy = "s3", label = "having some" },
]
players = [2, 3]
metric = "win"
min_effect = 0.003
deals = 700
quick_deals = 300
"""


def compared(asked: Question) -> list[Comparing]:
    """What a question compares when it is played in full."""
    return [step for step in steps(asked, quick=False) if isinstance(step, Comparing)]
