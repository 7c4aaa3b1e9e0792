"""What is found once of a content before fragments of HTML are written of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from chaffinch.elements.code import needs_lines
from chaffinch.elements.shown_content import shown_content, without_images
from chaffinch.elements.tables import BETWEEN
from chaffinch.elements.texts import page_text
from chaffinch.output.html import safe

if TYPE_CHECKING:
    from chaffinch.output.options import OutputOptions
    from chaffinch.output.walk import Special
    from chaffinch.page import Page
    from chaffinch.result import Content


class PreparedContent:
    """What the writers of parts of one content share.

    Attributes:
        shown: what is shown of the content.
        text: the page's text as it is shown, and where each row's own starts.
        targets: ids that links within the page lead to.
        special: row → what is written there in place of the element.
        heads: row of each header line in no thead → first row after the last such line.
    """

    def __init__(self, content: Content, options: OutputOptions) -> None:
        page = content.page
        self.shown = shown_content(content) if options.images else without_images(content)
        self.text = page_text(page, self.shown.code.blocks, ruby=False)
        self.targets = safe.targets(page, self.shown.kept)
        levels = self.shown.crossheads
        self.special: dict[int, Special] = {
            row: ("_enter", f"h{level}") for row, level in levels.items()
        }
        self.heads: dict[int, int] = {}
        if options.tables:
            for row, part in self.shown.elements.table_parts.items():
                self.special[row] = ("_table_part", part)
            self._find_headers(page)
        code = (row for row in self.shown.code.blocks if needs_lines(page, row, self.shown.code))
        self.special.update(dict.fromkeys(code, ("_block_of_code",)))
        self.special.update(dict.fromkeys(self.shown.formulas, ("_formula",)))
        self.special.update(dict.fromkeys(self.shown.images, ("_enter", "img")))

    def _find_headers(self, page: Page) -> None:
        """Have header lines written as such: in a thead, their cells as th."""
        shown = self.shown
        parts = shown.elements.table_parts
        for table in np.flatnonzero(shown.elements.data_tables & shown.rows).tolist():
            places = shown.table(table)
            trs = places.rows[: places.headers]
            bare = [tr for tr in trs if page.name(int(page.parent[tr])) != "thead"]
            for cell in {cell for line in places.lines[: places.headers] for cell in line} - {-1}:
                self.special[cell] = ("_table_part", "th")
            for tr in bare:
                self.heads[tr] = int(page.end[bare[-1]])
                above = int(page.parent[tr])
                if page.name(above) == "tbody" and tr not in parts:
                    self.special[above] = ("_table_part", BETWEEN)
            for tr in places.rows if bare else ():
                self.special[tr] = ("_table_part", "tr")
