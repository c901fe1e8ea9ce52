"""KonKan: the engine and the referee agree on random hands; what seldom happens has happened."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

import pytest

from cooncan_sim import simulate
from cooncan_sim.catalog import game
from cooncan_sim.games import konkan_breach
from cooncan_sim.games.konkan_score import hand_value
from cooncan_sim.games.konkan_script import carry_out, script_state
from cooncan_sim.reports.follow import Step, steps
from cooncan_sim.rulings import ruling
from cooncan_sim.simulate import ENDINGS, Plan, StrategyError
from tests.referee.cards import stands_for, value
from tests.referee.konkan import check
from tests.sittings import Sitting, hands, sittings
from tests.sizes import sizes

GAME = game("konkan")
# Hands that reach what random ones hardly ever do.
RENEWED = {"RESHUFFLE_TIMING": "at_turn_start", "KK_RESHUFFLE_KEEP_TOP": "yes"}
SELDOM = [
    Sitting("konkan", ("random",) * 2, seed=7, deal=34, deals=1),
    Sitting("konkan", ("random",) * 3, seed=7, deal=934, deals=1),
    Sitting("konkan", ("random",) * 4, seed=7, deal=2213, deals=1),
    Sitting("konkan", ("random",) * 2, RENEWED, seed=7, deal=22, deals=3),
]
CORNERS = {
    "ending out",
    "ending max_turns",
    "burned by LAYOFF",
    "burned by COME_DOWN",
    "burned by MELD",
    "burned by JOKER_SWAP",
    "burned with a joker in it",
    "joker exchanged",
    "joker exchanged in the turn of coming down",
    "joker exchanged for another suit than it was declared as",
    "a natural card hit where a joker stood for it",
    "joker hit",
    "joker thrown",
    "joker taken from the pile",
    "announced 1",
    "announced 2",
    "picked up to come down",
    "picked up, but not used to come down",
    "came down in the opening",
    "come-down refused by beat_previous",
    "run of 14",
    "recycled on_demand",
    "recycled on_demand, top kept",
    "recycled at_turn_start",
    "recycled at_turn_start, top kept",
    "recycled, then the discard taken",
    "recycled twice",
    "recycled, each seat its own order",
}


def corners(log: dict) -> Iterator[str]:
    """The rare points that a hand has reached."""
    yield f"ending {log['result']['ending']}"
    yield from recycled(log)
    followed = steps(log)
    just_down = False
    for before, after in pairwise(followed):
        action = after.action
        assert action is not None
        yield from reached(before, after, action)
        just_down = action["a"] == "COME_DOWN" or (just_down and after.turn == before.turn)
        if just_down and action["a"] == "JOKER_SWAP":
            yield "joker exchanged in the turn of coming down"
        if any(len(meld.cards) == 14 for meld in after.table):
            yield "run of 14"
    if log["switches"].get("KK_OPEN_RULE") == "beat_previous":
        yield from refused(followed)
    for first, second in pairwise(log["actions"]):
        if first["a"] == "DRAW_DISCARD" and second["a"] == "COME_DOWN":
            yield "picked up to come down"
            laid = [token for meld in second["melds"] for token in meld]
            if first["card"] not in [token.partition("=")[0] for token in laid]:
                yield "picked up, but not used to come down"


def recycled(log: dict) -> Iterator[str]:
    """What became of an empty stock."""
    renewed = [action for action in log["actions"] if "recycled" in action]
    timing = log["switches"].get("RESHUFFLE_TIMING", "on_demand")
    kept = ", top kept" if log["switches"].get("KK_RESHUFFLE_KEEP_TOP") == "yes" else ""
    if renewed:
        yield f"recycled {timing}{kept}"
        if "stock_order" in log:
            yield "recycled, each seat its own order"
    if len(renewed) > 1:
        yield "recycled twice"
    if any(action["a"] == "DRAW_DISCARD" for action in renewed):
        yield "recycled, then the discard taken"


def reached(before: Step, after: Step, action: dict) -> Iterator[str]:
    """What one action has brought about."""
    kind = action["a"]
    for meld in after.burned:
        yield f"burned by {kind}"
        if any(token.startswith("*") for token in meld.cards):
            yield "burned with a joker in it"
    if kind == "JOKER_SWAP":
        yield "joker exchanged"
        if f"*={action['card']}" not in before.table[action["meld"]].cards:
            yield "joker exchanged for another suit than it was declared as"
    elif kind == "LAYOFF" and action["card"].startswith("*"):
        yield "joker hit"
    elif kind == "LAYOFF" and f"*={action['card']}" in before.table[action["meld"]].cards:
        yield "a natural card hit where a joker stood for it"
    elif kind == "ANNOUNCE":
        yield f"announced {action['n']}"
    elif kind == "DISCARD" and action["card"] == "*":
        yield "joker thrown"
    elif kind == "DRAW_DISCARD" and action["card"] == "*":
        yield "joker taken from the pile"
    elif kind == "COME_DOWN" and after.turn == 1:
        yield "came down in the opening"


def refused(followed: list[Step]) -> Iterator[str]:
    """Hands that 51 points would bring down, where others have come down with more."""
    highest = 0
    for before, after in pairwise(followed):
        action = after.action
        assert action is not None
        if action["a"] == "COME_DOWN":
            highest = max(highest, worth(action["melds"]))
        elif action["a"] == "DISCARD" and highest and action["seat"] not in before.down:
            hand = list(before.hands[action["seat"]])
            if 51 <= ruling("konkan", "open_max", {"hand": hand})["max_points"] <= highest:
                yield "come-down refused by beat_previous"
                return


def worth(melds: list[list[str]]) -> int:
    return sum(value(stands_for(token), "konkan") for meld in melds for token in meld)


@pytest.mark.parametrize("count", sizes(ordinary=3_000, soak=100_000))
def test_the_referee_agrees(count: int) -> None:
    found: Counter[str] = Counter()
    seldom = chain.from_iterable(sitting.logs() for sitting in SELDOM)
    for log in chain(hands(sittings("konkan", seed=1), count), seldom):
        assert_right(log)
        if not found.keys() >= CORNERS:
            found.update(set(corners(log)))
    assert not [corner for corner in CORNERS if not found[corner]], found


def assert_right(log: dict) -> None:
    """The referee finds nothing wrong with a hand."""
    faults = check(log)
    assert not faults, (faults, {**log, "actions": "…"})


@pytest.mark.plain
def test_the_referee_agrees_on_a_few() -> None:
    for log in hands(sittings("konkan", seed=2), 90):
        assert_right(log)


# ---- rules one by one ---------------------------------------------------------------------


def after(actions: list[dict], hand: str, pairs: str = "", down: bool = True, pile: str = "2H",
          stock: str = "6H 6S", other: str = "2D 3C", **switches: object) -> dict:  # fmt: skip
    """What becomes of a turn of seat 0 of two; the pairs, split by bars, are the other's."""
    given = {
        "players": 2,
        "turn": 0,
        "phase": "DRAW",
        "hands": [hand.split(), other.split()],
        "stock": stock.split(),
        "pile": pile.split(),
        "table": [{"owner": 1, "cards": pair.split()} for pair in pairs.split("|") if pair],
        "down": [down, bool(pairs)],
        "actions": actions,
    }
    return ruling("konkan", "script", given, switches)


