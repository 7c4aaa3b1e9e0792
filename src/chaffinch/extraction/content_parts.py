"""What an Extract lists of its content: blocks, quoted passages, tables, images, posts and more."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chaffinch.caching import cached_property
from chaffinch.errors import require_whole
from chaffinch.extraction.found_content import FoundContent
from chaffinch.extraction.limited_output import limited
from chaffinch.lazy import lazy_module
from chaffinch.output.article_part import ArticlePart

if TYPE_CHECKING:
    from chaffinch.assessment import assessment
    from chaffinch.assessment.assessment import Assessment
    from chaffinch.citation import blocks as cited_blocks
    from chaffinch.citation import passages
    from chaffinch.citation.blocks import Block
    from chaffinch.citation.passages import Passage, Status
    from chaffinch.decision import discussions
    from chaffinch.elements import parts
    from chaffinch.elements.parts import CodeBlock, Embed, Formula, Image
    from chaffinch.extraction import explained
    from chaffinch.extraction.explained import Explained
    from chaffinch.lists import discussion, entries
    from chaffinch.lists.discussion import Post
    from chaffinch.lists.entry_fields import Entry
    from chaffinch.output import table
    from chaffinch.output import text as text_output
    from chaffinch.output.table import Table
    from chaffinch.reading import keywords as keyword_ranking
    from chaffinch.reading.keywords import Keyword
    from chaffinch.segment import text_blocks
    from chaffinch.siblings import article_parts
else:
    article_parts = lazy_module("chaffinch.siblings.article_parts")
    assessment = lazy_module("chaffinch.assessment.assessment")
    cited_blocks = lazy_module("chaffinch.citation.blocks")
    discussion = lazy_module("chaffinch.lists.discussion")
    parts = lazy_module("chaffinch.elements.parts")
    entries = lazy_module("chaffinch.lists.entries")
    explained = lazy_module("chaffinch.extraction.explained")
    keyword_ranking = lazy_module("chaffinch.reading.keywords")
    passages = lazy_module("chaffinch.citation.passages")
    discussions = lazy_module("chaffinch.decision.discussions")
    table = lazy_module("chaffinch.output.table")
    text_blocks = lazy_module("chaffinch.segment.text_blocks")
    text_output = lazy_module("chaffinch.output.text")


class ContentParts(FoundContent):
    """The content with its parts as objects, each kind made on first use."""

    @cached_property
    @limited
    def blocks(self) -> list[Block]:
        """Where on the page each block of the text came from, and where in the text it stands."""
        found = cited_blocks.blocks(self.content, self.title if self._title_is_added else "")
        if not self.article_parts:
            return found
        rows = (one.rows[0] if one.rows else 0 for one in found)
        parts = (self.part_of(row).number for row in rows)
        return [replace(one, part=part) for one, part in zip(found, parts, strict=True)]

    @limited
    def locate(self, quote: str) -> Passage | None:
        """Return the passage of the content that a quote is from; None where it isn't there.

        An exact one where there is any, the first of several; else the most similar one.

        Args:
            quote: text, as plain text or as Markdown; it may go over several blocks.

        Raises:
            OptionError: it is no text.
        """
        title = "" if self.headed.has_row else self.title
        return passages.locate(
            self.content, quote, title=title, url=self.url, language=lambda: self.language
        )

    def verify(self, quote: str) -> Status:
        """Return whether the content has a quote.

        ``exact``: the same in NFKC with white space folded. ``changed``: of the words of both, in
        their order, at least 0.8 are the same (twice those in common by those of both).
        ``contradicted``: so, but a number, date, name or negation is another. Else ``absent``.
        Errors are those of `locate`, which gives the place.
        """
        found = self.locate(quote)
        return "absent" if found is None else found.status

    def part_of(self, row: int) -> ArticlePart:
        """Return the part of the article that a row of `page` came from.

        Blocks, chunks, tables, images and the rest name rows, so this gives the part of each.

        Raises:
            OptionError: the page has no such row.
        """
        require_whole("row", row, 0, len(self.page) - 1)
        for part in self.article_parts[1:]:
            if part.rows[0] <= row < part.rows[1]:
                return part
        if self.article_parts:
            return self.article_parts[0]
        return ArticlePart(1, self.url, (0, len(self.page)))

    @cached_property
    @limited
    def next_part(self) -> str:
        """The address of a next part that the page shows and that isn't joined; "" for none."""
        known = frozenset(one.url for one in self.article_parts if one.url)
        return article_parts.shown_next(self.in_rows.page, known)

    @cached_property
    @limited
    def tables(self) -> list[Table]:
        """The content's data tables and definition lists, as Markdown, HTML, CSV or records."""
        return table.tables(self.content)

    @cached_property
    @limited
    def images(self) -> list[Image]:
        """The images of the content, in document order, with caption, credit and size."""
        return parts.images(self.content)

    @cached_property
    @limited
    def code_blocks(self) -> list[CodeBlock]:
        """The content's blocks of code: exact text and language."""
        return parts.code_blocks(self.content)

    @cached_property
    @limited
    def formulas(self) -> list[Formula]:
        """The content's formulas as TeX, where the page has it; each once."""
        return parts.formulas(self.content)

    @cached_property
    @limited
    def posts(self) -> list[Post]:
        """The posts of the page's discussion, kept or not, with author and date."""
        return discussion.posts(self.in_rows.page)

    @cached_property
    @limited
    def comments(self) -> list[Post]:
        """What readers wrote below the text, kept or not, in document order; [] for none.

        The posts of a thread are its content and no comments: `posts` has both.
        """
        blocks = text_blocks.text_blocks(self.in_rows.page)
        keep = self.in_rows.verdict.keep[blocks.first]
        return discussions.posts_below(blocks, keep, self.posts)

    @cached_property
    @limited
    def embeds(self) -> list[Embed]:
        """The videos, sounds and frames of the content, in document order."""
        return parts.embeds(self.content)

    @limited
    def keywords(self, count: int = 10) -> list[Keyword]:
        """Return the words and phrases that characterize the content, the best first.

        By statistics of the text alone; ``tags`` of the metadata are those that the page declares.

        Args:
            count: how many at most.

        Raises:
            OptionError: the count is below 1.
        """
        require_whole("count", count, 1)
        text = text_output.render(self.content)
        return keyword_ranking.keywords(text, self.language, title=self.title, most=count)

    @cached_property
    @limited
    def records(self) -> list[Entry]:
        """The entries of the lists that the page shows, each with its fields; [] for no list.

        Where a site model has rules for records, the elements that these select.
        """
        return entries.entries(self.in_rows)

    @cached_property
    @limited
    def assessment(self) -> Assessment:
        """Whether the page given is content at all, or a shell, a wall, an error in its place."""
        return assessment.assess_page(self.in_rows.page)

    @limited
    def explain(self) -> list[Explained]:
        """Return why each text block of the page was kept or dropped, in order.

        The default, and site models, give the evidence for and against each block, and which rule
        decided. That is made now, and takes several times as long as the extraction.

        Where the content is only in the page's data, its blocks come first, then those of the
        given page that were dropped; selectors of each are of the page it is on.
        """
        method = self.found_by
        if self.replaced is None:
            return explained.explained(self.content, method)
        of_page = explained.explained(self.replaced, method)
        return [*explained.explained(self.content), *(one for one in of_page if not one.keep)]
