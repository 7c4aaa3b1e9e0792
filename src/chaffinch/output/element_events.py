"""What each element of HTML is to a writer of blocks: the name of the method that it calls.

Once, for Markdown and TEI alike: which begins a block, a list, a mark, which stands in a line, and
what rows are whatever their element is: parts of tables made of divs, code, formulas, images.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.tables import BETWEEN
from chaffinch.kernels.codes import RUN_BLOCK, RUN_INLINE
from chaffinch.page import tags
from chaffinch.page.arrays import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.elements.shown_content import ShownContent
    from chaffinch.output.walk import Special

MARKS: Final = {
    **dict.fromkeys(["b", "strong"], "bold"),
    **dict.fromkeys(["i", "em", "cite", "dfn", "var"], "italic"),
    **dict.fromkeys(["s", "strike", "del"], "strikethrough"),
    "u": "underline",
    "mark": "highlight",
    "sub": "subscript",
    "sup": "superscript",
}
"""Tag → kind of the mark that it is."""

ALWAYS: Final = frozenset(["subscript", "superscript"])
"""Marks that mean something, and are no emphasis."""

EVENTS: Final = {
    **{name: "block" for name, tag in tags.CODES.items() if tags.BLOCK[tag]},
    **{name: "code_block" for name, tag in tags.CODES.items() if tags.PREFORMATTED[tag]},
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), "heading"),
    **dict.fromkeys("ul menu dir".split(), "bullets"),
    **dict.fromkeys("code kbd samp tt".split(), "code"),
    **dict.fromkeys(["td", "th"], "cell"),
    **dict.fromkeys(MARKS, "mark"),
    "ol": "numbers",
    "li": "item",
    "dl": "definitions",
    "dt": "term",
    "dd": "definition",
    "blockquote": "quote",
    "summary": "summary",
    "figure": "figure",
    "figcaption": "figure_caption",
    "table": "table",
    "caption": "caption",
    "tr": "table_row",
    "hr": "rule",
    "br": "line_break",
    "a": "link",
    "q": "quotation",
}
"""Tag → name of the method that is called where such an element begins."""

_PARTS: Final = {
    **{name: EVENTS[name] for name in ("table", "caption", "tr", "td", "th")},
    BETWEEN: "between",
}
"""Part of a table made of divs → the same."""


IN_LINE: Final = frozenset("mark code line_break link quotation formula image".split())
"""Methods that are called for what stands in a line."""


_NO_ROWS: Final = frozen(np.zeros(0, dtype=np.int64))
_NO_KINDS: Final = frozen(np.zeros(0, dtype=np.uint8))


def special_rows(
    shown: ShownContent,
) -> tuple[dict[int, Special], NDArray[np.int64], NDArray[np.uint8]]:
    """Return row → method that is called there whatever the element is, in order; as columns, too.

    Returns:
        The methods by row; int64[s], the rows; uint8[s], what each is to a walk. Many walks share
        them.
    """
    found: dict[int, Special] = {
        **dict.fromkeys(shown.crossheads, ("heading",)),
        **{row: (_PARTS[part],) for row, part in shown.elements.table_parts.items()},
        **dict.fromkeys(shown.code.blocks, ("code_block",)),
        **dict.fromkeys(shown.formulas, ("formula",)),
        **dict.fromkeys(shown.images, ("image",)),
    }
    if not found:
        return found, _NO_ROWS, _NO_KINDS
    found = dict(sorted(found.items()))
    kinds = [RUN_INLINE if one[0] in IN_LINE else RUN_BLOCK for one in found.values()]
    return found, np.array(list(found), dtype=np.int64), np.array(kinds, dtype=np.uint8)
