"""KonKan: the decisions that matter, `kk-greedy` card for card, and all that `random` may do."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from scipy.stats import chisquare

from cooncan_sim import rng
from cooncan_sim.games.konkan_moves import table_move
from cooncan_sim.games.konkan_text import turn_actions
from cooncan_sim.simulate import Plan
from tests.konkan_positions import positions, set_up
from tests.positions import play_turn
from tests.referee.joker_hand import shape
from tests.referee.konkan import replays_as
from tests.referee.konkan_cases import at_table
from tests.referee.konkan_hand import KonkanHand
from tests.referee.konkan_play import announce_answers, discard_answers, table_answers
from tests.referee.tokens2 import all_switches
from tests.sittings import hands, sittings
from tests.sizes import sizes

# ---- decisions ----------------------------------------------------------------------------


def at(hand: str, melds: str = "", down: bool = True, taken: str | None = None,
       **switches: object) -> KonkanHand:  # fmt: skip
    """Seat 0 of two after the draw; the pairs, split by bars, are the other's."""
    tables = [meld.split() for meld in melds.split("|") if meld]
    return at_table(hand.split(), taken, tables, down, all_switches("konkan", switches))


def before(
    hand: str, top: str, melds: str = "", down: bool = True, **switches: object
) -> KonkanHand:
    """The same before the draw: a card on the pile, 2D next in the stock."""
    state = at(hand, melds, down, **switches)
    state.start_turn(0)
    state.stock, state.pile = ["2D", "2D"], [top]
    return state


def opening(hand: str, **switches: object) -> KonkanHand:
    """The dealer's opening."""
    state = at(hand, "", False, **switches)
    state.phase = "OPENING"
    return state


def played(state: KonkanHand, strategy: str = "kk-greedy", stream: int = 0) -> list[dict]:
    """What a strategy does from here to the end of the turn."""
    plan = Plan("konkan", ((strategy,) * state.players,), rules=state.rules)
    return play_turn(plan, set_up(state), stream)


def told(actions: list[dict]) -> str:
    """Actions in one line."""
    said = []
    for action in actions:
        pairs = action.get("melds") or [action.get("cards") or [action.get("card", "")]]
        where = f" on {action['meld']}" if "meld" in action else ""
        said.append(f"{action['a']} {' | '.join(' '.join(pair) for pair in pairs)}".strip() + where)
    return "; ".join(said)


JUNK = "2C 4C 6D 9H JD 3H 8C TC"


@pytest.mark.parametrize(
    ("state", "draw"),
    [
        # thirty and twenty-one: the ace brings the hand down
        (before(f"QS KS 7H 7D 7S {JUNK} 5S", "AS", down=False), "DRAW_DISCARD AS"),
        # so would any card, the hand has 51 points already
        (before(f"QS KS AS 7H 7D 7S {JUNK}", "5S", down=False), "DRAW_DISCARD 5S"),
        # where it must be in the pairs it cannot be taken
        (
            before(f"QS KS AS 7H 7D 7S {JUNK}", "5S", down=False, KK_PICKUP_MUST_USE="yes"),
            "DRAW_STOCK 2D",
        ),
        # down: a joker always, a card that fits the table or frees a joker, one that lowers the
        # deadwood; not one that only changes it
        (before("2C 9H", "*"), "DRAW_DISCARD *"),
        (before("2C 3H", "KH", "TH JH QH"), "DRAW_DISCARD KH"),
        (before("2C 3H", "5D", "4D *=5D 6D"), "DRAW_DISCARD 5D"),
        (before("2C KH 9D", "3H"), "DRAW_DISCARD 3H"),
        (before("2C 3H", "9S"), "DRAW_STOCK 2D"),
    ],
)
def test_draws(state: KonkanHand, draw: str) -> None:
    assert told(played(state)[:1]) == draw


