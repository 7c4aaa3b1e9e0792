"""One fixed table of tag codes, and the classes of tags that methods use.

Code 0 is a text run, code 1 any tag that the table doesn't know (its name is kept by page).
The order of `NAMES` is part of the format of saved models: append, never reorder.
Classes follow the rendering section of the HTML standard (display: block, table parts, …).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Mask

TEXT: Final = 0
UNKNOWN: Final = 1

NAMES: Final[tuple[str, ...]] = (
    "#text", "#unknown", "html", "head", "body", "title", "meta", "link", "base", "script",
    "style", "noscript", "template", "slot", "article", "section", "nav", "aside", "h1", "h2",
    "h3", "h4", "h5", "h6", "hgroup", "header", "footer", "address", "main", "search",
    "p", "hr", "pre", "blockquote", "ol", "ul", "menu", "li", "dl", "dt",
    "dd", "figure", "figcaption", "div", "center", "dir", "a", "em", "strong", "small",
    "s", "cite", "q", "dfn", "abbr", "ruby", "rb", "rt", "rtc", "rp",
    "data", "time", "code", "var", "samp", "kbd", "sub", "sup", "i", "b",
    "u", "mark", "bdi", "bdo", "span", "br", "wbr", "ins", "del", "acronym",
    "big", "font", "nobr", "strike", "tt", "basefont", "blink", "marquee", "multicol", "spacer",
    "picture", "source", "img", "image", "iframe", "embed", "object", "param", "applet", "video",
    "audio", "track", "map", "area", "canvas", "svg", "math", "bgsound", "noembed", "table",
    "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th", "form",
    "label", "input", "button", "select", "datalist", "optgroup", "option", "textarea", "output",
    "progress", "meter", "fieldset", "legend", "keygen", "isindex", "details", "summary", "dialog",
    "frameset", "frame", "noframes", "xmp", "plaintext", "listing", "g", "path", "use", "symbol",
    "defs", "rect", "circle", "polygon", "line", "desc", "foreignobject", "annotation", "semantics",
    "mrow", "mi", "mo", "mn", "mtext", "msup", "msub", "mfrac", "msqrt", "mtable",
    "mtr", "mtd", "annotation-xml", "selectedcontent", "polyline", "ellipse", "clippath", "tspan",
    "text", "mstyle", "mspace", "msubsup", "mover", "munder", "munderover",
)  # fmt: skip

CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(NAMES)}


def table(names: Iterable[str]) -> Mask:
    """Return bool[len(NAMES)]: true at the codes of ``names``. Index it with the tag column."""
    mask = np.zeros(len(NAMES), dtype=bool)
    mask[[CODES[name] for name in names]] = True
    mask.flags.writeable = False
    return mask


def kinds(*names: str) -> NDArray[np.int32]:
    """Return int32[len(NAMES), kinds]: 1 where a tag is one of the ``names`` of a kind."""
    table_of = np.stack([table(some.split()) for some in names], axis=1).astype(np.int32)
    table_of.flags.writeable = False
    return table_of


@lru_cache(maxsize=1024)
def known_table(names: tuple[str, ...]) -> Mask:
    """Return `table` of ``names``, the same array each time: rules use the same tags again."""
    return table(names)


BLOCK: Final = table(
    "html body article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main search"
    " p hr pre blockquote ol ul menu li dl dt dd figure figcaption div center dir table caption"
    " colgroup tbody thead tfoot tr td th form fieldset legend details summary dialog frameset"
    " noframes xmp plaintext listing optgroup option select textarea head multicol marquee"
    " isindex video audio canvas".split()
)
"""Elements that start and end a line of their own (display other than inline)."""

BREAK: Final = table(["br", "hr"])
"""Elements that end a line within a block."""

INVISIBLE: Final = table("head title meta link base script style noframes noembed datalist".split())
"""Elements whose text a browser doesn't show as text of the page."""

OPAQUE: Final = table(["script", "style", "iframe", "noembed", "noframes"])
"""Elements whose content is a source, not text: the row stays, the content isn't flattened."""

VOID: Final = table(
    "area base br col embed hr img input link meta source track wbr frame param".split()
)
"""Elements without an end tag."""

LINK: Final = CODES["a"]
IMAGE: Final = CODES["img"]

CELL: Final = table(["td", "th"])
HEADING: Final = table(["h1", "h2", "h3", "h4", "h5", "h6"])
BOLD: Final = table(["b", "strong"])

PREFORMATTED: Final = table(["pre", "xmp", "plaintext", "listing", "textarea"])
"""Elements in which white space is significant."""
