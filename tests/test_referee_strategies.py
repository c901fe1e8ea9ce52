"""The slow strategies: decisions that matter, and hands made with them played again."""

import copy
from functools import cache
from random import Random

import pytest

from tests.referee import rummy
from tests.referee.cards import PACKS
from tests.referee.driver import deal, play
from tests.referee.frame import FAMILY
from tests.referee.log import check
from tests.referee.melds import meld_rules
from tests.referee.rummy import PLAYERS, SWITCHES, Meld, State
from tests.referee.strategies import (
    decision,
    legal_answers,
    named,
    random_player,
    replays_as,
    view_of,
)


def _view(
    game: str, hand: str, table: str = "", top: str = "3D", quiet: int = 0, **switches: object
) -> State:
    """Seat 0 of two (or four) before the draw; melds are `owner: cards`, split by bars."""
    settled = rummy.settled({"game": game, "switches": switches})
    melds = [meld.split(":") for meld in table.split("|") if meld]
    return State(
        game=game,
        switches=settled,
        rules=meld_rules(game, settled),
        hands=[hand.split(), *[["?"] * 10] * (3 if game == "partnership" else 1)],
        stock=["?"] * 9,
        pile=top.split(),
        turn=0,
        table=[Meld(int(owner), tuple(cards.split())) for owner, cards in melds],
        quiet=quiet,
    )


def _at_table(view: State, taken: str | None = None) -> State:
    """The same, after a draw that is in the hand already."""
    view.phase, view.taken, view.taken_held = "TABLE", taken, taken is not None
    return view


def _decision(view: State, name: str) -> dict:
    strategy = named(name)
    assert strategy
    return decision(view, strategy)


def _played(view: State, name: str) -> str:
    """All that a strategy does from here to the end of its turn, in one line."""
    done = []
    turn = view.turn
    while view.ending is None and view.turn == turn:
        action = _decision(view, name)
        where = f" on {action['meld']}" if "meld" in action else ""
        cards = action.get("cards") or [action.get("card", "")]
        done.append(f"{action['a']} {' '.join(cards)}".strip() + where)
        rummy.play(view, action)
    return "; ".join(done)


@pytest.mark.parametrize(
    ("name", "view", "draw"),
    [
        # the king makes a set, after which the nine is thrown: 2 points are left of 21
        ("greedy", _view("jaques", "KS KH 9D 2C", top="KD"), "DRAW_DISCARD"),
        # a lower card in exchange for a higher one leaves less
        ("greedy", _view("jaques", "KS 9D 2C", top="3H"), "DRAW_DISCARD"),
        ("greedy", _view("jaques", "2S 3D 2C", top="9H"), "DRAW_STOCK"),
        # it fits the table as it lies
        ("greedy", _view("jaques", "2S 3D 2C", "1:9S 9D 9C", top="9H"), "DRAW_DISCARD"),
        ("hold", _view("jaques", "2S 3D 2C", "1:9S 9D 9C", top="9H"), "DRAW_STOCK"),
        (
            "greedy",
            _view("jaques", "2S 3D 2C", "1:9S 9D 9C", top="9H", LAYOFF_SCOPE="own"),
            "DRAW_STOCK",
        ),
        # it fits only beyond a card that is still in hand: not as the table lies
        ("greedy", _view("jaques", "AS 9H 2C", "1:6H 7H 8H", top="TH"), "DRAW_STOCK"),
        # stalled, the hand without its dearest card is the mark: 5 points, not 14
        ("greedy", _view("jaques", "9D 2C 3C", top="4H", quiet=8), "DRAW_STOCK"),
        ("greedy", _view("jaques", "9D 2C 3C", top="4H", quiet=7), "DRAW_DISCARD"),
        ("greedy", _view("jaques", "9D 2C 3C", top="4H", quiet=16), "DRAW_DISCARD"),
        ("greedy", _view("jaques", "9D 2C 3C", top="4C", quiet=8), "DRAW_DISCARD"),
        ("hold", _view("jaques", "9D 2C 3C", top="4H", quiet=8), "DRAW_DISCARD"),
        ("hold", _view("jaques", "9D 2C 3C", top="4H", quiet=24), "DRAW_STOCK"),
        # a wild card is always taken
        ("greedy", _view("wild_card", "AS AD", top="2C"), "DRAW_DISCARD"),
        ("greedy", _view("jaques", "AS AD", top="2C"), "DRAW_STOCK"),
        # with the taken card the hand ends at once: it is laid off and the last card thrown
        ("hold", _view("jaques", "AS", "1:9S 9D 9C", top="9H"), "DRAW_DISCARD"),
        (
            "hold",
            _view("jaques", "AS", "1:9S 9D 9C", top="9H", GO_OUT_BY_DISCARD="forbidden"),
            "DRAW_STOCK",
        ),
        # a single source is no choice
        ("greedy", _view("jaques", "KS KH 9D 2C", top=""), "DRAW_STOCK"),
    ],
)
def test_draw(name: str, view: State, draw: str) -> None:
    assert _decision(view, name) == {"a": draw}


