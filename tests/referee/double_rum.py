"""The referee of `double_rum`: hand logs and matches. Worked cases are in `double_rum_cases`.

Written from the rules alone, slow and plain; rule ids are those of the rules specification.
"""

from typing import Any

from tests.referee import hand_log
from tests.referee.double_rum_cases import answer
from tests.referee.double_rum_hand import DoubleRumHand, units
from tests.referee.double_rum_play import STRATEGIES
from tests.referee.joker_play import replays_as_strategies
from tests.referee.tokens2 import all_switches

__all__ = ["FACTS", "answer", "check", "check_match", "match", "replays_as"]

Log = dict[str, Any]

FACTS = hand_log.HandFacts(
    seats=range(2, 9),
    hand_sizes=lambda players, dealer, switches: [10] * players,
    turned_up=1,
    fields={
        "DRAW_STOCK": ({"card"}, set()),
        "DRAW_DISCARD": ({"card"}, set()),
        "MELD": ({"cards"}, set()),
        "LAYOFF": ({"card", "meld"}, {"end"}),
        "JOKER_MOVE": ({"card", "meld"}, set()),
        "DISCARD": ({"card"}, set()),
        "HOLD": (set(), set()),
    },
)


def check(log: Log) -> list[str]:
    """Every disagreement of one hand log with the rules; an empty list if there is none."""
    faults = hand_log.header_faults(log, FACTS)
    if faults:
        return faults
    switches = all_switches("double_rum", log["switches"])
    state = DoubleRumHand.from_log(switches, log)
    faults = hand_log.replay(log, state, FACTS)
    if faults:
        return faults
    points, pool = units(state.hands, state.winner, log.get("pool", 0), switches)
    return hand_log.result_faults(log, state, points, pool)


def replays_as(log: Log) -> list[str]:
    """The first action at which a seat's strategy, played slowly, would have acted otherwise.

    Seats whose strategy is not known here (`random` among them) may do anything.
    """
    state = DoubleRumHand.from_log(all_switches("double_rum", log["switches"]), log)
    return replays_as_strategies(log, state, STRATEGIES)


def match(
    hands: list[dict[str, Any]], players: int, first_dealer: int, changed: dict[str, Any]
) -> dict[str, Any]:
    """A round of hands so far, each given by its `winner` and the `hands` left at its end.

    Gives `points` and `pools` (before the hand) per hand, `scores`, the `pool` left, `dealers`
    of the hands played, `over`, `match_winner` (a list if shared) and `next_dealer`. An
    unclaimed pool goes back at the end of the round by DBR_POOL_END, in `scores` only.
    """
    switches = all_switches("double_rum", changed)
    length = players if switches["DBR_MATCH"] == "n" else switches["DBR_MATCH"]
    points, pools, dealers = [], [], []
    pool, dealer, paid_in = 0, first_dealer, [0] * players
    scores = [0] * players
    for hand in hands:
        pools.append(pool)
        dealers.append(dealer)
        delta, pool = units(hand["hands"], hand["winner"], pool, switches)
        points.append(delta)
        scores = add(scores, delta)
        paid_in = add(paid_in, [-d for d in delta]) if pool else [0] * players
        dealer = next_dealer(dealer, hand["winner"], delta, switches)
    over = len(hands) >= length
    if over and switches["DBR_POOL_END"] == "refund":
        scores, pool = add(scores, paid_in), 0
    best = [seat for seat in range(players) if scores[seat] == max(scores)]
    return {
        "points": points,
        "pools": pools,
        "scores": scores,
        "pool": pool,
        "dealers": dealers,
        "over": over,
        "match_winner": (best[0] if len(best) == 1 else best) if over else None,
        "next_dealer": None if over else dealer,
    }


def add(one: list[int], other: list[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)]


def next_dealer(dealer: int, winner: int | None, delta: list[int], switches: dict[str, Any]) -> int:
    """Who deals next (DEALER_ROTATION): to the left, the winner, or the loser who pays most."""
    players = len(delta)
    left = [(dealer + step) % players for step in range(1, players + 1)]
    if switches["DEALER_ROTATION"] == "left" or winner is None:
        return left[0]
    if switches["DEALER_ROTATION"] == "winner":
        return winner
    return min((seat for seat in left if seat != winner), key=lambda seat: delta[seat])


def check_match(logs: list[Log]) -> list[str]:
    """Every disagreement of a whole round, given as the logs of all its hands in order."""
    faults = [f"hand {n}: {fault}" for n, log in enumerate(logs, 1) for fault in check(log)]
    if faults:
        return faults
    players = logs[0]["players"]
    whole = match([log["result"] for log in logs], players, logs[0]["dealer"], logs[0]["switches"])
    one_less = match(
        [log["result"] for log in logs[:-1]], players, logs[0]["dealer"], logs[0]["switches"]
    )
    if not whole["over"] or one_less["over"]:
        faults.append(f"a round of {len(logs)} hands")
    scores = [0] * players
    for number, log in enumerate(logs):
        expected = {"hand": number + 1, "scores": scores, "seats": list(range(players))}
        faults += hand_log.match_faults(log, logs[0], expected, whole["dealers"][number])
        if log.get("pool") != whole["pools"][number]:
            faults.append(f"hand {number + 1}: the pool before it is {whole['pools'][number]}")
        scores = add(scores, whole["points"][number])
    return faults
