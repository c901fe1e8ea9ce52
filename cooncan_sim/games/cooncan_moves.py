"""Every legal move of the TABLE phase of the `jaques` family, one after another.

Runs come first, then sets, then lay-offs. Melds with substitutes are those that the
search of RULES, Part 3, *Best melds* would place: each choice of wild cards fills the open places
in card order from the low end.
"""

import numpy as np

from cooncan_sim.bits import LANE, NONE, U1, U16, bit, count, first_bit, fold, lowest, spread
from cooncan_sim.games import breach
from cooncan_sim.games.cooncan_state import HIGH, LOW, MELD, RUN, Move
from cooncan_sim.games.cooncan_table import (
    AS_RANK,
    check_layoff,
    check_meld,
    lay_meld,
    lay_off,
    lay_twins,
    lay_wild_off,
    room_of,
    set_limit,
    stand_in,
    stop,
)
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.single import running


@kernel
def table_move(table, seat, wanted):
    """How many legal moves there are but STOP, and number `wanted` of them (STOP if none is)."""
    found = np.int64(0)
    chosen = stop()
    if table.wild & seat.hand == NONE:
        found, chosen = _natural_runs(table, seat, wanted, found, chosen)
        found, chosen = _natural_sets(table, seat, wanted, found, chosen)
    else:
        found, chosen = _mixed_runs(table, seat, wanted, found, chosen)
        found, chosen = _mixed_sets(table, seat, wanted, found, chosen)
    return _layoffs(table, seat, wanted, found, chosen)


@kernel
def _meld(table, seat, wanted, found, chosen, move):
    """Counts a meld if it may be laid, and keeps it if it is the one wanted."""
    if check_meld(table, seat, move) != breach.LEGAL:
        return found, chosen
    return found + 1, move if found == wanted else chosen


@kernel
def _natural_runs(table, seat, wanted, found, chosen):
    starts = running(seat.hand)
    while starts != NONE:
        cards = first_bit(starts)
        starts = starts & (starts - U1)
        while (cards << U1) & seat.hand & ~cards != NONE:
            cards = cards | ((cards << U1) & seat.hand)
            if count(cards) >= 3:
                found, chosen = _meld(table, seat, wanted, found, chosen, lay_meld(cards))
    return found, chosen


@kernel
def _natural_sets(table, seat, wanted, found, chosen):
    """Sets, also with twins: every choice of none, one or both copies in each suit."""
    ranks = fold(seat.hand)
    while ranks != NONE:
        rank = spread(first_bit(ranks))
        ranks = ranks & (ranks - U1)
        held = seat.hand & rank
        twice = seat.twice & rank
        if count(held) + count(twice) >= 3:
            cards = held
            while cards != NONE:
                twins = twice & cards
                while True:
                    if count(cards) + count(twins) >= 3:
                        move = lay_twins(cards, twins)
                        found, chosen = _meld(table, seat, wanted, found, chosen, move)
                    if twins == NONE:
                        break
                    twins = (twins - U1) & twice & cards
                cards = (cards - U1) & held
    return found, chosen


@kernel
def _mixed_runs(table, seat, wanted, found, chosen):
    """Runs in which wild cards may stand for others: every place, every choice of wild cards."""
    wilds = seat.hand & table.wild
    for suit in range(4):
        for low in range(13):
            for high in range(low + 2, 13):
                places = ((LANE >> np.uint64(12 - (high - low))) << np.uint64(low)) << (
                    U16 * np.uint64(suit)
                )
                held = seat.hand & places
                if count(places & ~held) <= count(wilds & ~held):
                    natural = held
                    while natural != NONE:
                        found, chosen = _fillings(
                            table, seat, wanted, found, chosen, natural, places & ~natural
                        )
                        natural = (natural - U1) & held
    return found, chosen


@kernel
def _fillings(table, seat, wanted, found, chosen, natural, gaps):
    """The melds of these natural cards with every choice of wild cards in the gaps of a run."""
    spare = seat.hand & table.wild & ~natural
    wilds = spare
    while True:
        if count(wilds) == count(gaps):
            substitutes = _filled(wilds, gaps)
            if gaps == NONE or substitutes != NONE:
                move = Move(MELD, natural | wilds, NONE, np.int64(-1), LOW, substitutes)
                found, chosen = _meld(table, seat, wanted, found, chosen, move)
        if wilds == NONE:
            return found, chosen
        wilds = (wilds - U1) & spare


@kernel
def _filled(wilds, gaps):
    """These wild cards in these places, both in card order; 0 if one would be at its own place."""
    substitutes = NONE
    while gaps != NONE:
        if first_bit(wilds) == first_bit(gaps):
            return NONE
        substitutes = stand_in(substitutes, lowest(wilds), lowest(gaps))
        wilds = wilds & (wilds - U1)
        gaps = gaps & (gaps - U1)
    return substitutes


@kernel
def _mixed_sets(table, seat, wanted, found, chosen):
    """Sets with every choice of own cards and of wild cards, the wild rank's own sets too."""
    wilds = seat.hand & table.wild
    ranks = fold(seat.hand)
    while ranks != NONE:
        rank = spread(first_bit(ranks))
        ranks = ranks & (ranks - U1)
        held = seat.hand & rank
        spare = wilds if rank & table.wild == NONE else NONE
        natural = held
        while natural != NONE:
            added = spare
            while True:
                size = count(natural) + count(added)
                if 3 <= size <= set_limit(table):
                    substitutes = NONE
                    rest = added
                    while rest != NONE:
                        substitutes = stand_in(
                            substitutes, lowest(rest), AS_RANK + lowest(fold(rank))
                        )
                        rest = rest & (rest - U1)
                    move = Move(MELD, natural | added, NONE, np.int64(-1), LOW, substitutes)
                    found, chosen = _meld(table, seat, wanted, found, chosen, move)
                if added == NONE:
                    break
                added = (added - U1) & spare
            natural = (natural - U1) & held
    return found, chosen


@kernel
def _layoffs(table, seat, wanted, found, chosen):
    cards = seat.hand
    faces = table.run_ends[seat.seat] | table.set_gaps[seat.seat]
    if faces == NONE:
        return found, chosen
    while cards != NONE:
        card = lowest(cards)
        cards = cards & (cards - U1)
        wild = bit(card) & table.wild != NONE
        if wild or bit(card) & faces != NONE:
            for m in range(table.meld_count):
                meld = table.melds[m]
                natural = bit(card) & room_of(table, m) != NONE
                if natural:
                    move = lay_off(table, card, m)
                    if check_layoff(table, seat, move) == breach.LEGAL:
                        chosen = move if found == wanted else chosen
                        found += 1
                if wild:
                    for end in range(LOW, (HIGH if meld.kind == RUN else LOW) + 1):
                        move = lay_wild_off(table, card, m, end)
                        if check_layoff(table, seat, move) == breach.LEGAL:
                            chosen = move if found == wanted else chosen
                            found += 1
    return found, chosen
