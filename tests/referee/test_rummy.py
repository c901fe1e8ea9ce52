"""Legality, endings, points and matches of the `jaques` family, switch by switch."""

import copy

import pytest

from tests.referee import rummy, scoring
from tests.referee.answers import answer
from tests.referee.frame import Illegal
from tests.referee.melds import meld_rules
from tests.referee.rummy import Meld, State


def _settled(game: str, **switches: object) -> dict:
    return rummy.settled({"game": game, "switches": switches})


def _state(game: str, hand: str, table: str = "", taken: str | None = None, **switches: object):
    """Seat 0 in the TABLE phase; melds of the table are `owner: cards`, split by bars."""
    settled = _settled(game, **switches)
    melds = [meld.split(":") for meld in table.split("|") if meld]
    others = [["KC"]] * (3 if game == "partnership" else 1)
    return State(
        game=game,
        switches=settled,
        rules=meld_rules(game, settled),
        hands=[hand.split(), *others],
        stock=["9D"],
        pile=["3D"],
        turn=0,
        table=[Meld(int(owner), tuple(cards.split())) for owner, cards in melds],
        phase="TABLE",
        taken=taken,
        taken_held=taken is not None,
    )


def _meld(cards: str) -> dict:
    return {"a": "MELD", "cards": cards.split()}


def _layoff(card: str, meld: int = 0, **more: str) -> dict:
    return {"a": "LAYOFF", "card": card, "meld": meld, **more}


LEFT = {"ONLY_TAKEN_LEFT": "illegal"}


