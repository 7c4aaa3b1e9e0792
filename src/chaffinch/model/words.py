"""Words of a page as hashes: the phrases of boilerplate in any language, learned by their hash.

A word is a run of letters and digits (case folded, digits all as 0); in scripts without spaces it
is one character, hashed together with the next; see `chaffinch.kernels.plain.words`.
"""

from __future__ import annotations

from chaffinch.kernels.codes import WORD_BUCKETS as BUCKETS
from chaffinch.kernels.codes import WORD_SLOTS as SLOTS
from chaffinch.kernels.codes import WORDS_READ as READ

NONE = BUCKETS
"""The bucket of no word."""

__all__ = ["BUCKETS", "NONE", "READ", "SLOTS"]