@pytest.mark.parametrize(
    ("name", "view", "played"),
    [
        # melds first, then lay-offs: a run before a set, dearest first, one opening the way
        (
            "greedy",
            _view("jaques", "5S 5H 5D 8H 9H 2C 4D KC", "1:2S 2H 2D|1:5C 6C 7C|1:JH QH KH"),
            "MELD 5S 5H 5D; LAYOFF 2C on 0; DISCARD KC",
        ),
        (
            "greedy",
            _view("jaques", "8H 9H 2C 4D KC", "1:2S 2H 2D|1:5H 6H 7H|1:KS KH KD"),
            "LAYOFF 8H on 1; LAYOFF 9H on 1; LAYOFF KC on 2; LAYOFF 2C on 0; DISCARD 4D",
        ),
        # a card that fits a run and a set goes on the run; of two runs the lower-numbered
        (
            "greedy",
            _view("jaques", "8H 4D KC", "1:8S 8D 8C|1:5H 6H 7H"),
            "LAYOFF 8H on 1; DISCARD KC",
        ),
        (
            "greedy",
            _view("two_deck", "8H 4D KC", "1:5H 6H 7H|1:5H 6H 7H"),
            "LAYOFF 8H on 0; DISCARD KC",
        ),
        # what would leave only the taken card is passed over
        (
            "greedy",
            _at_table(_view("jaques", "8H KC", "1:5H 6H 7H", ONLY_TAKEN_LEFT="illegal"), "KC"),
            "DISCARD 8H",
        ),
        (
            "greedy",
            _at_table(_view("jaques", "8H KC", "1:5H 6H 7H"), "KC"),
            "LAYOFF 8H on 0; HOLD",
        ),
        # a wild card goes where the dearest can follow: 8S comes after it
        (
            "greedy",
            _view("wild_card", "2H 8S KC", "1:4S 5S 6S|1:9D 9C 9S"),
            "LAYOFF 2H=7S on 0; LAYOFF 8S on 0; DISCARD KC",
        ),
        # nothing can follow: lowest-numbered meld, high end before low end
        (
            "greedy",
            _view("wild_card", "2H KC AD", "1:4S 5S 6S|1:9D 9C 9S"),
            "LAYOFF 2H=7S on 0; DISCARD KC",
        ),
        (
            "greedy",
            _view("wild_card", "2H KC AD", "1:9D 9C 9S|1:4S 5S 6S"),
            "LAYOFF 2H=9 on 0; DISCARD KC",
        ),
        # at its own place a wild card stands for itself
        (
            "greedy",
            _view("wild_card", "2S AS KC 9C", "1:3S 4S 5S"),
            "LAYOFF 2S on 0; LAYOFF AS on 0; DISCARD KC",
        ),
        # wild cards are thrown only if nothing else may go
        (
            "greedy",
            _at_table(_view("wild_card", "2S KC"), "KC"),
            "DISCARD 2S",
        ),
        # the card without which least is left, though it is not the dearest
        ("greedy", _view("jaques", "KS QS JS 9D 3C 4C 8S"), "MELD JS QS KS; DISCARD 9D"),
        # ties: dearest rank K first, then S, H, D, C
        ("greedy", _view("jaques", "QD KC KH 3C"), "DISCARD KH"),
        # stalled: the last in throw order
        ("greedy", _view("jaques", "QD KC KH 3C 3S", quiet=8), "DISCARD 3C"),
        ("greedy", _view("jaques", "QD KC KH 3C 3S", quiet=16), "DISCARD KH"),
        # a card laid in this turn ends the stall
        (
            "greedy",
            _view("jaques", "8H 3C KC QD", "1:5H 6H 7H", quiet=8),
            "LAYOFF 8H on 0; DISCARD KC",
        ),
        # hold lays nothing before the end, and throws what leaves the least
        ("hold", _view("jaques", "KS QS JS 9D 3C 4C"), "DISCARD 9D"),
        ("hold", _view("jaques", "KS QS JS 9D"), "MELD JS QS KS; DISCARD 9D"),
        ("hold", _view("jaques", "KS QS JS TS 9D", quiet=24), "MELD TS JS QS KS; DISCARD 9D"),
        ("hold", _view("jaques", "AS 2S 3S 9D 9C", quiet=24), "DISCARD 9C"),
        ("hold", _at_table(_view("jaques", "KS QS JS 9D"), "9D"), "DISCARD KS"),
        (
            "hold",
            _view("jaques", "KS QS JS 9D", GO_OUT_BY_DISCARD="forbidden"),
            "DISCARD 9D",
        ),
        # the band: loose cards outside it go first
        ("greedy-keep(low=5, high=8)", _view("jaques", "8D 7C 3C 4S AD"), "DISCARD 4S"),
        ("greedy-keep(low=5, high=8)", _view("jaques", "8D 7C 5C"), "DISCARD 8D"),
        ("greedy-keep(low=10, high=13)", _view("jaques", "TD KC 5C AS"), "DISCARD 5C"),
        ("greedy-keep(low=1, high=4)", _view("jaques", "TD KC 5C AS", quiet=8), "DISCARD AS"),
    ],
)
def test_table_and_discard(name: str, view: State, played: str) -> None:
    if view.phase == "DRAW":
        _at_table(view)
    assert _played(view, name) == played


