"""KonKan: where the strategies that try a tip play otherwise than `kk-greedy`, by hand."""

import numba
import pytest

from cooncan_sim.catalog import strategies
from cooncan_sim.simulate import Plan, play
from tests.konkan_positions import set_up
from tests.positions import play_turn
from tests.referee.konkan_hand import KonkanHand
from tests.sizes import sizes
from tests.test_konkan_strategies import JUNK, at, before, told


def turn(state: KonkanHand, name: str, **fields: object) -> str:
    """What a strategy does from here to the end of the turn; fields of the table are changed."""
    states = set_up(state)
    for field, value in fields.items():
        states["table"][field] = value
    return told(play_turn(Plan("konkan", ((name,) * state.players,), rules=state.rules), states))


def both(name: str, state: KonkanHand, **fields: object) -> tuple[str, str]:
    """The turns of `kk-greedy` and of another strategy from here."""
    return turn(state, "kk-greedy", **fields), turn(state, name, **fields)


# ---- T-25: when to come down --------------------------------------------------------------

OPENING = f"QS KS 7H 7D 7S {JUNK} 5S"  # with A♠ thirty and twenty-one
WINNING = "QS KS AS 2D 2H 2S 7S 7H 7D 4C 5C 6C 7C JH"  # with 8♣ all but one lies in pairs


@pytest.mark.plain
@pytest.mark.parametrize(("turns", "waits"), [(0, True), (5, True), (6, False)])
def test_wait_does_not_come_down_in_its_first_turns(turns: int, waits: bool) -> None:
    """Two players: the seventh turn of the hand is somebody's fourth."""
    state = at(f"QS KS AS 7H 7D 7S {JUNK} 5S", down=False)
    greedy, waiting = both("kk-wait", state, turns=turns)
    assert greedy == "COME_DOWN QS KS AS | 7S 7H 7D; DISCARD JD"
    assert waiting == ("DISCARD JD" if waits else greedy)
    assert turn(state, "kk-wait(w=0)", turns=turns) == greedy


@pytest.mark.plain
@pytest.mark.parametrize(("turns", "draw"), [(0, "DRAW_STOCK 2D"), (6, "DRAW_DISCARD AS")])
def test_wait_takes_no_discard_only_to_come_down(turns: int, draw: str) -> None:
    state = before(OPENING, "AS", down=False)
    assert turn(state, "kk-greedy", turns=turns).startswith("DRAW_DISCARD AS")
    assert turn(state, "kk-wait", turns=turns).startswith(draw)


@pytest.mark.plain
def test_wait_wins_where_it_can() -> None:
    won = "COME_DOWN QS KS AS | 2S 2H 2D | 7S 7H 7D | 4C 5C 6C 7C 8C; DISCARD JH"
    assert both("kk-wait", at(f"{WINNING} 8C", down=False)) == (won, won)
    assert both("kk-wait", before(WINNING, "8C", down=False)) == (f"DRAW_DISCARD 8C; {won}",) * 2
    lost = at(f"{WINNING} 9C", down=False)
    assert turn(lost, "kk-wait") == "DISCARD JH"


@pytest.mark.plain
def test_wait_counts_what_the_table_takes() -> None:
    """9♣ and J♥ stay after the come-down; a run of the other's takes one of them."""
    state = at(f"{WINNING} 9C", "TC JC QC", down=False)
    greedy, waiting = both("kk-wait", state)
    assert greedy == waiting and waiting.endswith("; LAYOFF 9C on 0; DISCARD JH")


@pytest.mark.plain
def test_wait_comes_down_where_the_discard_was_its_only_card_to_draw() -> None:
    state = at(f"QS KS AS 7H 7D 7S {JUNK} 5S", down=False, taken="5S")
    assert both("kk-wait", state) == ("COME_DOWN QS KS AS | 7S 7H 7D; DISCARD JD",) * 2


@pytest.mark.plain
def test_nopick_opens_from_the_stock_alone() -> None:
    greedy, other = both("kk-nopick", before(OPENING, "AS", down=False))
    assert greedy.startswith("DRAW_DISCARD AS") and other.startswith("DRAW_STOCK")
    state = at(f"QS KS AS 7H 7D 7S {JUNK} 5S", down=False)
    assert both("kk-nopick", state) == ("COME_DOWN QS KS AS | 7S 7H 7D; DISCARD JD",) * 2


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "top", "melds", "draw"),
    [
        ("2C 9H", "*", "", "DRAW_DISCARD *"),
        ("2C 3H", "KH", "TH JH QH", "DRAW_DISCARD KH"),
        ("2C KH 9D", "3H", "", "DRAW_DISCARD 3H"),
        ("2C 3H", "9S", "", "DRAW_STOCK 2D"),
    ],
)
@pytest.mark.parametrize("name", ["kk-nopick", "kk-wait"])
def test_once_down_they_draw_as_greedy(
    name: str, hand: str, top: str, melds: str, draw: str
) -> None:
    assert turn(before(hand, top, melds), name).startswith(draw)


# ---- T-26: keeping pairs back -------------------------------------------------------------


