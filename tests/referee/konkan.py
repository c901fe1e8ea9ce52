"""The referee of `konkan`: hand logs and sets of hands. Worked cases are in `konkan_cases`.

Written from the rules alone, slow and plain; rule ids are those of the rules specification.
"""

from typing import Any

from tests.referee import hand_log
from tests.referee.joker_play import replays_as_strategies
from tests.referee.konkan_cases import ANSWERS, answer, next_dealer
from tests.referee.konkan_hand import KonkanHand, points
from tests.referee.konkan_play import STRATEGIES
from tests.referee.tokens2 import all_switches

__all__ = ["FACTS", "answer", "check", "check_match", "match", "replays_as"]

Log = dict[str, Any]

FACTS = hand_log.HandFacts(
    seats=range(2, 5),
    hand_sizes=lambda players, dealer, switches: [14 + (s == dealer) for s in range(players)],
    turned_up=0,
    fields={
        "DRAW_STOCK": ({"card"}, {"recycled"}),
        "DRAW_DISCARD": ({"card"}, {"recycled"}),
        "COME_DOWN": ({"melds"}, set()),
        "MELD": ({"cards"}, set()),
        "LAYOFF": ({"card", "meld"}, {"end"}),
        "JOKER_SWAP": ({"card", "meld"}, set()),
        "ANNOUNCE": ({"n"}, set()),
        "DISCARD": ({"card"}, set()),
    },
)


def check(log: Log) -> list[str]:
    """Every disagreement of one hand log with the rules; an empty list if there is none."""
    faults = hand_log.header_faults(log, FACTS)
    if faults:
        return faults
    switches = all_switches("konkan", log["switches"])
    state = KonkanHand.from_log(switches, log)
    faults = hand_log.replay(log, state, FACTS)
    if faults:
        return faults
    scored = points(state.hands, state.winner, state.marked, state.down, switches)
    return hand_log.result_faults(log, state, scored)


def replays_as(log: Log) -> list[str]:
    """The first action at which a seat's strategy, played slowly, would have acted otherwise.

    Seats whose strategy is not known here (`random` among them) may do anything.
    """
    state = KonkanHand.from_log(all_switches("konkan", log["switches"]), log)
    return replays_as_strategies(log, state, STRATEGIES)


def match(
    hands: list[dict[str, Any]], players: int, first_dealer: int, changed: dict[str, Any]
) -> dict[str, Any]:
    """A set of hands so far, each given by its `winner` and `points`.

    Gives `scores`, `dealers` of the hands played, `over`, `match_winner` (a list if shared)
    and `next_dealer`.
    """
    switches = all_switches("konkan", changed)
    entry: dict[str, Any] = {"scores": [0] * players, "next_dealer": first_dealer}
    dealers: list[int] = []
    for number, hand in enumerate(hands, 1):
        dealers.append(entry["next_dealer"])
        given = {
            "scores": entry["scores"],
            "delta": hand["points"],
            "dealer": dealers[-1],
            "winner": hand["winner"],
            "hand_no": number,
            "set_length": switches["KK_SET_LENGTH"],
        }
        entry = ANSWERS["match"](given, switches)
    names = ("scores", "over", "match_winner", "next_dealer")
    return {name: entry.get(name) for name in names} | {"dealers": dealers}


def check_match(logs: list[Log]) -> list[str]:
    """Every disagreement of a whole set of hands, given as the logs of all of them in order."""
    faults = [f"hand {n}: {fault}" for n, log in enumerate(logs, 1) for fault in check(log)]
    if faults:
        return faults
    players, switches = logs[0]["players"], all_switches("konkan", logs[0]["switches"])
    if len(logs) != switches["KK_SET_LENGTH"]:
        faults.append(f"a set of {len(logs)} hands")
    scores, dealer = [0] * players, logs[0]["dealer"]
    for number, log in enumerate(logs, 1):
        expected = {"hand": number, "scores": scores, "seats": list(range(players))}
        faults += hand_log.match_faults(log, logs[0], expected, dealer)
        scores = [s + p for s, p in zip(scores, log["result"]["points"], strict=True)]
        dealer = next_dealer(dealer, log["result"]["winner"], players, switches)
    return faults
