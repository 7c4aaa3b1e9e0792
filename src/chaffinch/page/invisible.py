"""Characters that show nothing, which pages carry to models and readers: they leave the text.

Tag characters, variation selectors behind what has no variants, zero-width characters, directions
without their end, soft hyphens and signs of annotation. What a script or an emoji needs stays:
joiners between letters that join, word breaks of scripts without spaces, selectors behind emoji and
ideographs, the flags of three nations (Unicode Standard 23.2 to 23.9; UAX 9; UTS 51).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels

if TYPE_CHECKING:
    from chaffinch.page.arrays import Rows

_MARKS: Final = "\u061c\u200e\u200f"
_SELECTORS: Final = "\ufe00-\ufe0f"
_OPENING: Final = {"\u202a": "\u202c", "\u202b": "\u202c", "\u202d": "\u202c", "\u202e": "\u202c",
                   "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}  # fmt: skip
"""What begins a direction, and what ends it."""
_ENDING: Final = frozenset(_OPENING.values())
_NARROW: Final = (
    rf"\u00ad\u034f{_MARKS}\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u202a-\u202e\u2060-\u206f"
    rf"\u3164{_SELECTORS}\ufeff\uffa0\ufff9-\ufffb"
)
_RUN: Final = re.compile(
    rf"(\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    rf"|\U000e0077\U000e006c\U000e0073)\U000e007f)|[{_NARROW}\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_ONE: Final = re.compile(f"[{_NARROW}]")
_SUSPECT: Final = np.array([_ONE.match(chr(code)) is not None for code in range(0x10000)] + [True])
"""bool[0x10001]: characters that may leave; all beyond the first plane are looked at."""
_SUSPECT.flags.writeable = False
_JOINING: Final = (
    (0x600, 0x8FF), (0x900, 0xDFF), (0xF00, 0x109F), (0x1780, 0x18AF), (0x1CD0, 0x1CFF),
    (0xA840, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC), (0x10A00, 0x11FFF),
)  # fmt: skip
"""Scripts in which joiners change letters."""
_UNSPACED: Final = ((0xE00, 0xFFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x1AAF))
_EMOJI: Final = ((0x2190, 0x2BFF), (0x1F000, 0x1FAFF), (0xA9, 0xA9), (0xAE, 0xAE), (0x3030, 0x303D),
                 (0x3297, 0x3299), (0x203C, 0x2049), (0x2122, 0x2139))  # fmt: skip
_IDEOGRAPHS: Final = ((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


def visible(text: str) -> str:
    """Return a text without the characters that show nothing."""
    if text.isascii() or _RUN.search(text) is None:
        return text
    text = _RUN.sub(_needed, text)
    return _balanced(text) if any(sign in text for sign in (*_OPENING, *_ENDING)) else text


def visible_texts(text: str, text_at: Rows) -> tuple[str, Rows]:
    """Return the text of a page, of which each row's is `visible`, and where each row's starts."""
    if text.isascii():
        return text, text_at
    rows = kernels.characters(text, text_at, _SUSPECT).nonzero()[0].tolist()
    if not rows:
        return text, text_at
    parts: list[str] = []
    sizes, done = np.diff(text_at), 0
    for row in rows:
        begin, end = text_at[row : row + 2].tolist()
        own = visible(text[begin:end])
        if len(own) != end - begin:
            parts += text[done:begin], own
            sizes[row], done = len(own), end
    if not parts:
        return text, text_at
    return "".join([*parts, text[done:]]), np.append(np.int32(0), np.cumsum(sizes, dtype=np.int32))


def _within(sign: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return bool(sign) and any(first <= ord(sign) <= last for first, last in ranges)


def _needed(found: re.Match[str]) -> str:
    """Return what of a run of such characters its neighbours need."""
    if found[1]:
        return found[1]
    text, end = found.string, found.end()
    kept, run = list[str](), found[0]
    last = text[found.start() - 1] if found.start() else ""
    for at, sign in enumerate(run):
        after = run[at + 1] if at + 1 < len(run) else text[end : end + 1]
        if _is_needed(sign, last, after):
            kept.append(sign)
            last = sign
    return "".join(kept)


def _is_needed(sign: str, last: str, after: str) -> bool:
    if sign in _OPENING or sign in _ENDING:
        return True  # until it is known which of them belong together
    if sign in _MARKS:
        return not last or last not in _MARKS
    if sign in "\u200c\u200d":
        joins = _within(last, _JOINING) and _within(after, _JOINING)
        is_drawn = last == "\ufe0f" or _within(last, _EMOJI)
        return joins or (sign == "\u200d" and is_drawn and _within(after, _EMOJI))
    if sign == "\u200b":
        return _within(last, _UNSPACED) and _within(after, _UNSPACED)
    if "\ufe00" <= sign <= "\ufe0f" and (_within(last, _EMOJI) or after == "\u20e3"):
        return True
    is_selector = "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"
    return is_selector and _within(last, _IDEOGRAPHS)


def _balanced(text: str) -> str:
    """Return a text without directions that have no end, and ends of none."""
    dropped: set[int] = set()
    opened: list[tuple[int, str]] = []
    for at, sign in enumerate(text):
        if sign in _OPENING:
            opened.append((at, _OPENING[sign]))
        elif sign in _ENDING:
            if opened and opened[-1][1] == sign:
                opened.pop()
            else:
                dropped.add(at)
    dropped.update(at for at, _ in opened)
    return "".join(sign for at, sign in enumerate(text) if at not in dropped) if dropped else text
