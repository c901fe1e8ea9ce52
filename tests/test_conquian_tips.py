"""Conquian: where the strategies that try a tip answer otherwise than `cq-greedy`, by hand."""

import numba
import pytest

from cooncan_sim.catalog import strategies
from cooncan_sim.games.conquian_state import DISCARDING, FORCING
from cooncan_sim.games.conquian_text import mask
from cooncan_sim.simulate import Plan, play
from tests.sizes import sizes
from tests.test_conquian_strategies import actions

EIGHT = ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "JS"]


def offered(
    name: str, card: str, hand: str, *melds: str, dead: str = "", **fields: object
) -> list | str:
    """The table that a strategy lays with this card, or `declined`."""
    given = {"hands": [hand.split(), ["KC"]], "card": card}
    given["tables"] = [[meld.split() for meld in melds], []]
    rules = fields.pop("rules", None)
    first = actions(name, given, rules, dead=mask(dead.split()), **fields)[0]
    return [" ".join(meld) for meld in first["melds"]] if first["a"] == "ACCEPT" else "declined"


def both(name: str, *given: str, **fields: object) -> tuple:
    """What `cq-greedy` and another strategy do about a card."""
    return offered("cq-greedy", *given, **fields), offered(name, *given, **fields)


# ---- T-13: rearranging --------------------------------------------------------------------

FOURS = ("5S", "KD 2C QD", "AS 2S 3S", "4H 4D 4C 4S")
BETWEEN = ("4S", "KD 2C QD", "5S 6S 7S", "AS 2S 3S")


@pytest.mark.plain
def test_plain_takes_no_card_out_of_a_meld() -> None:
    moved = ["AS 2S 3S 4S 5S", "4H 4D 4C"]
    assert both("cq-plain", *FOURS) == (moved, "declined")
    assert both("cq-plain", *FOURS, forced=1) == (moved, moved)
    assert both("cq-plain", *FOURS, rules={"CQ_REARRANGE": "none"}) == ("declined", "declined")


@pytest.mark.plain
def test_plain_joins_no_melds() -> None:
    assert both("cq-plain", *BETWEEN) == (
        ["AS 2S 3S 4S 5S 6S 7S"],
        ["4S 5S 6S 7S", "AS 2S 3S"],
    )


@pytest.mark.plain
def test_plain_accepts_as_greedy_what_moves_nothing() -> None:
    given = ("5S", "5H 5D QC", "AS 2S 3S 4S")
    laid, kept = both("cq-plain", *given)
    assert laid == ["5S 5H 5D", "AS 2S 3S 4S"]
    assert kept == ["AS 2S 3S 4S", "5S 5H 5D"]  # an old meld that stays lies where it lay


# ---- T-17: eight in a row -----------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("rearrange", ["free", "none"])
def test_cap8_declines_the_ninth_in_a_row(rearrange: str) -> None:
    rules = {"CQ_REARRANGE": rearrange}
    given = ("QS", "KD 2C", " ".join(EIGHT))
    long = [" ".join([*EIGHT, "QS"])]
    assert both("cq-cap8", *given, rules=rules) == (long, "declined")
    assert both("cq-cap8", *given, rules=rules, forced=1) == (long, long)
    assert (
        both("cq-cap8", "JS", "KD 2C QD", " ".join(EIGHT[:7]), rules=rules)
        == ([" ".join(EIGHT)],) * 2
    )


@pytest.mark.plain
def test_cap8_splits_no_row_to_make_it_look_shorter() -> None:
    """A-2-3 and 4 … J lie in two runs already; the queen would still be the ninth."""
    given = ("QS", "KD 2C", "4S 5S 6S 7S JS", "AS 2S 3S")
    assert offered("cq-cap8", *given) == "declined"


@pytest.mark.plain
def test_cap8_keeps_a_hand_card_back() -> None:
    """With both hand cards there would be nine, with the five alone eight."""
    given = ("6S", "5S JS KD QD", "AS 2S 3S 4S", "7H 7D 7C 7S")
    assert (
        both("cq-cap8", *given, rules={"CQ_REARRANGE": "none"})
        == (["AS 2S 3S 4S 5S 6S", "7S 7H 7D 7C"],) * 2
    )
    given = ("6S", "5S 7S JS QS", "AS 2S 3S 4S", "KH KD KC")
    cq, cap = both("cq-cap8", *given)
    assert cq[0] == "AS 2S 3S 4S 5S 6S 7S JS QS" and cap[0] == "AS 2S 3S 4S 5S 6S 7S JS"


@pytest.mark.plain
def test_cap8_goes_on_once_it_has_been_forced_past_eight() -> None:
    nine = " ".join([*EIGHT, "QS"])
    assert both("cq-cap8", "KS", "KD", nine) == ([f"{nine} KS"],) * 2


# ---- T-18: selecting ----------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "dead", "accepts"),
    [
        ("5H 5D QC", "", True),  # its one pair is what the card is for
        ("5H 5D 6H", "", False),  # 5-6 of hearts waits too
        ("5H 5D 7H", "", False),  # and so does 5-7, for the six
        ("5H 5D JH", "", True),  # 5-J waits for two cards
        ("5H 5D 6H", "4H 7H", True),  # nothing can come for 5-6
        ("5H 5D 6H", "4H", False),
        ("5H 5D 7H 6S", "6H", True),
        ("5H 5D 5C 6H", "", True),  # four cards come down
        ("4S 6S 7S QC", "", True),
    ],
)
def test_select_spares_waiting_pairs(hand: str, dead: str, accepts: bool) -> None:
    greedy, select = both("cq-select", "5S", hand, dead=dead)
    assert greedy != "declined"
    assert select == (greedy if accepts else "declined")


