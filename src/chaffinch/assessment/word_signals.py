"""Signals of names and words: what elements are called; phrases in title and short texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.assessment.measured_page import LONG, OPEN_ENDS
from chaffinch.assessment.signal_values import MOST_ROWS, first_rows, log_of, middling
from chaffinch.assessment.state_words import DOMAIN_NAME, NAMES, STATUS_IN_TEXT
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.assessment.measured_page import MeasuredPage
    from chaffinch.assessment.signal_values import Signal

_FIRST_TEXTS: Final = 40
_BEFORE: Final = 3  # blocks
_ROWS: Final = 12
_FEW: Final = 4  # paragraphs
_PRESSED: Final = tags.table("a button input".split())
_ENDS: Final = 0.2
"""Share of the prose behind a wall below which the wall ends it."""


def name_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield, of each kind of `NAMES`, how many elements bear one and what text they hold."""
    page = found.page
    for kind, rows in _named(found).items():
        share = found.prose_in(rows) / max(found.all_prose, 1.0)
        yield f"elements named as {kind}", log_of(len(rows)), first_rows(rows)
        yield f"text in elements named as {kind}", min(share, 1.0), first_rows(rows)
    sources = page.values("src") if len(page) else None
    loaded = sources.rows_of(sources.containing(*NAMES["block_page"])) if sources else []
    yield "loads what is named as block_page", float(bool(loaded)), first_rows(loaded)


def _named(found: MeasuredPage) -> dict[str, list[int]]:
    """Return kind of `NAMES` → rows whose class or id has one, in order."""
    every = tuple(word for words in NAMES.values() for word in words)
    named: dict[str, set[int]] = {kind: set() for kind in NAMES}
    for attribute in ("class", "id") if len(found.page) else ():
        values = found.page.values(attribute)
        for value in values.containing(*every):
            lower = value.lower()
            for kind, words in NAMES.items():
                if any(word in lower for word in words):
                    named[kind].update(values.rows[value])
    return {kind: sorted(rows) for kind, rows in named.items()}


def word_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield, of each state, whether title, headings and short blocks have a phrase of it."""
    title, headings = found.title, found.first_headings
    for state, phrases in found.phrases.items():
        yield f"phrase of {state} in the title", float(any(one in title for one in phrases)), ()
        rows = _rows_with(headings, phrases)
        yield f"phrase of {state} in a heading", float(bool(rows)), first_rows(rows)
        short = found.short_phrases[state]
        at = _rows_with(found.short, short)
        yield f"phrases of {state} in short texts", log_of(len(short)), first_rows(at)
    numbers = [row for row, words in headings if STATUS_IN_TEXT.search(words)]
    yield "title has an error's number", float(bool(STATUS_IN_TEXT.search(title))), ()
    yield "heading has an error's number", float(bool(numbers)), first_rows(numbers)
    shown = [
        row
        for row, words in found.short[:_FIRST_TEXTS]
        if STATUS_IN_TEXT.search(words) and len(words) < LONG
    ]
    yield "short text has an error's number", float(bool(shown)), first_rows(shown)
    domains = [row for row, words in headings if DOMAIN_NAME.search(words)]
    yield "title has a domain name", float(bool(DOMAIN_NAME.search(title))), ()
    yield "heading has a domain name", float(bool(domains)), first_rows(domains)


def _rows_with(texts: list[tuple[int, str]], phrases: Sequence[str]) -> list[int]:
    """Return the rows of the texts that hold one of some phrases, most often none."""
    return [row for row, text in texts if any(one in text for one in phrases)] if phrases else []


def wall_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether the prose breaks off: at a wall that is named so, or in mid sentence."""
    page, blocks, prose = found.page, found.blocks, found.prose
    main = np.flatnonzero((prose >= LONG) & ~found.in_chrome)
    last = blocks.text(int(main[-1])) if len(main) else ""
    where = (int(blocks.first[main[-1]]),) if len(main) else ()
    some = middling(found.main_prose)
    yield "some prose", some, ()
    yield "prose ends open", float(last.endswith(OPEN_ENDS)), where
    yield "prose ends open, some prose", float(last.endswith(OPEN_ENDS)) * some, where
    walls = [row for row in _walls(found) if len(main) and blocks.first[main[0]] < row]
    yield "wall behind prose", float(bool(walls)), first_rows(walls)
    share, before = 1.0, 0.0
    if walls:
        after = blocks.first[main] >= page.end[walls[0]]
        before = float(prose[main[blocks.first[main] < walls[0]]].sum())
        share = float(prose[main[after]].sum()) / max(found.main_prose, 1.0)
    yield "wall ends the prose", float(share < _ENDS) * float(bool(walls)), first_rows(walls)
    ends = float(share < _ENDS) * float(bool(walls)) * some
    yield "wall ends the prose, some prose", ends, first_rows(walls)
    yield "some prose before a wall", float(bool(walls)) * middling(before), first_rows(walls)
    yield "share of prose behind a wall", share, ()
    yield from _content_at_walls(found, walls)
    yield from _text_at_walls(found, walls)


