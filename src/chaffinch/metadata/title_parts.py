"""Titles split at their separators: ``Title - Site``, ``标题_网站``, ``Site | Section | Title``."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Final

_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
_SEPARATOR: Final = re.compile(
    rf"(?=[\s｜|丨ㅣ_—-])(?:(?<!\s)\s++[|\-–—―‐•·»«:/<>~]+\s+|(?:(?<!\s)\s++)?(?:[｜|丨ㅣ_]|——|--)\s*"
    rf"|(?<=[{_CJK}])-|-(?=[{_CJK}])|(?<!\s)\s++::\s+|(?<!\s)\s++»)"
)
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_COLON: Final = re.compile(r":\s+|：")
MOST_PARTS: Final = 8


@lru_cache(maxsize=256)
def cuts(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each separator of a title, the first seven.

    Cached: a page repeats its title, and many rules use its parts.
    """
    spans = (m.span() for m in _SEPARATOR.finditer(text) if m.start() and m.end() < len(text))
    return tuple(islice(spans, MOST_PARTS - 1))


def colons(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each colon: a separator only where a part names the site."""
    return tuple(m.span() for m in islice(_COLON.finditer(text), MOST_PARTS - 1))


def split_title(text: str) -> list[str]:
    """Return the parts of a title between separators such as ``|``, `` - `` and ``_``."""
    separators = cuts(text)
    starts = [0, *(end for _, end in separators)]
    stops = [*(start for start, _ in separators), len(text)]
    return [text[a:b] for a, b in zip(starts, stops, strict=True)]


def runs(text: str) -> list[str]:
    """Return the parts of a title, and all runs of neighbouring parts, the whole title included."""
    separators = cuts(text)
    starts = [0, *(end for _, end in separators)]
    stops = [*(start for start, _ in separators), len(text)]
    return [text[a:b] for number, a in enumerate(starts) for b in stops[number:]]


def shared_words(text: str, other: str) -> int:
    """Return how many words two titles share; of Han letters and kana, how many letters."""
    return len(_words(text) & _words(other))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