@pytest.mark.plain
def test_select_knows_the_cards_of_both_tables_are_gone() -> None:
    given = {"hands": [["5H", "5D", "6H"], ["KC"]], "card": "5S"}
    for tables, answer in (
        ([[["4H", "4D", "4C"]], [["7H", "7D", "7C"]]], "ACCEPT"),
        ([[["4H", "4D", "4C"]], [["7S", "7D", "7C"]]], "DECLINE"),
    ):
        assert actions("cq-select", {**given, "tables": tables})[0]["a"] == answer


@pytest.mark.plain
def test_select_accepts_where_it_must_or_is_told_to() -> None:
    given = ("5S", "5H 5D 6H")
    assert offered("cq-select", *given, forced=1) == ["5S 5H 5D"]
    assert offered("cq-select(pairs=3)", *given) == ["5S 5H 5D"]
    assert offered("cq-select(cards=3)", *given) == ["5S 5H 5D"]


# ---- T-14: forcing ------------------------------------------------------------------------


def forcing(name: str, card: str, table: list[list[str]], hands: list[list[str]]) -> str:
    """What seat 1 does when seat 0 has declined a card that fits its table."""
    seen = {card, *sum(hands, []), *sum(table, [])}
    stock = [f"{rank}{suit}" for suit in "SHDC" for rank in "A234567JQK"]
    given = {"hands": hands, "card": card, "tables": [table, []],
             "stock": [one for one in stock if one not in seen]}  # fmt: skip
    return actions(name, given, phase=FORCING, turn=1)[0]["a"]


TEN = [EIGHT[:7], ["QH", "QD", "QC"]]
OTHERS = ["KC", "KD", "2H", "4D", "6C", "7C", "AH", "JD", "3H", "5C"]


@pytest.mark.plain
def test_nobody_is_forced_to_win() -> None:
    """With ten down the jack is the eleventh card."""
    hands = [[], OTHERS]
    assert forcing("cq-greedy", "JS", TEN, hands) == "LET_PASS"
    assert forcing("cq-force", "JS", TEN, hands) == "LET_PASS"
    assert forcing("force-always", "JS", TEN, hands) == "FORCE"


@pytest.mark.plain
def test_forcing_into_nine_in_a_row() -> None:
    """With two cards in hand it could still lay a pair and one more; with one it cannot."""
    hands = [["KH", "KS"], OTHERS]
    assert forcing("cq-greedy", "QS", [EIGHT], hands) == "LET_PASS"
    assert forcing("cq-force", "QS", [EIGHT], hands) == "FORCE"
    assert forcing("force-always", "QS", [EIGHT], hands) == "FORCE"


# ---- looking ahead ------------------------------------------------------------------------


@pytest.mark.plain
def test_lookahead_wins_where_it_can() -> None:
    given = ("JS", "", *(" ".join(meld) for meld in TEN))
    assert offered("cq-lookahead", *given)[0] == " ".join(EIGHT)
    hands = [["KH", "KS"], OTHERS]
    assert forcing("cq-lookahead", "QS", [EIGHT], hands) == "FORCE"


@pytest.mark.plain
def test_lookahead_declines_what_leaves_it_no_way_out() -> None:
    """Eight down, and a pair of kings: either of the other two wins, but not with nine in a row."""
    answers = both("cq-lookahead(samples=8)", "QS", "KH KD", " ".join(EIGHT))
    assert answers == ([" ".join([*EIGHT, "QS"])], "declined")


@pytest.mark.plain
def test_lookahead_throws_the_card_that_is_not_needed() -> None:
    """The pair of kings is all that can win; `cq-greedy` counts partners and throws one."""
    given = {"hands": [["KH", "KD", "2C"], OTHERS], "tables": [[EIGHT], []]}
    given["stock"] = "KS KC QH QD 2D 3D 5D 6D 3C 4C".split()
    thrown = {
        name: actions(name, given, phase=DISCARDING)[0]["card"]
        for name in ("cq-greedy", "cq-lookahead(samples=8)")
    }
    assert thrown == {"cq-greedy": "KH", "cq-lookahead(samples=8)": "2C"}


# ---- whole hands --------------------------------------------------------------------------

PAGES = ("cq-plain", "cq-select", "cq-force", "cq-cap8", "force-always", "cq-lookahead(samples=1)")
RULES = ({}, {"CQ_REARRANGE": "none", "CQ_HAND_CARDS": "any", "CQ_FORCE_SCOPE": "any"})


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("key", ["conquian", "conquian_jaques"])
@pytest.mark.parametrize("count", sizes(plain=1, ordinary=150))
def test_they_play_whole_hands(key: str, rules: dict, count: int) -> None:
    """Each against `cq-select`, which leaves cards to force, and itself against `random`."""
    seatings = [(page, "cq-select") for page in PAGES] + [("random", page) for page in PAGES]
    hands = play(Plan(key, tuple(seatings), 4, {"CQ_FORCING": "on", **rules}), 0, count)
    assert numba.config.DISABLE_JIT or (hands.winner >= 0).mean() > 0.2


@pytest.mark.plain
def test_they_are_in_the_catalogue() -> None:
    for key in ("conquian", "conquian_jaques"):
        assert {page.name for page in strategies(key)} >= {spec.partition("(")[0] for spec in PAGES}
