"""The one place that says how kernels are compiled."""

import numba

# error_model: a division by zero is a bug in a kernel, not a question for the caller, so the
# check that Python's rules ask for is left out.
kernel = numba.njit(cache=True, nogil=True, error_model="numpy")
