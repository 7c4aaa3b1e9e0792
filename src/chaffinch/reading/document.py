"""The content as Markdown, block by block, with the tokens of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.output import markdown
from chaffinch.output.markdown.written_blocks import alone
from chaffinch.page_work import checked
from chaffinch.reading.token_estimate import token_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.output.markdown.written_blocks import WrittenBlock
    from chaffinch.output.options import OutputOptions
    from chaffinch.reading.token_estimate import Counter
    from chaffinch.result import Content


@dataclass(frozen=True, eq=False)
class Document:
    """What is kept of a page as Markdown.

    Attributes:
        content: the page and what is kept of it, without its title.
        title: the heading above; "" for none.
        whole: all of it as Markdown.
        blocks: its blocks in order, the title not among them.
        counter: counts the tokens of a text; None for the estimate.
    """

    content: Content
    title: str
    whole: str
    blocks: list[WrittenBlock]
    counter: Counter | None

    @cached_property
    def tokens(self) -> NDArray[np.float64]:
        """float64[blocks]: tokens of each by itself and of the empty line after it.

        It stands behind all marks of lists, items and quotes around it.
        """
        texts = [f"{alone(block)}\n" for block in checked(self.blocks)]
        return token_counts(texts, self.counter)

    @cached_property
    def tokens_before(self) -> NDArray[np.float64]:
        """float64[blocks+1]: tokens of the blocks before each."""
        return np.append(0.0, np.cumsum(self.tokens))

    @cached_property
    def lengths_before(self) -> NDArray[np.int64]:
        """int64[blocks+1]: characters of the lines of the blocks before each."""
        lengths = [sum(map(len, one.block)) + len(one.block) for one in self.blocks]
        return np.append(0, np.cumsum(np.array(lengths, dtype=np.int64)))

    @cached_property
    def last_rows(self) -> NDArray[np.int64]:
        """int64[blocks+1]: the first row after all blocks before each."""
        last = np.array([0, *(block.rows[1] for block in self.blocks)], dtype=np.int64)
        return np.maximum.accumulate(last)


def document(
    content: Content, options: OutputOptions, title: str, counter: Counter | None
) -> Document:
    """Return the content below its title as Markdown, block by block.

    The last one is kept with the content: who reads an outline reads sections next.
    """
    kept: dict[str, tuple[object, Document]] = content.derived("document", dict)
    shown = replace(
        options, parts=(), max_tokens=None, section=None, counter=None, chunk_tokens=None
    )
    key = shown, title, counter
    last, found = kept.get("last", (None, None))
    if found is None or last != key:
        found = written_document(content, options, title, counter)
        kept["last"] = key, found
    return found


def written_document(
    content: Content, options: OutputOptions, title: str, counter: Counter | None
) -> Document:
    """Return what `document` does, written anew and not kept."""
    blocks: list[WrittenBlock] = []
    whole = markdown.render(content, options=options, title=title, written=blocks)
    return Document(content, title, whole, blocks, counter)
