"""The selectors that an element of a page may be selected by."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from chaffinch.errors import OptionError
from chaffinch.site.page_summary import steps_of
from chaffinch.site.slot_tree import SlotTree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes

MOST: Final = 80
"""Selectors that are tried of one element."""
_BY_NAMES: Final = 60
_PLAIN_TAGS: Final = frozenset(
    "html body div span p a li ul ol dl dt dd table tbody thead tr td th b i em strong br font"
    " center section".split()
)
"""Tags that name nothing by themselves."""
_ATTRIBUTES: Final = ("itemprop", "rel", "property", "name", "role", "data-testid", "data-role")
"""Attributes whose values name what an element is."""
_LOOKS: Final = ("bgcolor", "width", "size", "color", "align", "valign", "colspan", "height")
"""Attributes by which pages without style sheets tell their parts apart."""
_LOOK: Final = re.compile(r"\A[\w#%.,+-]{1,20}\Z", re.ASCII)
_NAME: Final = re.compile(r"\A[A-Za-z_][\w:.-]{0,60}\Z", re.ASCII)


def selectors_of(page: Page, row: int, slots: Hashes) -> list[str]:
    """Return selectors of the element ``row``, each of which matches it, the simplest first.

    By its tag, where that says what it is; by attributes that name it, or by looks where it has
    neither id nor class; by id, classes, named
    elements around it and paths of children, as learned rules have them
    (`chaffinch.site.slot_tree`); by its positions among siblings, which matches it alone.

    Args:
        page: the page.
        row: an element.
        slots: `chaffinch.site.slots.slot_hashes` of the page.
    """
    every = [*_by_itself(page, row), *islice(_by_names(page, row, slots), _BY_NAMES)]
    every += [*_below(page, row), page.selector(row)]
    matching = (one for one in dict.fromkeys(every) if _matches(page, one, row))
    return list(islice(matching, MOST))


def _matches(page: Page, selector: str, row: int) -> bool:
    """Return whether a selector matches a row; one of names that CSS can't write matches none."""
    try:
        return bool((page.select(selector) == row).any())
    except OptionError:
        return False


def _by_itself(page: Page, row: int) -> Iterator[str]:
    """Yield selectors by the element's tag and by its attributes."""
    tag = page.name(row)
    if tag not in _PLAIN_TAGS:
        yield tag
    for name in _ATTRIBUTES:
        value = page.attribute(row, name) or ""
        if _NAME.match(value) and not any(map(str.isdigit, value)):
            yield f'{tag}[{name}="{value}"]'
    if page.attribute(row, "class") or page.attribute(row, "id"):
        return
    for name in _LOOKS:
        if _LOOK.match(value := page.attribute(row, name) or ""):
            yield f'{tag}[{name}="{value}"]'


def _by_names(page: Page, row: int, slots: Hashes) -> Iterator[str]:
    """Yield selectors by names and paths: those of the tree of its own slot and those around."""
    slot = int(slots[row])
    tree = SlotTree.of(steps_of(page, slots, [row]), [slot])
    for select, _ in tree.selectors(tree.number[slot]):
        yield select


def _below(page: Page, row: int) -> Iterator[str]:
    """Yield selectors of an element by position below the nearest element with names."""
    step = page.selector(row).rpartition(" > ")[2]
    for up in page.ancestors(row):
        names = (page.attribute(up, "class") or "").split()
        if names:
            outer = f"{page.name(up)}.{names[0]}"
            yield f"{outer} > {step}" if up == page.parent[row] else f"{outer} {step}"
            return
