"""Signatures of texts for finding duplicates: a hash of the text, and a MinHash of its shingles.

MinHash is `rensa`'s R-MinHash (a wheel in Rust without dependencies): 128 values of 32 bits over
the sets of five words in a row; a character is a word in scripts that write without spaces.
Source: A. Broder, "On the resemblance and containment of documents", SEQUENCES 1997.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from chaffinch.errors import MissingExtraError

VALUES: Final = 128
"""Values of a signature; the share that is equal estimates the Jaccard similarity of two texts."""

WORDS: Final = 5
"""Words of a shingle."""

_SEED: Final = 42  # arbitrary; the same for all signatures that are compared
_ALONE: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff"
_WORD: Final = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+")


def text_hash(text: str) -> int:
    """Return a 63-bit hash of a text, white space and case folded."""
    folded = " ".join(text.casefold().split()).encode("utf-8", "replace")
    return int.from_bytes(blake2b(folded, digest_size=8).digest(), "big") >> 1


def text_signature(text: str) -> bytes | None:
    """Return the signature of a text, `VALUES` little-endian 32-bit values; None if too short.

    Raises:
        MissingExtraError: rensa isn't installed.
    """
    words = _WORD.findall(text.casefold())
    shingles = {" ".join(words[at : at + WORDS]) for at in range(len(words) - WORDS + 1)}
    if not shingles:
        return None
    sketch = _rensa().RMinHash(num_perm=VALUES, seed=_SEED)
    sketch.update(sorted(shingles))
    return np.asarray(sketch.digest(), dtype="<u4").tobytes()


def _rensa() -> Any:
    try:
        import rensa  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError.of("rensa", "batch") from None
    return rensa
