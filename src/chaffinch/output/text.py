"""The lines of what is kept: plain text, names of posts, front matter, ends of sentences.

A line is a run of inline content (`Page.line`); what of it is kept is its text, white space folded,
or verbatim where it is preformatted. Plain text is one line a block, as evaluations compare it: a
br ends a line; list items bear no bullets. The cells of a table row stand on one line, parted by
tabs, as long as each is a single line: a row stays a row for the reader and pastes into a
spreadsheet, and measures that count words see no token that isn't on the page.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.elements.code import needs_lines, source
from chaffinch.elements.shown_content import ShownContent, shown_content, shown_rows
from chaffinch.elements.texts import BREAK
from chaffinch.kernels.arrays import Codes, Mask, Rows
from chaffinch.kernels.codes import CELL, PREFORMATTED
from chaffinch.lists import discussion
from chaffinch.page import tags
from chaffinch.page.visibility import with_texts
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Content


def render(content: Content, *, named: bool = False) -> str:
    """Return the plain text of what is kept; "" where nothing is.

    Blocks are parted by one newline, or by a tab within a table row; there is none at the end.
    With ``named``, a line above each post of a thread tells who wrote it and when.
    """
    waiting: list[PostHeading] = []
    if named:
        content, headings = named_posts(content)
        waiting = headings[::-1]
    lines = kept_lines(content)
    if not waiting and not np.count_nonzero(lines.beside):
        return "\n".join(lines.texts)
    parts: list[str] = []
    every = zip(lines.texts, lines.first.tolist(), lines.beside.tolist(), strict=True)
    for text, first, beside in every:
        heading = None
        while waiting and first >= waiting[-1].row:
            heading = waiting.pop()
        if heading is not None:
            parts += ["\n", " · ".join(filter(None, (heading.author, heading.about)))]
        parts += ["\t" if beside and heading is None else "\n", text]
    return "".join(parts[1:])


# Lines

_KINDS: Final = tags.PREFORMATTED * np.uint8(PREFORMATTED) + tags.table(["td", "th"]) * np.uint8(
    CELL
)
"""What of an element matters for the lines in it."""


@dataclass(eq=False)  # a frozen one sets each field by a call
class KeptLines:
    """The lines of what is kept, as columns; m lines in document order, none of them empty."""

    texts: list[str]
    """White space folded, but for newlines in preformatted elements and where style breaks it."""
    first: Rows  # [m], first kept text row of each line
    last: Rows  # [m], first row after the last kept text row of each line
    beside: Mask
    """bool[m]: lines that stand beside the line before: both are the only line of their cell, and
    the cells stand in one table row."""

    def __len__(self) -> int:
        return len(self.texts)


def kept_lines(content: Content) -> KeptLines:
    page, shown = content.page, shown_content(content)
    text, text_at = shown.elements.text
    kept = shown.kept
    if page.breaks_kept is not None:  # a break between two marks
        kept = kept | (page.breaks_kept & ~page.written & (page.tag == tags.TEXT))
    replaced, tag, line = _replaced(shown)
    if replaced:
        text, text_at = with_texts(text, text_at, replaced)
    texts, first, last, beside = kernels.kept_lines(
        text, text_at, tag, line, page.end, page.parent, kept, content.kept, _KINDS
    )
    for row, (end, _) in replaced.items():
        at = int(first.searchsorted(row, "right")) - 1  # the line that the text stands in
        if at >= 0 and row < last[at]:
            last[at] = max(last[at], end)
    lines = KeptLines(texts, first, last, beside)
    return lines if page.breaks_kept is None else _broken(lines)


def _replaced(shown: ShownContent) -> tuple[dict[int, tuple[int, str]], Codes, Rows]:
    """Return the texts of formulas, and of code whose lines its text alone doesn't tell.

    Row → the first row after what it stands for, and the text; and the tags and lines of all rows
    as they are with these.
    """
    page, code, tag, line = shown.page, shown.code, shown.page.tag, shown.page.line
    texts = {row: (one.end, one.marked) for row, one in shown.formulas.items()}
    blocks = [row for row in code.blocks if shown.kept[row] and needs_lines(page, row, code)]
    if texts or blocks:
        tag = tag.copy()
        tag[list(texts)] = tags.TEXT
    if blocks:
        rows = shown_rows(page, shown.kept) & ~code.left_out
        edges = np.zeros(len(page) + 1, dtype=np.int32)
        formulas = sorted(texts)
        for row in blocks:
            end = int(page.end[row])
            held = (shown.kept[row:end] & (page.tag[row:end] == tags.TEXT)).nonzero()[0] + row
            if raw := source(page, row, rows, code, shown.formulas) if len(held) else "":
                for at in formulas[bisect_left(formulas, row) : bisect_left(formulas, end)]:
                    texts.pop(at, None)
                texts[int(held[0])] = end, raw
                tag[row] = tags.CODES["pre"]
                edges[row] = edges[end] = 1
        line = line + np.add.accumulate(edges[:-1], dtype=np.int32)
    return texts, tag, line


def _broken(lines: KeptLines) -> KeptLines:
    """Break lines where inline style does; those that hold nothing but breaks are dropped."""
    texts = []
    for text in lines.texts:
        parts = [part.strip() for part in text.split(BREAK)] if BREAK in text else [text]
        texts.append("\n".join(filter(None, parts)))
    held = np.array(list(map(bool, texts)), dtype=bool)
    columns = (own[held] for own in (lines.first, lines.last, lines.beside))
    return KeptLines([*filter(None, texts)], *columns)


# Posts of a thread

_LEAST: Final = 2  # posts without which a page shows no thread
_BYLINE: Final = 160  # characters of a line above a post's text that is taken for its byline


class PostHeading(NamedTuple):
    """What stands above a post: its rows, the author's name and what is said besides."""

    row: int
    end: int
    author: str
    about: str


