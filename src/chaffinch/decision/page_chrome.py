"""Page chrome is dropped whatever its score: footers, menus, dialogs, options, buttons.

On a page of uncertain scores the threshold is low. Elements that HTML and ARIA define as no part of
the main content are dropped there, unless they are all there is. A button that opens something,
asks a question, or stands in the heading of what it opens, has the text of a heading and stays.

Chosen on held-out folds of the training corpora (`python -m training.decoding`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.questions import asks
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.kernels.plain.names import Names
    from chaffinch.model.features import Features
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_TAGS: Final = tags.table("footer nav dialog select option button".split())
_ROLES: Final = frozenset("contentinfo navigation menu menubar tooltip dialog alertdialog".split())
_ROLE_AT: Final = 2
"""Where the role stands in a set of names; see `chaffinch.model.name_hashes.Names`."""
_SOURCES: Final = tags.table(["blockquote", "figure"])
"""Elements whose footer names a source."""
_TITLES: Final = tags.table("h1 h2 h3 h4 h5 h6 dt summary".split())
"""Elements in which a button has the text of a heading."""
_MAY_BE_CONTENT: Final = tags.table(["button", "footer"])
_LEAST: Final = 10
"""Words that must be left, or nothing is dropped."""


def page_chrome(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: kept blocks in page chrome; None where there are none, or too little is left.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
    """
    dropped = _inside_chrome(found, keep)
    if dropped is None:
        return None
    dropped &= keep
    left: Mask = keep & ~dropped
    return dropped if found.units[left].sum(dtype=np.float64) >= _LEAST else None


def _inside_chrome(found: Features, keep: Mask) -> Mask | None:
    """Return bool[m]: blocks in elements of page chrome; None where none of them is kept."""
    blocks, names = found.blocks, found.names
    page = blocks.page
    named = names.matching(_has_chrome_role)
    of_names = () if named is None else (named, names.of_row)
    inside = blocks.inside(_TAGS, *of_names)
    if 1 not in (inside & keep).tobytes():
        return None
    chrome = _TAGS.take(page.tag)
    if named is not None:
        chrome |= named.take(names.of_row)
        chrome &= ~page.is_tag("body")
    doubtful = np.flatnonzero(chrome & _MAY_BE_CONTENT.take(page.tag))
    if not len(doubtful):
        return inside if named is None else page.inside(chrome)[blocks.first]
    kept = blocks.first[keep]
    starts, stops = kept.searchsorted(doubtful), kept.searchsorted(page.end[doubtful])
    in_title = page.inside(_TITLES.take(page.tag))
    for row in doubtful[starts < stops].tolist():
        chrome[row] = not _is_content(page, row, in_title)
    return page.inside(chrome)[blocks.first]


@lru_cache(maxsize=1 << 14)
def _has_chrome_role(names: Names) -> bool:
    """Return whether a set of names has one of `_ROLES`; a site's pages repeat them."""
    role = names[_ROLE_AT] if len(names) > _ROLE_AT else None
    return (role or "").strip().lower() in _ROLES


def _is_content(page: Page, row: int, in_title: Mask) -> bool:
    """Return whether a button has the text of a heading or asks, or a footer names a source."""
    if page.tag[row] == tags.CODES["footer"]:
        return bool(_SOURCES[page.tag[page.parent[row]]])
    opens = page.attribute(row, "aria-expanded") is not None
    opens |= page.attribute(row, "aria-controls") is not None
    return opens or bool(in_title[row]) or asks(page.folded(row))