@pytest.mark.plain
def test_keep_comes_down_with_as_little_as_will_do() -> None:
    """Thirty and twenty-one are 51; the kings and the fours stay in hand."""
    state = at("QS TS JS 7H 7D 7S KH KD KC 4S 5S 6S JD 9H 3C", down=False)
    greedy, keeping = both("kk-keep", state)
    assert greedy == "COME_DOWN 4S 5S 6S | 7S 7H 7D | TS JS QS | KH KD KC; DISCARD JD"
    assert keeping == "COME_DOWN 7S 7H 7D | TS JS QS; DISCARD JD"


@pytest.mark.plain
def test_keep_uses_the_card_it_took_where_it_must() -> None:
    state = at("QS TS JS 7H 7D 7S KH KD KC 4S 5S 6S JD 9H 3C", down=False, taken="KH",
               KK_PICKUP_MUST_USE="yes")  # fmt: skip
    assert turn(state, "kk-keep") == "COME_DOWN 7S 7H 7D | KH KD KC; DISCARD JD"


@pytest.mark.plain
def test_keep_lays_no_pairs_but_plays_its_other_cards() -> None:
    """9♣ is hit, 7♥ of the kept sevens is not; 6♦ frees a joker, which becomes the fourth seven."""
    melds = "6C 7C 8C|4H 5H 6H|4D 5D *=6D 7D"
    state = at("7S 7H 7D 9C 6D 3C KD 2H", melds)
    greedy, keeping = both("kk-keep", state)
    assert greedy.startswith("JOKER_SWAP 6D on 2; MELD 7S 7H 7D")
    assert keeping == "JOKER_SWAP 6D on 2; LAYOFF 9C on 0; DISCARD KD"


@pytest.mark.plain
def test_keep_lays_all_to_win() -> None:
    assert both("kk-keep", at("7S 7H 7D KD")) == ("MELD 7S 7H 7D; DISCARD KD",) * 2
    assert both("kk-keep", at("7S 7H 7D KD 2C")) == (
        "MELD 7S 7H 7D; DISCARD KD",
        "DISCARD KD",
    )
    won = "COME_DOWN QS KS AS | 2S 2H 2D | 7S 7H 7D | 4C 5C 6C 7C 8C; DISCARD JH"
    assert turn(at(f"{WINNING} 8C", down=False), "kk-keep") == won


@pytest.mark.plain
def test_keep_keeps_a_loose_card_to_throw() -> None:
    """The ten was just taken: were 9♣ hit, a card of the kept pairs would have to be thrown."""
    state = at("7S 7H 7D 4S 4H 4D 9C TC", "6C 7C 8C", taken="TC")
    greedy, keeping = both("kk-keep", state)
    assert greedy == "MELD 4S 4H 4D; MELD 7S 7H 7D; DISCARD 9C"
    assert keeping == "DISCARD 9C"


# ---- T-23: responding ---------------------------------------------------------------------


@pytest.mark.plain
def test_respond_lays_its_pairs_once_a_joker_is_announced() -> None:
    state = at("7S 7H 7D KD 2C")
    assert turn(state, "kk-respond") == "DISCARD KD"
    assert turn(state, "kk-respond", announced=[[0, 1, 0, 0]]) == "MELD 7S 7H 7D; DISCARD KD"
    assert turn(state, "kk-keep", announced=[[0, 1, 0, 0]]) == "DISCARD KD"
    assert turn(at("7S 7H 7D KD * 2C"), "kk-respond", announced=[[1, 0, 0, 0]]) == "DISCARD KD"


@pytest.mark.plain
def test_respond_remembers_it() -> None:
    states = set_up(at("7S 7H 7D KD 2C"))
    states["seats"]["memory"][0, 0, 0] = 1
    played = play_turn(Plan("konkan", (("kk-respond",) * 2,)), states)
    assert told(played) == "MELD 7S 7H 7D; DISCARD KD"


@pytest.mark.plain
def test_respond_comes_down_with_everything_then() -> None:
    state = at("QS TS JS 7H 7D 7S KH KD KC 4S 5S 6S JD 9H 3C", down=False)
    assert turn(state, "kk-respond") == "COME_DOWN 7S 7H 7D | TS JS QS; DISCARD JD"
    told_of = turn(state, "kk-respond", announced=[[0, 1, 0, 0]])
    assert told_of == turn(state, "kk-greedy")


# ---- T-22, T-24: announcing ---------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "hand", "announces"),
    [
        ("kk-greedy", "* 2C KD", 0),
        ("kk-announce", "* 2C KD", 1),
        ("kk-announce", "* * 2C KD", 2),
        ("kk-announce(chance=0)", "* 2C KD", 0),
        ("kk-announce-close", "* 2C KD 9H", 1),
        ("kk-announce-close", "* 2C KD 9H 5S", 0),
        ("kk-announce-close(cards=5)", "* 2C KD 9H 5S", 1),
    ],
)
def test_who_announces(name: str, hand: str, announces: int) -> None:
    """Nothing lies on the table that takes a joker."""
    said = f"ANNOUNCE {announces}; " if announces else ""
    state = at(hand, KK_JOKERS_PER_PAIR=1)  # two jokers and a king are no pair
    assert announced(state, name) == f"{said}DISCARD KD"