def act(name: str, card: str = "", meld: int = 0, **more: object) -> dict:
    return {"a": name, "card": card, "meld": meld} | more


STOCK, PILE = act("DRAW_STOCK"), act("DRAW_DISCARD")
OPENING = act("COME_DOWN", melds=[["QS", "KS", "AS"], ["7H", "7D", "7S"]])


@pytest.mark.plain
def test_the_last_card_that_may_be_thrown_stays() -> None:
    hit, again = act("LAYOFF", "9C"), act("LAYOFF", "TC")
    assert after([STOCK, hit, again], "9C TC", "6C 7C 8C")["illegal_at"] is None
    assert after([STOCK, hit, again], "9C", "6C 7C 8C", stock="TC")["illegal_at"] == 2
    # a card just taken may not be thrown, so it does not count
    assert after([PILE, hit], "9C", "6C 7C 8C", pile="KD")["illegal_at"] == 1
    free = {"RETURN_TAKEN_DISCARD": "allowed"}
    assert after([PILE, hit], "9C", "6C 7C 8C", pile="KD", **free)["illegal_at"] is None
    # of twins the other one may be thrown, unless the face is meant
    run, face = "6C 7C 8C", {"TAKEN_CARD_MATCH": "face"}
    assert after([PILE, hit], "9C KD", run, pile="KD")["illegal_at"] is None
    assert after([PILE, hit], "9C KD", run, pile="KD", **face)["illegal_at"] == 1
    assert after([PILE], "KD", run, pile="KD")["illegal_at"] is None
    assert after([PILE], "KD", run, pile="KD", **face)["illegal_at"] == 0
    # the freed joker may be thrown
    swap = act("JOKER_SWAP", "6D")
    assert after([STOCK, swap], "6D", "4D 5D *=6D")["illegal_at"] is None


