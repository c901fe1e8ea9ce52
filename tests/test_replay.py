"""Hand logs: their form, what they say of the hand, and that they come again."""

import json
from collections import Counter

import pytest

from cooncan_sim import CooncanError, catalog, replay, simulate
from cooncan_sim.games.rulebook import Game
from tests.referee.cards import PACKS
from tests.referee.log import check

GAMES = list(catalog.GAMES.values())
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
HEAD = ["schema", "game", "switches", "players", "dealer", "seed", "deal", "strategies"]
BODY = ["hands", "pile", "stock", "actions", "result"]


def limited(game: Game, turns: int) -> dict[str, object]:
    """Rules that stop a hand after so many turns, if the game has no limit of its own."""
    return {"MAX_TURNS": turns} if "MAX_TURNS" in game.switches else {}


@pytest.mark.plain
@every_game
def test_the_form_of_a_log(game: Game) -> None:
    players = max(game.players)
    names = [page.name for page in catalog.strategies(game.key)]
    seats = [names[seat % len(names)] for seat in range(players)]
    (log,) = replay(game.key, seats, 11, 4, rules=limited(game, 60))
    pool = {"pool"} if game.key == "double_rum" else set()
    assert set(log) == {*HEAD, *BODY, *pool}
    assert [log[key] for key in ("schema", "game", "players", "seed", "deal")] == [
        "cooncan-hand/1",
        game.key,
        players,
        11,
        4,
    ]
    assert log["switches"] == limited(game, 60)
    assert log["strategies"] == seats and log["dealer"] in range(players)
    dealt = Counter([*sum(log["hands"], []), *log["pile"], *log["stock"]])
    assert dealt == Counter(PACKS[game.key])
    assert json.loads(json.dumps(log)) == log
    assert check(log) == []


@pytest.mark.plain
@every_game
def test_a_log_comes_again_from_its_seed(game: Game) -> None:
    seats = ["random"] * min(game.players)
    logs = replay(game.key, seats, 2, 5, 3, limited(game, 40))
    assert [log["deal"] for log in logs] == [5, 6, 7]
    assert replay(game.key, seats, 2, 6, rules=limited(game, 40)) == logs[1:2]
    assert replay(game.key, seats, 3, 6, rules=limited(game, 40))[0]["hands"] != logs[1]["hands"]


def test_switches_at_their_default_are_left_out() -> None:
    rules = {"HAND_SIZE": "10", "LAYOFF_SCOPE": "own", "MAX_TURNS": 1000}
    assert replay("jaques", ["greedy", "hold"], 1, 0, rules=rules)[0]["switches"] == {
        "LAYOFF_SCOPE": "own"
    }


def test_weights_that_differ_are_in_the_name() -> None:
    seats = ["greedy-keep", "greedy-keep(low=5, high=9)"]
    assert replay("jaques", seats, 1, 0)[0]["strategies"] == [
        "greedy-keep",
        "greedy-keep(high=9)",
    ]


def test_a_log_with_an_order_for_each_seat_says_so() -> None:
    shared = replay("jaques", ["random"] * 4, 1, 0)[0]
    own = replay("jaques", ["random"] * 4, 1, 0, stock_order="per_seat")[0]
    assert own["stock_order"] == "per_seat" and "stock_order" not in shared
    assert sorted(own["stock"]) == sorted(shared["stock"]) and check(own) == []


def test_seat0_deals_where_the_rules_say_so() -> None:
    logs = replay("jaques", ["greedy"] * 3, 1, 0, 20, {"FIRST_DEALER": "seat0", "MAX_TURNS": 5})
    assert {log["dealer"] for log in logs} == {0}
    logs = replay("jaques", ["greedy"] * 3, 1, 0, 20, {"MAX_TURNS": 5})
    assert {log["dealer"] for log in logs} == {0, 1, 2}
    assert all(log["actions"][0]["seat"] == (log["dealer"] + 1) % 3 for log in logs)


def test_the_renewed_stock_stands_on_its_draw() -> None:
    log = next(
        log
        for log in replay("jaques", ["greedy"] * 4, 1, 0, 30)
        if any("recycled" in action for action in log["actions"])
    )
    renewed = next(action for action in log["actions"] if "recycled" in action)
    assert renewed["a"] == "DRAW_STOCK" and renewed["card"] == renewed["recycled"][0]
    assert len(renewed["recycled"]) > 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"deal": -1}, "deal must be a whole number from 0"),
        ({"count": 0}, "count must be a whole number from 1"),
        ({"seed": -1}, "seed -1: it is a whole number"),
        ({"players": ["greedy"]}, "jaques is for 2, 3 or 4 players, not 1"),
        ({"game": "whist"}, "unknown game 'whist'"),
        ({"rules": {"NONE": 1}}, "jaques has no switch 'NONE'"),
        ({"stock_order": "mine"}, "stock order 'mine': it is shared or per_seat"),
        ({"players": ["greedy", "nobody"]}, "unknown strategy 'nobody'"),
    ],
    ids=str,
)
def test_what_cannot_be_replayed(words: dict, said: str) -> None:
    wanted = {"game": "jaques", "players": ["greedy", "hold"], "seed": 1, "deal": 0} | words
    with pytest.raises(CooncanError, match=said):
        replay(**wanted)


@pytest.mark.parametrize(
    ("game", "seats", "rules"),
    [
        ("jaques", ["greedy", "hold", "random"], {}),
        ("jaques", ["greedy", "hold"], {"MAX_HANDS": 1}),
        ("partnership", ["greedy", "hold"] * 2, {"MATCH_TARGET": 40}),
    ],
)
def test_the_last_hand_of_a_match_tells_its_end(
    game: str, seats: list[str], rules: dict[str, object]
) -> None:
    logs = replay(game, seats, 3, 4, 2, rules, match=True)
    lasts = [place for place, log in enumerate(logs) if "match_end" in log]
    firsts = [place for place, log in enumerate(logs) if log["match"]["hand"] == 1]
    assert lasts == [firsts[1] - 1, len(logs) - 1]
    played = simulate(game, seats, 6, 3, rules=rules, match=True)
    for match, last in zip((4, 5), lasts, strict=True):
        rows = played.matches().query(f"match == {match}")[: len(logs[last]["match"]["scores"])]
        end = logs[last]["match_end"]
        assert end["scores"] == rows["score"].tolist()
        assert end["winners"] == rows.loc[rows["won"] > 0, "seat"].tolist()
        assert (end["winners"] == []) == (rules.get("MAX_HANDS") == 1)
        assert json.loads(json.dumps(logs[last])) == logs[last]
