"""What `cq-greedy` and `random` decide in positions that a card player can check by hand."""

from collections import Counter
from functools import cache

import pytest
from scipy.stats import chisquare

from cooncan_sim import rng, simulate
from cooncan_sim.catalog import game
from cooncan_sim.games.conquian_rulings import script_state
from cooncan_sim.games.conquian_state import DISCARDING, FORCING
from cooncan_sim.games.conquian_text import mask
from cooncan_sim.kernel import records
from cooncan_sim.simulate import Plan

ACE_TO_THREE = ["AS", "2S", "3S"]


@cache
def plan_of(key: str, name: str) -> Plan:
    """Two players of a name."""
    return Plan(key, ((name, name),))


def actions(
    name: str,
    given: dict,
    rules: dict | None = None,
    key: str = "conquian",
    stream: int = 0,
    **fields: object,
) -> list[dict]:
    """What two players of a name do about the card that is offered to seat 0.

    given: as for a script, with defaults; stream: where the strategies' own streams begin;
    fields: of the table, to be changed.
    """
    whole = {"to": 0, "from": "stock", "tables": [[], []], "stock": ["AC"], **given}
    laid_out = script_state(game(key), game(key).rules(rules), whole)
    states = records(1, laid_out.dtype)
    states[0] = laid_out
    for field, value in fields.items():
        states["table"][field] = value
    states["seats"]["rng"] = stream
    plan = plan_of(key, name)
    states["seats"]["weights"][0, :, : plan.weights.shape[1]] = plan.weights[0]
    plan.engine("play").play_on(*plan.functions, plan.seats[0], states)
    return plan.engine("text").turn_actions(states)


def accepted(given: dict, rules: dict | None = None, key: str = "conquian") -> tuple:
    """The hand cards and the table of `cq-greedy`'s acceptance."""
    first = actions("cq-greedy", given, rules, key)[0]
    assert first["a"] == "ACCEPT" and first["card"] == given["card"]
    return first["hand_cards"], first["melds"]


# ---- cq-greedy ----------------------------------------------------------------------------


def test_it_brings_down_as_many_hand_cards_as_can_be() -> None:
    hand = ["5H", "6H", "7H", "5S", "5D", "KC"]
    given = {"hands": [hand, []], "card": "JH", "tables": [[["AC", "2C", "3C"]], []]}
    assert accepted(given) == (["5H", "6H", "7H"], [["5H", "6H", "7H", "JH"], ["AC", "2C", "3C"]])


def test_of_equally_many_those_first_in_card_order() -> None:
    hand = ["6S", "7S", "5H", "5D", "2C", "3C", "AH", "AD", "KH", "QD"]
    given = {"hands": [hand, []], "card": "5S"}
    assert accepted(given) == (["6S", "7S"], [["5S", "6S", "7S"]])
    given["hands"][0][:2] = ["6C", "7C"]
    assert accepted({**given, "card": "5C"}) == (["5H", "5D"], [["5H", "5D", "5C"]])


def test_the_first_meld_in_order_that_leaves_the_table_whole() -> None:
    table = [["3S", "4S", "5S", "6S"], ["7H", "7D", "7C"]]
    given = {"hands": [["KD", "2C", "QD"], []], "card": "7S", "tables": [table, []]}
    assert accepted(given) == ([], [["3S", "4S", "5S", "6S", "7S"], ["7H", "7D", "7C"]])
    melds = [["AS", "2S", "3S"], ["4H", "4D", "4C", "4S"]]
    given = {"hands": [["KD", "2C", "QD"], []], "card": "5S", "tables": [melds, []]}
    assert accepted(given) == ([], [["AS", "2S", "3S", "4S", "5S"], ["4H", "4D", "4C"]])


def test_frozen_melds_take_it_oldest_first() -> None:
    table = [["5S", "6S", "7S"], ["AS", "2S", "3S"]]
    given = {"hands": [["KD", "2C", "QD"], []], "card": "4S", "tables": [table, []]}
    melds = [["4S", "5S", "6S", "7S"], ["AS", "2S", "3S"]]
    assert accepted(given, key="conquian_jaques") == ([], melds)
    assert accepted(given) == ([], [["AS", "2S", "3S", "4S", "5S", "6S", "7S"]])


def test_a_frozen_meld_grows_past_a_gap_or_a_new_one_is_laid() -> None:
    given = {"hands": [["4S", "KD", "QD", "5H", "5D"], []], "card": "5S",
             "tables": [[ACE_TO_THREE], []]}  # fmt: skip
    found = accepted(given, key="conquian_jaques")
    assert found == (["5H", "5D"], [ACE_TO_THREE, ["5S", "5H", "5D"]])
    given["hands"][0][3:] = ["6H", "6D"]
    assert accepted(given, key="conquian_jaques") == (["4S"], [["AS", "2S", "3S", "4S", "5S"]])


