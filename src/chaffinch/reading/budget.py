"""Markdown within a budget of tokens: whole blocks, the most valuable first, and what is left out.

The title stays in any case, then come the headings, the outermost first, then blocks: of equal
texts the first, by their score in quarters, then in the order of the page, where a table or a
listing waits until as much text as it is long itself has found room. The first block that has no
room ends it; of a paragraph as many sentences stay as do. So all that a smaller budget shows, a
larger one shows, too. At the end stands what was left out, section by section.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.output.markdown import escape, headed
from chaffinch.output.markdown.written_blocks import (
    HEADING,
    PARAGRAPH,
    RULE,
    BlockSelection,
)
from chaffinch.reading.sections import LEAD, section_markdown, sections
from chaffinch.reading.token_estimate import count_tokens, token_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.output.markdown.written_blocks import WrittenBlock
    from chaffinch.reading.document import Document
    from chaffinch.reading.sections import Section

_SHARE: Final = 5
"""One token of so many is set aside for the list of what is left out, if it is that long."""
_BANDS: Final = 4  # of scores; finer ones would take single paragraphs out of an article
_LONG: Final = 80  # characters of a heading in that list
_CUT: Final = " […]"
"""Behind the sentences of a paragraph whose others are left out."""
_TRIES: Final = 16
"""Rounds in which a counter that doesn't add up over blocks is given less room."""


def within(document: Document, section: Section | None, max_tokens: int) -> str:
    """Return a document, or a section of it, as Markdown of at most so many tokens.

    A budget that doesn't hold the title, or the section's heading, and the line that names how much
    was left out, gives these two, which is the least there is.
    """
    whole = document.whole if section is None else section_markdown(document, section)
    if count_tokens(whole, document.counter) <= max_tokens:
        return whole
    choice = _Choice(document, section, max_tokens)
    room = choice.room
    for _ in range(_TRIES):
        written = choice.markdown(room)
        over = count_tokens(written, document.counter) - max_tokens
        if over <= 0 or room < 0:
            return written
        room = min(room, choice.used) - over
    return choice.markdown(-1)


class _Shown(NamedTuple):
    """What is shown: how many blocks of the order, and sentences of the one after them."""

    blocks: int
    sentences: int


