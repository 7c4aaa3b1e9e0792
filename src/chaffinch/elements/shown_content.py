"""What outputs show of a content, computed once and shared by all of them.

Code is shown without line numbers, each formula once, as TeX; `reading_aids` are left out.
Images are those that belong to the content (`chaffinch.elements.images`), whatever the verdict has
for rows without text. A formula is kept when a row of it is; one that is only a script or an image,
which methods don't judge, when the text before or after it in its block is; one that is a line
alone, when both are.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements import image_sources as sources
from chaffinch.elements import images as content_rules
from chaffinch.elements.aids import reading_aids
from chaffinch.elements.around_code import language
from chaffinch.elements.code import code_rows, source
from chaffinch.elements.footnotes import footnotes
from chaffinch.elements.formulas import PageFormula, formulas
from chaffinch.elements.image_sources import ImageSource
from chaffinch.elements.tables import Grid, aria_tables, grid, shows_data, with_headers
from chaffinch.elements.texts import crossheads, headings_by_role, page_text
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.kernels.codes import BETWEEN, BETWEEN_IF_BLANK, HOLDER
from chaffinch.page import Page, tags
from chaffinch.page.flattening import block_around
from chaffinch.page_work import begin_stage
from chaffinch.verdict import LEAVES, Content

_BETWEEN_KINDS: Final = (
    BETWEEN * tags.table(["br", "wbr", "td", "th"]) + HOLDER * tags.BLOCK
).astype(np.uint8)
_BETWEEN_KINDS[tags.TEXT] |= BETWEEN_IF_BLANK
"""What each tag is to what stands between kept rows."""

_LINKS: Final = tags.table(["a"])
_LONGEST_MARK: Final = 10  # characters of a footnote's mark, white space around included


class PageElements:
    """What a page holds whatever is kept of it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        begin_stage("code")
        self.code = code_rows(page)
        begin_stage("formulas")
        self.formulas = formulas(page)
        begin_stage("what is shown")

    text = cached_property(lambda self: page_text(self.page, self.code.blocks))
    """The page's text as it is shown, and where each row's own starts; see `page_text`."""
    images = cached_property(lambda self: sources.ImageSources(self.page))
    """The sources of its images."""
    table_parts = cached_property(lambda self: aria_tables(self.page))
    """Row → part of a table, of tables made of divs; see `aria_tables`."""
    data_tables = cached_property(lambda self: shows_data(self.page, self.table_parts))
    """bool[n]: tables that are written as such."""


