"""Texts as quotes are compared by: NFKC, white space folded; and their words.

Scripts that write without spaces (Han, kana, Thai, Lao, Khmer, Burmese) break lines anywhere: white
space between two of their characters is left out, and each character is a word.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.model.words import SPACELESS_RANGES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

_SPACELESS: Final = (
    "".join(f"\\U{low:08x}-\\U{high - 1:08x}" for low, high in SPACELESS_RANGES)
    + "\U00020000-\U0003ffff"
)
_PUNCTUATION: Final = "\u3001-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_WITHOUT_SPACES: Final = f"[{_SPACELESS}{_PUNCTUATION}]"
_BETWEEN: Final = re.compile(f" (?={_WITHOUT_SPACES})(?<={_WITHOUT_SPACES} )")
"""Begins with the space, so that only these are looked at."""
_WORD: Final = re.compile(f"[{_SPACELESS}]|[^\\W_{_SPACELESS}]+")
_WORDS_AND_GAPS: Final = re.compile(f"({_WORD.pattern})")
_MARKS: Final = "".join(
    re.escape(chr(code))
    for code in range(0x300, 0x20000)  # all later planes have none
    if unicodedata.combining(chr(code))
)
_MANY_MARKS: Final = re.compile(f"[{_MARKS}]{{30}}")
"""Runs of marks that would take normalisation the square of their length."""
_PERHAPS_MARKS: Final = re.compile("[^\x00-\u02ff\u3400-\u9fff\uac00-\ud7a3]{30}")
"""Finds whatever `_MANY_MARKS` finds, a hundred times as fast: no mark is in these ranges."""
_JOINER: Final = "\u034f"
_ID_DIGITS: Final = 12


def folded(text: str) -> str:
    """Return a text in NFKC, runs of white space folded to one space, none at its ends.

    Runs of more than 30 combining marks are cut as in Unicode Standard Annex 15, section 13.
    """
    if not text.isascii():
        if _PERHAPS_MARKS.search(text):
            text = _MANY_MARKS.sub(lambda found: found[0] + _JOINER, text)
        text = unicodedata.normalize("NFKC", text)
    text = " ".join(text.split())
    return text if text.isascii() else _BETWEEN.sub("", text)


def folded_each(texts: Iterable[str]) -> list[str]:
    """Return `folded` of each text, whose white space is folded already; in few passes over all.

    A line break parts them, which no character becomes in NFKC.
    """
    lines = list(texts)
    others = [at for at, line in enumerate(lines) if not line.isascii()]
    if others:
        together = "\n".join([lines[at] for at in others])
        if _PERHAPS_MARKS.search(together):
            together = _MANY_MARKS.sub(lambda found: found[0] + _JOINER, together)
        normal = [_normal(line) for line in together.split("\n")]
        for at, line in zip(others, _BETWEEN.sub("", "\n".join(normal)).split("\n"), strict=True):
            lines[at] = line
    return lines


def _normal(text: str) -> str:
    """Return a text in NFKC, in which some characters become spaces; most are in it."""
    normal = unicodedata.normalize("NFKC", text)
    return text if normal == text else " ".join(normal.split())


def words(text: str) -> list[re.Match[str]]:
    """Return the words of a folded text, as matches, in order."""
    return list(_WORD.finditer(text))


def has_words(text: str) -> bool:
    """Return whether a folded text has any word."""
    return _WORD.search(text) is not None


class LowerWords(NamedTuple):
    """The words of a text in order.

    Attributes:
        words: in lower case; equal ones are one object.
        starts: int64[w], first character of each in the text.
        ends: int64[w], the character after its last.
    """

    words: list[str]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def lower_words(text: str) -> LowerWords:
    """Return the words of a text, as `words` finds them, at a third of the cost and memory."""
    parts = _WORDS_AND_GAPS.split(text)  # gap, word, gap, …
    ends = np.cumsum(np.fromiter(map(len, parts), dtype=np.int64, count=len(parts)))
    written = parts[1::2]
    lower = {word: word.casefold() for word in dict.fromkeys(written)}
    one_of = {word: word for word in lower.values()}
    lower = {word: one_of[low] for word, low in lower.items()}
    return LowerWords(list(map(lower.__getitem__, written)), ends[:-1:2], ends[1::2])


def joint(before: str, after: str) -> str:
    """Return what stands between two folded texts that follow each other: a space, or nothing."""
    if not before or not after:
        return ""
    return "" if _BETWEEN.search(f"{before[-1]} {after[0]}") else " "


def text_id(text: str) -> str:
    """Return the id of a text: 12 hexadecimal digits of the SHA-256 of its folded form."""
    return folded_id(folded(text))


def folded_id(text: str) -> str:
    """Return the id of a folded text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_DIGITS]
