"""The content as Markdown, block by block, and its sections: what stands below each heading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError, PageError
from chaffinch.output import markdown
from chaffinch.output.markdown import headed
from chaffinch.output.markdown_blocks import HEADING, WrittenBlock, alone, selected
from chaffinch.output.options import OutputOptions
from chaffinch.page_work import checked
from chaffinch.reading.blocks import block_ids
from chaffinch.reading.tokens import Counter, token_counts
from chaffinch.reading.words import folded, text_id
from chaffinch.verdict import Content


@dataclass(frozen=True, eq=False)
class Document:
    """What is kept of a page as Markdown."""

    content: Content  # the page and what is kept of it, without its title
    title: str  # the heading above; "" for none
    whole: str  # all of it as Markdown
    blocks: list[WrittenBlock]  # its blocks in order, the title not among them
    counter: Counter | None  # counts the tokens of a text; None for the estimate

    @cached_property
    def tokens(self) -> NDArray[np.float64]:
        """float64[blocks]: tokens of each by itself and of the empty line after it.

        It stands behind all marks of lists, items and quotes around it.
        """
        texts = [f"{alone(block)}\n" for block in checked(self.blocks)]
        return token_counts(texts, self.counter)


def document(
    content: Content, options: OutputOptions, title: str, counter: Counter | None
) -> Document:
    """Return the content below its title as Markdown, block by block."""
    blocks: list[WrittenBlock] = []
    whole = markdown.render(content, options=options, title=title, written=blocks)
    return Document(content, title, whole, blocks, counter)


LEAD: Final = "0"
"""Number of what stands before the first heading, below the title."""
_JOINT: Final = " > "
_SHOWN: Final = 12  # sections that a message lists
_LONG: Final = 60  # characters of a heading in it


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

    Args:
        document: the content.
        path: its number, the id of its heading's block, its heading, or headings from outside in:
            as a list, or as one text with " > " between; in any case, white space folded.

    Raises:
        PageError: there is none on this page, or more than one; the message lists numbers.
        OptionError: ``path`` is neither text nor a list of texts.
    """
    wanted = [path] if isinstance(path, str) else path
    if not isinstance(wanted, list | tuple) or not all(isinstance(one, str) for one in wanted):
        raise OptionError(f"a section is a number, a heading or a list of headings, not {path!r}")
    every = sections(document)
    if isinstance(path, str):
        ids, asked = block_ids(document.content), path.strip()
        heads = (one for one in every if one.number != LEAD)
        of_id = (one for one in heads if ids.of_row(document.blocks[one.start].rows[0]) == asked)
        same = (one for one in every if one.number == asked)
        if one := next(chain(same, of_id), None):
            return one
    key = _key(_JOINT.join(wanted))
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
    names = [f"{one.number} {one.heading[:_LONG]}".strip() for one in found[:_SHOWN]]
    return "; ".join([*names, *["…"] * (len(found) > _SHOWN)])
