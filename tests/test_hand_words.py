"""Hands in words: one of them whole, and the wording of every kind of action."""

from copy import deepcopy

import pytest

from cooncan_sim.reports import replay_page
from cooncan_sim.reports.follow import steps
from cooncan_sim.reports.hand_words import clauses, match_end, words
from tests.sample_logs import SAMPLES

JAQUES = """\
Deal 0 of seed 1, Coon Can for two.
Seat 0 (greedy) against seat 1 (hold); seat 1 dealt.

Seat 0 (greedy) holds 5♥ 6♥ 8♥ 10♥  K♣
Seat 1 (hold) holds 9♠  4♥ K♥  9♦  Q♣
7♥ is turned up; 4 cards in the stock.

Turn 1 · Seat 0 takes 7♥ from the discard pile, lays 5♥-6♥-7♥, lays off 8♥ on its own 5♥-6♥-7♥,
  throws K♣ (1 card left).
  Table: 5♥-6♥-7♥-8♥ (seat 0).
Turn 2 · Seat 1 draws Q♠ from the stock, lays off 4♥ on seat 0's 5♥-6♥-7♥-8♥, throws K♥ (4 cards
  left).
  Table: 4♥-5♥-6♥-7♥-8♥ (seat 0).
Turn 3 · Seat 0 draws 9♣ from the stock, throws 9♣ (1 card left).
Turn 4 · Seat 1 takes 9♣ from the discard pile, lays 9♠-9♦-9♣, throws Q♣ (1 card left).
  Table: 4♥-5♥-6♥-7♥-8♥ (seat 0), 9♠-9♦-9♣ (seat 1).
Turn 5 · Seat 0 draws 9♥ from the stock, lays off 9♥ on its own 4♥-5♥-6♥-7♥-8♥, lays off 10♥ on its
  own 4♥-5♥-6♥-7♥-8♥-9♥.
  Table: 4♥-5♥-6♥-7♥-8♥-9♥-10♥ (seat 0), 9♠-9♦-9♣ (seat 1).

Seat 0 goes out on turn 5 and wins the hand.
Points charged: seat 0: 0, seat 1: 10.
Left in hand: seat 1 Q♠.
"""

# Sentences that the words of a sample must have, line breaks and suit gaps aside.
SENTENCES = [
    ("void", "Turn 1 - Seat 0 takes KD from the discard pile, lays 5H-6H-7H, holds, since no card"
             " may be thrown (1 card left)."),
    ("void", "Nobody can draw any more: the hand is void. Points charged: seat 0: 0, seat 1: 0."),
    ("two_deck", "Seat 0 (greedy), seat 1 (greedy) and seat 2 (greedy); seat 2 dealt."),
    ("two_deck", "House rules: TWO_DECK_SET_MAX = 5."),
    ("two_deck", "Hand 4 of a match; scores before it: 12, 101, 40, 77. Still in the match, and"
                 " here numbered from 0: seat 0, seat 2 and seat 3."),
    ("two_deck", "Seat 0 has 5 discards shuffled into a new stock, draws 8C from it, throws 8C"),
    ("two_deck", "lays 8C-8C-8D, throws QS. Table: 7H-7H-7S-7D (seat 0), 8C-8C-8D (seat 1)."),
    ("two_deck", "Left in hand: seat 0 KS; seat 2 JS 3D."),
    ("wild_card", "Each seat draws from a stock order of its own."),
    ("wild_card", "lays off 2D=9H on seat 0's 5H-2C=6H-7H-8H"),
    ("wild_card", "The hand was stopped after 4 turns."),
    ("partnership", "Seat 0 (team) and seat 2 (team) against seat 1 (greedy) and seat 3 (greedy)"),
    ("partnership", "Seat 1 goes out on turn 1 and wins the hand for side 1. Points charged:"
                    " side 0 (seats 0 and 2): 31, side 1 (seats 1 and 3): 0."),
    ("conquian", "Turn 1 - Seat 1 turns AS from the stock, takes AS with 2S and 3S from the hand"
                 " and makes AS-2S-3S, throws KH (7 cards left, 3 on the table)."),
    ("conquian", "Turn 2 - Seat 0 declines KH, turns 4S from the stock, declines 4S."),
    ("conquian", "Turn 3 - Seat 1 declines 4S; seat 0 forces seat 1 to take it; seat 1 takes 4S"
                 " and makes AS-2S-3S-4S, throws 6H"),
    ("conquian", "Turn 5 - Seat 1 declines KC, turns 5S from the stock, declines 5S; seat 0 lets"
                 " that pass."),
    ("conquian", "The stock is used up: the hand is drawn."),
    ("conquian_jaques", "takes 5S and rearranges the table to 4H-4D-4C and AS-2S-3S-4S-5S,"
                        " throws KH (0 cards left, 8 on the table)."),
    ("double_rum", "In the pool: 40 units."),
    ("double_rum", "puts 9S in the joker's place in seat 0's 6S-7S-8S-*=9S and moves the joker to"
                   " the other end, lays 7C-7C-*=7"),
    ("double_rum", "Nobody could finish: all hands are counted into the pool. Units won and paid:"
                   " seat 0: -8, seat 1: -10, seat 2: -15. In the pool: 73 units."),
    ("konkan", "comes down with QS-KS-*=AS and 7H-7D-7S"),
    ("konkan", "comes down with 9C-9D-9S-9H and JH-QH-KH, and the full set burns, announces a"
               " joker, throws 5C"),
    ("konkan", "takes the joker out of seat 0's QS-KS-*=AS for AS"),
    ("konkan", "Points (fewest wins): seat 0: +14, seat 1: +34, seat 2: -30."),
]  # fmt: skip


