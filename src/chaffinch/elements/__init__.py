"""What HTML holds, a subject a file; what each is known by in many languages stands in a table."""

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from chaffinch import kernels
from chaffinch.storage import read_json

WORDS: Final[dict[str, Any]] = read_json(Path(__file__).with_name("words.json").read_bytes())
"""Tables of ``words.json``: what it is → words in one text, a list of labels, or sign → name."""


def whole_names(key: str) -> str:
    """Return an expression of the names of ``WORDS[key]`` that are whole parts of names."""
    return rf"(?:^|[\s_-])(?:{WORDS[key]})(?=[\s_-]|$)"


def class_names(key: str) -> str:
    """Return an expression of the names of ``WORDS[key]`` that are whole class names."""
    return rf"(?:^|\s)(?:{WORDS[key]})(?=\s|$)"


class Phrases(tuple[str, ...]):
    """Phrases that texts are searched for; equal to itself alone, for want of time for a hash."""

    __slots__ = ()
    __hash__ = object.__hash__
    __eq__ = object.__eq__


def words_found(text: bytes, words: tuple[str, ...]) -> list[str]:
    """Return those of some words that stand in a text in UTF-8, in their order."""
    found = kernels.words_in(text, _sought(words, ascii_alone=text.isascii()))
    return [word.decode() for word in found]


@lru_cache(maxsize=64)
def _sought(words: tuple[str, ...], *, ascii_alone: bool) -> kernels.SoughtWords:
    """Return the words that a text may hold."""
    some = tuple(word.encode() for word in words if not ascii_alone or word.isascii())
    return kernels.sought_in_texts(some)