def announced(state: KonkanHand, name: str, stream: int = 0) -> str:
    """The end of a turn, with how many jokers were announced."""
    plan = Plan("konkan", ((name,) * state.players,), rules=state.rules)
    actions = play_turn(plan, set_up(state), stream)
    return "; ".join(f"{one['a']} {one.get('n') or one.get('card')}" for one in actions)


@pytest.mark.plain
def test_a_joker_is_announced_by_chance() -> None:
    state = at("* 2C KD")
    said = ["ANNOUNCE" in announced(state, "kk-announce(chance=0.5)", 10**9 * n) for n in range(60)]
    assert 15 < sum(said) < 45


@pytest.mark.plain
@pytest.mark.parametrize(("decided", "announces"), [(1, False), (2, True)])
def test_it_is_decided_once_a_hand(decided: int, announces: bool) -> None:
    states = set_up(at("* 2C KD"))
    states["seats"]["memory"][0, 0, 0] = decided
    actions = play_turn(Plan("konkan", (("kk-announce(chance=0.5)",) * 2,)), states)
    assert (actions[0]["a"] == "ANNOUNCE") == announces


# ---- T-27: what to throw ------------------------------------------------------------------


def pile(cards: str) -> list[list[int]]:
    """A discard pile as the table has it."""
    from cooncan_sim.games.konkan_text import FACES

    numbers = [FACES.number(card) for card in cards.split()]
    return [numbers + [0] * (112 - len(numbers))]


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "gone", "thrown"),
    [
        # a two has two runs and three sets, a six one run more, and so has a queen: the ace
        # stands above the king too; one copy of a card in the pile takes nothing away
        ("2C 6D QS", "AC 3C 5D 7D KS", "2C"),
        ("2C 6D AS", "2S", "AS"),  # as few as the two, and dearer
        ("6D AS", "", "AS"),
        # with 5♦ gone the six has 6-7-8 and its sets
        ("2C 6D QS", "5D 7D 5D", "6D"),
        # no queen but this one, and Q-K-A no more
        ("2C 6D QS", "QH QH QD QD KS KS", "QS"),
    ],
)
def test_connect_first_throws_the_card_with_the_fewest_pairs_left(
    hand: str, gone: str, thrown: str
) -> None:
    fields = {"pile": pile(gone), "pile_size": len(gone.split())}
    assert turn(at(hand), "connect-first", **fields) == f"DISCARD {thrown}"


@pytest.mark.plain
def test_connect_first_keeps_its_melds() -> None:
    """Of 7♠ 7♥ 7♦ none is loose before the hand is down."""
    state = at("7S 7H 7D 2C 9H", down=False)
    fields = {"pile": pile("7C 7C 9S 9S 9D 9D 8H 8H TH TH"), "pile_size": 10}
    assert both("connect-first", state, **fields) == ("DISCARD 9H", "DISCARD 9H")
    assert turn(at("* 7S 7H", down=False), "connect-first") == turn(
        at("* 7S 7H", down=False), "kk-greedy"
    )


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("KH KD 9S 2C", "9S"),
        ("KH QH 9S 7S 2C", "2C"),
        ("KH AH 9S 2C", "9S"),  # the ace lies above the king
        ("AH 3H 9S 2C", "9S"),
        ("KH KH 9D 2C", "KH"),  # a twin is no partner
        ("KH KD 9S 7S", "KH"),  # each has one
    ],
)
def test_lone_first_throws_the_dearest_without_a_partner(hand: str, thrown: str) -> None:
    assert turn(at(hand), "lone-first") == f"DISCARD {thrown}"


@pytest.mark.plain
def test_strong_keeps_pairs_and_throws_what_is_alone() -> None:
    state = at("7S 7H 7D KH KD TS 2C")
    assert both("kk-strong", state) == ("MELD 7S 7H 7D; DISCARD KH", "DISCARD TS")


# ---- whole hands --------------------------------------------------------------------------

PAGES = (
    "connect-first",
    "lone-first",
    "kk-wait",
    "kk-nopick",
    "kk-strong",
    "kk-respond",
    "kk-announce",
    "kk-announce-close",
)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("count", sizes(plain=1, ordinary=60))
def test_they_play_whole_hands(players: int, count: int) -> None:
    """Every strategy in turn in every seat; an illegal answer would raise."""
    seatings = tuple(
        tuple(PAGES[(first + 3 * seat) % len(PAGES)] for seat in range(players))
        for first in range(len(PAGES))
    )
    hands = play(Plan("konkan", seatings, 4, {"MAX_TURNS": 150}), 0, count)
    assert numba.config.DISABLE_JIT or (hands.winner >= 0).mean() > 0.7


@pytest.mark.plain
def test_they_are_in_the_catalogue() -> None:
    assert {page.name for page in strategies("konkan")} >= {*PAGES, "kk-keep"}
