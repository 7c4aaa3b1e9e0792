"""Rows that a reader doesn't see, and rows that wait behind a click.

Without style sheets only marks in the markup can be read: the ``hidden`` attribute, inline style,
``aria-hidden`` and the class names that the common style sheets (Bootstrap, Tailwind, Foundation,
WordPress) hide by. Content of ``details``, tabs and accordions bears the same marks though it is
meant to be read: it is `folded`, not `hidden`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_STYLE: Final = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0+\s*"
    r"(?=;|!|$))",
    re.IGNORECASE,
)
_CLASS: Final = re.compile(
    r"(?:^|\s)(?:hidden|is-hidden|hide|d-none|display-none|visually-?hidden|sr-only|screen-reader"
    r"(?:-text)?|show-for-sr|invisible|element-invisible|u-hidden|js-hidden|offscreen)(?=\s|$)",
    re.IGNORECASE,
)
_SHOWN_AGAIN: Final = re.compile(
    r"(?:^|\s)(?:(?:sm|md|lg|xl|xxl):(?:block|flex|grid|inline\S*)|d-(?:sm|md|lg|xl|xxl)-(?!none)\S+)"
)
_FOLDED_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:tabs?[_-]?(?:pane|panel|content)\w*|accordion\S*|collaps(?:e|ed|ible)"
    r"|panel-(?:body|collapse)|toggle-content|spoiler\S*|faq\S*)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_FOLDED_ROLES: Final = frozenset({"tabpanel", "region"})
MOST: Final = 0.5
"""Share of the page's text that no mark hides: a larger part waits for a script to show it."""


def hidden(page: Page) -> Mask:
    """Return bool[n]: rows a reader doesn't see, with all that stands in them.

    Left out are folded rows (see `folded`), lazy images that are hidden themselves until they have
    loaded, and marks on more than `MOST` of the page's text.
    """
    return _spread(page, _marked(page) & ~_unfolding(page))


def folded(page: Page) -> Mask:
    """Return bool[n]: rows that show after a click: closed details, tab panels, accordions."""
    folds = _marked(page) & _unfolding(page)
    for row in np.flatnonzero(page.is_tag("details")).tolist():
        if page.attribute(row, "open") is None:
            folds[[child for child in page.children(row) if page.name(child) != "summary"]] = True
    return page.inside(folds)


def _marked(page: Page) -> Mask:
    """Return bool[n]: rows that bear a mark of hiding themselves.

    A lazy image may be hidden until it has loaded: one with a ``data-`` attribute isn't marked.
    """
    marks = np.zeros(len(page), dtype=bool)
    lazy = page.is_tag("img", "video", "picture")
    for row, pairs in page.all_attributes():
        if _hides(pairs):
            marks[row] = not (lazy[row] and any(name.startswith("data-") for name in pairs))
    return marks


def _hides(pairs: Mapping[str, str | None]) -> bool:
    if "hidden" in pairs or (pairs.get("aria-hidden") or "").strip().lower() == "true":
        return True
    style, names = pairs.get("style"), pairs.get("class")
    if style and _STYLE.search(style):
        return True
    return bool(names and _class_hides(names))


@lru_cache(maxsize=4096)
def _class_hides(names: str) -> bool:
    """Tell whether class names hide; pages say the same ones over and over."""
    return _CLASS.search(names) is not None and _SHOWN_AGAIN.search(names) is None


@lru_cache(maxsize=4096)
def _class_folds(names: str) -> bool:
    return _FOLDED_CLASS.search(names) is not None


def _unfolding(page: Page) -> Mask:
    """Return bool[n]: rows whose role or class says that a click opens them."""
    rows = np.zeros(len(page), dtype=bool)
    for row, role in page.having("role"):
        rows[row] = role.strip().lower() in _FOLDED_ROLES
    for row, names in page.having("class"):
        if _class_folds(names):
            rows[row] = True
    return rows


def _spread(page: Page, marks: Mask) -> Mask:
    """Return bool[n]: the marked rows with what they hold, where that isn't most of the page."""
    if not marks.any():
        return marks
    marks &= page.length <= MOST * max(int(page.own_length.sum()), 1)
    return page.inside(marks)