def test_view_hides_all_but_the_own_hand() -> None:
    rng = Random(1)
    dealt = deal("jaques", 3, 0, rng)
    state = rummy.begin(dealt)
    seen = view_of(state)
    assert seen.hand == dealt["hands"][1]
    assert seen.hands[0] == seen.hands[2] == ["?"] * 10
    assert seen.stock == ["?"] * 21
    assert state.hands == dealt["hands"]


def _tokens(answers: list[dict]) -> set[str]:
    return {
        " ".join(one.get("cards") or [one.get("card", one["a"])])
        + (f" on {one['meld']}" if "meld" in one else "")
        for one in answers
    }


def test_answers_of_random() -> None:
    view = _at_table(_view("jaques", "4H 5H 6H 7H 7S 7D 3H", "1:8H 9H TH|1:3S 3D 3C"), "3H")
    runs = {"3H 4H 5H", "4H 5H 6H", "5H 6H 7H", "3H 4H 5H 6H", "4H 5H 6H 7H", "3H 4H 5H 6H 7H"}
    expected = runs | {"7S 7H 7D", "7H on 0", "3H on 1", "STOP"}
    assert _tokens(legal_answers(view, "table")) == expected
    assert _tokens(legal_answers(view, "discard")) == set("4H 5H 6H 7H 7S 7D".split())
    assert legal_answers(_view("jaques", "4H"), "draw") == [
        {"a": "DRAW_DISCARD"},
        {"a": "DRAW_STOCK"},
    ]


def test_answers_of_random_with_wild_cards() -> None:
    view = _at_table(_view("wild_card", "9S TS 2S 2H", "1:4D 5D 6D|1:8S 8H 8D"))
    answers = _tokens(legal_answers(view, "table"))
    runs_with_one = {f"9S TS {wild}=JS" for wild in ("2S", "2H")} | {
        f"{wild}=8S 9S TS" for wild in ("2S", "2H")
    }
    assert runs_with_one <= answers
    assert "2S=8S 9S TS 2H=JS" in answers
    assert "2H=8S 9S TS 2S=JS" not in answers  # wilds fill the places in card order
    assert {"2S=9 on 1", "2S=8 on 1", "2S=3D on 0", "2S=7D on 0"} & answers == {
        "2S=8 on 1",
        "2S=3D on 0",
        "2S=7D on 0",
    }
    assert "9S 2S=9 2H=9" in answers


