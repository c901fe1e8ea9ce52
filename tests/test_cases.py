"""Every worked case through the public engine; `pytest --cases FILE` runs another file of them."""

import json
from pathlib import Path

import pytest

from cooncan_sim.catalog import GAMES
from cooncan_sim.rulings import ruling

pytestmark = pytest.mark.plain

BUNDLED = Path(__file__).parent / "cases" / "rules_cases.json"


def pytest_generate_tests(metafunc):
    path = Path(metafunc.config.getoption("--cases") or BUNDLED)
    cases = [case for case in json.loads(path.read_text())["cases"] if case["game"] in GAMES]
    metafunc.parametrize("case", cases, ids=[case["id"] for case in cases])


def test_case(case):
    answer = ruling(case["game"], case["kind"], case["given"], case.get("switches"))
    assert tidied(case, answer) == tidied(case, case["expect"])


def tidied(case: dict, answer: dict) -> dict:
    """An answer in the form in which equal answers are equal.

    Hands and sets are multisets, runs are in order; of several best partitions one is enough, so
    an example is only looked at for what it claims (`check_example`).
    """
    answer = dict(answer)
    if "example" in answer:
        check_example(case, answer)
        del answer["example"]
    if "hands" in answer:
        answer["hands"] = [sorted(hand) for hand in answer["hands"]]
    if isinstance(answer.get("legal"), list):
        answer["legal"] = sorted(answer["legal"])
    for part in ("table", "result"):
        if isinstance(answer.get(part), list):
            melds = answer[part] if part == "table" else [answer[part]]
            answer[part] = [meld if is_run(meld) else sorted(meld) for meld in melds]
    return answer


def is_run(meld: list[str]) -> bool:
    ranks = {token.split("=")[-1][0] for token in meld}
    return len(ranks) > 1


def check_example(case: dict, answer: dict) -> None:
    """The melds are valid, come from the hand, and leave exactly the claimed deadwood."""
    game, switches = case["game"], case.get("switches")
    left = list(case["given"]["hand"])
    for meld in answer["example"]:
        faces = [card.split("=")[0] for card in meld]
        assert ruling(game, "meld", {"cards": faces}, switches)["valid"], meld
        for card in meld:
            left.remove(card.split("=")[0])
    if "min_deadwood" in answer:
        points = ruling(game, "hand_value", {"hand": left}, switches)["points"]
        assert points == answer["min_deadwood"]