class _Choice:
    """What of a document has room.

    Attributes:
        room: tokens for blocks.
        used: tokens of the blocks of the last `markdown`.
    """

    def __init__(self, document: Document, section: Section | None, max_tokens: int) -> None:
        self.document = document
        self.max_tokens = max_tokens
        self.is_lead = section is None or section.number == LEAD
        self.start, self.stop = (
            (0, len(document.blocks)) if section is None else (section.start, section.stop)
        )
        self.title = document.title if self.is_lead else ""
        self.sections = [
            one for one in sections(document) if self.start <= one.start and one.stop <= self.stop
        ]
        if section is not None and self.is_lead:
            self.sections = self.sections[:1]
        self.order = self._order()
        self.costs = document.tokens[self.order]
        self.before = np.append(0.0, np.cumsum(self.costs))
        self.used = 0.0
        fixed = self._count(headed(self.title, "")) + (0 if self.is_lead else self.costs[0])
        none = self._left_out(_Shown(0 if self.is_lead else 1, 0))
        least, most = self._count(self._notice(none, -1)), self._count(self._notice(none, 9))
        reserve = min(max(least, max_tokens // _SHARE), max(least, most))
        self.room = max_tokens - fixed - reserve

    def _count(self, text: str) -> float:
        return float(token_counts([text], self.document.counter)[0])

    def _order(self) -> NDArray[np.intp]:
        """Return intp[blocks]: the blocks, those that stay first before others."""
        blocks = self.document.blocks[self.start : self.stop]
        tokens = self.document.tokens[self.start : self.stop].tolist()
        bands = _bands(self.document, blocks)
        seen: Counter[str] = Counter()
        text = 0.0
        keys = []
        for at, (block, cost, band) in enumerate(zip(blocks, tokens, bands, strict=True)):
            if block.kind == HEADING:
                keys.append((at > 0 or self.is_lead, False, block.level, 0, 0.0, at))
                continue
            words = "\n".join(block.block)
            again = _LAST if block.kind == RULE else seen[words]
            seen[words] += 1
            due = text if block.kind == PARAGRAPH else max(text, cost)
            text += cost if block.kind == PARAGRAPH else 0
            keys.append((True, True, again, -band, due, at))
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return np.array(order, dtype=np.intp) + self.start

    def markdown(self, room: float) -> str:
        """Return what fits into so many tokens, and what is left out."""
        shown = self._shown(room)
        body = self._body(shown)
        left_out = self._left_out(shown)
        rest = self.max_tokens - math.ceil(self._count(f"{body}\n"))
        notice = ""
        for depth in (9, 5, 4, 3, 2, 1, 0, -1):
            notice = self._notice(left_out, depth)
            if self._count(notice) <= rest:
                break
        return "\n".join([body.rstrip("\n"), notice])

    def _shown(self, room: float) -> _Shown:
        fixed = 0 if self.is_lead else float(self.costs[0])
        held = int(np.searchsorted(self.before[1:] - fixed, room + 1e-9, side="right"))
        held = min(max(held, 0 if self.is_lead else 1), len(self.order))
        self.used = float(self.before[held]) - fixed
        if held == len(self.order):
            return _Shown(held, 0)
        block = self.document.blocks[self.order[held]]
        if block.kind != PARAGRAPH or not block.ends:
            return _Shown(held, 0)
        tokens = self._sentence_tokens(block, float(self.costs[held]))
        fitting = int(np.searchsorted(tokens, room - self.used + 1e-9, side="right"))
        self.used += float(tokens[fitting - 1]) if fitting else 0.0
        return _Shown(held, min(fitting, len(block.ends)))

    def _sentence_tokens(self, block: WrittenBlock, whole: float) -> NDArray[np.float64]:
        """Return float64[ends]: tokens of a paragraph up to each end of a sentence."""
        lines = [f"{line}\n" for line in block.block]
        starts = np.append(0, np.cumsum([len(line) for line in lines]))
        text = "".join(lines)
        places = [0, *(int(starts[line]) + at for line, at in block.ends), len(text)]
        parts = [text[begin:end] for begin, end in pairwise(places)]
        tokens = np.cumsum(token_counts([*parts, _CUT], self.document.counter))
        marks = max(0.0, whole - float(tokens[-2]))
        up_to: NDArray[np.float64] = tokens[:-2] + marks + (tokens[-1] - tokens[-2])
        return up_to

    def _body(self, shown: _Shown) -> str:
        selection = BlockSelection()
        blocks = self.document.blocks
        for at in sorted(self.order[: shown.blocks + bool(shown.sentences)].tolist()):
            lines = blocks[at].lines
            if shown.sentences and at == self.order[shown.blocks]:
                lines = blocks[at].until(blocks[at].ends[shown.sentences - 1])
                lines[-1] += _CUT
            selection.write(blocks[at], lines)
        return headed(self.title, selection.markdown())

    def _left_out(self, shown: _Shown) -> NDArray[np.float64]:
        """Return float64[sections]: tokens that are left out of each one's own blocks."""
        left_out = np.zeros(len(self.document.blocks) + 1)
        rest = self.order[shown.blocks :]
        left_out[rest + 1] = self.document.tokens[rest]
        if shown.sentences:
            block = self.document.blocks[rest[0]]
            own = self._sentence_tokens(block, float(self.costs[shown.blocks]))
            left_out[rest[0] + 1] -= own[shown.sentences - 1]
        before = np.cumsum(np.maximum(left_out, 0))
        return np.array([before[one.own_stop] - before[one.start] for one in self.sections])

    def _notice(self, left_out: NDArray[np.float64], depth: int) -> str:
        """Return what is left out: a line for each section of at most so many around it."""
        total = math.ceil(float(left_out.sum()))
        head = f"\n___\n\n_Left out to fit {self.max_tokens:,} tokens: about {total:,} tokens"
        if depth < 0:
            return f"{head}. Ask for a section by its number in the outline._\n"
        lines = [f"{head}. Ask for a section by its number:_\n"]
        sizes: dict[str, float] = {}
        for section, own in zip(self.sections, left_out.tolist(), strict=True):
            name = ".".join(section.number.split(".")[: depth + 1])
            sizes[name] = sizes.get(name, 0.0) + own
        for section in self.sections:
            size = sizes.get(section.number, 0.0)
            if size >= 1:
                name = _short(section.heading) or "the beginning"
                lines.append(f"- {section.number} {name}: about {math.ceil(size):,} tokens")
        return "\n".join([*lines, ""])


_LAST: Final = 1 << 40
"""In place of the number of repetitions, of rules, which mean nothing alone."""


def _short(heading: str) -> str:
    words = heading if len(heading) <= _LONG else f"{heading[: _LONG - 1]}…"
    return escape.text(words)


def _bands(document: Document, blocks: list[WrittenBlock]) -> list[int]:
    """Return the quarter of 0..1 in which the score of each block lies, by its kept characters."""
    content = document.content
    weight = np.where(content.kept, content.page.own_length, 0).astype(np.float64)
    score = np.append(0.0, np.cumsum(weight * content.verdict.score))
    length = np.append(0.0, np.cumsum(weight))
    first = np.array([block.rows[0] for block in blocks], dtype=np.intp)
    last = np.array([block.rows[1] for block in blocks], dtype=np.intp)
    mean = (score[last] - score[first]) / np.maximum(length[last] - length[first], 1)
    bands: list[int] = np.clip((mean * _BANDS).astype(int), 0, _BANDS - 1).tolist()
    return bands