@pytest.mark.parametrize(
    ("state", "action", "rule"),
    [
        # ONLY_TAKEN_LEFT
        (_state("jaques", "5H 6H 7H KD", taken="KD"), _meld("5H 6H 7H"), None),
        (_state("jaques", "5H 6H 7H KD", taken="KD", **LEFT), _meld("5H 6H 7H"), "R-JAQ-32"),
        (_state("jaques", "5H 6H 7H KD", taken="7H", **LEFT), _meld("5H 6H 7H"), None),
        (_state("jaques", "5H 6H 7H KD QD", taken="KD", **LEFT), _meld("5H 6H 7H"), None),
        (
            _state("jaques", "5H 6H 7H KD", "1:KS KH KC", taken="KD", **LEFT),
            _meld("5H 6H 7H"),
            None,
        ),
        (_state("jaques", "5H 6H 7H 8H", taken="8H", **LEFT), _meld("5H 6H 7H"), None),
        (
            _state("jaques", "8H KD", "1:5H 6H 7H", taken="KD", **LEFT),
            _layoff("8H"),
            "R-JAQ-32",
        ),
        (
            _state("jaques", "5H 6H 7H 8H", taken="8H", LAYOFF_SCOPE="own", **LEFT),
            _meld("5H 6H 7H"),
            None,
        ),
        (
            _state("jaques", "5H 6H 7H KD", "1:KS KH KC", "KD", LAYOFF_SCOPE="own", **LEFT),
            _meld("5H 6H 7H"),
            "R-JAQ-32",
        ),
        (_state("two_deck", "5H 6H 7H 8C 8C", taken="8C", **LEFT), _meld("5H 6H 7H"), None),
        (
            _state("two_deck", "5H 6H 7H 8C 8C", "", "8C", TAKEN_CARD_MATCH="face", **LEFT),
            _meld("5H 6H 7H"),
            "R-JAQ-32",
        ),
        (_state("jaques", "5H 6H 7H KD", GO_OUT_BY_DISCARD="forbidden"), _meld("5H 6H 7H"), None),
        (_state("wild_card", "5H 6H 7H 2D", taken="2D", **LEFT), _meld("5H 6H 7H"), None),
        # the discard and the hold
        (_state("jaques", "KD", taken="KD"), {"a": "DISCARD", "card": "KD"}, "R-JAQ-16"),
        (_state("jaques", "KD", taken="KD"), {"a": "HOLD"}, None),
        (_state("jaques", "KD 2C", taken="KD"), {"a": "HOLD"}, "R-COM-08"),
        (_state("jaques", "KD"), {"a": "DISCARD", "card": "KD"}, None),
        (
            _state("jaques", "KD", GO_OUT_BY_DISCARD="forbidden"),
            {"a": "DISCARD", "card": "KD"},
            "R-COM-08",
        ),
        (_state("jaques", "KD", GO_OUT_BY_DISCARD="forbidden"), {"a": "HOLD"}, None),
        (_state("two_deck", "8C 8C", taken="8C"), {"a": "DISCARD", "card": "8C"}, None),
        (
            _state("two_deck", "8C 8C", taken="8C", TAKEN_CARD_MATCH="face"),
            {"a": "DISCARD", "card": "8C"},
            "R-JAQ-16",
        ),
        (_state("two_deck", "8C 8C", taken="8C", TAKEN_CARD_MATCH="face"), {"a": "HOLD"}, None),
        # laying off
        (_state("jaques", "8H KD", "1:5H 6H 7H"), _layoff("8H"), None),
        (_state("jaques", "8H KD", "1:5H 6H 7H"), _layoff("8H", end="high"), None),
        (_state("jaques", "8H KD", "1:5H 6H 7H"), _layoff("8H", end="low"), "R-JAQ-28"),
        (_state("jaques", "8H KD", "1:5H 6H 7H"), _layoff("8H", meld=1), "R-JAQ-14"),
        (_state("jaques", "9H KD", "1:5H 6H 7H"), _layoff("9H"), "R-JAQ-28"),
        (
            _state("jaques", "8H KD", "1:5H 6H 7H", LAYOFF_NEEDS_OWN_MELD="yes"),
            _layoff("8H"),
            "R-JAQ-14",
        ),
        (
            _state("jaques", "8H KD", "1:5H 6H 7H|0:KS KH KC", LAYOFF_NEEDS_OWN_MELD="yes"),
            _layoff("8H"),
            None,
        ),
        (_state("jaques", "8H KD", "1:5H 6H 7H", LAYOFF_SCOPE="own"), _layoff("8H"), "R-JAQ-14"),
        (_state("jaques", "8H KD", "0:5H 6H 7H", LAYOFF_SCOPE="own"), _layoff("8H"), None),
        (
            _state("partnership", "8H KD", "3:5H 6H 7H", PARTNER_LAYOFF_SCOPE="own_side"),
            _layoff("8H"),
            "R-PAR-03",
        ),
        (
            _state("partnership", "8H KD", "2:5H 6H 7H", PARTNER_LAYOFF_SCOPE="own_side"),
            _layoff("8H"),
            None,
        ),
        (
            # the partner's meld is not his own
            _state("partnership", "8H KD", "2:5H 6H 7H", LAYOFF_NEEDS_OWN_MELD="yes"),
            _layoff("8H"),
            "R-JAQ-14",
        ),
        (_state("two_deck", "9S KD", "1:9S 9H 9D 9C"), _layoff("9S"), "R-JAQ-12"),
        (_state("two_deck", "9S KD", "1:9S 9H 9D 9C", TWO_DECK_SET_MAX=5), _layoff("9S"), None),
        (_state("wild_card", "2H KD", "1:JS QS KS"), _layoff("2H=TS"), None),
        (_state("wild_card", "2H KD", "1:JS QS KS"), _layoff("2H"), "R-JAQ-12"),
        (_state("wild_card", "2H KD", "1:JS QS KS"), _layoff("2H=AS"), "R-JAQ-12"),
        (_state("wild_card", "2S KD", "1:3S 4S 5S"), _layoff("2S"), None),
        (_state("wild_card", "6S KD", "1:5S 2H=6S 7S"), _layoff("6S"), "R-JAQ-12"),
        (_state("jaques", "2H KD", "1:JS QS KS"), _layoff("2H=TS"), "R-JAQ-12"),
        # melding
        (_state("jaques", "5H 6H 7H KD"), _meld("5H 6H"), "R-JAQ-12"),
        (_state("jaques", "5H 6H 7H KD"), _meld("6H 7H 8H"), "R-COM-06"),
        (_state("two_deck", "7H 7S 7D KD"), _meld("7H 7H 7S"), "R-COM-06"),
        (_state("wild_card", "9D 2C 2H KD"), _meld("9D 2C=9 2H=9"), None),
        (
            _state("wild_card", "9D 2C 2H KD", WILD_MIN_NATURALS=2),
            _meld("9D 2C=9 2H=9"),
            "R-WLD-02",
        ),
        (_state("wild_card", "5S 7S 2H KD"), _meld("5S 2H=6S 7S"), None),
        (_state("wild_card", "5S 7S 2H KD"), _meld("5S 2H=9S 7S"), "R-WLD-02"),
        (_state("jaques", "KD QD"), {"a": "DRAW_STOCK", "card": "9D"}, "R-JAQ-10"),
        (_state("jaques", "KD QD"), {"a": "REARRANGE"}, "R-COM-06"),
        (_state("jaques", "KD QD"), {"seat": 1, "a": "DISCARD", "card": "KD"}, "R-JAQ-19"),
    ],
)
def test_legality(state: State, action: dict, rule: str | None) -> None:
    before = copy.deepcopy(state)
    after = copy.deepcopy(state)
    if rule is None:
        rummy.play(after, action)
        assert after != before
        return
    with pytest.raises(Illegal, match=rule):
        rummy.play(after, action)
    assert after == before


def test_flag_of_the_taken_card_falls_with_any_card_of_its_face() -> None:
    state = _state("two_deck", "7H 7H 7S 7D 8C", taken="7H")
    rummy.play(state, _meld("7H 7S 7D"))
    assert rummy.legal_discards(state) == ["7H", "8C"]


def test_void_only_when_neither_stock_nor_pile_is_left() -> None:
    state = _state("jaques", "KD", taken="KD")
    state.stock, state.pile = [], []
    held = copy.deepcopy(state)
    rummy.play(held, {"a": "HOLD"})
    assert (held.ending, held.winner, rummy.result(held)["points"]) == ("void", None, [0, 0])
    state.pile = ["3D"]
    rummy.play(state, {"a": "HOLD"})
    assert state.ending is None
    assert rummy.sources(state) == ["discard"]


