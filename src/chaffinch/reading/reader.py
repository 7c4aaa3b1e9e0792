"""What of a content is read: all of it, a section, or what a budget holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.output import markdown
from chaffinch.output.options import OutputOptions
from chaffinch.reading import budget, sections
from chaffinch.reading.document import document, written_document
from chaffinch.reading.markdown_chunks import markdown_chunks
from chaffinch.reading.token_estimate import count_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.output.chunks import About, Chunk
    from chaffinch.reading.sections import OutlineEntry, SectionText
    from chaffinch.reading.token_estimate import Counter
    from chaffinch.result import Content


def read(content: Content, title: str, options: OutputOptions, above: str = "") -> str:
    """Return what the options select of a content, as Markdown.

    Args:
        content: the page and what is kept of it, without its title.
        title: the heading above; "" for none.
        options: what is shown, and what part of it.
        above: what stands above it and takes part of the budget.

    Raises:
        PageError: there is no such section, or more than one.
    """
    if not options.selects or not content:
        return markdown.render(content, options=options, title=title)
    found = document(content, options, title, options.counter)
    section = None if options.section is None else sections.find_section(found, options.section)
    if options.max_tokens is not None:
        taken = count_tokens(above, options.counter) if above else 0
        return budget.within(found, section, options.max_tokens - taken)
    return found.whole if section is None else sections.section_markdown(found, section)


def read_with_outline(
    content: Content, title: str, options: OutputOptions
) -> tuple[str, list[OutlineEntry]]:
    """Return all of a content as Markdown, and its `outline`, written once for both."""
    found = written_document(content, options, title, options.counter)
    return found.whole, sections.outline(found) if content else []


def outline(content: Content, title: str, options: OutputOptions) -> list[OutlineEntry]:
    """Return the headings of a content and the sizes of what stands below them."""
    found = document(content, options, title, options.counter)
    return sections.outline(found) if content else []


def chunks(
    content: Content, title: str, most: int, counter: Counter | None, about: About
) -> list[Chunk]:
    """Return a content cut into chunks of Markdown of at most so many tokens each."""
    found = document(content, OutputOptions(), title, counter)
    return markdown_chunks(found, most, about) if content else []


def section(
    content: Content, title: str, path: str | Sequence[str], options: OutputOptions
) -> SectionText:
    """Return a section, within the budget of the options.

    Raises:
        PageError: there is none, or more than one.
        OptionError: ``path`` is no text and no list of texts.
    """
    found = document(content, options, title, options.counter)
    wanted = sections.find_section(found, path)
    if options.max_tokens is None:
        text = sections.section_markdown(found, wanted)
    else:
        text = budget.within(found, wanted, options.max_tokens)
    return sections.section_text(found, wanted, text)