def test_a_whole_hand() -> None:
    assert words(SAMPLES["jaques"]) == JAQUES


@pytest.mark.parametrize(("name", "sentence"), SENTENCES)
def test_sentences(name: str, sentence: str) -> None:
    told = words(SAMPLES[name], symbols=False)
    assert told.isascii()
    assert sentence in " ".join(told.split())


def test_minus_signs_are_those_of_all_other_numbers() -> None:
    assert "seat 0: −8, seat 1: −10, seat 2: −15. In the pool: 73 units." in " ".join(
        words(SAMPLES["double_rum"]).split()
    )
    assert "seat 2: −30." in words(SAMPLES["konkan"])
    behind = deepcopy(SAMPLES["konkan"]) | {
        "match": {"hand": 2, "scores": [-7, 0], "seats": [0, 1]}
    }
    assert "scores before it: −7, 0." in words(behind)


def test_one_of_a_thing_has_no_plural() -> None:
    log = deepcopy(SAMPLES["double_rum"]) | {"pool": 1}
    log["result"]["pool"] = 1
    assert words(log).count("In the pool: 1 unit.") == 2


def test_the_samples_hold_every_kind_of_action() -> None:
    kinds = {action["a"] for log in SAMPLES.values() for action in log["actions"]}
    rummy = "DRAW_STOCK DRAW_DISCARD MELD LAYOFF DISCARD HOLD JOKER_MOVE COME_DOWN JOKER_SWAP"
    assert kinds == {*rummy.split(), "ANNOUNCE", "ACCEPT", "DECLINE", "FORCE", "LET_PASS"}


def test_a_joker_that_slides_and_two_announced() -> None:
    log = deepcopy(SAMPLES["double_rum"])
    log["actions"] = log["actions"][:2] + [{"seat": 0, "a": "JOKER_MOVE", "card": "4S", "meld": 0}]
    before, after = steps(log)[-2:]
    assert clauses(before, after) == [
        (0, "moves the joker of its own 6♠-7♠-8♠-★=9♠ to the other end and lays off 4♠ beyond it")
    ]
    log["actions"][-1] = {"seat": 0, "a": "ANNOUNCE", "n": 2}
    assert clauses(*steps(log)[-2:]) == [(0, "announces two jokers")]


def test_a_drawn_card_can_be_kept_back() -> None:
    before, after = steps(SAMPLES["jaques"])[4:6]
    assert clauses(before, after) == [(1, "draws Q♠ from the stock")]
    assert clauses(before, after, show_drawn=False) == [(1, "draws a card from the stock")]


def test_a_hand_that_was_broken_off() -> None:
    log = {key: value for key, value in SAMPLES["jaques"].items() if key != "result"}
    log["actions"] = log["actions"][:3]
    told = words(log, symbols=False)
    assert told.endswith(
        "\nThe hand breaks off here.\nLeft in hand: seat 0 TH  KC; seat 1 9S  4H KH  9D  QC.\n"
    )


def test_lines_are_no_longer_than_a_terminal_is_wide() -> None:
    for log in SAMPLES.values():
        assert max(map(len, words(log).splitlines())) <= 100


@pytest.mark.parametrize(
    ("name", "end", "seats", "said"),
    [
        ("jaques", ([40, 120], [0]), [0, 1],
         "Seat 0 wins the match. Final scores: seat 0: 40, seat 1: 120."),
        ("conquian", ([3, 3], [0, 1]), [0, 1],
         "Seat 0 and seat 1 share the match. Final scores: seat 0: 3, seat 1: 3."),
        ("jaques", ([40, 120, 55], [2]), [1, 2],
         "Seat 2 of the match wins it. Final scores, by seats of the match: seat 0: 40, seat 1:"
         " 120, seat 2: 55."),
        ("jaques", ([40, 60], []), [0, 1],
         "The match was stopped after 5 hands: nobody wins it. Final scores: seat 0: 40, seat 1:"
         " 60."),
        ("konkan", ([-1207, 30, 5], [0]), [0, 1, 2],
         "Seat 0 wins the match. Final scores: seat 0: −1,207, seat 1: 30, seat 2: 5."),
        ("partnership", ([110, 60], [1]), [0, 1, 2, 3],
         "Side 1 (seats 1 and 3) wins the match. Final scores: side 0 (seats 0 and 2): 110, side 1"
         " (seats 1 and 3): 60."),
    ],
)  # fmt: skip
def test_the_end_of_a_match(
    name: str, end: tuple[list[int], list[int]], seats: list[int], said: str
) -> None:
    log = deepcopy(SAMPLES[name])
    log["match"] = {"hand": 5, "scores": [0] * len(end[0]), "seats": seats}
    assert "match." not in words(log).split("\n\n")[-1]
    log["match_end"] = {"scores": end[0], "winners": end[1]}
    assert " ".join(words(log).split()).endswith(said)
    assert replay_page._hand(log, steps(log))["outcome"][-1] == said
    del log["result"]
    assert match_end(log) == []
