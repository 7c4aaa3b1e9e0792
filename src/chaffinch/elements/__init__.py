"""What HTML holds, a subject a file; what each is known by in many languages stands in a table."""

from functools import lru_cache
from itertools import compress
from pathlib import Path
from typing import Any, Final

from chaffinch import kernels
from chaffinch.storage import read_json

WORDS: Final[dict[str, Any]] = read_json(Path(__file__).with_name("words.json").read_bytes())
"""Tables of ``words.json``: what it is → words in one text, a list of labels, or sign → name."""
_MOST_SOUGHT: Final = 63  # words that are sought in one pass


def words_found(text: bytes, words: tuple[str, ...]) -> list[str]:
    """Return those of some words that stand in a text in UTF-8, in their order."""
    found = list[str]()
    for some, encoded in _sought(words, ascii_alone=text.isascii()):
        if bits := kernels.words_in(text, encoded):
            found += compress(some, map(int, reversed(f"{bits:b}")))
    return found


@lru_cache(maxsize=64)
def _sought(
    words: tuple[str, ...], *, ascii_alone: bool
) -> list[tuple[tuple[str, ...], tuple[bytes, ...]]]:
    """Return the words that a text may hold as they are sought: a few at a time, and in UTF-8."""
    words = tuple(filter(str.isascii, words)) if ascii_alone else words
    parts = [words[at : at + _MOST_SOUGHT] for at in range(0, len(words), _MOST_SOUGHT)]
    return [(some, tuple(word.encode() for word in some)) for some in parts]
