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
    for at in range(0, len(words), _MOST_SOUGHT):
        some = words[at : at + _MOST_SOUGHT]
        if bits := kernels.words_in(text, _encoded(some)):
            found += compress(some, map(int, reversed(f"{bits:b}")))
    return found


@lru_cache(maxsize=64)
def _encoded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in words)
