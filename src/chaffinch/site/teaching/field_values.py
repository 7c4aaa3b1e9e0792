"""What a rule for a field reads of an element, as a person sees it before the rule is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.dates import parse_date
from chaffinch.metadata.names import split_names
from chaffinch.metadata.page_fields import image_address
from chaffinch.metadata.product import read_price
from chaffinch.metadata.sources import written
from chaffinch.metadata.values import clean
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import FETCHED, absolute

if TYPE_CHECKING:
    from chaffinch.page import Page

_LONGEST: Final = {"title": 500, "author": 300, "date": 300, "price": 300}
"""Most characters of an element that is taken for a field: a longer one only mentions it."""


def field_value(page: Page, kind: str, row: int) -> str:
    """Return the value of a field that an element has, as text; "" for none."""
    if kind == "image":
        return image_address(page, row)
    if kind in {"next", "single"}:
        return _target(page, row)
    text = written(page, Selected(row))
    return _READERS[kind](text) if len(text) <= _LONGEST[kind] else ""


def _names(text: str) -> str:
    return "; ".join(split_names(text))


def _day(text: str) -> str:
    found = parse_date(text)
    return "" if found is None else found.isoformat()


def _amount(text: str) -> str:
    price = read_price(text)
    return "" if price is None else f"{price.lowest} {price.currency}".strip()


_READERS: Final = {"title": clean, "author": _names, "date": _day, "price": _amount}


def _target(page: Page, row: int) -> str:
    """Return the address of the first link at an element or in it; "" for none."""
    links = page.is_tag("a", "link", "area") & page.has("href")
    inside = np.flatnonzero(links[row : page.end[row]])
    if not len(inside):
        return ""
    return absolute(page.attribute(row + int(inside[0]), "href"), page.base, FETCHED)