@pytest.mark.plain
@pytest.mark.parametrize(
    ("switches", "top"), [({}, "2H"), ({"KK_BURN_POSITION": "top"}, "9C")], ids=["under", "top"]
)
def test_burned_sets_go_to_the_pile_and_later_pairs_move_up(switches: dict, top: str) -> None:
    turn = [STOCK, act("LAYOFF", "9C"), act("LAYOFF", "TH", 0)]
    found = after(turn, "9C TH KD", "9S 9H 9D|7H 8H 9H", **switches)
    assert found["illegal_at"] is None
    assert found["table"] == [["7H", "8H", "9H", "TH"]]
    assert (found["pile_top"], found["pile_size"]) == (top, 5)


@pytest.mark.plain
@pytest.mark.parametrize("end", [{}, {"end": "low"}, {"end": "high"}])
def test_an_ace_that_fits_one_end_goes_there_whatever_end_is_named(end: dict) -> None:
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    both = after([STOCK, act("LAYOFF", "AS", **end)], "AS KD", f"{run} AS")
    assert both["table"] == [["AS", *run.split(), "AS"]]
    above = after([STOCK, act("LAYOFF", "AS", **end)], "AS KD", run[6:])
    assert above["table"] == [[*run[6:].split(), "AS"]]


@pytest.mark.plain
def test_all_pairs_are_laid_before_full_sets_burn() -> None:
    kings = act("COME_DOWN", melds=[["KS", "KH", "KD", "KC"], ["5D", "6D", "7D"]])
    found = after([STOCK, kings], "KS KH KD KC 5D 6D 7D 2C", down=False)
    assert (found["illegal_at"], found["table"]) == (None, [["5D", "6D", "7D"]])
    assert found["pile_size"] == 5


@pytest.mark.plain
def test_whoever_takes_the_discard_comes_down() -> None:
    hand = "QS KS 7H 7D 7S 2C 4C"
    assert after([PILE, OPENING, act("DISCARD", "2C")], hand, down=False, pile="AS")["turn"] == 1
    assert after([PILE, act("DISCARD", "2C")], hand, down=False, pile="AS")["illegal_at"] == 1
    assert after([PILE], hand, down=False, pile="JD")["illegal_at"] == 0
    # 51 points without the jack, which would then be the only card left to throw
    assert after([PILE], "QS KS AS 7H 7D 7S", down=False, pile="JD")["illegal_at"] == 0
    assert after([PILE], "QS KS AS 7H 7D 7S 2C", down=False, pile="JD")["illegal_at"] is None
    strict = {"KK_PICKUP_MUST_USE": "yes"}
    assert after([PILE], "QS KS AS 7H 7D 7S 2C", down=False, pile="JD", **strict)["illegal_at"] == 0
    found = after([PILE, OPENING], "QS KS AS 7H 7D 7S 2C", down=False, pile="JS", **strict)
    assert found["illegal_at"] == 1  # the jack fits, but has to be in the pairs


@pytest.mark.plain
def test_coming_down_must_beat_the_highest_so_far() -> None:
    turns = [STOCK, OPENING, act("DISCARD", "2C"), STOCK]
    second = act("COME_DOWN", melds=[["QH", "KH", "AH"], ["7H", "7D", "7C"]])
    dearer = act("COME_DOWN", melds=[["QH", "KH", "AH"], ["8H", "8D", "8C"]])
    hand, other = "QS KS AS 7H 7D 7S 2C 4C", "QH KH AH 7H 7D 7C 8H 8D 8C 4C 5D"
    rising = {"KK_OPEN_RULE": "beat_previous"}
    assert after([*turns, second], hand, down=False, other=other)["illegal_at"] is None
    assert after([*turns, second], hand, down=False, other=other, **rising)["illegal_at"] == 4
    assert after([*turns, dearer], hand, down=False, other=other, **rising)["illegal_at"] is None


