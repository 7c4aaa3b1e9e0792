"""What of a content is read: all of it, its outline, a section, what a budget holds, or chunks.

A section is what stands below a heading, down to the next one of its level.

Within a budget stand whole blocks, the most valuable first. The title stays in any case, then come
the headings, the outermost first, then blocks: of equal texts the first, by their score in
quarters, then in the order of the page, where a table or a listing waits until as much text as it
is long itself has found room. The first block that has no room ends it; of a paragraph as many
sentences stay as do. So all that a smaller budget shows, a larger one shows, too. At the end stands
what was left out, section by section.

Chunks are whole blocks of one section each, with the headings above them; none crosses a heading,
but that a heading and a deeper one that follows at once stand together. What alone is too long is
cut: a paragraph between sentences, a table and a listing between lines, each part with the header
line or the fences.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.errors import PageError
from chaffinch.output import markdown, markdown_text
from chaffinch.output.markdown import headed
from chaffinch.output.markdown_blocks import (
    CODE_BLOCK,
    HEADING,
    PARAGRAPH,
    RULE,
    TABLE,
    WrittenBlock,
    alone,
    selected,
)
from chaffinch.output.options import OutputOptions
from chaffinch.page_work import checked
from chaffinch.reading.blocks import block_ids
from chaffinch.reading.tokens import TokenCounter, count_tokens, token_counts
from chaffinch.reading.words import folded, text_id
from chaffinch.verdict import Content


@dataclass(frozen=True, eq=False)
class Document:
    """What is kept of a page as Markdown."""

    content: Content  # the page and what is kept of it, without its title
    title: str  # the heading above; "" for none
    whole: str  # all of it as Markdown
    blocks: list[WrittenBlock]  # its blocks in order, the title not among them
    counter: TokenCounter | None  # counts the tokens of a text; None for the estimate

    @cached_property
    def tokens(self) -> NDArray[np.float64]:
        """float64[blocks]: tokens of each by itself and of the empty line after it.

        It stands behind all marks of lists, items and quotes around it.
        """
        return token_counts([f"{alone(block)}\n" for block in checked(self.blocks)], self.counter)


def document(
    content: Content, options: OutputOptions, title: str, counter: TokenCounter | None
) -> Document:
    """Return the content below its title as Markdown, block by block."""
    blocks: list[WrittenBlock] = []
    whole = markdown.render(content, options=options, title=title, written=blocks)
    return Document(content, title, whole, blocks, counter)


LEAD: Final = "0"
"""Number of what stands before the first heading, below the title."""
_JOINT: Final = " > "
_SHOWN: Final = 12  # sections that a message lists
_LONG_NAME: Final = 60  # characters of a heading in it


class Section(NamedTuple):
    """A section of a document."""

    number: str  # of it among its siblings, behind those of the sections around: ``2.1``
    level: int  # of its heading, 1 to 6
    path: tuple[str, ...]  # the headings around it and its own, outermost first: the title
    start: int  # its first block, which is the heading, but for the lead
    own_stop: int  # the block after those before the next heading
    stop: int  # the block after its last

    @property
    def heading(self) -> str:
        """Its own heading; "" for a lead without a title."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True)
class OutlineEntry:
    """A heading of the content, and the size of what stands below it.

    Attributes:
        number: what a section is requested by: ``2.1`` is the first section in the second; ``0`` is
            what stands before the first heading.
        level: of the heading, 1 to 6.
        heading: its text.
        path: the headings around it and its own, outermost first; the title is the outermost.
        id: of the heading's block.
        rows: half-open range of rows of the page; null where the page has none for a title alone.
        tokens: of the section as Markdown, with all sections in it; estimated, unless counted by
            the caller's counter.
        length: characters of the same.
    """

    number: str
    level: int
    heading: str
    path: tuple[str, ...]
    id: str
    rows: tuple[int, int] | None
    tokens: int
    length: int


