"""The words that texts are compared by: one rule for every measure and every script.

Scripts that write without spaces (Han, kana, Thai, Lao, Khmer, Burmese) and Hangul, whose spacing
varies between writers, give one token a character; all others give one token a word. This is the
word of the WCXB benchmark (lower-case runs of word characters) extended to those scripts, with two
departures: a combining mark belongs to its word (Python's word characters leave marks out, which
would cut Indic words to pieces), and an underscore separates.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache

_SINGLE = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Hangul jamo
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x303C),  # iteration marks and Hangzhou numerals
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3100, 0x312F),  # Bopomofo
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),  # Hangul jamo extended A
    (0xAC00, 0xD7FF),  # Hangul syllables and jamo extended B
    (0xF900, 0xFAFF),  # Han compatibility
    (0x1B000, 0x1B16F),  # kana supplements
    (0x20000, 0x3FFFF),  # Han extensions B and later
)


def _character_class(codes: list[int]) -> str:
    """Return the inside of a regular expression's class for ascending code points."""
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


@cache
def _token_pattern() -> re.Pattern[str]:
    single: list[int] = []
    words: list[int] = []
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if not (character.isalnum() or unicodedata.category(character) in {"Mn", "Mc"}):
            continue
        alone = any(low <= code <= high for low, high in _SINGLE)
        (single if alone else words).append(code)
    return re.compile(f"[{_character_class(single)}]|[{_character_class(words)}]+")


def tokenize(text: str) -> list[str]:
    """Return the tokens of ``text`` in order: case-folded, punctuation and symbols left out.

    The text is normalised to NFKC first, so full-width letters and digits, ligatures and
    compatibility forms equal their plain counterparts. An empty text gives an empty list.
    """
    return _token_pattern().findall(unicodedata.normalize("NFKC", text).casefold())
