"""What strategies read from a one-pack table, against counting one by one."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from cooncan_sim.bits import ALL, NONE, bit
from cooncan_sim.games.cooncan_text import FACES
from cooncan_sim.kernel import kernel
from cooncan_sim.view import cards_that_fit, left_after_laying
from cooncan_sim.view_reading import links, possible_melds
from tests.positions import positions, set_up
from tests.sittings import hands, sittings
from tests.sizes import sizes

PACK = [16 * suit + rank for suit in range(4) for rank in range(13)]
MELDS = [
    *((16 * suit + rank, 16 * suit + rank + 1, 16 * suit + rank + 2)
      for suit in range(4) for rank in range(11)),
    *(tuple(16 * suit + rank for suit in suits)
      for suits in combinations(range(4), 3) for rank in range(13)),
]  # fmt: skip


def mask(cards: list[int]) -> np.uint64:
    return np.uint64(sum(1 << card for card in cards))


@kernel
def left(table, seat, hand):
    return left_after_laying(table, seat, hand)


@kernel
def fitting(table, seat, hand):
    return cards_that_fit(table, seat, hand)


@pytest.mark.plain
def test_possible_melds_are_those_without_a_card_that_is_gone() -> None:
    assert possible_melds(FACES.number("AS"), NONE) == 1 + 3
    assert possible_melds(FACES.number("7H"), NONE) == 3 + 3
    chance = Random(5)
    for _ in range(150):
        shuffled = chance.sample(PACK, 52)
        gone, held = shuffled[: chance.randint(0, 30)], shuffled[40:]
        open_melds = [meld for meld in MELDS if not set(meld) & set(gone)]
        by_card = [sum(card in meld for meld in open_melds) for card in held]
        assert [possible_melds(card, mask(gone)) for card in held] == by_card
        assert links(mask(held), mask(gone)) == sum(by_card)


@pytest.mark.parametrize("count", sizes(plain=2, ordinary=150, soak=20_000))
def test_a_card_that_does_not_fit_changes_nothing(count: int) -> None:
    """Where it could, it is among those that fit."""
    seen = 0
    for log in hands(sittings("jaques", seed=9, players=["greedy", "hold", "random"]), count):
        for state in positions(log):
            if state.phase != "TABLE":
                continue
            table, seats = set_up(state)[["table", "seats"]][0]
            seat = seats[state.turn]
            stays, fit = left(table, seat, seat["hand"]), fitting(table, seat, seat["hand"])
            for card in PACK:
                if bit(card) & (seat["hand"] | fit | ~ALL) == NONE:
                    with_it = left(table, seat, seat["hand"] | bit(card))
                    assert with_it == stays | bit(card), (log, card)
                    seen += 1
    assert seen > 100
