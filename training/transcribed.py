"""Labelled pages written in another script, so that a language doesn't stand for a kind of page.

Nearly all labelled pages that aren't articles are in English, and nearly all in Chinese are news. A
network that is fitted to them takes shops, forums and lists in Chinese for news with little text.
So pages in Latin letters are fitted to a second time with every word written in other letters: in
Han without spaces, or in letters without capitals. Markup, order and labels stay; what is left
for the network to go by is what a page looks like, in any language.

The words mean nothing, and the same word is always written the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from zlib import crc32

from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.page.decoding import decode

CORPORA: Final = ("wcxb", "magic_html_forum", "harvest_forum")
"""Corpora with pages other than articles."""
LANGUAGES: Final = frozenset({"en", "de", "fr", "es"})
"""Languages whose pages are written anew."""

_CASELESS_OF_TEN: Final = 3
"""Pages of ten that get letters without capitals; the others get Han."""
_HAN: Final = "".join(map(chr, range(0x4E00, 0x4E00 + 1200)))
_LETTERS: Final = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
_MARKS: Final = str.maketrans(",.?!:;", "，。？！：；")
_SMALL: Final = frozenset({"the", "a", "an", "of", "to"})
"""Words that Chinese has none for."""
_SHORT: Final = 3
_MEDIUM: Final = 9
"""Letters of a word that becomes one character, and of one that becomes two."""
_WORD: Final = re.compile(r"&[#\w]+;|[A-Za-zÀ-ɏ]+(?:['’][A-Za-z]+)?")
_EDGE: Final = "\x01"
_BETWEEN: Final = re.compile(f"{_EDGE}[ \t]+(?={_EDGE})")
_MARK: Final = re.compile(f"{_EDGE}([,.?!:;]) ?")
_SPLIT: Final = re.compile(
    r"(<script\b.*?</script\s*>|<style\b.*?</style\s*>|<!--.*?-->|<[A-Za-z/!][^>]*>)",
    re.DOTALL | re.IGNORECASE,
)
_CONTENT: Final = re.compile(r"""(content\s*=\s*)("[^"]*"|'[^']*')""", re.IGNORECASE)
_SAID: Final = frozenset({"headline", "description", "articleBody", "name", "text"})
"""Fields of JSON-LD that repeat what the page says."""


def transcribed(page: LabelledPage) -> LabelledPage | None:
    """Return a copy of ``page`` and its gold in another script; None if it isn't in Latin letters.

    Which script it is depends on the page's id alone.
    """
    language = (page.lang or "en").partition("-")[0]
    if page.corpus not in CORPORA or language not in LANGUAGES or not page.gold_text:
        return None
    caseless = crc32(page.id.encode()) % 10 < _CASELESS_OF_TEN
    write = _in_letters if caseless else _in_han
    html = rewritten(decode(page.html).text, write)
    return replace(page, html=html.encode("utf-8", "replace"), gold_text=write(page.gold_text))


def rewritten(html: str, write: Callable[[str], str]) -> str:
    """Return ``html`` with its text, and what its head says of it, written by ``write``."""
    parts = _SPLIT.split(html)
    parts[::2] = map(write, parts[::2])
    for number in range(1, len(parts), 2):
        begin = parts[number][:200].lower()
        if begin.startswith("<meta") and ("description" in begin or "title" in begin):
            parts[number] = _CONTENT.sub(
                lambda found: found[1] + found[2][0] + write(found[2][1:-1]) + found[2][0],
                parts[number],
            )
        elif begin.startswith("<script") and "ld+json" in begin:
            parts[number] = _structured(parts[number], write)
    return "".join(parts)


def _structured(script: str, write: Callable[[str], str]) -> str:
    """Return a script of JSON-LD whose fields of text are written anew; as it is if broken."""
    begin, end = script.index(">") + 1, script.rindex("</")
    try:
        found = json.loads(script[begin:end], object_hook=lambda fields: _fields(fields, write))
    except ValueError:
        return script
    return script[:begin] + json.dumps(found, ensure_ascii=False) + script[end:]


def _fields(fields: dict[str, Any], write: Callable[[str], str]) -> dict[str, Any]:
    return {
        name: write(value) if name in _SAID and isinstance(value, str) else value
        for name, value in fields.items()
    }


def _in_letters(text: str) -> str:
    """Return ``text`` with its words in letters without capitals."""
    return _WORD.sub(lambda found: found[0] if found[0][0] == "&" else _letters(found[0]), text)


def _in_han(text: str) -> str:
    """Return ``text`` with its words in Han, without spaces between them."""
    text = _WORD.sub(lambda found: found[0] if found[0][0] == "&" else _han(found[0]), text)
    text = _BETWEEN.sub(_EDGE, text)
    text = _MARK.sub(lambda found: found[1].translate(_MARKS), text)
    return text.replace(_EDGE, "")


def _han(word: str) -> str:
    """Return one to three characters for a word, none for the smallest; frequent ones often."""
    if word.lower() in _SMALL:
        return _EDGE
    count = 1 if len(word) <= _SHORT else 2 if len(word) <= _MEDIUM else 3
    drawn = (_drawn(word.lower(), place) / (1 << 32) for place in range(count))
    return _EDGE + "".join(_HAN[int(len(_HAN) * one * one)] for one in drawn) + _EDGE


def _letters(word: str) -> str:
    drawn = (_drawn(word.lower(), place) for place in range(len(word)))
    return "".join(_LETTERS[one % len(_LETTERS)] for one in drawn)


def _drawn(word: str, place: int) -> int:
    """Return a number of 32 bits that depends on the word and the place alone."""
    return crc32(f"{place} {word}".encode())
