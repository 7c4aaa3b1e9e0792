"""Subtrees of scripts alone and of pictures alone: containers of advertisements.

Source: same-layer-similarity, section 4, which finds most of the noise it misses in advertisements
by script or picture that change from page to page, and notes that they need treatment of their own.
How they are recognised is this project's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.page.urls import host_name, joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_PICTURE: Final = tags.table(["img", "iframe", "frame", "embed", "object", "video", "audio"])
_SHOWN: Final = tags.table("input button select textarea svg math canvas hr".split())
_ADDRESSES: Final = ("src", "data-src", "data-original", "data")


def script_containers(page: Page, roots: NDArray[np.int64]) -> Mask:
    """Return bool[…]: subtrees that hold scripts and nothing visible."""
    scripts = page.total(page.is_tag("script"))[roots]
    shown = page.written & page.shown | _PICTURE[page.tag] | _SHOWN[page.tag]
    found: Mask = (scripts > 0) & (page.total(shown)[roots] == 0)
    return found


def picture_containers(page: Page, roots: NDArray[np.int64]) -> Mask:
    """Return bool[…]: subtrees that hold pictures, frames or videos, and no text."""
    pictures = page.total(_PICTURE[page.tag])[roots]
    found: Mask = (pictures > 0) & (page.total(page.written & page.shown)[roots] == 0)
    return found


def addresses(page: Page, root: int = 0) -> frozenset[str]:
    """Return the absolute addresses of the pictures, frames and videos of a subtree.

    Pictures that are part of the page's source (``data:``) are left out.
    """
    return frozenset(
        joined(page.base, value)
        for row in _pictures(page, root)
        for name in _ADDRESSES
        if (value := page.attribute(row, name)) and not value.startswith("data:")
    )


def links_to_other_hosts(page: Page, root: int) -> bool:
    """Return whether every picture of a subtree is in a link to another host than the page's.

    False where the page's own host isn't known.
    """
    host = host_name(page.base)
    return bool(host) and all(
        _link_host(page, row) not in ("", host) for row in _pictures(page, root)
    )


def _pictures(page: Page, root: int) -> Iterator[int]:
    found = np.flatnonzero(_PICTURE[page.tag[root : page.end[root]]]) + root
    yield from found.tolist()


def _link_host(page: Page, row: int) -> str:
    """Return the host that the link around ``row`` leads to; "" if there is no link."""
    if not page.in_link[row]:
        return ""
    link = next(above for above in page.ancestors(row) if page.name(above) == "a")
    return host_name(joined(page.base, page.attribute(link, "href") or ""))