@pytest.mark.plain
def test_exchanges_free_jokers_for_later_use() -> None:
    turn = [STOCK, act("JOKER_SWAP", "6D"), act("MELD", cards=["8S", "8H", "*=8D"])]
    found = after(turn, "6D 8S 8H KC", "4D 5D *=6D")
    assert (found["illegal_at"], found["hands"][0]) == (None, ["6H", "KC"])
    lone = {"KK_JOKERS_PER_PAIR": 1}
    hits = [STOCK, act("LAYOFF", "*=7D")]
    assert after(hits, "* KC", "4D 5D *=6D")["illegal_at"] is None
    assert after(hits, "* KC", "4D 5D *=6D", **lone)["illegal_at"] == 1
    swap = [STOCK, OPENING, act("JOKER_SWAP", "6D")]
    hand, table = "QS KS AS 7H 7D 7S 2C 6D", "4D 5D *=6D"
    assert after(swap, hand, table, down=False)["illegal_at"] is None
    assert after(swap, hand, table, down=False, KK_SWAP_SAME_TURN="no")["illegal_at"] == 2


@pytest.mark.plain
def test_any_missing_suit_frees_a_joker_or_moves_it_aside() -> None:
    free = {"KK_SET_JOKER_SUIT": "any_missing"}
    swap, hit = [STOCK, act("JOKER_SWAP", "7C")], [STOCK, act("LAYOFF", "7S")]
    assert after(swap, "7C KD", "7H 7D *=7S")["illegal_at"] == 1
    assert after(swap, "7C KD", "7H 7D *=7S", **free)["table"] == [["7H", "7D", "7C"]]
    assert after(hit, "7S KD", "7H 7D *=7S")["illegal_at"] == 1
    assert after(hit, "7S KD", "7H 7D *=7S", **free)["table"] == [["7S", "7H", "7D", "*=7C"]]
    two = after(swap, "7C KD", "7H *=7S *=7D", **free)
    assert two["table"] == [["7H", "7C", "*=7D"]]


@pytest.mark.plain
def test_runs_of_fourteen() -> None:
    run = "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    both = [STOCK, act("LAYOFF", "AS"), act("LAYOFF", "AS")]
    assert after(both, "AS AS KD", run)["table"] == [["AS", *run.split(), "AS"]]
    assert after(both, "AS AS KD", run, RUN_BOTH_ACES="forbidden")["illegal_at"] == 2
    high = after([STOCK, act("LAYOFF", "AS", end="high")], "AS AS KD", run)
    assert high["table"] == [[*run.split(), "AS"]]


@pytest.mark.plain
def test_jokers_are_announced_while_the_window_is_open() -> None:
    one, two = act("ANNOUNCE", n=1), act("ANNOUNCE", n=2)
    assert after([STOCK, one, one], "* * KD")["illegal_at"] is None
    assert after([STOCK, one, two], "* * KD")["illegal_at"] == 2
    # one taken from the table needs no announcement
    swap = act("JOKER_SWAP", "6D")
    assert after([STOCK, swap, one], "6D KD", "4D 5D *=6D")["illegal_at"] == 2
    short = {"KK_ANNOUNCE_WINDOW": "comedown_turn"}
    assert after([STOCK, one], "* KD", **short)["illegal_at"] == 1
    hand = "QS KS AS 7H 7D 7S 2C *"
    assert after([STOCK, OPENING, one], hand, down=False, **short)["illegal_at"] is None


@pytest.mark.plain
@pytest.mark.parametrize(
    ("turn", "left"),
    [
        # the joker that was not announced leaves first, the mark stays with the other
        ([act("LAYOFF", "*=8H")], 2),
        # both have left; one that comes later costs 25 again
        ([act("LAYOFF", "*=8H"), act("DISCARD", "*"), STOCK, act("DISCARD", "2D"), STOCK], 25),
    ],
)
def test_marks_leave_with_their_jokers(turn: list[dict], left: int) -> None:
    given = position("TABLE", [["*", "*", "KD"], ["2D", "3C"]], ["6H", "*"], [True, True])
    given["table"] = [{"owner": 1, "cards": ["5H", "6H", "7H"]}]
    state = script_state(GAME, GAME.rules(), given)
    for action in [act("ANNOUNCE", n=1), *turn]:
        assert carry_out(state, action) == konkan_breach.LEGAL
    assert hand_value(state["table"], state["seats"][0]) == 10 + left


