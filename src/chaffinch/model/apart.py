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

from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.features import Features
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_TAGS: Final = tags.table("footer nav dialog select option button".split())
_ROLES: Final = frozenset("contentinfo navigation menu menubar tooltip dialog alertdialog".split())
_ROLE_AT: Final = 2
"""Where the role stands in a set of names; see `Marks.sets`."""
_SOURCES: Final = tags.table(["blockquote", "figure"])
"""What a footer names the source of."""
_TITLES: Final = tags.table("h1 h2 h3 h4 h5 h6 dt summary".split())
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
    return left if found.units[left].sum() >= _LEAST else keep


def lone_links(found: Features, keep: Mask) -> Mask:
    """Return bool[m]: kept lines that are a short link and nothing else, outside lists and tables.

    They lead on or ask for something: read more, sign up, check the price.
    """
    blocks = found.blocks
    page, before = blocks.page, blocks.page.written_before
    linked = np.zeros_like(before)
    np.add.accumulate((before[1:] - before[:-1]) * page.in_link, out=linked[1:])
    written = before[blocks.last] - before[blocks.first]
    mask: Mask = linked[blocks.last] - linked[blocks.first] > _LINKED * written
    mask &= keep & (found.units <= _MOST_INVITING)
    if mask.any():
        mask &= ~page.inside(_NOT_ALONE.take(page.tag))[blocks.first]
    left = found.units[keep & ~mask].sum()
    if left < max(_LEAST, _LEFT * found.units[keep].sum()):
        return np.zeros_like(mask)
    return mask


def _set_apart(found: Features, keep: Mask) -> Mask:
    """Return bool[m]: blocks in places that are set apart, as far as they are kept."""
    page, above, marks = found.blocks.page, found.above, found.marks
    tag = page.tag[above.rows]
    named = np.fromiter(map(_says_so, marks.sets), bool, len(marks.sets))
    places = _TAGS[tag] | named[marks.of_row[above.rows]]
    inside: Mask = above.sums(places[None].astype(np.int32))[0] > 0
    if not (inside & keep).any():
        return inside  # nothing to look at more closely
    places[tag == tags.CODES["body"]] = False
    for number in np.flatnonzero(places & _may_be_content(tag)).tolist():
        places[number] = not _is_content(page, int(above.rows[number]))
    mask: Mask = above.sums(places[None].astype(np.int32))[0] > 0
    return mask


@lru_cache(maxsize=1 << 14)
def _says_so(names: tuple[str | None, ...]) -> bool:
    """Tell whether a set of names has a role of its own place; sites repeat themselves."""
    role = names[_ROLE_AT] if len(names) > _ROLE_AT else None
    return (role or "").strip().lower() in _ROLES


def _may_be_content(tag: NDArray[np.uint16]) -> Mask:
    mask: Mask = (tag == tags.CODES["button"]) | (tag == tags.CODES["footer"])
    return mask


def _is_content(page: Page, row: int) -> bool:
    """Tell whether a button has the text of a heading, or a footer names a source."""
    if page.tag[row] == tags.CODES["footer"]:
        return bool(_SOURCES[page.tag[page.parent[row]]])
    opens = page.attribute(row, "aria-expanded") is not None
    opens |= page.attribute(row, "aria-controls") is not None
    return opens or any(_TITLES[page.tag[above]] for above in page.ancestors(row))
