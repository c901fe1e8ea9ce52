"""Places for the jokers of a `konkan` hand: each is one more card, tried where it can help.

A joker makes three with two cards: it fills a place of a run or a suit of a set. Two jokers also
make a meld with one card, or fill a gap of two. As a third copy of a card a joker is needed only
with eight of a rank, or where its own worth counts.

With the aims ENOUGH and MOST a joker is worth what it stands for. `bound` is the least cost so
far (of the best, with MOST); `cap` bounds the cost less 128 * the points of the jokers' places:
what is left in hand must be worth that much less than what is held.
"""

import numpy as np

from cooncan_sim.bits import LANE, NONE, U1, U2, U16, bit, count, first_bit, fold, lowest, spread
from cooncan_sim.kernel import search_kernel
from cooncan_sim.melds.aces_search import (
    ACES,
    PLACES,
    POINT,
    POINT_BITS,
    U3,
    faces_of,
    first_suits,
    plus,
    run_gaps,
    suit_counts,
    wide_gaps,
    with_high_aces,
    without,
)
from cooncan_sim.melds.konkan_search import (
    CHEAPEST,
    MOST,
    NO_BOUND,
    Goal,
    after_meld,
    naturals,
    points,
)

JOKER_COST = 25 * POINT + 1
LANE_PLACES = np.uint64(0x3FFF)
DEAREST = 10 * POINT  # what a joker is worth at most
LONGEST_PIECE = 5  # a longer run is two runs


@search_kernel
def joker_places(once, twice):
    """Faces as which a joker makes three with two cards of a hand.

    For a set of two or three suits one missing suit will do.
    """
    runs = run_gaps(once, twice)
    _, two, _, four = suit_counts(once)
    missing = spread(two & ~four) & ~once
    return runs | first_suits(missing & ~spread(fold(missing & runs))) | (spread(four) & ~twice)


@search_kernel
def loose_jokers(jokers, goal):
    """The cost of jokers left in hand."""
    return jokers * (JOKER_COST if goal.allowed == NONE else JOKER_COST - 1)


@search_kernel
def _gain(faces, goal):
    return 0 if goal.aim == CHEAPEST else POINT * points(faces)


@search_kernel
def _limit(gain, goal, bound, cap):
    """Costs below this are better than what has been found."""
    return cap + gain if goal.aim == MOST else min(bound, cap + gain)


@search_kernel
def _as_joker(goal, once, face):
    """The goal once a joker stands for this face: if a card of it must be used, so must both."""
    if goal.must & once & face != NONE:
        return Goal(goal.aim, goal.allowed, goal.must, goal.must, goal.jokers_a_pair)
    return goal


@search_kernel
def _placed(once, twice, gain, goal, bound, cap):
    """(bound, cap) after the best way to meld a hand whose jokers have become cards."""
    limit = _limit(gain, goal, bound, cap)
    if limit <= 0:
        return bound, cap
    cost = naturals(once, twice, goal, limit)
    if cost < limit:
        bound = cost
        if goal.aim == MOST:
            cap = cost - gain
    return bound, cap


@search_kernel
def _loose(once, twice, jokers, gain, goal, bound, cap):
    """Leaves the jokers in hand."""
    loose = loose_jokers(jokers, goal)
    limit = _limit(gain, goal, bound - loose, cap)
    cost = naturals(once, twice, goal, limit)
    if cost < limit:
        bound = cost + loose
        if goal.aim == MOST:
            cap = cost - gain
    return bound, cap


@search_kernel
def _worthy(jokers, gain, goal, cap):
    """The places where a joker can better `cap` if the others are worth most and all is melded."""
    short = (-cap - gain - (jokers - 1) * DEAREST) >> POINT_BITS
    if goal.aim == CHEAPEST or short < 0:
        return PLACES
    # A card at place n counts n + 1 points, ten at most, and an ace at either end ten.
    lane = (LANE_PLACES << np.uint64(min(short, 10))) & LANE_PLACES
    return (lane | U1) * ACES


@search_kernel
def _hopeless(once, twice, goal):
    """The least cost of the cards that one joker cannot bring into a meld: alone far and wide."""
    places = with_high_aces(once)
    near = (places << U1) | (places >> U1) | (places << U2) | (places >> U2)
    _, two, _, _ = suit_counts(once)
    alone = once & ~(faces_of(near) | spread(two))
    cost = POINT * (points(alone) + points(alone & twice))
    return cost if goal.allowed == NONE else cost - DEAREST