def sections(document: Document) -> list[Section]:
    """Return the sections of a document in order, the lead first if there is any."""
    blocks = document.blocks
    heads = [at for at, block in enumerate(blocks) if block.kind == HEADING]
    first = heads[0] if heads else len(blocks)
    title: tuple[str, ...] = (document.title,) if document.title else ()
    lead = [Section(LEAD, 1, title, 0, first, first)] if first or title else []
    levels = [blocks[at].level for at in heads]
    own_stops, stops = [*heads[1:], len(blocks)], [len(blocks)] * len(heads)
    numbers: list[str] = []
    paths: list[tuple[str, ...]] = []
    count = [0] * (len(heads) + 1)  # of the sections within each; the last is the document
    open_: list[int] = []
    for one, (at, level) in enumerate(zip(heads, levels, strict=True)):
        while open_ and levels[open_[-1]] >= level:
            stops[open_.pop()] = at
        around = open_[-1] if open_ else -1
        count[around] += 1
        numbers.append(f"{numbers[around]}.{count[around]}" if open_ else str(count[around]))
        paths.append((*(paths[around] if open_ else title), blocks[at].text))
        open_.append(one)
    return [*lead, *map(Section, numbers, levels, paths, heads, own_stops, stops)]


def outline_of(document: Document) -> list[OutlineEntry]:
    entries = []
    ids, blocks = block_ids(document.content), document.blocks
    tokens = np.append(0.0, np.cumsum(document.tokens)).tolist()
    lines = [sum(map(len, one.block)) + len(one.block) for one in blocks]
    lengths = [0, *accumulate(lines)]
    last_rows = list(accumulate((block.rows[1] for block in blocks), max, initial=0))
    for one in sections(document):
        size, length = tokens[one.stop] - tokens[one.start], lengths[one.stop] - lengths[one.start]
        first = blocks[one.start].rows[0] if one.stop > one.start else -1
        own = text_id(one.heading) if one.heading else ""
        if one.number == LEAD:
            title = headed(one.heading, "")
            size += float(token_counts([title], document.counter)[0])
            length += len(title)
        else:
            own = ids.of_row(first)
        rows = None if first < 0 else (first, last_rows[one.stop])
        place = one.number, one.level, one.heading, one.path, own, rows
        entries.append(OutlineEntry(*place, tokens=math.ceil(size - 1e-6), length=length))
    return entries


def section_markdown(document: Document, section: Section) -> str:
    body = selected((one, one.lines) for one in document.blocks[section.start : section.stop])
    return headed(section.heading, body) if section.number == LEAD else body


def find_section(document: Document, path: str | Sequence[str]) -> Section:
    """Return the section that is requested.

    The path is its number, the id of its heading's block, its heading, or headings from outside in:
    as a list, or as one text with " > " between; in any case, white space folded. A `PageError`
    lists the numbers where there is none such, or more than one.
    """
    every = sections(document)
    if isinstance(path, str):
        ids, asked = block_ids(document.content), path.strip()
        heads = (one for one in every if one.number != LEAD)
        of_id = (one for one in heads if ids.of_row(document.blocks[one.start].rows[0]) == asked)
        same = (one for one in every if one.number == asked)
        if one := next(chain(same, of_id), None):
            return one
    key = _key(path if isinstance(path, str) else _JOINT.join(path))
    found = [one for one in every if _ends_with(one.path, key)]
    if len(found) == 1:
        return found[0]
    if found:
        raise PageError(f"{len(found)} sections are called {path!r}: {_listed(found)}")
    raise PageError(f"no section {path!r}; the page has {_listed(every) or 'none'}")


def _key(text: str) -> str:
    return folded(text).casefold()


def _ends_with(path: tuple[str, ...], key: str) -> bool:
    """Return whether the last headings of a path, joined, are a key."""
    own = _key(_JOINT.join(path))
    return bool(key) and (own == key or own.endswith(_JOINT + key))


def _listed(found: list[Section]) -> str:
    names = [f"{one.number} {one.heading[:_LONG_NAME]}".strip() for one in found[:_SHOWN]]
    return "; ".join([*names, *["…"] * (len(found) > _SHOWN)])


# A part of it


def read(found: Document, options: OutputOptions, above: str = "") -> str:
    """Return what the options select of a document, as Markdown.

    ``above`` stands above it and takes part of the budget. A `PageError` is raised where there is
    no such section, or more than one.
    """
    if not found.content:
        return found.whole
    section = None if options.section is None else find_section(found, options.section)
    if options.max_tokens is not None:
        taken = count_tokens(above, options.counter) if above else 0
        return within(found, section, options.max_tokens - taken)
    return found.whole if section is None else section_markdown(found, section)


_SHARE: Final = 5
"""One token of so many is set aside for the list of what is left out, if it is that long."""
_BANDS: Final = 4  # of scores; finer ones would take single paragraphs out of an article
_LONG: Final = 80  # characters of a heading in that list
_CUT: Final = " […]"  # behind the sentences of a paragraph whose others are left out
_TRIES: Final = 16  # rounds in which a counter that doesn't add up over blocks is given less room


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