def named_posts(content: Content) -> tuple[Content, list[PostHeading]]:
    """Return a content without the bylines of its posts, and what stands in their place.

    Posts of which nothing is kept have no heading; a page that shows no thread has none at all.
    """
    return content.derived("named posts", lambda: _named(content))


def _named(content: Content) -> tuple[Content, list[PostHeading]]:
    every = discussion.whole_thread(content.page, content.verdict.page_type)
    found = sorted(every, key=lambda post: post.rows)
    kept = (content.kept & content.page.written).nonzero()[0]
    if len(found) < _LEAST or not len(kept):
        return content, []
    first = kept.searchsorted([post.rows[0] for post in found])
    last = kept.searchsorted([post.rows[1] for post in found])
    shown = [post for post, a, b in zip(found, first.tolist(), last.tolist(), strict=True) if a < b]
    if len(shown) < _LEAST:
        return content, []
    of_number = {post.number: post for post in found}
    headings = [PostHeading(*post.rows, *_named_by(post, of_number)) for post in shown]
    keep = content.verdict.keep.copy()
    blocks = text_blocks(content.page)
    for post in shown:
        lines = {" ".join(line.split()) for line in post.text.splitlines()}
        start, stop = blocks.first.searchsorted(post.rows).tolist()
        is_above = True
        for number in range(start, stop):
            text = blocks.text(number)
            is_byline = text not in lines and len(text) <= _BYLINE
            is_above &= is_byline
            if is_above or (is_byline and post.author and post.author in text):
                keep[blocks.first[number] : blocks.last[number]] = False
    if (keep == content.verdict.keep).all():
        return content, headings
    return replace(content, verdict=content.verdict.with_keep(keep)), headings


def _named_by(post: discussion.Post, of_number: dict[int, discussion.Post]) -> tuple[str, str]:
    """Return the author of a post, and its date and whom it replies to; its number for neither."""
    day = post.date.replace("T", " ")[:16] if "T" in post.date else post.date  # to the minute
    above = of_number.get(post.reply_to or 0)
    to = f"→ {above.author}" if above is not None and above.author else ""
    about = " · ".join(filter(None, (day, to)))
    return post.author or ("" if about else f"#{post.number}"), about


# Front matter

_BASIC: Final = 0xFFFF  # the last character that four digits can name
_SURROGATES: Final = range(0xD800, 0xE000)
_UNKNOWN: Final = 0xFFFD  # what Unicode puts in the place of what is no character
_MARKUP: Final = re.compile(r"<(?=[A-Za-z/!?])|(?<=\])\(")
"""What may begin a tag, a comment or an address; it stands within strings only."""


def front_matter(values: Mapping[str, Any]) -> str:
    """Return the values that are known as front matter, a line each; "" where none is."""
    lines = []
    for name, value in values.items():
        if value not in (None, ""):
            quoted = _MARKUP.sub(
                lambda one: _escaped(one[0]), json.dumps(value, ensure_ascii=False)
            )
            signs = (one if one.isprintable() else _escaped(one) for one in quoted)
            lines.append(f"{name}: {''.join(signs)}\n")
    return "".join(["---\n", *lines, "---\n\n"]) if lines else ""


def _escaped(character: str) -> str:
    """Return what stands for a character that YAML has no plain form of (section 5.7).

    JSON's pairs of surrogates are two characters to YAML, and a lone one is none.
    """
    code = ord(character)
    if code > _BASIC:
        return f"\\U{code:08X}"
    return f"\\u{_UNKNOWN if code in _SURROGATES else code:04x}"


# Sentences

_SENTENCE_END: Final = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s+(?![a-z])|\s*$)|[。！？｡]++[”’」』）】]*+"
)


def sentence_ends(text: str) -> list[int]:
    """Return the offset after the last character of each sentence of a line that has an end."""
    return [found.end() for found in _SENTENCE_END.finditer(text)]
