"""The best partition of a hand in the `jaques` family, as text, and penalties of many hands."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cooncan_sim.games.cooncan_state import RUN
from cooncan_sim.games.cooncan_text import FACES, cards_text
from cooncan_sim.games.rulebook import Game
from cooncan_sim.melds import single, twins, wild, wild_melds

Rules = Mapping[str, str | int]


class Split(NamedTuple):
    """Least penalty, melds in the order of RULES Part 3 *Best melds*, and the other cards."""

    penalty: int
    melds: list[list[str]]
    unmelded: list[str]


def split(game: Game, rules: Rules, hand: list[str]) -> Split:
    """The best partition of a hand of card texts."""
    row = np.array(game.pack.row(game.pack.numbers(hand)), dtype=np.uint64)
    if "WILD_RANK" in rules:
        melds = _wild_melds(row, game.codes(rules))
    elif game.pack.copies == 2:
        melds = _twin_melds(row, rules)
    else:
        melds = _single_melds(row)
    held = Counter(cards_text(*row))
    held.subtract(token.partition("=")[0] for meld in melds for token in meld)
    unmelded = list(held.elements())
    return Split(int(penalties(game, rules, row.reshape(1, -1))[0]), melds, unmelded)


def penalties(game: Game, rules: Rules, hands: np.ndarray) -> np.ndarray:
    """Least penalty of each hand: (hands, words) uint64 → (hands,) int64; frees the GIL."""
    out = np.empty(len(hands), dtype=np.int64)
    if "WILD_RANK" in rules:
        wild.least_penalties(hands, *_wild_rules(game.codes(rules)), out)
    elif game.pack.copies == 2:
        twins.least_penalties(hands, rules["TWO_DECK_SET_MAX"], out)
    else:
        single.least_penalties(hands, out)
    return out


def _wild_rules(codes: Mapping[str, int]) -> tuple[int, int, int]:
    return codes["WILD_RANK"], codes["WILD_MIN_NATURALS"], codes["WILD_PENALTY"]


def _single_melds(row: np.ndarray) -> list[list[str]]:
    runs, sets = single.best_melds(row[0])
    melds = []
    while runs | sets:
        cards = single.first_meld(runs, sets)
        melds.append(cards_text(cards))
        runs, sets = runs & ~cards, sets & ~cards
    return melds


def _twin_melds(row: np.ndarray, rules: Rules) -> list[list[str]]:
    found = np.zeros((34, 3), dtype=np.uint64)
    count = twins.best_melds(row[0], row[1], rules["TWO_DECK_SET_MAX"], found)
    return [cards_text(cards, twice) for _, cards, twice in found[:count]]


def _wild_melds(row: np.ndarray, codes: Mapping[str, int]) -> list[list[str]]:
    found = np.zeros((17, 17), dtype=np.int64)
    count = wild_melds.best_melds(row[0], *_wild_rules(codes), found)
    return [_wild_meld([int(number) for number in line]) for line in found[:count]]


def _wild_meld(line: list[int]) -> list[str]:
    """The tokens of a row of `wild_melds.best_melds`."""
    kind, group, low, size = line[:4]
    tokens = []
    for i, card in enumerate(line[4 : 4 + size]):
        text = FACES.text(card)
        if kind == RUN:
            place = 16 * group + low + i
            tokens.append(text if place == card else f"{text}={FACES.text(place)}")
        else:
            tokens.append(text if card & 15 == group else f"{text}={FACES.ranks[group]}")
    return tokens
