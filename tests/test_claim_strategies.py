"""The strategies that try a tip: where they play otherwise than `greedy`, worked out by hand."""

import numba
import pytest

from cooncan_sim.catalog import strategies
from cooncan_sim.simulate import Plan, play
from tests.scripted import laid_out, turn
from tests.sizes import sizes


def both(name: str, states, key: str = "jaques") -> tuple[str, str]:
    """The turns of `greedy` and of another strategy from here."""
    return turn("greedy", states.copy(), key), turn(name, states.copy(), key)


# ---- T-01, T-03, T-27: what to throw ------------------------------------------------------


@pytest.mark.plain
def test_connect_throws_the_card_with_the_fewest_melds_left() -> None:
    """With 10♠ and two jacks gone the jack has one meld left, J-Q-K, and the queen five."""
    states = laid_out("QS JS 9D 2C", pile="JH JD TS AC")
    assert both("greedy-connect", states) == ("DISCARD QS", "DISCARD JS")


@pytest.mark.plain
@pytest.mark.parametrize(("turns", "thrown"), [(9, "9D"), (10, "QS")])
def test_connect_pays_three_points_in_its_first_five_turns(turns: int, thrown: str) -> None:
    """9♦ has no meld left, and costs a point more than the queen."""
    states = laid_out("QS JS 9D 2C", pile="9H 9C TD 8D AC", turns=turns)
    assert both("greedy-connect", states) == ("DISCARD QS", f"DISCARD {thrown}")


@pytest.mark.plain
def test_connect_first_pays_anything() -> None:
    """The two is eight points cheaper than the queen, but has no meld left."""
    states = laid_out("QS JS 2C", pile="2H 2D AC 3C", turns=40)
    assert both("connect-first", states) == ("DISCARD QS", "DISCARD 2C")
    assert turn("greedy-connect", states) == "DISCARD QS"


@pytest.mark.plain
def test_lone_first_throws_the_dearest_without_a_partner() -> None:
    states = laid_out("KH KD 9S 7S 6D 2C")
    assert both("lone-first", states) == ("DISCARD KH", "DISCARD 6D")
    assert both("lone-first", laid_out("KH KD 9S 7S")) == ("DISCARD KH", "DISCARD KH")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("picked", "thrown"),
    [("9H", "TD"), ("8H", "TD"), ("7H", "TH"), ("TS", "9C"), ("TS 9H", "TH"), ("TS 8C", "TH")],
)
def test_watch_does_not_feed_the_next_player(picked: str, thrown: str) -> None:
    """Two points at most for a card that is not of the rank, or near in suit, of one taken."""
    states = laid_out("TH TD 9C 2C", picked={1: picked})
    assert both("greedy-watch", states) == ("DISCARD TH", f"DISCARD {thrown}")


@pytest.mark.plain
def test_watch_looks_at_the_next_player_alone() -> None:
    states = laid_out("TH TD 9C 2C", picked={2: "9H"}, others=["3H 9S", "JD QD"])
    assert both("greedy-watch", states) == ("DISCARD TH", "DISCARD TH")


# ---- T-04, T-05: waiting ------------------------------------------------------------------

SEVENS = "7S 7H 7D 2C 4D KC"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "hand", "pile", "waits"),
    [
        ("greedy-wait", SEVENS, "AC", True),
        ("greedy-wait(k=0)", SEVENS, "AC", False),
        ("greedy-wait(runs=1)", SEVENS, "AC", False),
        ("greedy-wait", SEVENS, "7C", False),  # the fourth seven is gone
        ("greedy-wait", "7S 7H 7D 7C 4D KC", "AC", False),  # it is there already
        ("greedy-wait", "7S 7H 7D 5C 6C KD", "7C", True),  # 4♣ would let it go out
        ("greedy-wait", "7S 7H 7D 5C 6C KD", "7C 4C", False),
        ("greedy-wait", "7S 7H 7D 5C 6C KD TS", "7C", True),  # the ten goes last
        ("greedy-wait", "7S 7H 7D 5C 6C KD TS 2H", "7C", False),  # one card too many
        ("greedy-wait(runs=1)", "5H 6H 7H 2C 4D KC", "AC", True),
        ("greedy-wait(runs=1)", "5H 6H 7H 2C 4D KC", "4H AC", True),  # 8♥ may come
        ("greedy-wait(runs=1)", "5H 6H 7H 2C 4D KC", "4H 8H", False),
        ("greedy-wait(runs=1)", "5H 6H 7H 8H 4D KC", "AC", False),  # four cards are enough
        ("greedy-wait(runs=1)", "JH QH KH 2C 4D 9C", "AC", True),
        ("greedy-wait(runs=1)", "JH QH KH 2C 4D 9C", "TH", False),  # nothing is above a king
        ("greedy-wait", "5H 6H 7H 2C 4D KC", "AC", False),
        ("greedy-wait", "7S 7H 7D KC", "AC", False),  # it can go out now
    ],
)
def test_a_meld_of_three_waits(name: str, hand: str, pile: str, waits: bool) -> None:
    greedy, waiting = both(name, laid_out(hand, pile=pile))
    assert greedy.startswith("MELD")
    assert waiting == (greedy.split("; ")[-1] if waits else greedy)


