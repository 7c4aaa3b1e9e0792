"""What a cell of an entry holds: a link, a date, names of authors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.elements.date_words import month_of
from chaffinch.elements.dates import locale_of_page
from chaffinch.metadata.person_names import split_names
from chaffinch.posts.post_dates import date_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.records.columns import Cell

_LONGEST_DATE: Final = 80  # characters of its cell
_LONGEST_AUTHOR: Final = 80
_DIGIT: Final = re.compile(r"\d")


def links_of(page: Page, cells: Sequence[Cell]) -> NDArray[np.intp]:
    """Return intp[k]: the row of the link in which each cell stands, or that it holds; -1: none."""
    links, around = page.derived("links with an address", lambda: _links(page))
    first = np.array([cell.rows[0] for cell in cells], dtype=np.intp)
    last = np.array([cell.rows[1] for cell in cells], dtype=np.intp)
    owner = np.array([cell.owner for cell in cells], dtype=np.intp)
    next_ = np.append(links, len(page))[links.searchsorted(owner)]
    held = np.where(next_ < last, next_, -1)
    found: NDArray[np.intp] = np.where(page.in_link[first], around[first], held)
    return found


def link_of(page: Page, cell: Cell) -> int:
    """Return the row of the link in which a cell stands, or that it holds; -1 for none."""
    return int(links_of(page, [cell])[0])


def _links(page: Page) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return links with an address: intp[k], their rows; intp[n], the one around each row, or -1.

    A link stands around itself.
    """
    rows = [row for row, href in page.having("href", page.is_tag("a")) if href]
    is_link = np.zeros(len(page), dtype=bool)
    is_link[rows] = True
    around = kernels.nearest(page.parent, is_link)
    return np.array(rows, dtype=np.intp), around.astype(np.intp)


def date_of(page: Page, cell: Cell) -> str:
    """Return the date that a cell shows, or its ``time`` element declares; "" for none.

    What a ``time`` element shows is returned as written where no day can be read.
    """
    if len(cell.text) > _LONGEST_DATE:
        return ""
    declares = "datetime" in page.attribute_names
    declared = (page.attribute(cell.owner, "datetime") or "") if declares else ""
    found = date_in(declared) if declared else ""
    found = found or date_in(cell.text, locale=locale_of_page(page))
    return found or (cell.text if page.name(cell.owner) == "time" else "")


def authors_of(text: str, *, strict: bool = False) -> str:
    """Return the names in a text, joined by "; "; "" for none."""
    return "" if len(text) > _LONGEST_AUTHOR else "; ".join(split_names(text, strict=strict))


def author_beside_date(text: str) -> str:
    """Return the names in a text that holds a date, too, such as "Ann Lee 1 March 2025"."""
    words = text.split()
    of_date = {
        at + beside
        for at, word in enumerate(words)
        if _DIGIT.search(word)
        for beside in (-1, 0, 1)
        if 0 <= at + beside < len(words)
        and (not beside or month_of(words[at + beside].strip(".,")))
    }
    rest = (word for at, word in enumerate(words) if at not in of_date)
    return authors_of(" ".join(rest), strict=True)
