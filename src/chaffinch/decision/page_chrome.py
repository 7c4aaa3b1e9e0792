"""Places that hold no content, whatever their blocks look like: bars, dialogs, controls.

On a doubtful page much is kept that is a little likely. What HTML and ARIA set apart by name, the
page's footer and menus, dialogs, options, buttons, is then no content, unless it is all there is.
A button that opens something, or is the heading of what it opens, has the text of a heading.

Chosen on held-out folds of the training corpora (`python -m training.decoding`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
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
"""What a footer names the source of."""
_TITLES: Final = tags.table("h1 h2 h3 h4 h5 h6 dt summary".split())
_MAY_BE_CONTENT: Final = tags.table(["button", "footer"])
_LEAST: Final = 10
"""Words that must be left."""
_MOST_INVITING: Final = 6
"""Words of a link that stands alone and leads on; longer ones may be titles."""
_NOT_ALONE: Final = tags.table("h1 h2 h3 h4 h5 h6 li table pre".split())
"""Links in these are headings, entries, data."""
_LINKED: Final = 0.95
"""Share of a line's characters in links, white space apart, that makes it links alone."""
_LEFT: Final = 0.3
"""Share of the kept words that must be left, or the links are what the page is about."""


def within_content(found: Features, keep: Mask) -> Mask:
    """Return bool[m]: ``keep`` without what stands apart from content.

    Args:
        found: the features of the page's m blocks.
        keep: bool[m], the blocks that are kept.
    """
    apart = keep & _set_apart(found, keep)
    if not apart.any():
        return keep
    left: Mask = keep & ~apart
    return left if found.units[left].sum(dtype=np.float64) >= _LEAST else keep


def lone_links(found: Features, keep: Mask) -> Mask:
    """Return bool[m]: kept lines that are a short link and nothing else, outside lists and tables.

    They lead on or ask for something: read more, sign up, check the price.
    """
    blocks = found.blocks
    page, before = blocks.page, blocks.page.written_before
    mask: Mask = keep & (found.units <= _MOST_INVITING)
    linked = kernels.amounts_between(before, page.in_link, blocks.first, blocks.last)
    mask &= linked > _LINKED * (before[blocks.last] - before[blocks.first])
    if not mask.any():
        return mask
    mask &= ~blocks.inside(_NOT_ALONE)
    left = found.units[keep & ~mask].sum(dtype=np.float64)
    if left < max(_LEAST, _LEFT * found.units[keep].sum(dtype=np.float64)):
        return np.zeros_like(mask)
    return mask


def _set_apart(found: Features, keep: Mask) -> Mask:
    """Return bool[m]: blocks in places that are set apart, as far as they are kept."""
    blocks, marks = found.blocks, found.marks
    page = blocks.page
    named = marks.saying(_says_so)
    inside = blocks.inside(_TAGS, named, marks.of_row)
    if not (inside & keep).any():
        return inside  # nothing to look at more closely
    places = _TAGS.take(page.tag) | named.take(marks.of_row)
    places &= ~page.is_tag("body")
    kept = blocks.first[keep]
    for row in np.flatnonzero(places & _MAY_BE_CONTENT.take(page.tag)).tolist():
        start, stop = np.searchsorted(kept, [row, page.end[row]]).tolist()
        places[row] = start == stop or not _is_content(page, row)
    mask: Mask = page.inside(places)[blocks.first]
    return mask


@lru_cache(maxsize=1 << 14)
def _says_so(names: Names) -> bool:
    """Tell whether a set of names has a role of its own place; sites repeat themselves."""
    role = names[_ROLE_AT] if len(names) > _ROLE_AT else None
    return (role or "").strip().lower() in _ROLES


def _is_content(page: Page, row: int) -> bool:
    """Tell whether a button has the text of a heading, or a footer names a source."""
    if page.tag[row] == tags.CODES["footer"]:
        return bool(_SOURCES[page.tag[page.parent[row]]])
    opens = page.attribute(row, "aria-expanded") is not None
    opens |= page.attribute(row, "aria-controls") is not None
    return opens or any(_TITLES[page.tag[above]] for above in page.ancestors(row))
