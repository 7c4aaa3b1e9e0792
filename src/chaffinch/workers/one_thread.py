"""Variables of the environment by which libraries of linear algebra use one thread.

Chaffinch's matrices are small: threads cost more than they bring, and starting them takes 40 ms.
They count where they are set before numpy is loaded.
"""

from typing import Final

ONE_THREAD: Final = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
