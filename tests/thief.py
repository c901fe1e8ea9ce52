"""A kernel that a cheating page may import: what pages themselves are not allowed to write."""

import numpy as np

from cooncan_sim.kernel import kernel


@kernel
def empty_hand(seat):
    """Makes the cards of a hand vanish."""
    seat.hand = np.uint64(0)


@kernel
def forget_dead(table):
    """Makes the dead cards of Conquian vanish."""
    table.dead = np.uint64(0)
