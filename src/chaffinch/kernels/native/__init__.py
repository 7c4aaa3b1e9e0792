"""Kernels in C, with the signatures and results of those in `chaffinch.kernels.plain`.

C fills arrays that it is given: the modules here make them, and leave to numpy what C doesn't take.
"""

from collections import ChainMap
from collections.abc import Mapping
from typing import Any, Final

from chaffinch.kernels import _native
from chaffinch.kernels.native import blocks, rows, texts, tree

FUNCTIONS: Final[Mapping[str, Any]] = ChainMap(
    *(vars(module) for module in (blocks, rows, texts, tree, _native))
)
"""Name → function: of a module here, or of C itself where that returns what is wanted."""
