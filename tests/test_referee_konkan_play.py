"""The slow referee of KonKan, question by question: coming down, burning, jokers, strategies."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.referee import konkan_cases
from tests.referee.joker_melds import MeldRules, melds_where
from tests.referee.konkan_cases import at_table
from tests.referee.konkan_hand import KonkanHand, points
from tests.referee.konkan_play import announce_answers, kk_greedy, table_answers
from tests.referee.tokens2 import Illegal, all_switches

Log = dict[str, Any]


def table_state(hand: str, melds: str = "", down: bool = True, taken: str | None = None,
                **switches: Any) -> KonkanHand:  # fmt: skip
    tables = [meld.split() for meld in melds.split("/") if meld]
    return at_table(hand.split(), taken, tables, down, all_switches("konkan", switches))


def drawing(hand: str, top: str, melds: str = "", down: bool = True, **switches: Any) -> KonkanHand:
    state = table_state(hand, melds, down, **switches)
    state.start_turn(0)
    state.pile = ["2D", top]
    return state


def lay(card: str, **more: Any) -> Log:
    return {"a": "LAYOFF", "card": card, "meld": 0} | more


def swap(card: str, meld: int = 0) -> Log:
    return {"a": "JOKER_SWAP", "card": card, "meld": meld}


# burning and exchanging


@pytest.mark.parametrize("position", ["under", "top"])
def test_a_set_of_four_laid_later_burns(position: str) -> None:
    state = table_state("7S 7H 7D 7C KD", "", KK_BURN_POSITION=position)
    state.pile = ["9H"]
    state.act({"a": "MELD", "cards": ["7S", "7H", "7D", "7C"]})
    assert state.table == [] and state.down[0]
    assert state.pile[0 if position == "top" else -1] == "9H" and len(state.pile) == 5
    state.act({"a": "DISCARD", "card": "KD"})
    assert state.ended and state.winner == 0


def test_a_joker_burns_only_where_it_counts() -> None:
    full = "9H 9D 9S"
    state = table_state("* KD", full)
    state.act(lay("*=9C"))
    assert state.table[0][1] == ("9H", "9D", "9S", "*=9C")
    burning = table_state("* KD", full, KK_BURN_WITH_JOKER="joker_counts")
    burning.act(lay("*=9C"))
    assert burning.table == [] and sorted(burning.pile) == ["*", "9D", "9H", "9S"]


def test_melds_after_a_burned_one_move_up() -> None:
    state = table_state("7C 9S KD", "7S 7H 7D/6S 7S 8S")
    state.act(lay("7C"))
    state.act(lay("9S"))
    assert state.table == [(1, ("6S", "7S", "8S", "9S"))]


def test_an_exchange_that_burns() -> None:
    state = table_state("9C KD", "9H 9D 9S *=9C")
    state.act(swap("9C"))
    assert state.table == [] and sorted(state.hand) == ["*", "KD"] and state.marked[0] == 1


def test_two_jokers_in_a_set() -> None:
    pair = "9H *=9S *=9C"
    assert table_state("9D KD", pair).after(swap("9D")) is None
    state = table_state("9C KD", pair)
    state.act(swap("9C"))
    assert state.table[0][1] == ("9H", "*=9S", "9C")


@pytest.mark.parametrize(
    ("pair", "action", "result"),
    [
        ("9H 9D *=9S", swap("9C"), "9H 9D 9C"),
        ("9H 9D *=9S", swap("9S"), "9H 9D 9S"),
        ("9H 9D *=9S", swap("9H"), None),
        ("9H 9D *=9S", lay("9S"), "9H 9D *=9C 9S"),
        ("9H 9D *=9S", lay("9C"), "9H 9D *=9S 9C"),
        ("9H *=9D *=9C", swap("9S"), "9H 9S *=9C"),
        ("9H *=9D *=9C", swap("9C"), "9H *=9D 9C"),
        ("9H *=9D *=9C", lay("9D"), "9H *=9S *=9C 9D"),
        ("9H 9D 9S *=9C", lay("9C"), None),
        ("8S *=9S TS", swap("9C"), None),
    ],
)
def test_any_missing_suit_frees_a_joker(pair: str, action: Log, result: str | None) -> None:
    state = table_state(f"{action['card']} KD", pair, KK_SET_JOKER_SUIT="any_missing")
    after = state.after(action)
    assert (after and after.table[0][1]) == (result and tuple(result.split()))


def test_declared_suits_hold_their_place() -> None:
    assert table_state("9S KD", "9H 9D *=9S").after(lay("9S")) is None
    assert table_state("9C KD", "9H 9D *=9S").after(swap("9C")) is None
    assert table_state("9S KD", "9H 9D *=9S").after(swap("9S")) is not None


def test_no_exchange_in_the_turn_of_coming_down() -> None:
    hand, pairs = "QS KS AS 7H 7D 7S 9S 2C", [["QS", "KS", "AS"], ["7H", "7D", "7S"]]
    for value, allowed in (("yes", True), ("no", False)):
        state = table_state(hand, "8S *=9S TS", False, KK_SWAP_SAME_TURN=value)
        state.act({"a": "COME_DOWN", "melds": pairs})
        assert (state.after(swap("9S")) is not None) == allowed
        state.down_before = True
        assert state.after(swap("9S")) is not None


def test_one_joker_a_pair() -> None:
    assert table_state("* KD", "8S *=9S TS").after(lay("*=JS")) is not None
    assert table_state("* KD", "8S *=9S TS", KK_JOKERS_PER_PAIR=1).after(lay("*=JS")) is None


# coming down


def test_thresholds() -> None:
    pairs = [["QS", "KS", "AS"], ["7H", "7D", "7S"]]
    down = {"a": "COME_DOWN", "melds": pairs}
    state = table_state("QS KS AS 7H 7D 7S 2C", "", False, KK_OPEN_RULE="beat_previous")
    assert state.after(down) is not None
    state.highest_opening = 51
    with pytest.raises(Illegal, match="51 points, 52 needed"):
        state.act(down)
    state.rules = all_switches("konkan", {})
    state.act(down)
    assert state.highest_opening == 51


def test_the_pairs_must_leave_a_card_to_throw() -> None:
    pairs = [["QS", "KS", "AS"], ["7H", "7D", "7S"]]
    down = {"a": "COME_DOWN", "melds": pairs}
    assert table_state("QS KS AS 7H 7D 7S", "", False).after(down) is None
    assert table_state("QS KS AS 7H 7D 7S 2C", "", False, "2C").after(down) is None
    assert table_state("QS KS AS 7H 7D 7S 2C", "", False, "7S").after(down) is not None
    twins = "QS KS AS 7H 7D 7S 2C 2C"
    assert table_state(twins, "", False, "2C").after(down) is not None
    face: dict[str, Any] = {"TAKEN_CARD_MATCH": "face"}
    assert table_state(twins, "", False, "2C", **face).after(down) is None


def test_a_face_alone_is_not_picked_up() -> None:
    assert drawing("KD", "KD").sources() == ["DRAW_STOCK", "DRAW_DISCARD"]
    assert drawing("KD", "KD", TAKEN_CARD_MATCH="face").sources() == ["DRAW_STOCK"]
    returning: dict[str, Any] = {"TAKEN_CARD_MATCH": "face", "RETURN_TAKEN_DISCARD": "allowed"}
    assert drawing("KD", "KD", **returning).sources() == ["DRAW_STOCK", "DRAW_DISCARD"]


def test_the_dealer_may_come_down_where_agreed() -> None:
    pairs = [["QS", "KS", "AS"], ["7H", "7D", "7S"]]
    for value in ("no", "yes"):
        state = table_state("QS KS AS 7H 7D 7S 2C 7C", "", False, KK_DEALER_COMEDOWN=value)
        state.phase = "OPENING"
        assert state.after(lay("7C")) is None
        after = state.after({"a": "COME_DOWN", "melds": pairs})
        assert (after is not None) == (value == "yes")
        assert kk_greedy(state)["a"] == ("COME_DOWN" if value == "yes" else "DISCARD")


# announcing and scoring


def test_marks_of_jokers() -> None:
    state = table_state("* * KD 2C", "5S 6S 7S")
    assert announce_answers(state) == [0, 1, 2]
    state.act({"a": "ANNOUNCE", "n": 1})
    assert announce_answers(state) == [0, 1]
    state.act(lay("*=8S"))  # the joker not announced goes first
    assert state.marked[0] == 1 and announce_answers(state) == [0]
    state.act({"a": "DISCARD", "card": "*"})
    assert state.marked[0] == 0  # a mark leaves with its joker


def test_announcement_windows() -> None:
    state = table_state("* KD 2C", "", KK_ANNOUNCE_WINDOW="comedown_turn")
    assert announce_answers(state) == [0]
    state.down_before = False
    assert announce_answers(state) == [0, 1]


def test_void_hands_and_flat_charges() -> None:
    hands = [["*", "KD"], ["*", "AS"], ["5C"]]
    down, marked = [True, True, False], [0, 1, 0]

    def scored(winner: int | None, **switches: Any) -> list[int]:
        return points(hands, winner, marked, down, all_switches("konkan", switches))

    assert scored(None) == [0, 0, 0]
    assert scored(None, VOID_HAND_SCORING="all_count") == [35, 12, 5]
    assert scored(0, KK_WINNER_BONUS=60) == [-60, 12, 5]
    assert scored(0, KK_NOT_DOWN_PENALTY=100) == [-30, 12, 100]


# the stock


def emptied(**switches: Any) -> KonkanHand:
    """Seat 0 has just drawn the last stock card; seat 1 is not down."""
    state = table_state("KD 2C 3H", **switches)
    state.down[1], state.stock, state.pile = False, [], []
    return state


def test_void_without_a_source() -> None:
    state = emptied(KK_RESHUFFLE_KEEP_TOP="yes")
    state.act({"a": "DISCARD", "card": "KD"})
    assert (state.ended, state.ending, state.turns, state.turn) == (True, "void", 1, 0)
    state = emptied(KK_RESHUFFLE_KEEP_TOP="yes", MAX_TURNS=1)
    state.act({"a": "DISCARD", "card": "KD"})
    assert state.ending == "void"  # before the limit of turns
    state = emptied(MAX_TURNS=1)
    state.act({"a": "DISCARD", "card": "KD"})
    assert state.ending == "max_turns"


def test_recycling_on_demand_and_at_turn_start() -> None:
    state = emptied()
    state.pile = ["9S"]
    state.act({"a": "DISCARD", "card": "KD"})
    assert state.pile == ["9S", "KD"] and state.sources() == ["DRAW_STOCK"]
    with pytest.raises(Illegal, match="R-KON-20"):
        state.act({"a": "DRAW_STOCK", "card": "KD"})
    state.act({"a": "DRAW_STOCK", "card": "KD", "recycled": ["KD", "9S"]})
    assert state.stock == ["9S"] and state.pile == [] and "KD" in state.hands[1]
    state = emptied(RESHUFFLE_TIMING="at_turn_start")
    state.down[1] = True
    state.act({"a": "DISCARD", "card": "KD"})
    assert state.pile == [] and state.sources() == ["DRAW_STOCK"]
    state = emptied(RESHUFFLE_TIMING="at_turn_start", KK_RESHUFFLE_KEEP_TOP="yes")
    state.down[1], state.pile = True, ["9S"]
    state.act({"a": "DISCARD", "card": "KD"})
    assert state.stock == ["9S"] and state.sources() == ["DRAW_STOCK", "DRAW_DISCARD"]
    assert state.after({"a": "DRAW_DISCARD", "card": "KD"}) is None
    state.act({"a": "DRAW_DISCARD", "card": "KD", "recycled": ["9S"]})
    assert state.stock == ["9S"]


# strategies, by hand


@pytest.mark.parametrize(
    ("hand", "worth", "found"),
    [
        ("AH AD AS 2H 3H TC JC QC 4S", 51, "AS AH AD/TC JC QC"),
        # the run of 5-6-7 alone leaves less deadwood, but it is not worth 51
        ("8S 8H 8D * KS KH KD 2C", 51, "8S 8H 8D *=8C/KS KH KD"),
        ("QS KS * 7H 7D 7S 2C", 51, "7S 7H 7D/QS KS *=AS"),
        ("QS KS 2C 3C 4C 5C 6C", 51, None),
        ("5S 6S 7S KD", 0, "5S 6S 7S"),
        ("5S 6S 7S", 0, ""),  # one card must stay to be thrown
        ("5S 6S 7S 8S", 0, "6S 7S 8S"),
    ],
)
def test_melds_with_a_condition(hand: str, worth: int, found: str | None) -> None:
    def condition(laid: Any, kept: list[str]) -> bool:
        return bool(kept)

    expected = None if found is None else tuple(
        tuple(meld.split()) for meld in found.split("/") if meld
    )  # fmt: skip
    rules = MeldRules("konkan", True, 2)
    assert melds_where(hand.split(), rules, worth, condition) == expected


@pytest.mark.parametrize(
    ("hand", "top", "melds", "down", "answer"),
    [
        ("QS KS 7H 7D 7S 2C 4C", "AS", "", False, "DRAW_DISCARD"),
        ("QS KS 2C 3C 4C 7H", "AS", "", False, "DRAW_STOCK"),
        ("5S 6S KD QH", "2C", "", True, "DRAW_DISCARD"),
        ("5S 6S 8D 3H", "KC", "", True, "DRAW_STOCK"),
        ("5S 6S 8D 3H", "KC", "KS KH KD", True, "DRAW_DISCARD"),
        ("5S 6S 8D 3H", "KC", "QC *=KC AC", True, "DRAW_DISCARD"),
        ("5S 6S 8D 3H", "*", "", True, "DRAW_DISCARD"),
    ],
)
def test_draws(hand: str, top: str, melds: str, down: bool, answer: str) -> None:
    assert kk_greedy(drawing(hand, top, melds, down)) == {"a": answer}


def turn_of(player: Callable[[KonkanHand], Log], state: KonkanHand) -> list[str]:
    """The rest of the turn in short words."""
    told: list[str] = []
    while not state.ended and state.phase == "TABLE" and state.turn == 0:
        action = player(state)
        pairs = [" ".join(pair) for pair in action.get("melds", [])]
        words = [" ".join(action.get("cards", [])), action.get("card", ""), " / ".join(pairs)]
        told.append(" ".join([action["a"], *filter(None, words)]))
        state.act(action)
    return told


@pytest.mark.parametrize(
    ("hand", "melds", "down", "told"),
    [
        # comes down, frees the joker, lays it with the queens, hits, throws the last card
        (
            "QS KS AS 7H 7D 7S 4D QH QD JD 3C",
            "2D 3D *=4D/8C 9C TC",
            False,
            [
                "COME_DOWN QS KS AS / 7S 7H 7D",
                "JOKER_SWAP 4D",
                "MELD QH QD *=QS",
                "DISCARD JD",
            ],
        ),
        # runs before sets, dearest first, one card kept
        (
            "8C KC KS",
            "9C TC JC/KH KD *=KC",
            True,
            ["JOKER_SWAP KC", "LAYOFF 8C", "LAYOFF KS", "DISCARD *"],
        ),
        # all three would meld, one must stay: nothing is laid, the dearest goes
        ("5S 6S 7S", "", True, ["DISCARD 7S"]),
        # plain cards first; the joker goes where the queen can follow, or on the lowest pair
        ("* JC 2D", "3S 4S 5S/8C 9C *=TC", True, ["LAYOFF JC", "LAYOFF *=6S", "DISCARD 2D"]),
        ("* QC 2D", "3S 4S 5S/8C 9C *=TC", True, ["LAYOFF *=JC", "LAYOFF QC", "DISCARD 2D"]),
        # in a set the first missing suit; lowest pair first
        ("* 2D", "9D 9C 9H/3S 4S 5S", True, ["LAYOFF *=9S", "DISCARD 2D"]),
        ("* 2D", "3S 4S 5S/9D 9C 9H", True, ["LAYOFF *=6S", "DISCARD 2D"]),
        # below the needed points nothing goes down
        ("QS KS AS 7H 7D 2S", "", False, ["DISCARD 7H"]),
    ],
)
def test_turns(hand: str, melds: str, down: bool, told: list[str]) -> None:
    assert turn_of(kk_greedy, table_state(hand, melds, down)) == told


def test_kk_greedy_is_never_stalled() -> None:
    state = table_state("KD 7S AC 3H 3D", "")
    state.quiet = 8
    assert kk_greedy(state) == {"a": "DISCARD", "card": "KD"}


def test_answers_of_random() -> None:
    state = table_state("9S 9H * 2C KD", "9D *=TD JD/5C 6C 7C")
    told = sorted(
        " ".join([action["a"], action.get("card", ""), *action.get("cards", [])])
        for action in table_answers(state)
    )
    assert told == [
        "LAYOFF *=4C",
        "LAYOFF *=8C",
        "LAYOFF *=8D",
        "LAYOFF *=QD",
        "MELD  9S 9H *=9D",
    ]
    assert table_answers(table_state("KS KH KD 2C", "", False)) == []


def test_going_out_uses_freed_jokers_and_any_suit() -> None:
    def modes(**given: Any) -> list[str]:
        case = {"game": "konkan", "kind": "go_out", "given": given}
        return list(konkan_cases.answer(case)["modes"])

    table = [["4D", "5D", "*=6D"]]
    assert modes(hand=["6D", "8S", "9S", "2C"], taken=None, table=table, down=True) == ["discard"]
    assert modes(hand=["6H", "8S", "9S", "2C"], taken=None, table=table, down=True) == []
    # the joker must stand for clubs, so that it is freed by 7C and the set burns
    hand = "QS KS AS QH KH AH 7S 7H 7D * 7C TD".split()
    assert modes(hand=hand, taken=None, table=[], down=False) == ["discard"]