@pytest.mark.plain
def test_a_card_that_somebody_took_is_not_waited_for() -> None:
    states = laid_out(SEVENS, picked={1: "7C"}, others=["7C 9C JD"])
    assert both("greedy-wait", states) == ("MELD 7S 7H 7D; DISCARD KC",) * 2


@pytest.mark.plain
def test_the_rest_goes_down_and_a_waiting_card_is_not_laid_off() -> None:
    states = laid_out(SEVENS + " QS QH QD QC", "1: 4S 5S 6S | 1: KS KH KD")
    assert both("greedy-wait", states) == (
        "MELD 7S 7H 7D; MELD QS QH QD QC; LAYOFF KC on 1; DISCARD 4D",
        "MELD QS QH QD QC; LAYOFF KC on 1; DISCARD 4D",
    )


@pytest.mark.plain
@pytest.mark.parametrize(("k", "laid_in"), [(1, 1), (2, 2), (3, 3)])
def test_it_waits_for_so_many_turns(k: int, laid_in: int) -> None:
    """Nothing useful comes; the other player throws what he draws, so 7♣ stays unseen."""
    states = laid_out(SEVENS, stock="KH KS KD JS JH QD 9D 8D TD", others=["3H 9C JC"])
    told = []
    for _ in range(4):
        told.append(turn(f"greedy-wait(k={k})", states))
        turn("greedy", states)
    assert ["MELD 7S 7H 7D" in actions for actions in told] == [n == laid_in for n in range(4)]


# ---- T-06: lay-offs -----------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "played"),
    [
        ("greedy", "LAYOFF 7S on 0; LAYOFF JD on 2; DISCARD KD"),
        ("greedy-no-layoffs", "DISCARD KD"),
        ("greedy-own-layoffs", "LAYOFF JD on 2; DISCARD KD"),
        ("greedy-sets-first", "LAYOFF JD on 2; LAYOFF 7S on 1; DISCARD KD"),
    ],
)
def test_layoffs(name: str, played: str) -> None:
    states = laid_out("7S KD JD 2C", "1: 4S 5S 6S | 1: 7H 7D 7C | 0: JS JH JC")
    assert turn(name, states) == played


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("greedy", "DRAW_DISCARD KS"),
        ("greedy-no-layoffs", "DRAW_STOCK 2D"),
        ("greedy-own-layoffs", "DRAW_STOCK 2D"),
    ],
)
def test_a_card_is_taken_only_where_it_may_be_laid_off(name: str, draw: str) -> None:
    states = laid_out("4D 5C", "1: KH KD KC", pile="KS", phase="DRAW")
    assert turn(name, states).split("; ")[0] == draw


# ---- T-07: risk ---------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("scores", "target", "pile", "risks"),
    [
        ((50, 20), 100, "KH", True),
        ((49, 20), 100, "KH", False),
        ((20, 50), 100, "KH", False),
        ((84, 84), 100, "KH", False),
        ((85, 85), 100, "KH", True),
        ((50, 20), 0, "KH", False),  # a hand by itself
        ((50, 20), 100, "QS", True),
        ((50, 20), 100, "JS", False),  # neither a pair nor a neighbour
        ((50, 20), 100, "QH", False),
    ],
)
def test_who_is_far_behind_starts_melds(
    scores: tuple[int, int], target: int, pile: str, risks: bool
) -> None:
    states = laid_out("2C 5D 9H KS", pile=pile, phase="DRAW", scores=scores, target=target)
    greedy, risky = both("greedy-risk", states)
    assert greedy.startswith("DRAW_STOCK")
    assert risky.startswith(f"DRAW_DISCARD {pile}" if risks else "DRAW_STOCK")