def test_twins_are_one_answer() -> None:
    view = _at_table(_view("two_deck", "7H 7H 7S 8C 8C"), "8C")
    assert _tokens(legal_answers(view, "table")) == {"7S 7H 7H", "STOP"}
    assert len(legal_answers(view, "table")) == 2
    assert [one["card"] for one in legal_answers(view, "discard")] == ["7H", "7S", "8C"]


# --- whole hands ----------------------------------------------------------------------------------

NAMES = ("greedy", "hold", "greedy-keep(low=5, high=8)", "greedy-keep(low=1, high=4)", "random")


@cache
def _hands() -> list[dict]:
    """Two hands for each game, number of players and set of switches, mixed strategies."""
    logs = []
    for game, players in [(name, count) for name in FAMILY for count in PLAYERS[name]]:
        for number in range(4):
            rng = Random(f"{game} {players} {number}")
            names = [NAMES[(seat + number) % len(NAMES)] for seat in range(players)]
            switches: dict = {"MAX_TURNS": 150}
            for switch in SWITCHES[game].keys() - {"MAX_TURNS", "FIRST_DEALER"}:
                options = SWITCHES[game][switch][1]
                if number % 2 and len(options) == 2:
                    switches[switch] = options[1]
            dealt = deal(game, players, 0, rng, _changed(game, switches))
            dealt["strategies"] = names
            seats = [named(name) or random_player(rng) for name in names]
            logs.append(dealt | play(dealt, seats, rng))
    return logs


def _changed(game: str, switches: dict) -> dict:
    return {name: one for name, one in switches.items() if one != SWITCHES[game][name][0]}


def test_hands_are_legal_and_play_again() -> None:
    for log in _hands():
        assert check(log) == []
        assert replays_as(log) == []


def test_answers_of_random_are_taken_from_its_list() -> None:
    log = next(log for log in _hands() if "random" in log["strategies"])
    state = rummy.begin(log)
    seen = 0
    for action in log["actions"]:
        if log["strategies"][state.turn] == "random" and action["a"] in ("MELD", "LAYOFF"):
            offered = _tokens(legal_answers(view_of(state), "table"))
            assert _tokens([action]) <= offered
            seen += 1
        rummy.play(state, action)
    assert seen


def test_another_decision_is_noticed() -> None:
    rng = Random(4)
    dealt = deal("jaques", 2, 0, rng)
    seats = [strategy for strategy in map(named, ["greedy"] * 2) if strategy]
    log = dealt | {"strategies": ["greedy", "greedy"]} | play(dealt, seats, rng)
    for name in ("hold", "greedy-keep(low=9, high=12)"):
        other = copy.deepcopy(log) | {"strategies": ["greedy", name]}
        assert name in replays_as(other)[0]
    first = next(n for n, action in enumerate(log["actions"]) if action["a"] == "DISCARD")
    log["actions"][first]["card"] = next(
        card for card in rummy_hand(log, first) if card != log["actions"][first]["card"]
    )
    assert replays_as(log)[0].startswith(f"action {first}: greedy plays")


def rummy_hand(log: dict, count: int) -> list[str]:
    """The hand of the player to act after the first `count` actions."""
    state = rummy.begin(log)
    for action in log["actions"][:count]:
        rummy.play(state, action)
    return state.hand


def test_no_peeking() -> None:
    """Other hands and another order of the stock change no decision of the first turn."""
    for number in range(10):
        rng = Random(number)
        dealt = deal("jaques", 2, 1, rng)
        unseen = dealt["hands"][1] + dealt["stock"]
        rng.shuffle(unseen)
        other = dealt | {"hands": [dealt["hands"][0], unseen[:10]], "stock": unseen[10:]}
        for name in ("greedy", "hold"):
            views = [view_of(rummy.begin(one)) for one in (dealt, other)]
            first, second = [_decision(view, name) for view in views]
            assert first == second
    assert len(PACKS["jaques"]) == len(unseen) + 11