def test_void_comes_before_max_turns_and_out_before_both() -> None:
    state = _state("jaques", "KD", taken="KD", MAX_TURNS=1)
    state.stock, state.pile = [], []
    held = copy.deepcopy(state)
    rummy.play(held, {"a": "HOLD"})
    assert held.ending == "void"
    state.taken_held = False
    rummy.play(state, {"a": "DISCARD", "card": "KD"})
    assert (state.ending, state.winner) == ("out", 0)


@pytest.mark.parametrize(
    ("game", "switches", "hands", "winner", "melds", "points"),
    [
        ("jaques", {"VOID_HAND_SCORING": "all_count"}, "KH|AS|2C 9D", None, [], [10, 1, 11]),
        ("partnership", {"VOID_HAND_SCORING": "all_count"}, "KH|AS|2C|9D", None, [], [12, 10]),
        ("partnership", {"PARTNER_SCORING": "net"}, "|2C|KS KH|3D", 0, [], [0, 0]),
        ("partnership", {"PARTNER_SCORING": "each_side"}, "2C|KS|3D|", 3, [], [5, 10]),
        ("wild_card", {"WILD_PENALTY": 20}, "2H 3H|", 1, [], [23, 0]),
        (
            "wild_card",
            {"WILD_BONUS": 5},
            "2H 3H|",
            1,
            [["5S", "6S", "7S"], ["5H", "2C=6H", "7H"], ["AD", "2D", "3D"]],
            [5, -10],
        ),
    ],
)
def test_points(
    game: str, switches: dict, hands: str, winner: int | None, melds: list, points: list[int]
) -> None:
    settled = _settled(game, **switches)
    split = [hand.split() for hand in hands.split("|")]
    assert scoring.points(game, settled, split, winner, melds) == points


@pytest.mark.parametrize(
    ("switches", "given", "expected"),
    [
        # only the highest leaves; the other stays at or above the target
        (
            {"ELIMINATION": "first_only"},
            {"scores": [95, 40, 90], "delta": [20, 0, 15], "dealer": 0},
            {"eliminated": [0], "over": False, "match_winner": None, "next_dealer": 1},
        ),
        (
            {"ELIMINATION": "first_only"},
            {"scores": [95, 40, 90], "delta": [15, 0, 20], "dealer": 2},
            {"eliminated": [0, 2], "over": True, "match_winner": 1, "next_dealer": None},
        ),
        # R-JAQ-33: all leave, the lowest wins, equals share
        (
            {"VOID_HAND_SCORING": "all_count"},
            {"scores": [95, 98], "delta": [20, 15], "dealer": 0},
            {"eliminated": [0, 1], "over": True, "match_winner": 1, "next_dealer": None},
        ),
        (
            {"VOID_HAND_SCORING": "all_count"},
            {"scores": [95, 98, 97], "delta": [20, 17, 30], "dealer": 0},
            {"eliminated": [0, 1, 2], "over": True, "match_winner": [0, 1], "next_dealer": None},
        ),
        # the deal
        (
            {"DEALER_ROTATION": "winner"},
            {"scores": [0, 0, 0], "delta": [5, 6, 0], "dealer": 0},
            {"eliminated": [], "over": False, "match_winner": None, "next_dealer": 2},
        ),
        (
            {"DEALER_ROTATION": "loser"},
            {"scores": [0, 0, 0, 0], "delta": [7, 0, 7, 7], "dealer": 1},
            {"eliminated": [], "over": False, "match_winner": None, "next_dealer": 2},
        ),
        (
            {"DEALER_ROTATION": "loser"},
            {"scores": [0, 0, 95, 0], "delta": [7, 0, 9, 7], "dealer": 1},
            {"eliminated": [2], "over": False, "match_winner": None, "next_dealer": 3},
        ),
        (
            {"DEALER_ROTATION": "winner"},
            {"scores": [0, 0, 0], "delta": [0, 0, 0], "dealer": 1},
            {"eliminated": [], "over": False, "match_winner": None, "next_dealer": 2},
        ),
        (
            {"DEALER_ROTATION": "winner", "ELIMINATION": "first_only"},
            {"scores": [0, 120, 50], "delta": [5, 0, 6], "dealer": 2},
            {"eliminated": [1], "over": False, "match_winner": None, "next_dealer": 2},
        ),
    ],
)
def test_match_after_a_hand(switches: dict, given: dict, expected: dict) -> None:
    case = {"game": "jaques", "kind": "match", "switches": switches, "given": given}
    found = answer(case)
    assert {key: found[key] for key in expected} == expected


def test_partnership_deal_passes_to_the_dearest_losing_partner() -> None:
    given = {
        "scores": [0, 0],
        "delta": [0, 33],
        "dealer": 0,
        "winner": 2,
        "hands": [["KS", "KH", "KD"], ["KC", "5D"], [], ["9H", "9D"]],
    }
    case = {
        "game": "partnership",
        "kind": "match",
        "switches": {"DEALER_ROTATION": "loser"},
        "given": given,
    }
    assert answer(case)["next_dealer"] == 3
