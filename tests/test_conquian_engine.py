"""The Conquian engine and its independent referee agree; every rare corner is reached."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cooncan_sim import compare, replay, simulate, tournament
from cooncan_sim.games.conquian_breach import LEGAL
from cooncan_sim.games.conquian_moves import arrange, forceable, largest_taking, takings
from cooncan_sim.games.conquian_table import check_accept
from cooncan_sim.games.conquian_text import accept_answer, cards_text, melds_text
from cooncan_sim.reports.hand_words import words
from cooncan_sim.rulings import ruling
from cooncan_sim.simulate import Plan, StrategyError, play
from tests.conquian_corners import CORNERS, corners
from tests.conquian_positions import positions, set_up
from tests.referee import conquian
from tests.referee.conquian_hand import ConquianHand
from tests.referee.conquian_table import can_still_win
from tests.referee.tokens2 import Illegal
from tests.sittings import Sitting, hands, sittings
from tests.sizes import sizes

GAMES = ("conquian", "conquian_jaques")
both_games = pytest.mark.parametrize("key", GAMES)

# Tables where much is forced: what random ones seldom show.
SELDOM = [
    Sitting(key, ("random", "random"), rules, order, seed=9, deals=40)
    for key in GAMES
    for rules in (
        {"CQ_FORCING": "on", "CQ_REARRANGE": "free"},
        {"CQ_FORCING": "on", "CQ_REARRANGE": "none", "CQ_FORCE_SCOPE": "any"},
        {"CQ_FORCING": "on", "CQ_REARRANGE": "free", "CQ_FORCE_SCOPE": "table_direct"},
    )
    for order in ("shared", "per_seat")
]


@pytest.mark.parametrize("count", sizes(ordinary=1_000, soak=100_000))
def test_the_referee_agrees(count: int) -> None:
    reached: Counter[str] = Counter()
    random_ones = chain.from_iterable(
        zip(*(hands(sittings(key, seed=1), count) for key in GAMES), strict=True)
    )
    seldom = chain.from_iterable(sitting.logs() for sitting in SELDOM)
    for log in chain(seldom, random_ones):
        assert_right(log)
        if not reached.keys() >= CORNERS:  # looking for them takes longer than all else
            reached.update(set(corners(log)))
    assert not CORNERS - set(reached), reached


def assert_right(log: dict) -> None:
    """The referee finds nothing wrong with a hand, nor with how its strategies play."""
    faults = conquian.check(log)
    if "cq-greedy" in log["strategies"]:
        faults += conquian.replays_as(log)
    assert not faults, (faults, {**log, "actions": "…"})


@pytest.mark.plain
@both_games
def test_the_referee_agrees_on_a_few(key: str) -> None:
    for log in hands(sittings(key, seed=2), 40):
        assert_right(log)


# ---- positions ----------------------------------------------------------------------------


def offers(key: str, count: int) -> Iterator[tuple[ConquianHand, dict]]:
    """Offers of random hands, with what the referee would let the seat bring down."""
    for log in hands(sittings(key, seed=3), count):
        for before, _, _ in positions(log):
            if before.phase == "OFFER":
                yield before, before.acceptances()


@both_games
@pytest.mark.parametrize("count", sizes(ordinary=120, soak=5_000))
def test_every_legal_acceptance_is_listed(key: str, count: int) -> None:
    sets = 0
    for before, legal in offers(key, count):
        state = set_up(before)[0]
        table, seat = state["table"], state["seats"][before.to]
        found = [np.uint64(takings(table, seat, n)[1]) for n in range(takings(table, seat, 0)[0])]
        assert {tuple(cards_text(cards)): laid(table, seat, cards) for cards in found} == {
            cards: sorted(map(sorted, melds)) for cards, melds in legal.items()
        }
        assert len(found) == len(legal)
        can_accept, cards = largest_taking(table, seat)
        assert can_accept == bool(legal)
        assert not legal or tuple(cards_text(cards)) == next(iter(legal))
        assert forceable(table, seat) == before.can_force()
        sets += len(legal)
    assert sets > 5 * count


def laid(table: np.void, seat: np.void, cards: np.uint64) -> list[list[str]]:
    """The melds of an acceptance as the engine arranges it, in no order."""
    return sorted(map(sorted, melds_text(arrange(table, seat, cards)[1:])))


@both_games
@pytest.mark.parametrize("count", sizes(ordinary=60, soak=3_000))
def test_the_same_tables_are_illegal(key: str, count: int) -> None:
    rng = Random(key)
    judged: Counter[bool] = Counter()
    for before, legal in offers(key, count):
        state = set_up(before)[0]
        table, seat = state["table"], state["seats"][before.to]
        down = before.tables[before.to]
        for melds in [*list(legal.values())[:2], [*down, [before.card]]]:
            for wanted in spoilt(melds, before.hands[before.to], rng):
                why = check_accept(table, seat, accept_answer(wanted))
                assert (why == LEGAL) == is_legal(before, wanted), (wanted, why)
                judged[why == LEGAL] += 1
    assert min(judged[True], judged[False]) > 5 * count, judged


def spoilt(melds: list[list[str]], hand: list[str], rng: Random) -> Iterator[list[list[str]]]:
    """A table, and others that differ from it by a card or in how the cards are grouped."""
    if len(melds) > 3:
        return
    yield melds
    cards = [card for meld in melds for card in meld]
    out = rng.choice(cards)
    yield tidied([[card for card in meld if card != out] for meld in melds])
    fresh = [card for card in hand if card not in cards]
    if fresh:
        place = rng.randrange(len(melds))
        yield tidied([[*meld, *fresh[:1]] if n == place else meld for n, meld in enumerate(melds)])
    if len(melds) > 1:
        one, other = rng.sample(range(len(melds)), 2)
        rest = [meld for n, meld in enumerate(melds) if n not in (one, other)]
        yield tidied([*rest, [*melds[one], *melds[other]]])
        moved = rng.choice(melds[one])
        kept = [card for card in melds[one] if card != moved]
        yield tidied([*rest, kept, [*melds[other], moved]])


def tidied(melds: list[list[str]]) -> list[list[str]]:
    """Melds with their cards in order, without empty ones."""
    order = {card: n for n, card in enumerate(FACES)}
    return [sorted(meld, key=order.__getitem__) for meld in melds if meld]


FACES = [rank + suit for suit in "SHDC" for rank in "A234567JQK"]


def is_legal(before: ConquianHand, melds: list[list[str]]) -> bool:
    """Whether the referee lets the seat accept with this new table."""
    known = {before.card, *(card for meld in before.tables[before.to] for card in meld)}
    hand_cards = [card for meld in melds for card in meld if card not in known]
    try:
        trial = ConquianHand(before.rules, before.hands, before.tables, before.stock)
        trial.card = before.card
        trial.offer(before.to, before.origin)
        trial.accept(hand_cards, melds)
    except (Illegal, ValueError):
        return False
    return True


@both_games
def test_whether_a_hand_can_still_be_won(key: str) -> None:
    rng = Random(key)
    answers: Counter[bool] = Counter()
    for log in hands(sittings(key, seed=4), 60):
        for before, action, after in positions(log):
            table = after.tables[before.to]
            if action["a"] != "ACCEPT" or len(table) < 2:
                continue
            laid_out = {card for meld in table for card in meld}
            gone = rng.sample([card for card in FACES if card not in laid_out], 16)
            usable = set(FACES) - set(gone)
            expected = can_still_win(table, usable, before.rules, before.target)
            if before.rules.get("CQJ_SIZE") == "deal9_need11_literal":
                expected = False
            given = {"table": table, "unavailable": gone}
            found = ruling(key, "cq_future", given, log["switches"])["can_still_win"]
            assert found == expected, (given, log["switches"])
            answers[found] += 1
    assert min(answers[True], answers[False]) > 20, answers


# ---- whole hands --------------------------------------------------------------------------


@both_games
def test_batches_and_replays_are_the_same_hands(key: str) -> None:
    seats, rules = ("cq-greedy", "random"), {"CQ_FORCING": "on", "CQ_FORCE_SCOPE": "any"}
    played = simulate(key, seats, 40, seed=11, rules=rules).frame()
    logs = replay(key, seats, 11, 0, 40, rules)
    for log, (_, rows) in zip(logs, played.groupby("deal"), strict=True):
        result = log["result"]
        assert rows["points"].tolist() == result["points"]
        assert set(rows["turns"]) == {result["turns"]}
        assert set(rows["ending"]) == {result["ending"]}
        assert rows["won"].tolist() == [seat == result["winner"] for seat in (0, 1)]


@both_games
def test_a_deal_is_the_same_whoever_plays_it(key: str) -> None:
    openings = [
        [(log["hands"], log["stock"], log["dealer"]) for log in replay(key, seats, 3, 0, 20)]
        for seats in (("cq-greedy", "cq-greedy"), ("random", "cq-greedy"), ("random", "random"))
    ]
    assert openings[0] == openings[1] == openings[2]
    assert len({tuple(stock) for _, stock, _ in openings[0]}) == 20
    assert {dealer for _, _, dealer in openings[0]} == {0, 1}


@both_games
def test_the_stock_orders_have_one_law(key: str) -> None:
    count = 20_000
    shared, per_seat = (
        play(Plan(key, (("cq-greedy", "cq-greedy"),), 5, {}, order), 0, count)
        for order in ("shared", "per_seat")
    )
    for values in ((shared.winner >= 0, per_seat.winner >= 0), (shared.turns, per_seat.turns)):
        one, other = (column[:, 0].astype(float) for column in values)
        error = np.sqrt((one.var() + other.var()) / count)
        assert abs(one.mean() - other.mean()) < 4 * error
    assert (shared.turns != per_seat.turns).any()


def test_taken_word_for_word_the_note_lets_nobody_win() -> None:
    rules = {"CQJ_SIZE": "deal9_need11_literal", "CQ_FORCING": "on", "CQ_REARRANGE": "free"}
    why = "so nobody can win and every hand is drawn (R-CQJ-05)"
    for name in ("cq-greedy", "random"):
        played = simulate("conquian_jaques", (name, name), 2_000, rules=rules)
        assert set(played.frame()["ending"]) == {"draw"}
        assert (played.frame()["points"] == 0).all()
        assert why in str(played)
    two = ("cq-greedy", "random")
    for told in (
        simulate("conquian_jaques", two, 2, rules=rules, match=True),
        compare("conquian_jaques", *two, rules=rules, max_deals=200),
        tournament("conquian_jaques", two, rules=rules, deals=50),
        " ".join(words(replay("conquian_jaques", two, 0, 0, 1, rules)[0]).split()),
    ):
        assert why in str(told)
    usual = simulate("conquian_jaques", ("cq-greedy", "cq-greedy"), 2_000)
    assert set(usual.frame()["ending"]) == {"out", "draw"}
    assert "nobody can win" not in str(usual)


@both_games
def test_a_hand_lasts_at_most_42_turns(key: str) -> None:
    turns = [simulate(key, (name, name), 5_000).frame()["turns"].max() for name in
             ("cq-greedy", "random")]  # fmt: skip
    assert 30 < max(turns) <= 42


# ---- strategies that break the rules ------------------------------------------------------

BREAKER = """
from cooncan_sim.games.conquian_state import Answer
from cooncan_sim.view_conquian import NONE, bit, decline, fewest_partners, most_down, np
from tests.thief import empty_hand, forget_dead