class ShownContent:
    """What is shown of a page; `shown_content` makes it once for each content.

    Attributes:
        kept: bool[n], kept rows but permalinks, edit links, ways back from notes, those left out of
            code and those within formulas; of a formula its outermost row is kept, and all above.
        footnotes: those of which mark and note are kept.
        formulas: row → formula that is kept.
        with_images: images are shown, by the rules of `chaffinch.elements.images`.
    """

    def __init__(
        self, content: Content, elements: PageElements, *, with_images: bool = True
    ) -> None:
        page = self.page = content.page
        self._of_content = content.page, content.verdict, content.reasons
        self.elements = elements
        self.with_images = with_images
        self.code = elements.code
        self._all_kept = content.kept
        links = kernels.rows_of(page.tag, _LINKS, content.kept, 0, len(page))
        length = page.length.take(links)
        brief = links[(length > 0) & (length <= _LONGEST_MARK)].tolist()
        self.footnotes = footnotes(page, brief, content.kept)
        self.kept, self.formulas = _kept(content, elements, self.footnotes.left_out)
        self._tables: dict[int, Grid] = {}
        self._derived: dict[str, Any] = {}

    @cached_property
    def content(self) -> Content:
        """The content, in one that doesn't keep this in turn: no cycle outlives a page."""
        return Content(*self._of_content)

    @cached_property
    def rows(self) -> Mask:
        """bool[n]: rows that a structured output walks: kept ones, and what holds them together.

        Of formulas only the outermost element is shown, of code nothing that is left out, of images
        those of the content.
        """
        shown = shown_rows(self.page, self.kept_with_images)
        shown &= ~self.code.left_out
        for row, formula in self.formulas.items():
            shown[row + 1 : formula.end] = False
        return shown

    @cached_property
    def images(self) -> dict[int, ImageSource]:
        """Row → source of the images that are shown, outside of formulas; the page's order."""
        if not self.with_images:
            return {}
        found = content_rules.content_images(self.content, self.elements.images)
        if not self.elements.formulas:
            return found
        return {row: source for row, source in found.items() if not self._in_formulas[row]}

    @cached_property
    def image_rows(self) -> Mask:
        """bool[n]: the rows of `images`, and those that are kept as formulas."""
        rows = sources.image_elements(self.page) & self._in_formulas & self._all_kept
        rows[list(self.images)] = True
        return rows

    @cached_property
    def kept_with_images(self) -> Mask:
        """bool[n]: `kept`, with the images that are shown and no other; what holds them, too.

        Plain text needs none of this.
        """
        page = self.page
        rows = sources.image_element_rows(page)
        rows = rows[~self._in_formulas[rows]] if self.elements.formulas else rows
        images = self.images
        if rows[self.kept[rows]].tolist() == [*images]:
            return self.kept
        own = self.kept & LEAVES.take(page.tag)
        own[rows] = False
        own[list(self.formulas)] = True
        own[list(images)] = True
        return page.around(own)

    @cached_property
    def data_tables(self) -> Mask:
        """bool[n]: tables that are written as such, those of which a single cell is shown left out.

        A forum's table around a post has cells of its author and date, which aren't kept.
        """
        page, tables = self.page, self.elements.data_tables
        if not tables.any() or "td" not in page.tag_names:
            return tables
        written = page.total(page.own_length * self.kept + self.image_rows) > 0
        cells = page.is_tag("td", "th") & written
        owners = kernels.nearest(page.parent, tables)[cells]
        alone = np.bincount(owners[owners >= 0], minlength=len(page)) == 1
        shown: Mask = tables & ~alone
        return shown

    @cached_property
    def crossheads(self) -> dict[int, int]:
        """Row → level of each line that is a heading though its element is none."""
        posts = self.content.verdict.page_type == "forum"  # where a bold line names who wrote
        found = {} if posts else crossheads(self.page, self.kept)
        return found | headings_by_role(self.page, self.kept)

    @cached_property
    def _in_formulas(self) -> Mask:
        """bool[n]: rows of all formulas, kept or not."""
        inside = np.zeros(len(self.page), dtype=bool)
        for one in self.elements.formulas:
            inside[one.row : one.end] = True
        return inside

    def derived(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what a writer makes of this before it writes: made once, kept by name."""
        if name not in self._derived:
            self._derived[name] = make()
        return self._derived[name]

    def table(self, row: int) -> Grid:
        """Return the cells of a table where they stand, and its header lines: read once."""
        if row not in self._tables:
            cells = grid(self.page, row, self.rows, self.elements.table_parts)
            self._tables[row] = with_headers(self.page, cells, self.rows, self.formulas)
        return self._tables[row]

    def code_block(self, row: int) -> tuple[str, str]:
        """Return the text of a block of code as it is shown, and its language; "" for unknown."""
        text = source(self.page, row, self.rows, self.code, self.formulas)
        return text, language(self.page, row, text) or self.code.labels.get(row, "")


def shown_content(content: Content) -> ShownContent:
    """Return what is shown of ``content``; computed on first use and kept with it."""
    return content.derived("shown", lambda: ShownContent(content, PageElements(content.page)))


def without_images(content: Content) -> ShownContent:
    return ShownContent(content, shown_content(content).elements, with_images=False)


def _kept(
    content: Content, elements: PageElements, ways_back: list[int]
) -> tuple[Mask, dict[int, PageFormula]]:
    page, kept, left_out = content.page, content.kept, elements.code.left_out
    if signs := reading_aids(page, kept) + ways_back:
        left_out = left_out | page.inside(marked(len(page), signs))
    if np.count_nonzero(left_out):
        own = kept & LEAVES.take(page.tag) & ~left_out
        kept = page.around(own)
    if not elements.formulas:
        return kept, {}
    written = (page.written & page.shown).nonzero()[0]
    found = {one.row: one for one in elements.formulas if _is_kept(content, one, kept, written)}
    if found:
        kept = kept.copy()
        for one in found.values():
            kept[one.row : one.end] = False
        kept |= page.around(marked(len(page), list(found)))
    return kept, found


def _is_kept(content: Content, formula: PageFormula, kept: Mask, written: NDArray[np.intp]) -> bool:
    """Return whether a formula is kept; ``written`` are the rows of texts that are shown."""
    page = content.page
    inner = slice(formula.row, formula.end)
    if kept[inner].any():
        return True
    before, after = np.searchsorted(written, (formula.row, formula.end)).tolist()
    if page.written[inner].any():  # a line of its own, between two that are kept
        near = written[max(before - 1, 0) : before].tolist(), written[after : after + 1].tolist()
        edges = page.line[formula.row], page.line[formula.end - 1]
        apart = all(
            page.line[row] != line for rows, line in zip(near, edges, strict=True) for row in rows
        )
        keep = content.verdict.keep
        return (formula.display or apart) and all(rows and keep[rows[0]] for rows in near)
    above = block_around(page, formula.row)
    begin, end = np.searchsorted(written, (above, int(page.end[above]))).tolist()
    if begin == end:
        begin, end = 0, len(written)
    around = written[[*[before - 1] * (before > begin), *[after] * (after < end)]]
    return bool(content.verdict.keep[around].any())


def shown_rows(page: Page, kept: Mask) -> Mask:
    """Return bool[n]: ``kept`` rows, and under kept elements blank text, br, wbr and empty cells.

    Methods judge text; these belong to the structure and come with it. Inline elements that hold no
    text are passed over: a blank may stand in an element of its own.
    Of cells that aren't kept only the cell itself is shown.
    """
    return kernels.kept_and_between(
        page.tag, page.parent, page.end, page.written_before, page.written, page.shown, kept,
        _BETWEEN_KINDS,
    )  # fmt: skip