class _Choice:
    """What of a document has room."""

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
        self.used = 0.0  # tokens of the blocks of the last `markdown`
        fixed = self._count(headed(self.title, "")) + (0 if self.is_lead else self.costs[0])
        none = self._left_out((0 if self.is_lead else 1, 0))
        least, most = self._count(self._notice(none, -1)), self._count(self._notice(none, 9))
        reserve = min(max(least, max_tokens // _SHARE), max(least, most))
        self.room = max_tokens - fixed - reserve  # tokens for blocks

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

    def _shown(self, room: float) -> tuple[int, int]:
        """Return how many blocks of the order are shown, and sentences of the one after them."""
        fixed = 0 if self.is_lead else float(self.costs[0])
        held = int(np.searchsorted(self.before[1:] - fixed, room + 1e-9, side="right"))
        held = min(max(held, 0 if self.is_lead else 1), len(self.order))
        self.used = float(self.before[held]) - fixed
        if held == len(self.order):
            return held, 0
        block = self.document.blocks[self.order[held]]
        if block.kind != PARAGRAPH or not block.ends:
            return held, 0
        tokens = self._sentence_tokens(block, float(self.costs[held]))
        fitting = int(np.searchsorted(tokens, room - self.used + 1e-9, side="right"))
        self.used += float(tokens[fitting - 1]) if fitting else 0.0
        return held, min(fitting, len(block.ends))

    def _sentence_tokens(self, block: WrittenBlock, whole: float) -> NDArray[np.float64]:
        """Return float64[ends]: tokens of a paragraph up to each end of a sentence."""
        last = len(block.block) - 1, len(block.block[-1])
        places = [(0, 0), *block.ends, last]
        parts = ["\n".join(_between(block, *ends)) for ends in pairwise(places)]
        tokens = np.cumsum(token_counts([*parts, _CUT], self.document.counter))
        marks = max(0.0, whole - float(tokens[-2]))
        up_to: NDArray[np.float64] = tokens[:-2] + marks + (tokens[-1] - tokens[-2])
        return up_to

    def _body(self, shown: tuple[int, int]) -> str:
        blocks, some = self.document.blocks, list[tuple[WrittenBlock, list[str]]]()
        count, sentences = shown
        for at in sorted(self.order[: count + bool(sentences)].tolist()):
            lines = blocks[at].lines
            if sentences and at == self.order[count]:
                lines = blocks[at].until(blocks[at].ends[sentences - 1])
                lines[-1] += _CUT
            some.append((blocks[at], lines))
        return headed(self.title, selected(some))

    def _left_out(self, shown: tuple[int, int]) -> NDArray[np.float64]:
        """Return float64[sections]: tokens that are left out of each one's own blocks."""
        left_out = np.zeros(len(self.document.blocks) + 1)
        count, sentences = shown
        rest = self.order[count:]
        left_out[rest + 1] = self.document.tokens[rest]
        if sentences:
            block = self.document.blocks[rest[0]]
            own = self._sentence_tokens(block, float(self.costs[count]))
            left_out[rest[0] + 1] -= own[sentences - 1]
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
                name = section.heading
                name = name if len(name) <= _LONG else f"{name[: _LONG - 1]}…"
                name = markdown_text.escaped(name) or "the beginning"
                lines.append(f"- {section.number} {name}: about {math.ceil(size):,} tokens")
        return "\n".join([*lines, ""])


_LAST: Final = 1 << 40  # in place of the number of repetitions, of rules, which mean nothing alone


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


@dataclass(frozen=True)
class Chunk:
    """A piece of the content.

    Attributes:
        text: its Markdown, with the headings that it begins with.
        headings: the texts of the headings it stands under, outermost first, its own among them. A
            title is the outermost.
        rows: first row and first row after the last on the page, of the blocks it is cut from.
        title: of the page; "" if unknown.
        url: address of the page; None if unknown.
        language: of the page, BCP 47; "" if unknown.
        ids: of the page's blocks that it is cut from, in order (`chaffinch.reading.blocks`).
    """

    text: str
    headings: tuple[str, ...]
    rows: tuple[int, int]
    title: str = ""
    url: str | None = None
    language: str = ""
    ids: tuple[str, ...] = ()


class _Part(NamedTuple):
    """What isn't cut: a block, or some sentences or lines of one."""

    block: WrittenBlock
    lines: list[str]
    tokens: float


def chunks(document: Document, most: int) -> list[Chunk]:
    """Cut a document into chunks of ``most`` tokens, by the document's counter, in order.

    They are without what is known of the page; their text ends without a newline. Every block is in
    exactly one, or the parts of a long one are in several.
    """
    out: list[Chunk] = []
    for title, path, blocks, heads in checked(_groups(document), every=8):
        held = document.title if title else ""
        above = float(token_counts([headed(held, "")], document.counter)[0])
        parts = list(_parts(document, blocks, heads, most, above))
        for packed in _packed(parts, most, above, heads):
            first = packed[0].block.rows[0] if packed else 0
            last = max((part.block.rows[1] for part in packed), default=0)
            body = selected((part.block, part.lines) for part in packed)
            out.append(Chunk(headed(held, body).rstrip("\n"), path, (first, last)))
            held = ""
    return out


def _groups(document: Document) -> Iterator[tuple[str, tuple[str, ...], list[int], int]]:
    """Yield (title, path, blocks, headings among these) of blocks that may share a chunk.

    That is a section; one without blocks of its own stands together with a deeper one.
    """
    title, waiting = "", list[int]()
    every = sections(document)
    for at, section in enumerate(every):
        own = list(range(section.start, section.own_stop))
        is_lead = at == 0 and section.number == LEAD
        title = document.title if is_lead else title
        deeper = at + 1 < len(every) and (is_lead or every[at + 1].level > section.level)
        if deeper and len(own) == (not is_lead):
            waiting += own
            continue
        yield title, section.path, waiting + own, len(waiting) + (not is_lead)
        title, waiting = "", []


_FRAMES: Final = {PARAGRAPH: (0, 0), TABLE: (2, 0), CODE_BLOCK: (1, 1)}
"""Kind of a block that may be cut → lines at its beginning and at its end that each part has."""


def _parts(
    document: Document, blocks: list[int], heads: int, most: int, title: float
) -> Iterator[_Part]:
    """Yield blocks, and as many sentences or lines as fit of those that are too long."""
    room = most - title
    for number, at in enumerate(blocks):
        block, tokens = document.blocks[at], float(document.tokens[at])
        if number < heads:
            room -= tokens
        limit = room if 2 * room > most and number == heads else most
        places = _places(block) if tokens > limit else []
        if len(places) <= 2:  # noqa: PLR2004  its beginning and its end
            yield _Part(block, block.lines, tokens)
            continue
        above, below = _FRAMES[block.kind]
        head, foot = block.block[:above], block.block[len(block.block) - below :]
        texts = ["\n".join(_between(block, *ends)) + " " for ends in pairwise(places)]
        counts = token_counts(texts, document.counter).tolist()
        marks = max(0.0, tokens - sum(counts)) + 1
        begin, held = 0, 0.0
        for stop, count in enumerate([*counts, math.inf]):
            if stop > begin and held + count + marks > limit:
                lines = _between(block, places[begin], places[stop])
                if 0 < places[begin][1] < len(block.block[places[begin][0]]):  # within a line
                    lines[0] = markdown_text.at_line_start(lines[0].lstrip())
                yield _Part(block, [*head, *lines, *foot], held + marks)
                begin, held, limit = stop, 0.0, most
            held += count


def _places(block: WrittenBlock) -> list[tuple[int, int]]:
    """Return (line, character) of the ends of a block, and of all places where it may be cut."""
    if block.kind == PARAGRAPH:
        last = len(block.block) - 1, len(block.block[-1])
        return [(0, 0), *(one for one in block.ends if one != last), last]
    if block.kind not in _FRAMES:
        return []
    above, below = _FRAMES[block.kind]
    ends = [(at, len(line)) for at, line in enumerate(block.block) if line]
    return [one for one in ends if above - 1 <= one[0] < len(block.block) - below]


def _between(block: WrittenBlock, begin: tuple[int, int], end: tuple[int, int]) -> list[str]:
    lines = block.block[begin[0] : end[0] + 1]
    lines[-1] = lines[-1][: end[1]]
    lines[0] = lines[0][begin[1] :]
    is_left = begin[1] == 0 or lines[0].strip(" \\")  # else nothing but a break is left of it
    return lines if is_left else lines[1:]


def _packed(parts: list[_Part], most: float, title: float, heads: int) -> Iterator[list[_Part]]:
    held: list[_Part] = []
    tokens = title
    for number, part in enumerate(parts):
        if held and number > heads and tokens + part.tokens > most:
            yield held
            held, tokens = [], 0.0
        held.append(part)
        tokens += part.tokens
    if held or title:
        yield held
