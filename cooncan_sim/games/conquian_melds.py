"""The melds around a card of Conquian in their order, and how much of a hand can be melded."""

import numpy as np

from cooncan_sim.bits import ALL, NONE, U1, count, first_bit
from cooncan_sim.games.conquian_state import CARDS
from cooncan_sim.kernel import kernel
from cooncan_sim.melds.conquian_search import rank_of
from cooncan_sim.melds.single import grouped, running


@kernel
def chain(cards, centre):
    """The cards (mask) of its suit that follow one another without a gap around a card (mask).

    The empty bits above kings part the suits; 7 and J are neighbours in this pack (R-COM-03).
    """
    grown = centre
    before = NONE
    while grown != before:
        before = grown
        grown = grown | (((grown << U1) | (grown >> U1)) & cards)
    return grown


@kernel
def first_around(cards, centre, most_run):
    """The first meld (mask) of these cards that holds the card `centre` (mask), or no card.

    With `next_around` the order is that of RULES, Part 3, *Best melds*: runs, longest first, of
    equal length the one that starts highest; then sets, largest first, then by their cards.
    """
    row = chain(cards, centre)
    if count(row) < 3:
        return _first_set(cards, centre)
    run = row
    while count(run) > most_run:
        run = _shorter_run(run, row, centre)
    return run


@kernel
def next_around(cards, centre, meld, most_run):
    """The meld (mask) that follows `meld` in the order of `first_around`, or no card."""
    if meld & rank_of(centre) == meld:
        return _next_set(cards, centre, meld)
    row = chain(cards, centre)
    lower = meld >> U1
    # A shift out of the lowest lane would only shorten the run.
    if first_bit(meld) != first_bit(row) and lower & centre != NONE:
        return lower
    if count(meld) > 3:
        return _shorter_run(meld, row, centre)
    return _first_set(cards, centre)


@kernel
def _shorter_run(run, row, centre):
    """The highest run (mask) of one card less within `row` that still holds the card `centre`."""
    shorter = run & (run >> U1)
    if shorter & centre == NONE:
        shorter = run & (run << U1)
    while (shorter << U1) & ~row == NONE and (shorter << U1) & centre != NONE:
        shorter = shorter << U1
    return shorter


@kernel
def _first_set(cards, centre):
    held = cards & rank_of(centre)
    return held if count(held) >= 3 else NONE


@kernel
def _next_set(cards, centre, meld):
    """The set after `meld`: all four first, then without the last card, the one before it, …"""
    held = cards & rank_of(centre)
    if count(held) < 4:
        return NONE
    outs = held & ~centre
    if meld != held:
        outs = outs & ((held & ~meld) - U1)
    return held & ~_last_bit(outs) if outs != NONE else NONE


@kernel
def _last_bit(cards):
    """The mask of the last card in card order of a mask that is not empty."""
    while cards & (cards - U1) != NONE:
        cards = cards & (cards - U1)
    return cards


@kernel
def fewest_loose(cards):
    """The fewest cards (int64) in no meld, over all ways to meld some of these cards (mask).

    CQ_RUN_CAP does not matter: longer runs are split.
    """
    runs = running(cards)
    sets = grouped(cards)
    if runs & sets == NONE:
        return count(cards & ~(runs | sets))
    return _search(cards, ALL, np.int64(CARDS))


@kernel
def _search(cards, open_ranks, bound):
    """The fewest loose cards if they are below `bound`, otherwise some number not below it.

    cards: those not yet in a set; open_ranks: ranks (all suits) about whose set nothing is
    decided.
    """
    runs = running(cards)
    sets = grouped(cards) & open_ranks
    loose = count(cards & ~(runs | sets))
    both = runs & sets
    if both == NONE or loose >= bound:
        return loose
    rank = rank_of(first_bit(both))
    held = cards & rank
    open_ranks = open_ranks & ~rank
    best = min(bound, _search(cards & ~held, open_ranks, bound))
    outs = held & runs if count(held) == 4 else NONE
    while outs != NONE:
        # Keeping a card out of the set pays only if a run can use it.
        out = first_bit(outs)
        outs = outs & ~out
        best = min(best, _search(cards & ~(held & ~out), open_ranks, best))
    return min(best, _search(cards, open_ranks, best))
