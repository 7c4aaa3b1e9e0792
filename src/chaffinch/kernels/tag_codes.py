"""What the reading of tags knows of a name: codes and kinds that its caller, C and Python agree on.

Which names are of which kind is its caller's table (`chaffinch.page.bounds`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Rows

FIRST_NAMES: Final = tuple(
    b"p button li ul form table select template optgroup ruby svg math annotation-xml script"
    b" plaintext frameset".split()
)
"""The names that a step of the reading is about: the first of each table, in this order."""
(
    P, BUTTON, LI, UL, FORM, TABLE, SELECT, TEMPLATE, OPTGROUP, RUBY, SVG, MATH, ANNOTATION, SCRIPT,
    PLAINTEXT, FRAMESET,
) = range(len(FIRST_NAMES))  # fmt: skip
"""Their codes; ``enum Code`` of ``native/open_elements.h``."""

KINDS: Final = (
    "void", "root", "raw", "formatting", "keeps_formatting", "closes_p", "closes_all",
    "closes_select", "replaces", "item", "ruby_text", "implied", "kin", "table_part", "scope",
    "shares", "svg_scope", "math_scope", "special", "wall", "breaks_out", "ends_foreign", "choice",
)  # fmt: skip
"""The kinds of names, by their bits; what each means stands at the table."""
(
    VOID, ROOT, RAW, FORMATTING, KEEPS_FORMATTING, CLOSES_P, CLOSES_ALL,
    CLOSES_SELECT, REPLACES, ITEM, RUBY_TEXT, IMPLIED, KIN, TABLE_PART, SCOPE,
    SHARES, SVG_SCOPE, MATH_SCOPE, SPECIAL, WALL, BREAKS_OUT, ENDS_FOREIGN, CHOICE,
) = (1 << bit for bit in range(len(KINDS)))  # fmt: skip
"""Their bits; ``enum Kind`` of ``native/open_elements.h``."""


class TagTable(NamedTuple):
    """What HTML specifies for the names of tags, by code.

    Attributes:
        names: in lower case; the first are `FIRST_NAMES`.
        kinds: uint32[n], bits of the kinds of each.
        ring: int32[n], the next of the names that count as one (h1 to h6), the last one's next is
            the first; the code itself for most.
        inside: int32[n], in what a part of a table has to stand, which is opened where it doesn't;
            -1 for none. At most two steps lead to none.
        closes_top: int32[n], which current element, or one of its ring, a start tag closes; -1 for
            none.
        html_types: the types of an ``annotation-xml`` that holds HTML, in lower case.
    """

    names: tuple[bytes, ...]
    kinds: NDArray[np.uint32]
    ring: Rows
    inside: Rows
    closes_top: Rows
    html_types: tuple[bytes, ...]


class TagLimits(NamedTuple):
    """How many of each a page may have; what is beyond is cut.

    Attributes:
        rows: start tags, comments and copies of formatting elements; end tags. Beyond, the reading
            ends.
        tags: start tags.
        depth: open elements.
        attributes: of a tag.
        formatting: formatting elements left open.
        options: options of a select.
        unmatched: end tags that close nothing.
        names: of tags, and of attributes.
        roots: tags of html, head and body with attributes.
        framesets: frameset tags.
    """

    rows: int
    tags: int
    depth: int
    attributes: int
    formatting: int
    options: int
    unmatched: int
    names: int
    roots: int
    framesets: int


class TagsRead(NamedTuple):
    """What a page is once its tags are read.

    Attributes:
        data: the page without what is beyond a limit, the same object where nothing is.
        opened: start tags, comments and copies of formatting elements.
        closed: end tags.
        deepest: the most elements that were open.
    """

    data: bytes
    opened: int
    closed: int
    deepest: int
