"""The engine of `double_rum` and an independent referee agree, rare corners and all."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cooncan_sim import replay, simulate
from cooncan_sim.errors import CooncanError
from cooncan_sim.games.double_rum_match import Standings
from cooncan_sim.rulings import ruling
from cooncan_sim.simulate import StrategyError
from tests.double_rum_positions import GAME, positions
from tests.referee import double_rum
from tests.referee.cards import PACKS, face
from tests.referee.double_rum_hand import DoubleRumHand
from tests.referee.double_rum_play import table_answers
from tests.referee.tokens2 import all_switches
from tests.sittings import hands, sittings
from tests.sizes import sizes

COUNTED = {
    "out by MELD",
    "out by LAYOFF",
    "out by JOKER_MOVE",
    "out by DISCARD",
    "ending pool",
    "ending max_turns",
    "HOLD",
    "stock exhausted",
    "stock exhausted, then somebody out",
    "stock exhausted, each seat its own order",
    "a joker replaced",
    "a joker slides",
    "a locked joker refused",
    "a joker laid off",
    "a joker thrown",
    "a card beyond a joker",
    "an ace high",
    "a run of 14",
    "a set with twins",
    "a set of more than four",
    "an action refused by ONLY_TAKEN_LEFT",
    "the taken card thrown",
    "a twin of the taken card thrown",
    *(f"{players} players" for players in GAME.players),
}


def corners(log: dict) -> Iterator[str]:
    """The rare points that a hand has reached."""
    actions, result = log["actions"], log["result"]
    yield f"{log['players']} players"
    yield f"ending {result['ending']}"
    if result["ending"] == "out":
        yield f"out by {actions[-1]['a']}"
    for state, action in zip(positions(log), actions, strict=True):
        yield from corners_of(state, action)
    drawn = sum(action["a"] == "DRAW_STOCK" for action in actions)
    if drawn == len(log["stock"]):
        yield "stock exhausted"
        if result["ending"] == "out":
            yield "stock exhausted, then somebody out"
        if "stock_order" in log:
            yield "stock exhausted, each seat its own order"


def corners_of(state: DoubleRumHand, action: dict) -> Iterator[str]:
    """The same of one action, before which the hand stands as `state`."""
    name, card = action["a"], action.get("card", "")
    if name == "HOLD":
        yield "HOLD"
    elif name == "DISCARD":
        if card == "*":
            yield "a joker thrown"
        if state.held and card == state.taken:
            twin = state.hand.count(card) > 1
            yield ("a twin of the taken card thrown" if twin else "the taken card thrown")
    elif name == "JOKER_MOVE":
        ends = state.table[action["meld"]][1]
        yield "a joker replaced" if f"*={card}" in (ends[0], ends[-1]) else "a joker slides"
    elif name == "MELD":
        yield from corners_of_meld(action["cards"])
    elif name == "LAYOFF":
        yield from corners_of_layoff(state, action)
    if state.phase == "TABLE" and refused_for_the_lock(state):
        yield "a locked joker refused"
    if name in ("DISCARD", "HOLD") and refused_for_the_taken_card(state):
        yield "an action refused by ONLY_TAKEN_LEFT"


def corners_of_meld(tokens: list[str]) -> Iterator[str]:
    if len({token.split("=")[-1][0] for token in tokens}) > 1:
        if tokens[-1][-2] == "A":
            yield "an ace high"
        return
    if max(Counter(tokens).values()) > 1:
        yield "a set with twins"
    if len(tokens) > 4:
        yield "a set of more than four"


def corners_of_layoff(state: DoubleRumHand, action: dict) -> Iterator[str]:
    old = state.table[action["meld"]][1]
    after = state.after(action)
    assert after is not None
    new = after.table[action["meld"]][1]
    if action["card"].startswith("*"):
        yield "a joker laid off"
    if len({token.split("=")[-1][0] for token in new}) > 1:
        if len(new) == 14:
            yield "a run of 14"
        if old[0 if new[-1] == old[-1] else -1].startswith("*"):
            yield "a card beyond a joker"


def refused_for_the_lock(state: DoubleRumHand) -> bool:
    """Whether the player holds the card of a joker at an end that has moved, and may not use it."""
    for number, (_, tokens) in enumerate(state.table):
        for end in (tokens[0], tokens[-1]):
            action = {"a": "JOKER_MOVE", "card": end.removeprefix("*x="), "meld": number}
            if end.startswith("*x=") and action["card"] in state.hand:
                unlocked = state.copy()
                unlocked.put_at(number, tuple(token.replace("*x", "*") for token in tokens))
                if unlocked.after(action) is not None:
                    assert not is_legal(state, action)
                    return True
    return False


def refused_for_the_taken_card(state: DoubleRumHand) -> bool:
    """Whether ONLY_TAKEN_LEFT = illegal forbids something here that is legal otherwise."""
    if state.rules["ONLY_TAKEN_LEFT"] == "hold" or not state.held or len(state.hand) > 5:
        return False
    free = state.copy()
    free.rules = state.rules | {"ONLY_TAKEN_LEFT": "hold"}
    return len(table_answers(free)) > len(table_answers(state))


def is_legal(state: DoubleRumHand, action: dict) -> bool:
    """What the engine says of an action."""
    given = {
        "players": state.players,
        "turn": state.turn,
        "phase": "TABLE",
        "hands": state.hands,
        "stock": state.stock,
        "pile": state.pile,
        "table": [{"owner": owner, "cards": tokens} for owner, tokens in state.table],
        "actions": [action],
    }
    changed = {name: value for name, value in state.rules.items() if name in GAME.switches}
    return ruling("double_rum", "script", given, changed)["illegal_at"] is None


@pytest.mark.parametrize("count", sizes(ordinary=1_000, soak=15_000))
def test_the_referee_agrees(count: int) -> None:
    reached: Counter[str] = Counter()
    sat = hands(sittings("double_rum", 1), count * len(GAME.players))
    for log in sat:
        assert double_rum.check(log) == [], {**log, "actions": "…"}
        if not reached.keys() >= COUNTED:  # looking for them takes longer than all else
            reached.update(set(corners(log)))
    assert not COUNTED - reached.keys(), reached


@pytest.mark.plain
def test_the_referee_agrees_on_a_few() -> None:
    for log in hands(sittings("double_rum", seed=2), 35):
        assert double_rum.check(log) == [], {**log, "actions": "…"}


# ---- what is not legal --------------------------------------------------------------------


@pytest.mark.parametrize("count", sizes(plain=15, ordinary=2_000, soak=200_000))
def test_the_same_actions_are_refused(count: int) -> None:
    rng = Random(3)
    verdicts: Counter[tuple[str, bool]] = Counter()
    for _ in range(count):
        state = any_position(rng)
        for make in (any_layoff, any_joker_move, any_meld):
            action = make(state, rng)
            legal = state.after(action) is not None
            assert is_legal(state, action) == legal, (action, state.hand, state.table)
            verdicts[action["a"], legal] += 1
    if count > 100:
        for name in ("LAYOFF", "JOKER_MOVE", "MELD"):
            assert verdicts[name, True] > 60 and verdicts[name, False] > 60, verdicts


@pytest.mark.plain
@pytest.mark.parametrize("end", [{}, {"end": "low"}, {"end": "high"}])
def test_an_ace_that_fits_one_end_goes_there_whatever_end_is_named(end: dict) -> None:
    hands = [["AS", "2C", "2D"], ["3C"]]
    action = {"a": "LAYOFF", "card": "AS", "meld": 0} | end
    for ranks, fits in [
        ("23456789TJQKA", True),
        ("A23456789TJQK", True),
        ("23456789TJQK", True),
        ("3456789TJQKA", False),
        ("A23456789TJQ", False),
    ]:
        state = DoubleRumHand(all_switches("double_rum", {}), hands, ["4C"], ["5C"])
        state.start_turn(0)
        state.phase, state.table = "TABLE", [(1, tuple(f"{rank}S" for rank in ranks))]
        assert is_legal(state, action) == (state.after(action) is not None) == fits


RANKS = "A23456789TJQKA"


def any_position(rng: Random) -> DoubleRumHand:
    """A table of a run and a set, as it may lie in front of seat 0 under any rules."""
    rules = {s.name: rng.choice(s.options) for s in GAME.switches.values() if s.options}
    hands = [["2C", "2D"], ["3C"]]
    state = DoubleRumHand(all_switches("double_rum", rules), hands, ["4C"], ["5C"])
    state.start_turn(0)
    state.phase = "TABLE"
    cards = [f"7{suit}" for suit in rng.sample("SHDC" * 2, rng.randint(2, 5))]
    state.table = [(rng.randrange(2), any_run(rng)), (1, (*cards, "*=7"))]
    return state


def any_run(rng: Random) -> tuple[str, ...]:
    """A run, mostly with a joker, moved or not, at an end."""
    low = rng.randrange(12)
    size = rng.randint(3, 14 - low)
    if size == 14:
        size = rng.choice([3, 13])
    tokens = [f"{rank}S" for rank in RANKS[low : low + size]]
    for place in rng.sample([0, size - 1, size // 2], rng.choice([0, 1, 1, 1])):
        tokens[place] = f"{rng.choice(['*', '*', '*x'])}={tokens[place]}"
    return tuple(tokens)


def near(state: DoubleRumHand, number: int, rng: Random) -> str:
    """A card that may do something to a meld: at its ends, or up to two places beyond them."""
    if number == 1:
        return rng.choice("678") + rng.choice("SHDC")
    tokens = state.table[0][1]
    meant = rng.choice([tokens[0], tokens[-1]]).split("=")[-1]
    step = rng.choice([0, 0, 1, -1, 2, -2])
    return RANKS[(RANKS.index(meant[0]) + step) % 13] + meant[1]


def any_layoff(state: DoubleRumHand, rng: Random) -> dict:
    """A card, or a joker as it or its rank, on any meld at any end."""
    number = rng.randrange(2)
    card = near(state, number, rng)
    if rng.random() < 0.3:
        card = f"*={rng.choice([card, card[0]])}"
    state.hands[0] = [face(card), "2C", "2D"]
    action = {"a": "LAYOFF", "card": card, "meld": rng.choice([number, number, 1 - number, 2])}
    return action | rng.choice([{}, {"end": "low"}, {"end": "high"}])


def any_joker_move(state: DoubleRumHand, rng: Random) -> dict:
    """A card that may move a joker of a meld."""
    card = near(state, 0, rng)
    state.hands[0] = [card, "2C", "2D"]
    return {"a": "JOKER_MOVE", "card": card, "meld": rng.choice([0, 0, 0, 1, 2])}


def any_meld(state: DoubleRumHand, rng: Random) -> dict:
    """Neighbours or equals, some of them jokers; the hand holds them."""
    suit, low, size = rng.choice("SHDC"), rng.randrange(12), rng.choice([2, 3, 3, 4, 5, 8])
    cards = [rank + suit for rank in (RANKS + "23456")[low : low + size]]
    if rng.random() < 0.4:
        cards = [RANKS[low] + suit for suit in rng.sample("SHDC" * 2, size)]
    for place in rng.sample(range(size), rng.choice([0, 0, 1, 1, 2])):
        cards[place] = f"*={cards[place][: rng.choice([1, 2, 2])]}"
    state.hands[0] = [*map(face, cards), *{"7C", "8D", "9S"}.difference(cards)]
    return {"a": "MELD", "cards": cards}


@pytest.mark.parametrize("count", sizes(plain=10, ordinary=400, soak=20_000))
def test_questions_are_answered_alike(count: int) -> None:
    rng = Random(4)
    answers: Counter[str] = Counter()
    for _ in range(count):
        for kind, given in questions(rng):
            rules = {s.name: rng.choice(s.options) for s in GAME.switches.values() if s.options}
            case = {"kind": kind, "given": given, "switches": rules}
            found = ruling("double_rum", kind, given, rules)
            expected = double_rum.answer(case)
            for part in ("legal", "table", "result", "example"):
                if isinstance(expected.get(part), list) and kind != "joker_move":
                    found[part], expected[part] = map(repr_of, (found[part], expected[part]))
            assert found == expected, case
            answers[f"{kind} {sorted(map(str, found.values()))[:1]}"] += 1
    if count > 100:
        assert len(answers) > 20


def repr_of(cards: list) -> list:
    """A list in which the order of cards means nothing."""
    return sorted(map(str, cards))


def questions(rng: Random) -> Iterator[tuple[str, dict]]:
    """Worked cases of every kind that takes cards, none with more of a card than there are."""
    pack, meld = list(PACKS["double_rum"]), list(any_run(rng))
    rest = list(pack)
    for token in meld:
        rest.remove(face(token))
    close = [card for card in rest if card == "*" or card[0] in "A23QK" and card[1] in "SH"]
    hand = rng.sample(close, rng.randint(1, 6))
    yield "meld", {"cards": hand[:5]}
    yield "best_partition", {"hand": hand}
    yield "hand_value", {"hand": hand}
    taken = rng.choice([None, hand[0]])
    yield "discard", {"hand": hand, "taken": taken, "taken_played": rng.random() < 0.3}
    spades = [card for card in rest if card.endswith("S")]
    yield "layoff", {"meld": meld, "add": rng.sample(spades, rng.randint(1, 3))}
    yield "joker_move", {"meld": meld, "natural": rng.choice(spades)}
    yield "go_out", {"hand": hand[:4], "taken": taken, "table": [meld]}
    stock = rng.choice([0, 0, 5])
    pile = rng.sample(pack[:50], rng.choice([0, 1, 2]))
    yield "draw", {"stock": stock, "pile": pile}
    state = {"players": 3, "stock": stock, "pile": pile, "turns": rng.choice([50, 1000])}
    yield "end_check", state | {"idle_turns": rng.choice([5, 6])}
    cards = rng.sample(pack, 12)
    winner = rng.choice([None, 1])
    losers = [cards[:4], [] if winner == 1 else cards[4:6], cards[6:]]
    yield "score", {"hands": losers, "winner": winner, "pool": rng.choice([0, 38])}


# ---- matches ------------------------------------------------------------------------------

ROUNDS = [
    {"MAX_TURNS": 45},
    {"MAX_TURNS": 30, "DBR_MATCH": 5},
    {"DEALER_ROTATION": "winner", "DBR_POOL_END": "stay", "MAX_TURNS": 45},
    {"DBR_POOL": "bank", "DBR_MATCH": 6, "MAX_TURNS": 22},
    {"DEALER_ROTATION": "loser", "DBR_PENALTY_SCOPE": "deadwood", "FIRST_DEALER": "seat0"},
]


@pytest.mark.parametrize("count", sizes(ordinary=2, soak=200))
def test_the_referee_follows_whole_matches(count: int) -> None:
    paid: Counter[str] = Counter()
    for number in range(count):
        for rules in ROUNDS:
            for players in GAME.players:
                seats = [("greedy", "hold", "random")[seat % 3] for seat in range(players)]
                logs = replay("double_rum", seats, 11, number, 1, rules, match=True)
                assert double_rum.check_match(logs) == [], (rules, players)
                by = rules.get("DBR_POOL", "each_pays")
                for log in logs:
                    paid[f"{by}, won"] += log["pool"] > 0 and log["result"]["winner"] is not None
                    paid[f"{by}, added to"] += log["pool"] > 0 and log["result"]["winner"] is None
                paid[f"{by}, unclaimed"] += logs[-1]["result"]["pool"] > 0
    fates = ("won", "added to", "unclaimed")
    assert all(paid[f"{by}, {fate}"] for by in ("each_pays", "bank") for fate in fates), paid


def settled(rules: dict, hands: list[tuple[list[int], int]], pools: list[int]) -> Standings:
    """A match of three after these hands, each the units and the winner; pools: after each."""
    standings = Standings(GAME, GAME.rules(rules), 3, np.array([0]))
    going = np.array([0])
    for number, (points, winner) in enumerate(hands):
        standings.stake[going] = pools[number]
        share = standings.settle(going, np.array([points]), np.array([winner]), number)
        assert share.sum() == (number == 2)
    return standings


LAST_OPEN = [([-10, -20, -30], -1), ([70, -4, -6], 0), ([-5, -6, -7], -1)]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("rules", "scores"),
    [({}, [60, -24, -36]), ({"DBR_POOL_END": "stay"}, [55, -30, -43])],
)
def test_an_unclaimed_pool_goes_back_to_those_who_paid_it(rules: dict, scores: list) -> None:
    standings = settled(rules, LAST_OPEN, [60, 0, 18])
    assert standings.scores.tolist() == [scores]


@pytest.mark.plain
def test_the_bank_is_paid_nothing_and_gets_nothing_back() -> None:
    open_hands = [([0, 0, 0], -1), ([30, -10, -20], 0), ([0, 0, 0], -1)]
    standings = settled({"DBR_POOL": "bank"}, open_hands, [60, 0, 18])
    assert standings.scores.tolist() == [[30, -10, -20]] and standings.stake.tolist() == [18]


@pytest.mark.plain
def test_equal_balances_share_a_match() -> None:
    standings = Standings(GAME, GAME.rules({"DBR_MATCH": 1}), 3, np.array([2]))
    share = standings.settle(np.array([0]), np.array([[-8, -8, -8]]), np.array([-1]), 0)
    assert share.tolist() == [[1 / 3] * 3] and standings.dealer.tolist() == [0]


@pytest.mark.plain
def test_the_first_of_equal_losers_to_the_left_deals() -> None:
    standings = Standings(GAME, GAME.rules({"DEALER_ROTATION": "loser"}), 4, np.array([2, 2]))
    points = np.array([[-9, 18, -3, -6], [-9, -9, 27, -9]])
    standings.settle(np.array([0, 1]), points, np.array([1, 2]), 0)
    assert standings.dealer.tolist() == [0, 3]


@pytest.mark.plain
def test_the_length_of_a_match_is_a_number_or_that_of_the_players() -> None:
    assert GAME.rules({"DBR_MATCH": "n"})["DBR_MATCH"] == "n"
    assert GAME.rules({"DBR_MATCH": "12"})["DBR_MATCH"] == 12
    with pytest.raises(CooncanError, match="it takes n, or a whole number from 1"):
        GAME.rules({"DBR_MATCH": 0})


# ---- strategies that break the rules ------------------------------------------------------

BREAKER = '''"""Breaks the rule that `how` names. Source: nobody plays like this."""

import numpy as np

from cooncan_sim.bits import NONE, U1, first_bit
from cooncan_sim.games.double_rum import clear_seat
from cooncan_sim.games.double_rum_table import lay_joker_off, lay_off, lay_set, move_joker, stop

GAMES = ("double_rum",)
WEIGHTS = {"how": 0}


def choose_draw(table, seat):
    if seat.weights[0] == 7:
        clear_seat(table, seat, seat.seat)
    return 9 if seat.weights[0] == 0 else 4


def choose_table(table, seat):
    how = seat.weights[0]
    if how == 1:
        return lay_set(seat.hand, seat.twice, 0)
    if how == 2:
        return lay_off(U1 << np.uint64(13), NONE, 0)
    if how == 3:
        return move_joker(first_bit(seat.hand), 0)
    if how == 4:
        return lay_joker_off(NONE, 3)
    return stop()


def choose_discard(table, seat):
    return 63 if seat.weights[0] == 5 else table.taken
'''
BREACHES = {
    0: "the answer 9 breaks R-COM-06: that is no answer",
    1: "MELD .+ breaks R-DBR-09: these cards are no meld",
    2: "LAYOFF breaks R-COM-06: these cards are not in the hand",
    3: "JOKER_MOVE .. breaks R-DBR-16: there is no such meld",
    4: "LAYOFF [*] breaks R-COM-06: these cards are not in the hand",
    5: "DISCARD 63 breaks R-COM-06: 63 is no card",
    6: "DISCARD .. breaks R-DBR-13: the card just taken",
    7: "STOP breaks R-COM-12: a strategy has changed the cards",
}


@pytest.mark.plain
def test_a_broken_rule_is_named(tmp_path: Path) -> None:
    path = tmp_path / "breaker.py"
    path.write_text(BREAKER, encoding="utf-8")
    for how, message in BREACHES.items():
        with pytest.raises(StrategyError, match=f"in seat ., deal .*{message}"):
            simulate("double_rum", [f"{path}(how={how})"] * 2, 20, seed=5)