@search_kernel
def place_jokers(once, twice, jokers, tried, gain, goal, bound, cap):
    """The best (bound, cap) of a hand whose jokers may share a meld.

    tried: faces that the first joker need not be; gain: 128 * the points of jokers placed before,
    which are cards of the hand here.
    """
    if jokers == 0:
        return _placed(once, twice, gain, goal, bound, cap)
    least = _hopeless(once, twice, goal) if jokers == 1 else np.int64(0)
    if _limit(gain + jokers * DEAREST, goal, bound, cap) <= least:
        return bound, cap
    worthy = _worthy(jokers, gain - least, goal, cap)
    places = joker_places(once, twice) & worthy
    if jokers == 1 and (places == NONE or goal.aim != CHEAPEST):
        bound, cap = _loose(once, twice, 1, gain, goal, bound, cap)
    places = places & ~tried
    while places != NONE:
        face = first_bit(places)
        places = places & ~face
        o, t = plus(once, twice, face)
        more, aim = gain + _gain(face, goal), _as_joker(goal, once, face)
        bound, cap = place_jokers(o, t, jokers - 1, tried, more, aim, bound, cap)
        tried = tried | face
    thirds = _third_copies(once, twice, goal) & _worthy(jokers, gain - least, goal, cap)
    way = _next_way(thirds, np.int64(-1))
    while way >= 0:
        face, others = _third_copy(once, twice, goal, way)
        if others != NONE:
            o, t = without(once, twice, others)
            more, aim = gain + _gain(face, goal), after_meld(goal, others)
            bound, cap = place_jokers(o, t, jokers - 1, NONE, more, aim, bound, cap)
        way = _next_way(thirds, way)
    if jokers == 2:
        return _both(once, twice, gain, goal, bound, cap)
    return bound, cap


@search_kernel
def _third_copies(once, twice, goal):
    """Places to look at for a joker as a third copy.

    Where four suits of a rank are held and two of them twice, that may take all other copies:
    the rank. If its worth counts, also every place of a card held twice.
    """
    _, _, _, four = suit_counts(once)
    _, two_twins, _, _ = suit_counts(twice)
    ranks = four & two_twins
    return ranks if goal.aim == CHEAPEST else ranks | with_high_aces(twice)


@search_kernel
def _next_way(thirds, way):
    """The next way to use third copies after this one; -1 after the last.

    A way is 32 * place + the number of the meld: 0 … 11 runs, 12 … 17 sets.
    """
    if way >= 0 and way & 31 < 17:
        return way + 1
    place = way >> 5
    rest = thirds if place < 0 else thirds & ~((U2 << np.uint64(place)) - U1)
    return lowest(rest) << 5 if rest != NONE else np.int64(-1)


@search_kernel
def _third_copy(once, twice, goal, way):
    """The face of a joker as a third copy, and the cards that make a meld with it or none."""
    place, number = bit(way >> 5), way & 31
    face = faces_of(place)
    if number < 12:
        length = 3 if number < 3 else (4 if number < 7 else 5)
        down = number - (0 if length == 3 else (3 if length == 4 else 7))
        others = _piece(place, length, down) & ~place
        if goal.aim == CHEAPEST or others & ~with_high_aces(once) != NONE:
            return face, NONE
        return face, faces_of(others)
    rank, lane = spread(fold(face)), face & LANE
    pair = lane | (lane << (U16 * np.uint64(number % 3 + 1)))
    if number > 14:
        pair = rank & ~pair
    if lane == NONE or pair & ~once != NONE or rank & ~(pair | twice) != NONE:
        return face, NONE
    return face, pair


@search_kernel
def _piece(place, length, down):
    """The places of a run of this length that starts `down` below a place, if there is one."""
    low = (lowest(place) & 15) - down
    if low < 0 or low + length > 14:
        return NONE
    return ((U1 << np.uint64(length)) - U1) << np.uint64(lowest(place) - down)