@pytest.mark.parametrize(
    ("hand_cards", "laid", "melds"),
    [
        ("with_center", [], [["AS", "2S", "3S", "4S"], ["5H", "6H", "7H"]]),
        ("no_all_hand_meld", ["JH"], [["AS", "2S", "3S", "4S"], ["5H", "6H", "7H", "JH"]]),
        (
            "any",
            ["JH", "KH", "KD", "KC"],
            [["AS", "2S", "3S", "4S"], ["5H", "6H", "7H", "JH"], ["KH", "KD", "KC"]],
        ),
    ],
)
def test_where_hand_cards_may_go(hand_cards: str, laid: list, melds: list) -> None:
    hand = ["JH", "KH", "KD", "KC", "2D"]
    tables = [[ACE_TO_THREE, ["5H", "6H", "7H"]], []]
    given = {"hands": [hand, []], "card": "4S", "tables": tables}
    assert accepted(given, {"CQ_HAND_CARDS": hand_cards}) == (laid, melds)


def test_taken_word_for_word_it_keeps_a_card_to_throw() -> None:
    rules = {"CQJ_SIZE": "deal9_need11_literal"}
    table = [["AS", "2S", "3S", "4S", "5S", "6S"]]
    given = {"hands": [["KS", "KH", "KD"], []], "card": "KC", "tables": [table, []]}
    played = actions("cq-greedy", given, rules, "conquian_jaques")
    assert played[0]["hand_cards"] == ["KS", "KH"]
    assert played[1] == {"seat": 0, "a": "DISCARD", "card": "KD"}
    assert actions("cq-greedy", given, {}, "conquian_jaques")[0]["hand_cards"] == given["hands"][0]


def test_it_declines_what_it_cannot_use() -> None:
    hand = ["7C", "7D", "7H", "2S", "3D", "5H", "6H", "QC", "KD", "AC"]
    played = actions("cq-greedy", {"hands": [hand, []], "card": "KS"})
    assert played == [{"seat": 0, "a": "DECLINE", "card": "KS"}]


def test_it_never_forces() -> None:
    given = {"hands": [["KC"], ["KH", "QD"]], "card": "4S", "tables": [[ACE_TO_THREE], []]}
    played = actions("cq-greedy", given, phase=FORCING, turn=1)
    assert played == [{"seat": 1, "a": "LET_PASS"}]


def discarded(hand: list[str], table: list[list[str]], dead: tuple[str, ...] = ()) -> str:
    """What `cq-greedy` throws of a hand: the opponent's table, and dead discards."""
    given = {"hands": [hand, []], "tables": [[], table]}
    played = actions("cq-greedy", given, phase=DISCARDING, dead=mask(dead))
    assert [action["a"] for action in played] == ["DISCARD"]
    return played[0]["card"]


def test_it_throws_the_card_with_the_fewest_live_partners() -> None:
    # Three of the rank, and of the suit two on each side: seven in all, but six for a queen.
    assert discarded(["3S", "QD", "7H"], []) == "QD"
    # The opponent's table has 2S, 4S and 5S of the partners of 3S, which keeps four.
    assert discarded(["3S", "QD", "7H"], [["2S", "2D", "2C"], ["4S", "5S", "6S"]]) == "3S"
    # Dead discards count as little.
    assert discarded(["3S", "QD", "7H"], [], dead=("5H", "6H", "JH")) == "7H"


def test_ties_are_thrown_from_the_king_down_and_by_suit() -> None:
    assert discarded(["AS", "KC", "KH", "AD"], []) == "KH"
    assert discarded(["5C", "4S", "5H"], []) == "5H"


# ---- random -------------------------------------------------------------------------------


def streams(count: int) -> list[int]:
    """Beginnings of as many streams."""
    return [int(rng.stream(1, n, rng.POLICY, 0)) for n in range(count)]


def as_likely(found: Counter[str], expected: set[str]) -> bool:
    """Whether exactly these answers were found, each about as often."""
    return set(found) == expected and chisquare(list(found.values())).pvalue > 1e-4


@pytest.mark.parametrize("forced", [0, 1])
def test_every_legal_answer_is_as_likely(forced: int) -> None:
    hand = ["4S", "6S", "7S", "5H", "5D", "KC", "QC"]
    given = {"hands": [hand, []], "card": "5S", "tables": [[ACE_TO_THREE], []]}
    found: Counter[str] = Counter()
    for stream in streams(3_000):
        first = actions("random", given, stream=stream, forced=forced)[0]
        found[" ".join(first.get("hand_cards", ["declined"]))] += 1
    down = {"4S", "4S 6S", "4S 6S 7S", "6S 7S", "5H 5D"}
    assert as_likely(found, down if forced else down | {"declined"}), found


def test_random_forces_as_often_as_not() -> None:
    given = {"hands": [["KC"], []], "card": "4S", "tables": [[ACE_TO_THREE], []]}
    found = Counter(
        actions("random", given, stream=stream, phase=FORCING, turn=1)[0]["a"]
        for stream in streams(2_000)
    )
    assert as_likely(found, {"FORCE", "LET_PASS"}), found


def test_random_throws_every_card_as_often() -> None:
    hand = ["4S", "KC", "7H", "AD", "AC"]
    found = Counter(
        actions("random", {"hands": [hand, []]}, stream=stream, phase=DISCARDING)[0]["card"]
        for stream in streams(2_000)
    )
    assert as_likely(found, set(hand)), found


def test_greedy_beats_random() -> None:
    for key in ("conquian", "conquian_jaques"):
        frame = simulate(key, ("cq-greedy", "random"), 2_000, seed=4).frame()
        wins = frame.groupby("strategy")["won"].sum()
        assert wins["cq-greedy"] > 3 * wins["random"]