GAMES = ("conquian",)
WEIGHTS = {"how": 0}


def choose_offer(table, seat):
    how = seat.weights[0]
    if how == 9:
        empty_hand(seat)
    if how == 11:
        forget_dead(table)
    if table.down[seat.seat] != NONE and (table.forced == 0 or how == 1):
        return decline()
    if how == 2:
        return Answer(np.int64(1), bit(table.offered), NONE, NONE)
    if how == 3:
        return Answer(np.int64(2), bit(table.offered), NONE, NONE)
    if how == 4:
        return Answer(np.int64(1), seat.hand, NONE, NONE)
    return most_down(table, seat)


def choose_force(table, seat):
    if seat.weights[0] == 8:
        empty_hand(seat)
    return 7 if seat.weights[0] == 5 else 1


def choose_discard(table, seat):
    if seat.weights[0] == 10:
        empty_hand(seat)
    if seat.weights[0] == 6:
        return table.offered_to - 7
    return 15 if seat.weights[0] == 7 else fewest_partners(table, seat)
"""
BREACHES = {
    1: "DECLINE .* breaks R-CQN-21: a player who is forced may not decline",
    2: r"ACCEPT \w\w breaks R-CQN-18: each part of the new table must be a set or a run",
    3: "ACCEPT .* breaks R-COM-06: that is no answer",
    4: "ACCEPT .* breaks R-CQN-18: the melds must be the cards on the table",
    5: "FORCE .* breaks R-COM-06: that is no answer",
    6: "DISCARD -. breaks R-COM-06: -. is no card",
    7: "DISCARD 15 breaks R-COM-06: 15 is no card",
    8: "breaks R-COM-12: a strategy has changed the cards",
    9: "breaks R-COM-12: a strategy has changed the cards",
    10: "breaks R-COM-12: a strategy has changed the cards",
    11: "breaks R-COM-12: a strategy has changed the cards",
}


@pytest.mark.plain
def test_a_broken_rule_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cooncan_sim.page_facts._IMPORTS", ("cooncan_sim", "tests"))
    page = tmp_path / "breaker.py"
    page.write_text(BREAKER, encoding="utf-8")
    for how, said in BREACHES.items():
        culprit = f"strategy {page}[(]how={how}[)] in seat 1"
        with pytest.raises(StrategyError, match=f"{culprit}, deal .* of seed 1, {said}"):
            simulate("conquian", (str(page), f"{page}(how={how})"), 200, seed=1)
