"""Estimated sizes, in pixels: of texts by their length, of replaced elements and margins by tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.layout.cell_widths import PAGE_WIDTH
from chaffinch.layout.markup import REPLACED
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.layout.markup import Markup
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

    Numbers = NDArray[np.float64]

LINE_HEIGHT: Final = 1.2  # of the font size; browsers' «normal» is 1.1 to 1.3
CHARACTER: Final = 0.5  # width of a Latin character, of the font size; a wide one takes two
BOX_GAP: Final = 6.0  # around a block that holds several: stands for the margins of style sheets
INDENT: Final = 40.0
_IS_WIDE: Final = np.arange(0x1101) >= 0x1100  # noqa: PLR2004  Hangul, kana and Han begin here

_MARGINS: Final = {  # half of the vertical space that browsers leave between two such blocks
    "p": 8.0, "h1": 10.0, "h2": 10.0, "h3": 9.0, "h4": 10.0, "h5": 11.0, "h6": 12.0, "ul": 8.0,
    "ol": 8.0, "dl": 8.0, "pre": 7.0, "blockquote": 8.0, "figure": 8.0, "hr": 4.0, "dir": 8.0,
    "menu": 8.0, "table": 2.0, "td": 1.0, "th": 1.0, "form": 4.0, "fieldset": 6.0,
}  # fmt: skip
_SIZES: Final = {  # default width and height of elements without text
    "img": (120.0, 90.0), "image": (120.0, 90.0), "input": (160.0, 22.0), "select": (120.0, 22.0),
    "textarea": (200.0, 60.0), "button": (0.0, 22.0), "iframe": (300.0, 150.0),
    "embed": (300.0, 150.0), "object": (300.0, 150.0), "applet": (300.0, 150.0),
    "video": (300.0, 150.0), "audio": (300.0, 40.0), "canvas": (300.0, 150.0),
    "svg": (24.0, 24.0), "progress": (160.0, 16.0), "meter": (80.0, 16.0), "math": (0.0, 20.0),
    "keygen": (120.0, 22.0), "hr": (0.0, 2.0),
}  # fmt: skip


def _by_tag(values: dict[str, float]) -> Numbers:
    column = np.zeros(len(tags.NAMES))
    for name, value in values.items():
        column[tags.CODES[name]] = value
    return column


MARGIN = _by_tag(_MARGINS)
WIDTH = _by_tag({name: size[0] for name, size in _SIZES.items()})
HEIGHT = _by_tag({name: size[1] for name, size in _SIZES.items()})
GAP = np.where(tags.table("tbody thead tfoot tr td th".split()), 0.0, BOX_GAP)
FIXED = REPLACED | tags.table(["hr"])
INDENTED = tags.table("ul ol dir menu blockquote dd figure".split())


def own_sizes(page: Page, markup: Markup, drawn: Mask) -> tuple[Numbers, Numbers]:
    """Return (width, height) of each row's own text or picture, as if on one line."""
    tag = page.tag
    fixed = FIXED[tag]
    font = markup.font_size.astype(np.float64)
    width = (page.own_length + _wide(page)) * (CHARACTER * font)
    height = np.where(page.own_length > 0, font * LINE_HEIGHT, 0.0)
    given = np.where(np.isnan(markup.width), WIDTH[tag], np.minimum(markup.width, PAGE_WIDTH))
    tall = np.where(np.isnan(markup.height), HEIGHT[tag], markup.height)
    width[fixed], height[fixed] = given[fixed], tall[fixed]
    width[~drawn], height[~drawn] = 0, 0
    return width, height


def _wide(page: Page) -> Rows:
    """Return how many characters of each row's own text are twice as wide as Latin ones."""
    return np.minimum(kernels.characters(page.text, page.text_at, _IS_WIDE), page.own_length)