@pytest.mark.plain
def test_risk_counts_from_the_best_of_all() -> None:
    states = laid_out("2C 5D 9H KS", pile="KH", phase="DRAW", others=["3H 9C", "JD QD"],
                      scores=(50, 60, 10), target=100)  # fmt: skip
    assert turn("greedy-risk(d=40)", states.copy()).startswith("DRAW_DISCARD")
    assert turn("greedy-risk(d=41)", states).startswith("DRAW_STOCK")


@pytest.mark.plain
def test_nobody_takes_risks_while_the_hand_stands_still() -> None:
    states = laid_out("2C 5D 9H KS", pile="KH", phase="DRAW", scores=(50, 20), target=100, quiet=8)
    assert turn("greedy-risk", states).startswith("DRAW_STOCK")


# ---- T-08: speed and deadwood -------------------------------------------------------------


@pytest.mark.plain
def test_speed_keeps_the_start_that_can_end_the_hand() -> None:
    """J-Q of clubs needs one card; without either of them two draws cannot do it."""
    assert both("speed", laid_out("JC QC 3D 8H")) == ("DISCARD QC", "DISCARD 8H")


@pytest.mark.plain
def test_speed_counts_what_may_still_come() -> None:
    """Nothing can fill J-Q: 10♣ and K♣ are gone. The pair of threes waits for two cards."""
    states = laid_out("JC QC 3D 3H", pile="TC KC AC")
    assert both("speed", states) == ("DISCARD QC", "DISCARD QC")
    states = laid_out("JC QC 3D 3H", pile="3S 3C AC")
    assert both("speed", states) == ("DISCARD QC", "DISCARD 3H")


@pytest.mark.plain
def test_speed_does_not_waste_a_draw() -> None:
    """Both 10♣ and K♣ would end the hand in two turns; with 2♠ taken neither alone does."""
    states = laid_out("JC QC 3D 8H", pile="2S", phase="DRAW")
    greedy, speed = both("speed", states)
    assert greedy.startswith("DRAW_DISCARD 2S") and speed.startswith("DRAW_STOCK")


@pytest.mark.plain
def test_speed_plays_as_greedy_where_no_chance_differs() -> None:
    states = laid_out("KS JH 9D 8C 6H 4S 3D 2C", pile="5C", phase="DRAW")
    greedy, speed = both("speed", states)
    assert greedy == speed != ""


@pytest.mark.plain
def test_deadwood_keeps_a_pair_of_kings() -> None:
    """The queen is as dear and cannot meld with one card."""
    assert both("deadwood", laid_out("KH KD QS 2C")) == ("DISCARD KH", "DISCARD QS")
    assert turn("deadwood(risk=1)", laid_out("KH KD QS 2C")) == "DISCARD KH"


@pytest.mark.plain
def test_deadwood_takes_no_card_dearer_than_most() -> None:
    """Nine saves a point at once; a card of the stock is worth six and a half."""
    states = laid_out("KH QS 2C", pile="9S", phase="DRAW")
    greedy, deadwood = both("deadwood", states)
    assert greedy.startswith("DRAW_DISCARD 9S") and deadwood.startswith("DRAW_STOCK")
    states = laid_out("KH QS 2C", pile="3S", phase="DRAW")
    assert turn("deadwood", states).startswith("DRAW_DISCARD 3S")


# ---- T-12: partners -----------------------------------------------------------------------

FOUR = ["3H 9C", "JD QD", "4H 2S"]


@pytest.mark.plain
def test_a_team_lays_off_on_opponents_first() -> None:
    states = laid_out("7S KD 2C", "2: 4S 5S 6S | 1: 7H 7D 7C", key="partnership", others=FOUR)
    assert both("team", states, "partnership") == (
        "LAYOFF 7S on 0; DISCARD KD",
        "LAYOFF 7S on 1; DISCARD KD",
    )


