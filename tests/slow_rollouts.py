"""Roll-outs of the `jaques` family as plain as can be, by the referee: the slow twin of the kernel.

The streams are written anew from their description (SplitMix64, a Weyl sequence, an upper word
scaled), so that the same worlds come out.
"""

from itertools import count

from tests.referee import rummy
from tests.referee.cards import RANKS, SUITS
from tests.referee.rummy import State
from tests.referee.strategies import (
    Strategy,
    decision,
    greedy_discard,
    greedy_draw,
    greedy_table,
    legal_answers,
    view_of,
)

TOP = 2**64 - 1
WEYL = 0x9E3779B97F4A7C15
DEAL, RECYCLE = 1, 3
PACK = [rank + suit for suit in SUITS for rank in RANKS]
GREEDY = Strategy(greedy_draw, greedy_table, greedy_discard)


def mix(word: int) -> int:
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & TOP
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & TOP
    return word ^ (word >> 31)


def stream(seed: int, deal: int, purpose: int, index: int) -> int:
    word = mix((seed + WEYL) & TOP)
    word = mix(word ^ ((deal + WEYL) & TOP))
    return mix(word ^ mix((purpose * WEYL + index) & TOP))


def shuffle(cards: list[str], start: int) -> None:
    """From the front: each place gets one of the cards from there on, of the pack's order."""
    cards.sort(key=PACK.index)
    for i in range(len(cards)):
        start = (start + WEYL) & TOP
        j = i + ((mix(start) >> 7) * (len(cards) - i) >> 57)
        cards[i], cards[j] = cards[j], cards[i]


def world_of(state: State, picked: list[set[str]], seed: int, world: int) -> State:
    """The position with the cards that the player to act does not see dealt anew."""
    new = rummy.copy_of(state)
    others = [seat for seat in range(len(state.hands)) if seat != state.turn]
    known = {seat: [c for c in state.hands[seat] if c in picked[seat]] for seat in others}
    unseen = [c for seat in others for c in state.hands[seat] if c not in known[seat]]
    cards = unseen + state.stock
    shuffle(cards, stream(seed, world, DEAL, 0))
    for seat in others:
        missing = len(state.hands[seat]) - len(known[seat])
        new.hands[seat] = known[seat] + cards[:missing]
        cards = cards[missing:]
    new.stock = cards
    return new


def answers_to(state: State, question: str) -> list[dict]:
    """The answers to a decision; draws and discards in the engine's order."""
    found = legal_answers(view_of(state), question)
    if question == "draw":
        return sorted(found, key=lambda action: action["a"] == "DRAW_DISCARD")
    if question == "discard":
        return sorted(found, key=lambda action: PACK.index(action["card"]))
    return found


def share(state: State, answer: dict, seed: int, world: int) -> int:
    """What the player to act gets of the win after this answer, in 1/players; plays the state."""
    seat, players = state.turn, len(state.hands)
    renewals = count(1)

    def renew(cards: list[str]) -> None:
        shuffle(cards, stream(seed, world, RECYCLE, 8 * next(renewals)))

    if answer["a"] == "STOP":
        answer = decision(view_of(state), GREEDY._replace(choose_table=lambda view: None))
    while True:
        if state.phase == "DRAW":
            answer = rummy.completed_draw(state, answer["a"], renew)
        rummy.play(state, answer)
        if state.ending:
            break
        answer = decision(view_of(state), GREEDY)
    if state.ending != "out":
        return 1
    return players if state.winner == seat else 0
