"""Hands of the `jaques` family played at random, with all switches, for the referee's own tests."""

from functools import cache
from random import Random

from tests.referee import rummy, scoring
from tests.referee.driver import deal, play
from tests.referee.frame import FAMILY
from tests.referee.rummy import PLAYERS, SWITCHES, State
from tests.referee.strategies import Strategy, legal_answers, random_player

HANDS_OF_EACH = 24


def eager(rng: Random) -> Strategy:
    """Plays at random, but seldom leaves a card in hand that could go to the table."""

    def choose_table(view: State) -> dict | None:
        actions = legal_answers(view, "table")[:-1]
        return rng.choice(actions) if actions and rng.random() < 0.9 else None

    anyone = random_player(rng)
    return Strategy(
        lambda view: "DRAW_DISCARD" if rng.random() < 0.8 else "DRAW_STOCK",
        choose_table,
        anyone.choose_discard,
    )


def some_switches(game: str, rng: Random) -> dict:
    """Every switch changed with a chance of two in five; small numbers where any will do."""
    small = {
        "MAX_TURNS": (50, 100),
        "MAX_HANDS": (3,),
        "MATCH_TARGET": (50,),
        "WILD_BONUS": (5, 10),
    }
    chosen: dict = {"MAX_TURNS": rng.choice((60, 80))}
    for name, (default, options) in SWITCHES[game].items():
        others = small.get(name) or [one for one in options if one != default]
        if others and rng.random() < 0.4:
            chosen[name] = rng.choice(others)
    return chosen


@cache
def hands() -> list[dict]:
    """Hands of all games, numbers of players, stock orders and many switches."""
    logs = []
    for game, players in [(name, count) for name in FAMILY for count in PLAYERS[name]]:
        for number in range(HANDS_OF_EACH):
            rng = Random(f"{game} {players} {number}")
            switches = some_switches(game, rng)
            dealer = 0 if "FIRST_DEALER" in switches else rng.randrange(players)
            dealt = deal(game, players, dealer, rng, switches)
            if number % 3 == 0:
                dealt["stock_order"] = "per_seat"
            seats = [random_player(rng) if number % 2 else eager(rng) for _ in range(players)]
            dealt["strategies"] = ["random" if number % 2 else "eager"] * players
            logs.append(dealt | play(dealt, seats, rng))
    return logs


def match(game: str, players: int, switches: dict, rng: Random) -> list[dict]:
    """The hand logs of a whole match, played by eager players."""
    most = rummy.settled({"game": game, "switches": switches})["MAX_HANDS"]
    sides = 2 if game == "partnership" else players
    dealer = 0 if "FIRST_DEALER" in switches else rng.randrange(players)
    due: dict | None = {
        "match": {"hand": 1, "scores": [0] * sides, "seats": list(range(players))},
        "dealer": dealer,
    }
    logs: list[dict] = []
    while due and len(logs) < most:
        still_in = len(due["match"]["seats"])
        dealt = deal(game, still_in, due["dealer"], rng, switches) | due
        dealt |= {"deal": len(logs), "strategies": ["eager"] * still_in}
        logs.append(dealt | play(dealt, [eager(rng)] * still_in, rng))
        due = scoring.after_hand(logs[-1], rummy.settled(dealt))
    return logs
