"""The slow referee of Double Rum, question by question: the search, joker moves, strategies."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import pytest

from tests.referee.cards import JOKER, PACKS, value
from tests.referee.double_rum_cases import at_table
from tests.referee.double_rum_hand import DoubleRumHand
from tests.referee.double_rum_play import discard_answers, greedy, hold, table_answers
from tests.referee.joker_melds import MeldRules, dead, kind, kinds_of_cards, melds, melds_where
from tests.referee.tokens2 import Illegal, all_switches

Log = dict[str, Any]


# deadwood and the search


def least_deadwood_by_trying_all(cards: list[str], rules: MeldRules) -> int:
    """Every subset of the cards as a meld, over and over."""
    valid = [
        set(places)
        for size in range(3, len(cards) + 1)
        for places in combinations(range(len(cards)), size)
        if kinds_of_cards([cards[place] for place in places], rules)
    ]

    def least(free: set[int]) -> int:
        loose = sum(value(cards[place], rules.game) for place in free)
        return min([loose, *(least(free - meld) for meld in valid if meld <= free)])

    return least(set(range(len(cards))))


@pytest.mark.parametrize("game", ["double_rum", "konkan"])
@pytest.mark.parametrize("both_aces", [True, False])
def test_deadwood_equals_trying_all(game: str, both_aces: bool) -> None:
    rng = Random(f"{game} {both_aces}")
    near = [card for card in PACKS[game] if card == JOKER or card[0] in "A23QK" and card[1] in "SH"]
    melded = 0
    for _ in range(25):
        rules = MeldRules(game, both_aces, rng.choice([1, 2]))
        hand = rng.sample(near, 7)
        found = melds(hand, rules)
        assert found == melds_where(hand, rules, 0, lambda laid, kept: True)
        assert all(kind(meld, rules) for meld in found)
        least = least_deadwood_by_trying_all(hand, rules)
        assert dead(hand, rules) == least
        left = Counter(hand)
        left.subtract(JOKER if token[0] == JOKER else token for meld in found for token in meld)
        assert min(left.values()) >= 0
        assert sum(value(card, game) for card in left.elements()) == least
        melded += bool(found)
    assert melded > 10


@pytest.mark.parametrize(
    ("hand", "found"),
    [
        # runs before sets, longest first; the highest start of equal length
        ("5S 6S 7S 5H 5D", "5S 6S 7S"),
        ("4S 5S 6S 7S KD", "4S 5S 6S 7S"),
        # 2S begins the search: its set would leave 3S and 4S, dearer than 2H and 2D
        ("2S 3S 4S 2H 2D", "2S 3S 4S"),
        # a joker costs 15: it goes where it is found first, at the high end of the run
        ("5S 6S 9H *", "5S 6S *=7S"),
        # twins: the set takes both
        ("9S 9S 9H KD", "9S 9S 9H"),
        # with an ace at its high place
        ("QD KD AD AH", "QD KD AD"),
    ],
)
def test_melds_found(hand: str, found: str) -> None:
    rules = MeldRules("double_rum", True, 2)
    assert melds(hand.split(), rules) == (tuple(found.split()),)


# single actions


def table_state(hand: str, melds: str, taken: str | None = None, **switches: Any) -> DoubleRumHand:
    tables = [meld.split() for meld in melds.split("/") if meld]
    return at_table(hand.split(), taken, tables, 1, all_switches("double_rum", switches))


@pytest.mark.parametrize(
    ("meld", "card", "replacing", "foster"),
    [
        ("6S 7S 8S *=9S", "9S", "*x=5S 6S 7S 8S 9S", "*x=5S 6S 7S 8S 9S"),
        ("6S 7S 8S *=9S", "4S", None, "4S *x=5S 6S 7S 8S"),
        ("6S 7S 8S *=9S", "5S", None, None),
        ("*=6S 7S 8S 9S", "JS", None, "7S 8S 9S *x=TS JS"),
        ("*x=6S 7S 8S 9S", "JS", None, None),
        ("*=6S 7S *=8S", "6S", "6S 7S *=8S *x=9S", "6S 7S *=8S *x=9S"),
        ("*=6S 7S *=8S", "TS", None, "7S *=8S *x=9S TS"),
        ("2D 3D *=4D", "4D", "*x=AD 2D 3D 4D", "*x=AD 2D 3D 4D"),
        ("2D 3D *=4D", "AD", None, None),
        ("JD QD KD *=AD", "9D", None, "9D *x=TD JD QD KD"),
        # the ace could replace the joker above or slide it below: replacing comes first
        (
            "3S 4S 5S 6S 7S 8S 9S TS JS QS KS *=AS",
            "AS",
            "*x=2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
            "*x=2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
        ),
    ],
)
def test_joker_moves(meld: str, card: str, replacing: str | None, foster: str | None) -> None:
    for mode, result in (("replace_only", replacing), ("foster", foster)):
        state = table_state(f"{card} KH KC", meld, JOKER_MOVE_MODE=mode)
        after = state.after({"a": "JOKER_MOVE", "card": card, "meld": 0})
        assert (after and list(after.table[0][1])) == (result and result.split())


def test_both_aces_forbidden_stops_a_move() -> None:
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS *=AS"
    move = {"a": "JOKER_MOVE", "card": "AS", "meld": 0}
    assert table_state("AS KH KC", run).after(move) is not None
    assert table_state("AS KH KC", run, RUN_BOTH_ACES="forbidden").after(move) is None


def test_an_ace_that_fits_both_ends() -> None:
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    for end, place in ((None, 0), ("low", 0), ("high", 12)):
        state = table_state("AS KH", run)
        state.act({"a": "LAYOFF", "card": "AS", "meld": 0} | ({"end": end} if end else {}))
        assert state.table[0][1][place] == "AS" and len(state.table[0][1]) == 13


def test_only_the_taken_card_left() -> None:
    lay = {"a": "LAYOFF", "card": "8S", "meld": 0}
    state = table_state("8S KD", "5S 6S 7S", "KD")
    state.act(lay)
    assert discard_answers(state) == [{"a": "HOLD"}]
    assert table_state("8S KD", "5S 6S 7S", "KD", ONLY_TAKEN_LEFT="illegal").after(lay) is None
    fits = table_state("8S KD", "5S 6S 7S/TD JD QD", "KD", ONLY_TAKEN_LEFT="illegal")
    assert fits.after(lay) is not None
    twin = table_state("8S KD KD", "5S 6S 7S", "KD", ONLY_TAKEN_LEFT="illegal")
    assert twin.after(lay) is not None
    face = {"ONLY_TAKEN_LEFT": "illegal", "TAKEN_CARD_MATCH": "face"}
    assert table_state("8S KD KD", "5S 6S 7S", "KD", **face).after(lay) is None


def test_return_is_banned_once_the_stock_is_gone() -> None:
    state = table_state("KD 4S", "", "KD", RETURN_TAKEN_DISCARD="allowed")
    assert state.throwable() == ["4S", "KD"]
    state.stock = []
    assert state.throwable() == ["4S"]


def test_going_out_by_discard_forbidden() -> None:
    state = table_state("KD", "", GO_OUT_BY_DISCARD="forbidden")
    with pytest.raises(Illegal):
        state.act({"a": "DISCARD", "card": "KD"})
    state.act({"a": "HOLD"})
    assert state.turn == 1 and state.hands[0] == ["KD"]


def test_idle_turns_after_the_stock_is_gone() -> None:
    switches = all_switches("double_rum", {"DBR_BLOCK_ROUNDS": 1})
    hands = [["KD", "4S", "9C"], ["2H", "3D", "JC"]]
    state = DoubleRumHand(switches, hands, ["5H"], ["8D"])
    state.start_turn(0)
    state.act({"a": "DRAW_STOCK"})
    state.act({"a": "DISCARD", "card": "KD"})
    assert state.idle == 0
    for card, seat in (("2H", 1), ("4S", 0)):
        assert state.seat_to_act == seat and state.sources() == ["DRAW_DISCARD"]
        state.act({"a": "DRAW_DISCARD"})
        state.act({"a": "DISCARD", "card": card})
    assert state.ended and state.ending == "pool" and state.turns == 3


# strategies, by hand


def drawing(hand: str, top: str, melds: str = "", quiet: int = 0) -> DoubleRumHand:
    state = table_state(hand, melds)
    state.start_turn(0)
    state.pile, state.quiet = [top], quiet
    return state


@pytest.mark.parametrize(
    ("player", "hand", "top", "melds", "quiet", "answer"),
    [
        (greedy, "5S 6S KD QH", "7S", "", 0, "DRAW_DISCARD"),  # makes a meld
        (greedy, "5S 6S KD QH", "2C", "", 0, "DRAW_DISCARD"),  # 2C for KD leaves less
        (greedy, "5S 6S 8D 3H", "KC", "", 0, "DRAW_STOCK"),
        (greedy, "5S 6S 8D 3H", "KC", "KS KH KD", 0, "DRAW_DISCARD"),  # fits on the table
        (hold, "5S 6S 8D 3H", "KC", "KS KH KD", 0, "DRAW_STOCK"),  # and does not end the hand
        (hold, "9C", "KC", "KS KH KD", 0, "DRAW_DISCARD"),  # lays KC and throws 9C
        (greedy, "5S 6S KD QH", "*", "", 0, "DRAW_DISCARD"),
        # stalled: 2C for KD is no better than throwing KD as it is; 9C for nothing neither
        (greedy, "5S 6S KD QH", "2C", "", 8, "DRAW_STOCK"),
        (greedy, "5S 6S KD QH", "2C", "", 7, "DRAW_DISCARD"),
        (greedy, "5S 6S KD QH", "2C", "", 16, "DRAW_DISCARD"),
        (greedy, "5S 6S KD QH", "7S", "", 8, "DRAW_DISCARD"),
        (hold, "5S 6S KD QH", "2C", "", 8, "DRAW_DISCARD"),
        (hold, "5S 6S KD QH", "2C", "", 24, "DRAW_STOCK"),
    ],
)
def test_draws(player: Callable[[DoubleRumHand], Log], hand: str, top: str, melds: str,
               quiet: int, answer: str) -> None:  # fmt: skip
    assert player(drawing(hand, top, melds, quiet)) == {"a": answer}


def turn_of(player: Callable[[DoubleRumHand], Log], state: DoubleRumHand) -> list[str]:
    """The rest of the turn in short words."""
    told: list[str] = []
    while not state.ended and state.phase == "TABLE" and state.turn == 0:
        action = player(state)
        words = action.get("cards") or [action.get("card", "")]
        told.append(" ".join([action["a"], *words]).strip())
        state.act(action)
    return told


@pytest.mark.parametrize(
    ("player", "hand", "melds", "told"),
    [
        # runs before sets, dearest first, one at a time
        (
            greedy,
            "4H 8S 9S KC 2D 3D",
            "5S 6S 7S/KS KH KD/5H 6H 7H",
            ["LAYOFF 8S", "LAYOFF 9S", "LAYOFF 4H", "LAYOFF KC", "DISCARD 3D"],
        ),
        # a joker move comes before sets; then 7D goes on beyond the moved joker
        (
            greedy,
            "QC JD 7D QH 2S",
            "9D TD *=JD/QS QD QS",
            ["JOKER_MOVE JD", "LAYOFF 7D", "LAYOFF QH", "LAYOFF QC", "DISCARD 2S"],
        ),
        # the joker goes where 8S can follow
        (
            greedy,
            "* 8S 2D KC",
            "9H TH JH/4S 5S 6S",
            ["LAYOFF *=7S", "LAYOFF 8S", "DISCARD KC"],
        ),
        # nothing can follow: lowest meld, high end
        (greedy, "* 2D KC", "9H TH JH/4S 5S 6S", ["LAYOFF *=QH", "DISCARD KC"]),
        (hold, "* 2D KC", "9H TH JH/4S 5S 6S", ["DISCARD KC"]),
        (hold, "* 2D", "9H TH JH/4S 5S 6S", ["LAYOFF *=QH", "DISCARD 2D"]),
        (hold, "5S 5H 5D 8C 2D", "", ["DISCARD 8C"]),
        (hold, "5S 5H 5D 8C", "", ["MELD 5S 5H 5D", "DISCARD 8C"]),
    ],
)
def test_turns(player: Callable[[DoubleRumHand], Log], hand: str, melds: str,
               told: list[str]) -> None:  # fmt: skip
    assert turn_of(player, table_state(hand, melds)) == told


def test_stalled_players_throw_low_cards() -> None:
    state = table_state("KD 7S AC 3H 3D", "")
    assert greedy(state)["card"] == "AC"  # eleven: the dearest
    state.quiet = 8
    assert greedy(state)["card"] == "3D"
    laid = table_state("8S KD 3H 3D", "5S 6S 7S")
    laid.quiet = 8
    assert turn_of(greedy, laid) == ["LAYOFF 8S", "DISCARD KD"]  # no longer stalled
    held = table_state("2S 3S 4S KD 7H 9C", "")
    held.quiet = 24
    assert hold(held)["card"] == "7H"  # the melded cards stay


def test_answers_of_random() -> None:
    state = table_state("7H * 2C", "5S 6S 7S")
    told = {(a["a"], a.get("card"), " ".join(a.get("cards", []))) for a in table_answers(state)}
    assert told == {("LAYOFF", "*=8S", ""), ("LAYOFF", "*=4S", "")}
    state = table_state("7H 8H * 2C", "")
    told = {(a["a"], a.get("card"), " ".join(a.get("cards", []))) for a in table_answers(state)}
    assert told == {("MELD", None, "7H 8H *=9H"), ("MELD", None, "*=6H 7H 8H")}