@pytest.mark.plain
def test_recycling() -> None:
    pile = {"pile": "4H 9C KD", "stock": ""}
    found = after([STOCK], "2C 3C", **pile)
    assert (found["stock_left"], found["pile_size"]) == (2, 0)
    kept = after([STOCK], "2C 3C", **pile, KK_RESHUFFLE_KEEP_TOP="yes")
    assert (kept["stock_left"], kept["pile_top"], kept["pile_size"]) == (1, "KD", 1)
    early = {"RESHUFFLE_TIMING": "at_turn_start"}
    assert after([PILE], "2C 3C", **pile)["illegal_at"] is None
    assert after([PILE], "2C 3C", **pile, **early)["illegal_at"] == 0
    assert after([PILE], "2C 3C", **pile, **early, KK_RESHUFFLE_KEEP_TOP="yes")["stock_left"] == 2


@pytest.mark.plain
@pytest.mark.parametrize(("scoring", "points"), [("no_score", [0, 0]), ("all_count", [12, 27])])
def test_a_hand_without_a_source_is_void(scoring: str, points: list[int]) -> None:
    """Where the top discard stays, one that the next player may not take is no source."""
    rules = {"KK_RESHUFFLE_KEEP_TOP": "yes", "VOID_HAND_SCORING": scoring}
    plan = Plan("konkan", (("kk-greedy",) * 2,), rules=rules)
    given = position("DRAW", [["KD", "2C"], ["*", "2D"]], ["QH"], [True, False])
    states = plan.new_state()
    states[0] = script_state(GAME, GAME.rules(rules), given)
    plan.engine("play").play_on(*plan.functions, plan.seats[0], states)
    table = states["table"][0]
    assert (ENDINGS[table["ending"]], table["winner"], table["turns"]) == ("void", -1, 1)
    assert plan.engine("text").points(states)["points"] == points


@pytest.mark.plain
def test_who_has_no_stock_takes_the_discard() -> None:
    """KK_RESHUFFLE_KEEP_TOP, R-KON-16: with one source nobody is asked."""
    rules = {"KK_RESHUFFLE_KEEP_TOP": "yes"}
    plan = Plan("konkan", (("kk-greedy",) * 2,), rules=rules)
    given = position("DRAW", [["KD", "2C"], ["4H", "2D"]], [], [True, True]) | {"pile": ["9S"]}
    states = plan.new_state()
    states[0] = script_state(GAME, GAME.rules(rules), given)
    plan.engine("play").play_on(*plan.functions, plan.seats[0], states)
    first, *_ = plan.engine("text").turn_actions(states)
    assert first == {"seat": 0, "a": "DRAW_DISCARD", "card": "9S"}


def position(phase: str, hands: list[list[str]], stock: list[str], down: list[bool]) -> dict:
    """A small state of two players, seat 0 to act, with an empty pile and table."""
    return {
        "players": 2,
        "turn": 0,
        "phase": phase,
        "hands": hands,
        "stock": stock,
        "pile": [],
        "table": [],
        "down": down,
    }


# ---- illegal answers ----------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("decision", "body", "rule"),
    [
        ("choose_draw", "return 17", "the answer 17 breaks R-COM-06"),
        ("choose_table", "return stop()", "STOP breaks R-KON-10"),
        ("choose_table", "return come_down()", "COME_DOWN breaks R-KON-02"),
        ("choose_table", "take(table, seat, 0)\n    return stop()", "breaks R-COM-12"),
        ("choose_announce", "return 3", "ANNOUNCE breaks R-KON-31"),
        ("choose_discard", "return table.taken", "DISCARD -1 breaks R-COM-06: -1 is no card"),
    ],
)
def test_illegal_answers_are_named(tmp_path: Path, decision: str, body: str, rule: str) -> None:
    page = tmp_path / "wrong.py"
    page.write_text(
        f'"""Answers wrongly. Made for a test."""\n\n'
        f"from cooncan_sim.games.konkan_deal import take\n"
        f"from cooncan_sim.view_konkan import come_down, stop\n\n"
        f'GAMES = ("konkan",)\nBASE = "kk-greedy"\n\n\n'
        f"def {decision}(table, seat):\n    {body}\n"
    )
    with pytest.raises(StrategyError) as error:
        simulate("konkan", [str(page), "random"], deals=3_000, seed=1, jobs=1)
    assert rule in str(error.value)
