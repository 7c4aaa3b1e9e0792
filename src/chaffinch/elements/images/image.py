"""The images that belong to the content, in document order, with caption, credit and size.

What an image is: img, amp-img, the poster of a video, the background of a box without text that
is named as a figure. Which of them is content: `chaffinch.elements.images.content_rules`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.elements.images.captions import caption_of
from chaffinch.elements.images.content_rules import MOST_IMAGES, ImageRules
from chaffinch.elements.images.picture_names import SUFFIX, is_placeholder
from chaffinch.elements.images.sizes import image_size
from chaffinch.elements.images.sources import ImageSource, image_elements
from chaffinch.elements.shown_content import shown_content
from chaffinch.page.urls import FETCHED

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Content

_BACKGROUND: Final = re.compile(
    r"background(?:-image)?\s*+:(?>[^;]{0,300}?url\()\s*+"
    r"(?:\"([^\"\n]++)\"|'([^'\n]++)'|([^()\s\"']++))\s*+\)",
    re.IGNORECASE,
)
_BACKGROUNDS: Final = ("data-background-image", "data-background", "data-bg", "data-bgset")
_FIGURE: Final = re.compile(
    r"figure|image|photo|picture|hero|poster|cover|lead|media", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the content.

    Attributes:
        url: absolute address; relative where the page's own address isn't known.
        row: where it stands.
        width: pixels; None where neither the page nor the file's name gives it.
        height: pixels or None, likewise.
        alt: alternative text; "" if there is none.
        caption: text under it; "" if there is none.
        credit: who made it or owns it, as far as caption or markup name it; "" if they don't.
        link: its own larger version: where a link around it or ``srcset`` leads; "" if nowhere.
        source: the attribute that gave the address, such as "src", "data-original" or "style".
    """

    url: str
    row: int
    width: int | None
    height: int | None
    alt: str
    caption: str
    credit: str
    link: str
    source: str


def images(content: Content) -> list[Image]:
    """Return the images that belong to ``content``, in document order.

    An image that stands several times is listed once. Where nothing is kept there are none.
    """
    if not content.verdict.keep.any():
        return []
    finder = _Finder(content)
    out: dict[str, Image] = {}
    for row, source in finder.found().items():
        if source.url not in out:
            out[source.url] = finder.image(row, source)
    return list(out.values())


def pictures(page: Page) -> Mask:
    """Return bool[n]: images and videos, whether they are shown or not."""
    return image_elements(page) | page.is_tag("video")


class _Finder:
    """What may be an image on a page."""

    def __init__(self, content: Content) -> None:
        self.page: Page = content.page
        self.rules = ImageRules(content)
        self._shown = shown_content(content)
        self._pictures = pictures(content.page)

    def found(self) -> dict[int, ImageSource]:
        """Return row → source of all images of the content: those that outputs show, and others."""
        return dict(sorted({**self._others(), **self._shown.images}.items()))

    def _others(self) -> dict[int, ImageSource]:
        """Return row → source of posters of videos and of backgrounds."""
        page = self.page
        rows = set(page.rows_holding("style", "url("))
        rows.update(row for name in _BACKGROUNDS for row, _ in page.having(name))
        rows = {row for row in rows if not self._pictures[row]}
        rows.update(np.flatnonzero(page.is_tag("video")).tolist())
        if not rows:
            return {}
        found = np.array(sorted(rows)[:MOST_IMAGES], dtype=np.intp)
        found = found[page.shown[found] & ~self.rules.hidden[found]]
        out = {}
        for row in self.rules.in_content(found):
            source = self._poster(row) if page.name(row) == "video" else self._background(row)
            if source is not None and self.rules.belongs(row, source):
                out[row] = source
        return out

    def image(self, row: int, source: ImageSource) -> Image:
        """Return the image at ``row``."""
        page, pairs = self.page, self.page.attributes(row)
        width, height = image_size(page, row, source.url)
        caption, credit = caption_of(page, row, self._pictures)
        alt = " ".join((pairs.get("alt") or pairs.get("aria-label") or "").split())
        larger = self._larger(row, source)
        return Image(source.url, row, width, height, alt, caption, credit, larger, source.attribute)

    def _larger(self, row: int, source: ImageSource) -> str:
        link = self.rules.link_around(row)
        if link >= 0 and self.rules.is_own(link, source.url):
            href = self.page.addresses.find(self.page.attribute(link, "href"), FETCHED)
            if SUFFIX.search(href):
                return href if href != source.url else ""
        return source.larger

    def _background(self, row: int) -> ImageSource | None:
        """Return the background of a box that is a figure: named so, and without text."""
        page, pairs = self.page, self.page.attributes(row)
        style = pairs.get("style") or ""
        names = f"{pairs.get('class') or ''} {pairs.get('role') or ''} {page.name(row)}"
        if page.length[row] or "background-position" in style.lower():
            return None
        if not _FIGURE.search(names) or self._pictures[row + 1 : int(page.end[row])].any():
            return None
        found = _BACKGROUND.search(style)
        values = [("style", found[found.lastindex or 0])] if found else []
        values += [(name, value) for name in _BACKGROUNDS if (value := pairs.get(name))]
        for name, value in values:
            url = page.addresses.find("".join(value.split()[:1]), FETCHED)
            if SUFFIX.search(url) and not is_placeholder(url):
                return ImageSource(url, name)
        return None

    def _poster(self, row: int) -> ImageSource | None:
        pairs = self.page.attributes(row)
        for name in ("poster", "data-poster"):
            url = self.page.addresses.find(pairs.get(name), FETCHED)
            if url and not is_placeholder(url):
                return ImageSource(url, name)
        return None