@pytest.mark.parametrize(
    ("state", "turn"),
    [
        # fourteen cards go down at once, the fifteenth is thrown
        (
            at("QS KS AS 7H 7D 7S 4C 5C 6C 7C 8C 2D 2H 2S JH", down=False),
            "COME_DOWN QS KS AS | 2S 2H 2D | 7S 7H 7D | 4C 5C 6C 7C 8C; DISCARD JH",
        ),
        # 47 points are not enough, whatever else they leave
        (
            at("2H 2D 2S 2C 3H 3D 3S 3C 4H 4D 4S 5H 5D 5S KC", down=False),
            "DISCARD KC",
        ),
        # a joker in a set stands for the first missing suit; the freed set is hit in that turn
        (
            at("KH KD * QS QH QD 9C 2C", "9S 9H 9D", down=False),
            "COME_DOWN QS QH QD | KH KD *=KS; LAYOFF 9C on 0; DISCARD 2C",
        ),
        # an exchange first; the joker then makes a set with the pair in hand
        (
            at("6D 8S 8H KC", "4D 5D *=6D 7D"),
            "JOKER_SWAP 6D on 0; MELD 8S 8H *=8D; DISCARD KC",
        ),
        # own pairs before hits; on runs before on sets; the dearest first
        (
            at("2S 2H 2D 9C 7H 6H 3C", "6C 7C 8C|7S 7D 7C"),
            "MELD 2S 2H 2D; LAYOFF 9C on 0; LAYOFF 7H on 1; DISCARD 6H",
        ),
        # the joker goes where the three can follow it, otherwise to the high end
        (
            at("* 3S 9C KD", "5S 6S 7S|TH JH QH"),
            "LAYOFF *=4S on 0; LAYOFF 3S on 0; DISCARD KD",
        ),
        (at("* 2C KD", "5S 6S 7S"), "LAYOFF *=8S on 0; DISCARD KD"),
        # an ace that fits both ends goes to the low one
        (
            at("AS AS KD", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"),
            "LAYOFF AS on 0; LAYOFF AS on 0; DISCARD KD",
        ),
        (
            at("AS AS KD", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", RUN_BOTH_ACES="forbidden"),
            "LAYOFF AS on 0; DISCARD KD",
        ),
        # both cards fit, one has to be thrown
        (at("9C TC", "6C 7C 8C"), "LAYOFF 9C on 0; DISCARD TC"),
        # the king was just taken: something else has to stay to be thrown
        (at("9C 2D KD", "6C 7C 8C", taken="KD"), "LAYOFF 9C on 0; DISCARD 2D"),
        (at("9C KD", "6C 7C 8C", taken="KD"), "DISCARD 9C"),
        # nothing takes the joker: it is kept, not announced
        (at("* 2C"), "DISCARD 2C"),
        # an exchange is passed over in the turn of coming down where a house rule says so
        (
            at("KS KH KD QS QH QD 5D 2C", "4D *=5D 6D", down=False, KK_SWAP_SAME_TURN="no"),
            "COME_DOWN QS QH QD | KS KH KD; DISCARD 5D",
        ),
        # one joker a pair: the second one stays in hand
        (
            at("* KD", "5S 6S *=7S", KK_JOKERS_PER_PAIR=1),
            "DISCARD KD",
        ),
        # the dealer throws, and comes down first only where he may
        (opening(f"QS KS AS 7H 7D 7S {JUNK} 5S"), "DISCARD JD"),
        (
            opening(f"QS KS AS 7H 7D 7S {JUNK} 5S", KK_DEALER_COMEDOWN="yes"),
            "COME_DOWN QS KS AS | 7S 7H 7D; DISCARD JD",
        ),
    ],
)
def test_turns(state: KonkanHand, turn: str) -> None:
    assert told(played(state)) == turn


@pytest.mark.parametrize("count", sizes(plain=6, ordinary=150, soak=20_000))
def test_card_for_card(count: int) -> None:
    for log in hands(sittings("konkan", seed=3, players=["kk-greedy"]), count):
        assert replays_as(log) == [], {**log, "actions": "…"}


# ---- random -------------------------------------------------------------------------------


def middles(seed: int) -> Iterator[KonkanHand]:
    """Positions after the draw of players who are down, of all strategies under all rules."""
    dice = Random(seed)
    for log in hands(sittings("konkan", seed), 10**9):
        for state in positions(log):
            if state.phase == "TABLE" and state.down[state.turn] and dice.random() < 0.2:
                yield state


def effect(state: KonkanHand, action: dict) -> tuple:
    """What an action comes to; it has to be legal."""
    after = state.after(action)
    assert after is not None, action
    return action["a"], tuple(shape(after)), tuple(sorted(after.hands[state.turn]))


def listed(state: KonkanHand) -> list[dict]:
    """The table actions but "stop" that the engine lists."""
    states = set_up(state)
    table, seat = states[0]["table"], states[0]["seats"][state.turn]
    deck, found = states["deck"], []
    for number in range(int(table_move(table, seat, 0)[0])):
        move = table_move(table, seat, number)[1]
        for field, word in zip(move._fields, move, strict=True):
            deck["notes"][field][0, 0] = word
        deck["noted"] = 1
        found += turn_actions(states)
    return found


@pytest.mark.parametrize("count", sizes(plain=40, ordinary=800, soak=100_000))
def test_the_engine_lists_every_legal_answer(count: int) -> None:
    several = 0
    for state in islice(middles(seed=4), count):
        found = Counter(effect(state, action) for action in listed(state))
        assert found == Counter(effect(state, action) for action in table_answers(state)), state
        several += len(found) > 1
    assert several >= count // 20


@pytest.mark.parametrize(
    "state",
    [
        at("7S 7H * 5D 9C KD", "6C 7C 8C|4D *=5D 6D|7C 7D 7S"),
        at("QS KS AS 7H 7D 7S 4C", down=False),
        at("QS KS AS 7H 7D 7S 4C 9D", down=False, taken="4C"),
        before(f"QS KS 7H 7D 7S {JUNK} 5S", "AS", down=False),
    ],
    ids=["down", "not down", "picked up", "draw"],
)
def test_every_legal_answer_is_as_likely(state: KonkanHand) -> None:
    if state.phase == "DRAW":
        right = {("DRAW_STOCK",), ("DRAW_DISCARD",)}
    else:
        stop = set() if state.must_open else {("STOP",)}
        right = {effect(state, action) for action in table_answers(state)} | stop
    found: Counter[tuple] = Counter()
    for n in range(60 * len(right)):
        first = played(state, "random", int(rng.stream(6, n, rng.POLICY, 0)))[0]
        if first["a"].startswith("DRAW"):
            found[first["a"],] += 1
        elif first["a"] in ("DISCARD", "ANNOUNCE"):
            found["STOP",] += 1
        else:
            found[effect(state, first)] += 1
    assert_as_likely(found, right)


def test_announcements_and_discards_are_as_likely() -> None:
    state = at("* * 2C")
    announced: Counter[int] = Counter()
    thrown: Counter[str] = Counter()
    for n in range(600):
        actions = played(state, "random", int(rng.stream(7, n, rng.POLICY, 0)))
        announced[sum(action.get("n", 0) for action in actions)] += 1
        thrown[actions[-1]["card"]] += 1
    assert_as_likely(announced, set(announce_answers(state)))
    assert_as_likely(thrown, {answer["card"] for answer in discard_answers(state)})


def assert_as_likely(found: Counter, right: set) -> None:
    assert found.keys() == right
    assert len(right) == 1 or chisquare([found[answer] for answer in right]).pvalue > 1e-6, found
