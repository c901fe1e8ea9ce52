"""What every engine's loop over a batch of hands is handed, as Numba types.

The arrays are those of `simulate.Plan`, `simulate.Deals` and `simulate.Hands`.
"""

from numba import types

SEATINGS = (types.int64[:, ::1], types.float64[:, ::1])  # strategies by seat, their weights
DEALS = (  # number, dealer, scores, stake
    types.int64[::1],
    types.int8[::1],
    types.int64[:, ::1],
    types.int64[::1],
)
RESULTS = (  # winner, ending, turns, points, dealer
    types.int8[:, ::1],
    types.int8[:, ::1],
    types.int32[:, ::1],
    types.int64[:, :, ::1],
    types.int8[::1],
)