@pytest.mark.plain
@pytest.mark.parametrize(
    ("picked", "melds", "thrown"),
    [
        ({}, "", "TH"),
        ({1: "9H"}, "", "TD"),
        ({3: "9H"}, "", "TD"),  # the other opponent
        ({2: "9H"}, "", "TH"),  # the partner
        ({1: "8H 8D"}, "", "9C"),  # a point more
        ({1: "TS 9D"}, "", "TH"),  # nothing is safe
        ({}, "2: 6H 7H 8H", "TD"),  # the partner's run may get there
        ({}, "1: 6H 7H 8H", "TH"),
        ({1: "8D"}, "2: 6H 7H 8H", "9C"),
        ({1: "8H"}, "2: 6D 7D 8D", "9C"),
        ({1: "8H"}, "2: 6D 7D 8D | 0: 5C 6C 7C", "TD"),  # opponents matter more
    ],
)
def test_what_a_team_throws(picked: dict[int, str], melds: str, thrown: str) -> None:
    states = laid_out("TH TD 9C 2C", melds, key="partnership", picked=picked, others=FOUR)
    assert turn("team", states, "partnership") == f"DISCARD {thrown}"


# ---- the strong one -----------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("others", "target", "lays"),
    [("3H 9C JD", 0, False), ("3H 9C JD 4S", 100, True), ("3H 9C JD 4S 9H", 100, False)],
)
def test_strong_shows_nothing_until_it_must(others: str, target: int, lays: bool) -> None:
    states = laid_out(SEVENS, target=target, others=[others])
    assert turn("strong", states) == ("MELD 7S 7H 7D; " if lays else "") + "DISCARD KC"
    won = "MELD 7S 7H 7D; DISCARD KC"
    assert turn("strong", laid_out("7S 7H 7D KC", others=[others])) == won


@pytest.mark.plain
def test_strong_keeps_what_may_save_most() -> None:
    """Of the other cards the eight costs more than the three; the queen is worth its points."""
    assert turn("strong", laid_out("JC QC 3D 8H")) == "DISCARD 8H"
    assert turn("strong(out=0, links=0)", laid_out("JC QC 3D 8H")) == "DISCARD QC"
    states = laid_out("KH 9S 2C", pile="9H 9C TD 8D AC")
    assert turn("strong(out=0, points=0)", states) == "DISCARD 9S"  # nothing is left for it


@pytest.mark.plain
@pytest.mark.parametrize(
    ("hand", "pile", "takes"),
    [
        ("JC QC 3D 8H", "KC", True),  # a meld saves two cards
        ("KH QS 2C", "9S", False),  # a point saved is not worth a turn
        ("7S 7H 4D", "7D", True),  # out
    ],
)
def test_strong_draws_for_a_card_saved(hand: str, pile: str, takes: bool) -> None:
    drawn = turn("strong", laid_out(hand, pile=pile, phase="DRAW"))
    assert drawn.startswith("DRAW_DISCARD" if takes else "DRAW_STOCK")


# ---- whole hands --------------------------------------------------------------------------

PAGES = (
    "speed",
    "deadwood",
    "greedy-wait(k=3)",
    "greedy-wait(runs=1)",
    "greedy-risk(d=1)",
    "strong",
    "team",
    "greedy-watch",
)


@pytest.mark.parametrize(
    ("key", "players"), [("jaques", 2), ("jaques", 3), ("jaques", 4), ("partnership", 4)]
)
@pytest.mark.parametrize("count", sizes(plain=1, ordinary=300))
def test_they_play_whole_hands(key: str, players: int, count: int) -> None:
    """Every strategy in turn in every seat; an illegal answer would raise."""
    pages = [spec for spec in PAGES if key == "partnership" or spec != "team"]
    seatings = tuple(
        tuple(pages[(first + seat) % len(pages)] for seat in range(players))
        for first in range(len(pages))
    )
    hands = play(Plan(key, seatings, 4, {"MAX_TURNS": 150}), 0, count)
    assert (hands.winner >= 0).mean() > 0.8
    assert numba.config.DISABLE_JIT or (hands.turns.min(axis=1) < hands.turns.max(axis=1)).any()


@pytest.mark.plain
def test_they_are_in_the_catalogue() -> None:
    names = {spec.partition("(")[0] for spec in PAGES}
    assert {page.name for page in strategies("partnership")} >= names
    assert names - {page.name for page in strategies("jaques")} == {"team"}
