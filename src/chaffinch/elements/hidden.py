"""Rows that a reader doesn't see, and rows that show after a click.

On a rendered page the browser gives what is visible (`chaffinch.page.layout_columns`). Without
style sheets only marks in the markup can be read: the ``hidden`` attribute, inline style,
``aria-hidden`` and the class names by which the common style sheets (Bootstrap, Tailwind,
Foundation, WordPress) hide. Content of ``details``, tabs and accordions bears the same marks though
it is meant to be read: it is `folded`, not `hidden`. `bench/quality/hidden_rendered.py` measures
how far the two agree.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import layout_columns, tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

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
FOLDED_WORDS: Final = ("tab", "accordion", "collaps", "panel-", "toggle-content", "spoiler", "faq")
"""Every name that `_FOLDED_CLASS` finds has one of these in it; looking for them costs little."""
_HIDING_WORDS: Final = (
    "hid",
    "d-none",
    "display-none",
    "sr-",
    "-sr",
    "screen",
    "visible",
    "offscr",
)
"""The same of `_CLASS`."""
_STYLE_WORDS: Final = ("display", "visibility", "opacity")
"""The same of `_STYLE`."""
_PICTURES: Final = tags.table(["img", "video", "picture"])
_DETAILS: Final = tags.CODES["details"]
_FOLDED_ROLES: Final = frozenset({"tabpanel", "region"})
MOST: Final = 0.5
"""Share of the page's text that no mark hides: a larger part waits for a script to show it."""


def hidden(page: Page) -> Mask:
    """Return bool[n]: rows a reader doesn't see, with all that stands in them.

    Left out are folded rows (see `folded`), lazy images that are hidden themselves until they have
    loaded, and marks on more than `MOST` of the page's text. Computed once for a page.
    """
    (rows,) = page.derived("hidden rows", lambda: (_hidden(page),))
    return rows


def _hidden(page: Page) -> Mask:
    if (unseen := _unseen(page)) is not None:
        return unseen & ~page.inside(_opening(page, unseen))
    marks = np.zeros(len(page), dtype=bool)
    rows = _marked(page)
    if not len(rows):
        return marks
    most = MOST * max(int(page.length[0]), 1)  # the first row is the root
    of_rows = page.own_attributes.values_of(rows, "class", "role")
    shorter = zip(rows.tolist(), page.length.take(rows).tolist(), of_rows, strict=True)
    marks[[row for row, length, names in shorter if length <= most and not _unfolds(*names)]] = True
    return page.inside(marks)


def folded(page: Page) -> Mask:
    """Return bool[n]: rows that show after a click: closed details, tab panels, accordions."""
    if (unseen := _unseen(page)) is not None:
        return page.inside(_opening(page, unseen))
    _, closed = panels(page)
    details = closed & page.is_tag("details")
    folds = closed & ~details
    for row in np.flatnonzero(details).tolist():
        folds[[child for child in page.children(row) if page.name(child) != "summary"]] = True
    return page.inside(folds)


def panels(page: Page) -> tuple[Mask, Mask]:
    """Return (bool[n], bool[n]): details and what is a panel by role or class, and those closed."""
    details = page.is_tag("details")
    parts = unfolding(page)
    if not (parts.any() or details.any()):
        return parts, parts
    closed = np.zeros(len(page), dtype=bool)
    panel = parts | details
    rows = np.flatnonzero(panel).tolist()
    closed[[row for row in rows if is_closed(page, row, named=bool(parts[row]))]] = True
    return panel, closed


def is_closed(page: Page, row: int, *, named: bool) -> bool:
    """Return whether a panel is closed; ``named`` if its role or class is that of one."""
    if page.tag[row] == _DETAILS and "open" not in page.attributes(row):
        return True
    return named and _hides_itself(page, row)


def class_folds(names: str) -> bool:
    """Return whether a class is one of elements that a click opens."""
    lower = names.lower()
    return any(word in lower for word in FOLDED_WORDS) and _class_folds(names)


def role_folds(role: str) -> bool:
    """Return whether a role is one of elements that a click opens."""
    return role.strip().lower() in _FOLDED_ROLES


def _hides_itself(page: Page, row: int) -> bool:
    """Return whether a row that is no image has a mark of hiding; see `_marked`."""
    pairs = page.attributes(row)
    return (
        "hidden" in pairs
        or (pairs.get("aria-hidden") or "").strip().lower() == "true"
        or _class_hides(pairs.get("class") or "")
        or bool((style := pairs.get("style")) and _STYLE.search(style))
    )


def _unseen(page: Page) -> Mask | None:
    """Return bool[n]: rows a browser shows nothing of; None where it isn't known.

    Where it shows next to nothing, as of a page that waits for a click, that doesn't count.
    """
    if page.layout is None:
        return None
    unseen: Mask = page.shown & (page.layout[:, layout_columns.VISIBLE] == 0)
    for row in _lazy(page, unseen.nonzero()[0]):
        unseen[row] = unseen[page.parent[row]]
    if int(page.own_length[unseen].sum()) > MOST * int(page.own_length.sum()):
        return None
    return unseen


def _opening(page: Page, unseen: Mask) -> Mask:
    """Return bool[n]: outermost unseen rows that a click opens, by their own or parent's marks."""
    opens = unfolding(page) | page.is_tag("details")
    outermost = unseen & ~unseen[page.parent]
    opening: Mask = outermost & (opens | opens[page.parent])
    return opening


def _lazy(page: Page, rows: NDArray[np.integer]) -> list[int]:
    """Return the pictures among ``rows``, int[r], that a script has still to load."""
    pictures = rows[_PICTURES.take(page.tag.take(rows))].tolist()
    return [row for row in pictures if any(name[:5] == "data-" for name in page.attributes(row))]


def _marked(page: Page) -> Rows:
    """Return int32[r]: rows that bear a mark of hiding themselves, in any order.

    A lazy image may be hidden until it has loaded: one with a ``data-`` attribute isn't marked.
    """
    rows = page.rows_where("class", _class_hides, *_HIDING_WORDS)
    rows += page.rows_where("style", _style_hides, *_STYLE_WORDS)
    rows += page.rows_where("aria-hidden", _is_true, "true")
    if "hidden" in page.attribute_names:
        rows += [row for row, _ in page.having("hidden")]
    marked = np.array(rows, dtype=np.int32)
    if rows and (lazy := _lazy(page, marked)):
        marked = marked[~np.isin(marked, lazy)]
    return marked


def unfolding(page: Page) -> Mask:
    """Return bool[n]: rows whose role or class is one of elements that a click opens."""
    rows = np.zeros(len(page), dtype=bool)
    rows[page.rows_where("class", _class_folds, *FOLDED_WORDS)] = True
    rows[page.rows_where("role", role_folds, *_FOLDED_ROLES)] = True
    return rows


@lru_cache(maxsize=4096)
def _class_hides(names: str) -> bool:
    """Return whether class names hide; cached, since pages of a site repeat them."""
    return _CLASS.search(names) is not None and _SHOWN_AGAIN.search(names) is None


def _style_hides(style: str) -> bool:
    return _STYLE.search(style) is not None


def _is_true(value: str) -> bool:
    return value.strip().lower() == "true"


@lru_cache(maxsize=4096)
def _class_folds(names: str) -> bool:
    return _FOLDED_CLASS.search(names) is not None


def _unfolds(names: str | None, role: str | None) -> bool:
    """Return whether `unfolding` has a row of such a class and role; None where it has none."""
    if names and (class_folds(names) if names.isascii() else _class_folds(names)):
        return True
    return bool(role) and role_folds(role or "")
