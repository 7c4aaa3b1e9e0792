"""Chunks as Markdown: whole blocks of one section each, with the headings above them.

As chunks of text (`chaffinch.output.chunks`), none crosses a heading, but that a heading and a
deeper one that follows at once stand together. Tables and listings stay whole, however long; a
paragraph is cut between sentences where it alone is too long. What can't be cut is a chunk longer
than wanted.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from chaffinch.output.chunks import Chunk
from chaffinch.output.markdown import escape, headed
from chaffinch.output.markdown.written_blocks import PARAGRAPH, BlockSelection
from chaffinch.page_work import checked
from chaffinch.reading.sections import sections
from chaffinch.reading.token_estimate import token_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.output.chunks import About
    from chaffinch.output.markdown.written_blocks import WrittenBlock
    from chaffinch.reading.document import Document


class _Part(NamedTuple):
    """What isn't cut: a block, or some sentences of one."""

    block: WrittenBlock
    lines: list[str]
    tokens: float


class _Group(NamedTuple):
    """Blocks that may share a chunk: of one section, the first ones headings."""

    title: str
    path: tuple[str, ...]
    blocks: list[int]
    heads: int


def markdown_chunks(document: Document, most: int, about: About) -> list[Chunk]:
    """Cut a document into chunks.

    Args:
        document: the content as Markdown.
        most: tokens of a chunk, by the document's counter.
        about: what every chunk repeats about the page.

    Returns:
        The chunks in document order; their text ends without a newline. Every block is in exactly
        one, or the parts of a long paragraph are in several.
    """
    out: list[Chunk] = []
    for group in checked(_groups(document), every=8):
        held = document.title if group.title else ""
        title = float(token_counts([headed(held, "")], document.counter)[0])
        parts = list(_parts(document, group, most, title))
        for packed in _packed(parts, most, title, group.heads):
            out.append(_chunk(packed, held, group.path, about))
            held = ""
    return out


def _groups(document: Document) -> Iterator[_Group]:
    """Yield the sections, those without blocks of their own together with a deeper one."""
    title, waiting = "", list[int]()
    every = sections(document)
    for at, section in enumerate(every):
        own = list(range(section.start, section.own_stop))
        is_lead = at == 0 and section.number == "0"
        title = document.title if is_lead else title
        heads = len(waiting) + (not is_lead)
        deeper = at + 1 < len(every) and (is_lead or every[at + 1].level > section.level)
        if deeper and len(own) == (not is_lead):
            waiting += own
            continue
        yield _Group(title, section.path, waiting + own, heads)
        title, waiting = "", []


def _parts(document: Document, group: _Group, most: int, title: float) -> Iterator[_Part]:
    """Yield blocks, and the sentences of those paragraphs that are too long."""
    room = most - title
    for number, at in enumerate(group.blocks):
        block, tokens = document.blocks[at], float(document.tokens[at])
        if number < group.heads:
            room -= tokens
        first = room if 2 * room > most and number == group.heads else most
        if tokens <= first or block.kind != PARAGRAPH or not block.ends:
            yield _Part(block, block.lines, tokens)
        else:
            yield from _sentences(document, block, tokens, most, first)


def _sentences(
    document: Document, block: WrittenBlock, tokens: float, most: float, first: float
) -> Iterator[_Part]:
    """Yield as many sentences of a paragraph as fit, again and again."""
    last = len(block.block) - 1, len(block.block[-1])
    places = [(0, 0), *(one for one in block.ends if one != last), last]
    pieces = [_between(block, *ends) for ends in pairwise(places)]
    texts = ["\n".join(piece) + " " for piece in pieces]
    counts = token_counts(texts, document.counter).tolist()
    marks = max(0.0, tokens - sum(counts)) + 1
    begin, held = 0, 0.0
    for at, count in enumerate(counts):
        if at > begin and held + count + marks > (most if begin else first):
            yield _Part(block, _begun(_between(block, places[begin], places[at])), held + marks)
            begin, held = at, 0.0
        held += count
    yield _Part(block, _begun(_between(block, places[begin], last)), held + marks)


def _between(block: WrittenBlock, begin: tuple[int, int], end: tuple[int, int]) -> list[str]:
    """Return the lines of a block between two places."""
    lines = block.block[begin[0] : end[0] + 1]
    lines[-1] = lines[-1][: end[1]]
    lines[0] = lines[0][begin[1] :]
    return [one for one in lines if one.strip(" \\")] or lines[-1:]


def _begun(lines: list[str]) -> list[str]:
    """Return lines from within a paragraph as a paragraph."""
    return [escape.at_line_start(lines[0].lstrip()), *lines[1:]]


def _packed(parts: list[_Part], most: float, title: float, heads: int) -> Iterator[list[_Part]]:
    """Yield as many parts as fit; headings at the beginning never stay alone."""
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


def _chunk(parts: list[_Part], title: str, path: tuple[str, ...], about: About) -> Chunk:
    selection = BlockSelection()
    for part in parts:
        selection.write(part.block, part.lines)
    first = parts[0].block.rows[0] if parts else 0
    last = max((part.block.rows[1] for part in parts), default=0)
    text = headed(title, selection.markdown()).rstrip("\n")
    return Chunk(text, path, (first, last), about.title, about.url, about.language)
