"""One fixed table of tag codes, and the classes of tags that methods use.

Code 0 is a text run, code 1 any tag that the table doesn't know (its name is kept by page).
The order of `NAMES` is part of the format of saved models: append, never reorder.
Classes follow the rendering section of the HTML standard (display: block, table parts, …).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.storage import read_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Mask

WORDS: Final[dict[str, Any]] = read_json(Path(__file__).with_name("words.json").read_bytes())
"""What pages and what is none are known by: formats, encodings, values of styles."""

TEXT: Final = 0
UNKNOWN: Final = 1

NAMES: Final[tuple[str, ...]] = tuple(WORDS["names of tags"].split())

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


BLOCK: Final = table(WORDS["tags of blocks"].split())
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