@search_kernel
def _both(once, twice, gain, goal, bound, cap):
    """Two jokers that make a meld with one card, or fill a gap of two between two cards."""
    gaps = wide_gaps(once)
    while gaps != NONE:
        low = first_bit(gaps)
        gaps = gaps & ~low
        jokers, ends = faces_of((low << U1) | (low << U2)), faces_of(low | (low << U3))
        bound, cap = _both_beside(ends, jokers, once, twice, gain, goal, bound, cap)
    # With another suit of its rank one joker will do, but where two suits are held twice.
    one, two, _, _ = suit_counts(once)
    _, two_twins, _, _ = suit_counts(twice)
    singles = spread((one & ~two) | two_twins) & once
    while singles != NONE:
        card = first_bit(singles)
        singles = singles & ~card
        more = gain + _gain(card, goal)
        bound, cap = _both_beside(card, card, once, twice, more, goal, bound, cap)
    # A run with one card saves no more than a set, but it may be worth more.
    cards = NONE if goal.aim == CHEAPEST else with_high_aces(once)
    while cards != NONE:
        card = first_bit(cards)
        cards = cards & ~card
        for down in range(3):
            jokers = faces_of(_piece(card, 3, down) & ~card)
            if jokers != NONE:
                own = faces_of(card)
                bound, cap = _both_beside(own, jokers, once, twice, gain, goal, bound, cap)
    return bound, cap


@search_kernel
def _both_beside(cards, jokers, once, twice, gain, goal, bound, cap):
    """A meld of these cards and two jokers at these faces, then the rest."""
    o, t = without(once, twice, cards)
    return _placed(o, t, gain + _gain(jokers, goal), after_meld(goal, cards), bound, cap)


@search_kernel
def _place_apart(once, twice, floor, goal, bound, cap):
    """The best (bound, cap) of a hand with two jokers of which no meld may hold both.

    floor: the bound, or with MOST the cap, of the same hand if a meld may hold both.
    """
    bound, cap = _loose(once, twice, 2, np.int64(0), goal, bound, cap)
    held = with_high_aces(once)
    for length in range(3, LONGEST_PIECE + 1):
        for suit in range(4):
            for low in range(15 - length):
                run = ((U1 << np.uint64(length)) - U1) << np.uint64(16 * suit + low)
                absent = run & ~held
                if count(absent) > 1:
                    continue
                jokers = run if absent == NONE else absent
                while jokers != NONE and not _as_good(floor, goal, bound, cap):
                    joker = first_bit(jokers)
                    jokers = jokers & ~joker
                    others, face = faces_of(run & ~joker), faces_of(joker)
                    bound, cap = _one_apart(others, face, once, twice, goal, bound, cap)
    ranks = fold(once)
    while ranks != NONE:
        lane = first_bit(ranks)
        ranks = ranks & ~lane
        for suits in range(15):
            faces = _suits_of(lane, suits)
            if faces & ~once == NONE and count(faces) > 1 and not _as_good(floor, goal, bound, cap):
                bound, cap = _one_apart(faces, lane, once, twice, goal, bound, cap)
    return bound, cap


@search_kernel
def _suits_of(lane, suits):
    """The faces of a rank in these suits (bits)."""
    faces = NONE
    for suit in range(4):
        if suits >> suit & 1:
            faces = faces | (lane << np.uint64(16 * suit))
    return faces


@search_kernel
def _one_apart(others, face, once, twice, goal, bound, cap):
    """A meld of these cards and a joker at this face, then the rest with the other joker."""
    o, t = without(once, twice, others)
    gain, rest = _gain(face, goal), after_meld(goal, others)
    return place_jokers(o, t, np.int64(1), NONE, gain, rest, bound, cap)


@search_kernel
def _as_good(floor, goal, bound, cap):
    """Is this as good as if the jokers might share a meld?"""
    return cap <= floor if goal.aim == MOST else bound <= floor


@search_kernel
def best_cost(once, twice, jokers, goal, bound, cap):
    """(bound, cap), lowered by the best way to meld a hand under a goal; all int64."""
    if once == NONE:
        return _loose(once, twice, jokers, np.int64(0), goal, bound, cap)
    if jokers == 2 and goal.jokers_a_pair == 1:
        together = place_jokers(once, twice, jokers, NONE, np.int64(0), goal, bound, cap)
        floor = together[1] if goal.aim == MOST else together[0]
        if _as_good(floor, goal, bound, cap):
            return bound, cap
        return _place_apart(once, twice, floor, goal, bound, cap)
    return place_jokers(once, twice, jokers, NONE, np.int64(0), goal, bound, cap)


@search_kernel
def least_cost(once, twice, jokers, allowed, jokers_a_pair, bound):
    """The least cost of a hand if it is below `bound`, otherwise `bound`; all int64.

    once, twice: uint64 masks; allowed: the faces that may be thrown, empty if none is thrown.
    """
    goal = Goal(CHEAPEST, allowed, NONE, NONE, jokers_a_pair)
    if jokers == 0:
        return naturals(once, twice, goal, bound)
    bound, _ = best_cost(once, twice, jokers, goal, bound, NO_BOUND)
    return bound