def _content_at_walls(found: MeasuredPage, walls: list[int]) -> Iterator[Signal]:
    """Yield whether what the page-level model takes for content ends where a wall stands.

    Teasers and footers behind a wall are prose, too, but less often content.
    """
    first, content = found.blocks.first, np.where(found.is_content, found.prose, 0.0)
    worded = set(_rows_with(found.short, found.short_phrases["paywall"]))
    by_phrase = [row for row in walls if row in worded]
    for kind, rows in (("named wall or offer", walls), ("wall with a known phrase", by_phrase)):
        ends, before = 0.0, 0.0
        for row in rows[:MOST_ROWS]:
            above = float(content[first < row].sum())
            behind = float(content[first >= found.page.end[row]].sum())
            if above and behind < _ENDS * above:
                ends, before = 1.0, above
                break
        yield f"content ends at a {kind}", ends, first_rows(rows)
        yield f"content ends at a {kind}, some content", ends * middling(before), ()


def _text_at_walls(found: MeasuredPage, walls: list[int]) -> Iterator[Signal]:
    """Yield whether content stands right before a wall, and whether other than teasers follows."""
    page, first = found.page, found.blocks.first
    lone = np.where(found.is_lone & (found.prose >= LONG), found.prose, 0.0)
    near, pressed, ends, few = 0.0, 0.0, 0.0, 0.0
    for row in walls[:MOST_ROWS]:
        at = int(np.searchsorted(first, row))
        is_near = bool((found.is_content & (found.prose >= LONG))[max(at - _BEFORE, 0) : at].any())
        near = max(near, float(is_near))
        stop = max(int(page.end[row]), row + _ROWS)
        pressed = max(pressed, float(is_near and _PRESSED[page.tag[row:stop]].any()))
        above = float(lone[:at].sum())
        behind = float(lone[first >= page.end[row]].sum())
        if above and behind < _ENDS * above:
            ends = 1.0
            few = max(few, 1 / (1 + (float((lone[:at] > 0).sum()) / _FEW) ** 2))
    yield "wall right behind content", near, ()
    yield "wall with a button right behind content", pressed, ()
    yield "content outside teasers ends at a wall", ends, ()
    yield "few paragraphs end at a wall", few, ()


def _walls(found: MeasuredPage) -> list[int]:
    """Return the rows that are named or worded as a wall is, outside chrome, in order."""
    page = found.page
    if not len(page):
        return []
    named: list[int] = []
    for attribute in ("class", "id"):
        values = page.values(attribute)
        named += values.rows_of(values.containing(*NAMES["paywall"][:2]))
    named = [row for row in named if page.length[row] >= LONG / 3 and row > page.body]
    worded = _rows_with(found.short, found.short_phrases["paywall"])
    return sorted(row for row in {*named, *worded} if not found.chrome_rows[row])
