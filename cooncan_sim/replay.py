"""One hand again, as a log that people and programs can read (`cooncan-hand/1`)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from cooncan_sim import catalog
from cooncan_sim.arguments import MOST_DEALS, check_count, check_flags, read_players, read_rules
from cooncan_sim.errors import CooncanError
from cooncan_sim.interrupt import on_a_thread
from cooncan_sim.simulate import (
    BROKEN,
    ENDINGS,
    Plan,
    StrategyError,
    broken_hand,
)

if TYPE_CHECKING:
    from cooncan_sim.match import Matches

SCHEMA = "cooncan-hand/1"


def replay(
    game: str,
    players: Sequence[str],
    seed: int,
    deal: int,
    count: int = 1,
    rules: Mapping[str, object] | None = None,
    *,
    stock_order: str = "shared",
    match: bool = False,
) -> list[dict]:
    """Plays deals deal … deal + count - 1 again and returns a hand log for each.

    The hands are those of `simulate` with the same arguments; with stock_order `per_seat` those
    of `compare`. With `match`, deal and count number matches, and every hand of them is returned
    with its place in the match, the last with `match_end`: final scores, and the winners (sides).
    Raises CooncanError for bad arguments, StrategyError where a
    strategy breaks a hand (`.partial`: the logs until then, the last up to the illegal answer).
    """
    check_count(deal, "deal", least=0)
    check_count(count, "count")
    if deal + count > MOST_DEALS:
        raise CooncanError(
            f"the last deal is number 2**48 - 1: {count} from {deal} on go beyond it"
        )
    check_flags(match=match)
    plan = Plan(game, (read_players(players),), seed, read_rules(rules), stock_order)
    plan.prepare()
    numbers = range(int(deal), int(deal) + int(count))
    hands = _match_hands(plan, numbers) if match else _single_hands(plan, numbers)
    return on_a_thread(partial(_play_all, hands))


def _play_all(hands: "Iterator[_Hand]") -> list[dict]:
    logs: list[dict] = []
    for hand in hands:
        log, problem = _play(hand)
        logs.append(log)
        if problem is not None:
            problem.partial = logs
            raise problem
    return logs


@dataclass(frozen=True)
class _Hand:
    """One hand to play: its plan, deal, dealer (-1: drawn), totals, and the match around it."""

    plan: Plan
    deal: int
    dealer: int = -1
    scores: tuple[int, ...] = ()
    stake: int = 0
    place: dict | None = None  # in its match
    match_end: dict | None = None  # of the last hand


def _single_hands(plan: Plan, deals: range) -> Iterator[_Hand]:
    for deal in deals:
        yield _Hand(plan, deal)


def _match_hands(plan: Plan, matches: range) -> Iterator[_Hand]:
    from cooncan_sim.match import DEALS_A_MATCH, play_matches, those_left

    for match in matches:
        whole = play_matches(plan, match, 1)
        for played in whole.rounds:
            seats, sides = those_left(plan, played.alive[0])
            yield _Hand(
                replace(
                    plan, seatings=(tuple(plan.seatings[0][s] for s in seats),), of=plan.players
                ),
                match * DEALS_A_MATCH + played.hand,
                int(seats.tolist().index(played.dealer[0])),
                tuple(played.scores[0, sides].tolist()),
                int(played.stake[0]),
                {
                    "hand": played.hand + 1,
                    "scores": played.scores[0].tolist(),
                    "seats": seats.tolist(),
                },
                _match_end(whole) if played is whole.rounds[-1] else None,
            )


def _match_end(match: "Matches") -> dict:
    """What came of one match; nobody has won one that MAX_HANDS stopped."""
    winners = [side for side, share in enumerate(match.share[0]) if share]
    return {"scores": match.scores[0].tolist(), "winners": winners}


def _play(hand: _Hand) -> tuple[dict, StrategyError | None]:
    plan, deal = hand.plan, hand.deal
    play, text = plan.engine("play"), plan.engine("text")
    states = plan.new_state()
    if hand.place is not None:
        states["table"]["hand_number"] = hand.place["hand"] - 1
        states["table"]["target"] = plan.engine("match").target(plan.full_rules)
    play.begin(states, plan.seed, deal, hand.dealer, hand.scores, hand.stake)
    for seat in range(plan.players):
        weights = plan.weights[plan.seats[0, seat]]
        states["seats"]["weights"][0, seat, : len(weights)] = weights
    log = _heading(plan, deal) | {"dealer": int(states["table"]["dealer"][0])}
    if hand.place is not None:
        log["match"] = hand.place
    if hand.match_end is not None:
        log["match_end"] = hand.match_end
    log |= text.opening(states) | {"actions": []}
    error = None
    while states["table"]["ending"][0] < 0 and error is None:
        try:
            play.play_on(*plan.functions, plan.seats[0], states)
        except Exception as raised:  # a strategy may raise anything
            error = raised
        log["actions"] += text.turn_actions(states)
    table = states["table"][0]
    if error is not None or table["ending"] == BROKEN:
        return log, broken_hand(plan, plan.seatings[0], deal, states, error)
    log["result"] = {
        "ending": ENDINGS[table["ending"]],
        "winner": int(table["winner"]) if table["winner"] >= 0 else None,
        "turns": int(table["turns"]),
        "hands": text.hands_text(states),
        **text.points(states),
    }
    return log, None


def _heading(plan: Plan, deal: int) -> dict:
    game = catalog.game(plan.game)
    rules, defaults = game.rules(plan.rules), game.rules()
    heading = {
        "schema": SCHEMA,
        "game": plan.game,
        "switches": {name: rules[name] for name in rules if rules[name] != defaults[name]},
        "players": plan.players,
        "seed": plan.seed,
        "deal": deal,
        "strategies": [plan.strategies[who].name for who in plan.seats[0]],
    }
    return heading if plan.stock_order == "shared" else heading | {"stock_order": plan.stock_order}
