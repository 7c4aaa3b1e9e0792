"""Whether an image belongs to the content: by the text, the link and the names around it.

Base: topic-information, section 3.4 (noise images: a side under 100, longer than three times the
other side, in a link, without size and with fewer than 15 characters around). Departures, by
measurement (docs/images.md):

- The text around is that of the smallest box with 15 characters, captions not counted; half of it
  must be content, size known or not. A short text without links may be a caption that the method
  dropped: then three quarters of the text of the next box must be content.
- An image in a link is content if the link leads to its own larger version or a page named after
  it or for pictures, if kept text is linked to the same address (an entry of a list), if the figure
  has a caption outside the link, or if it stands in a paragraph and the link isn't marked as an
  advertisement.
- It is small where no side reaches 100. Proportions don't matter in paragraphs, size and
  proportions don't in figures, but for pictures of a pixel.
- Icons, avatars, logos and emoji are known by their names.
- A method that judges images itself (`Verdict.judges_images`) has the word on them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.hidden import hidden
from chaffinch.elements.images.captions import CAPTION_CLASS, CAPTION_WORDS, LONGEST
from chaffinch.elements.images.decoration import has_any, is_decoration
from chaffinch.elements.images.picture_names import SUFFIX, names_picture
from chaffinch.elements.images.sizes import image_size
from chaffinch.elements.images.sources import image_element_rows
from chaffinch.page.urls import LINKS
from chaffinch.result import DROPPED_BY_SELECTOR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.elements.images.sources import ImageSource, ImageSources
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.result import Content

MIN_SIDE: Final = 100
MAX_RATIO: Final = 3.0
MIN_TEXT: Final = 15
"""Characters that a box must hold for its text to count for the image in it; the source's limit."""
MIN_SHARE: Final = 0.5
"""Share of that box's text that must be content."""
SHORT: Final = 100
"""Characters of a box without links that may be a caption which the method dropped."""
LIST_SHARE: Final = 0.3
"""Share of the kept text that stands in links where the content is a list of entries."""
MOST_IMAGES: Final = 2000
"""Images of a page that are considered; the pages of the labelled sites have 180 at most."""
LARGE: Final = 1000
"""Characters of a box whose text is too various to speak for one image.

Where half of it isn't content, and in the body itself, the verdict on the image's own row counts.
"""
MOST_SHARE: Final = 0.75
"""Share of the text that must be content in the box around such a box."""

_PICTURE_WORDS: Final = (
    "photo", "album", "galer", "galler", "picture", "attach", "foto", "bilder", "image",
)  # fmt: skip
"""Every address that `_OF_PICTURES` finds has one of these in it, which are sought first."""
_LOGO: Final = re.compile(r"(?:^|[/._-])logos?(?=[/._-]|$)", re.IGNORECASE)
_SPONSORED: Final = re.compile(
    r"\b(?:sponsored|ads?|advert\w*|affiliate|promo\w*)\b", re.IGNORECASE
)
_OF_PICTURES: Final = re.compile(
    r"(?<=[/._=?&-])(?:photos?|albums?|galler(?:y|ies)|pictures?|attachments?(?:_id)?|fotos?|bilder"
    r"|galerie|galer[ií]a|images?)(?=[/._=?&-]|$)",
    re.IGNORECASE,
)
_SCRIPTED: Final = re.compile(r"^\s*(?:javascript:|#|$)", re.IGNORECASE)


def content_images(content: Content, sources: ImageSources) -> dict[int, ImageSource]:
    """Return row → source of the images that belong to ``content``, in document order.

    Images are img, amp-img and the like; posters and backgrounds are for
    `chaffinch.elements.images.image` to find. Sources of images elsewhere aren't resolved.

    Args:
        content: the page and what is kept of it.
        sources: those of its images.
    """
    page, keep = content.page, content.verdict.keep
    rows = image_element_rows(page)
    rows = rows[page.shown[rows]][:MOST_IMAGES]
    if not len(rows) or not keep.any():
        return {}
    if content.verdict.judges_images:
        kept = ((row, sources.of(row)) for row in rows[keep[rows]].tolist())
        return {row: source for row, source in kept if source is not None}
    rules = ImageRules(content)
    out = {}
    rows = rows[~rules.hidden[rows]]
    for row in rows[rules.in_content(rows)].tolist():
        source = sources.of(row)
        if source is not None and rules.belongs(row, source):
            out[row] = source
    return out


class ImageRules:
    """The rules on one content."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.page: Page = content.page
        self._own_length, self._lengths, self._boxes = self.page.derived(
            "text around images", lambda: _text_around(content.page)
        )

    def belongs(self, row: int, source: ImageSource) -> bool:
        """Return whether the image ``row`` is content, if its surroundings are."""
        url = source.url
        if is_decoration(self.page, row, url):
            return False
        size = image_size(self.page, row, url)
        if source.attribute == "src" and size[0] is not None and max(size[0], size[1] or 0) <= 1:
            return False
        link = self.link_around(row)
        if link >= 0:
            if self.is_own(link, url):
                return True
            reasons = (self._captioned, self._in_prose, self._in_entry)
            logo = has_any(url, ("logo",)) and _LOGO.search(url)
            if logo or not any(rule(row, link) for rule in reasons):
                return False
        if self._figures[row]:
            return True
        return _fits(
            *size, any_ratio=link < 0 and self.page.name(int(self.page.parent[row])) == "p"
        )

    def link_around(self, row: int) -> int:
        """Return the row of the link around an image; -1 if there is none."""
        if not self.page.in_link[row]:
            return -1
        return next((r for r in (row, *self.page.ancestors(row)) if self.page.name(r) == "a"), -1)

    def is_own(self, link: int, url: str) -> bool:
        """Return whether a link leads to the image at ``url``: larger, or on a page of its own."""
        href = self.page.attribute(link, "href") or ""
        if _SCRIPTED.search(href):
            return True
        address = self.page.addresses.find(href, LINKS)
        if SUFFIX.search(address) is not None or names_picture(address, url):
            return True
        return has_any(address, _PICTURE_WORDS) and _OF_PICTURES.search(address) is not None

    @cached_property
    def hidden(self) -> Mask:
        """bool[n]: rows that no reader sees."""
        return hidden(self.page)

    def in_content(self, rows: NDArray[np.intp], *, captions: bool = True) -> Mask:
        """Return bool[r]: whether the text around each row is content, and no selector drops it.

        Args:
            rows: intp[r], images.
            captions: a short text around one that isn't content may be its caption.
        """
        if not len(rows):
            return np.zeros(0, dtype=bool)
        page, above = self.page, self.page.parent.take(rows)
        box = np.where(above < 0, -1, self._boxes.take(above))
        found = self._are_around(rows, box, MIN_SHARE)
        if captions:
            short = ~found & (box >= 0) & (self._lengths.take(box) <= SHORT)
            other = np.flatnonzero(short & (page.link_length.take(box) == 0))
            if len(other):
                outer = page.parent.take(box.take(other))  # which holds as much text at least
                found[other] = self._are_around(rows.take(other), outer, MOST_SHARE)
        return found & ~self._dropped_by_caller(rows)

    def _are_around(self, rows: NDArray[np.intp], box: Rows, share: float) -> Mask:
        """Return bool[r]: whether the text of the box around each row is content.

        Where there is none, -1, or one with too much text, the verdict on the row counts.
        """
        length, kept = self._lengths.take(box), self._kept_in(box)
        is_kept = kept >= share * length
        various = (length > LARGE) & (~is_kept | (box <= self.page.body))
        own = self.content.verdict.keep.take(rows)
        found: Mask = np.where((box < 0) | various, own & ((kept > 0) | (box < 0)), is_kept)
        return found

    def _dropped_by_caller(self, rows: NDArray[np.intp]) -> Mask:
        """Return bool[r]: whether a selector drops each row."""
        reasons = self.content.reasons
        if DROPPED_BY_SELECTOR not in reasons:
            return np.zeros(len(rows), dtype=bool)
        dropped: Mask = self.content.verdict.why.take(rows) == reasons.index(DROPPED_BY_SELECTOR)
        return dropped

    def _captioned(self, row: int, link: int) -> bool:
        """Return whether the figure around an image has a caption outside of the link."""
        if not self._figures[row]:
            return False
        figure = next(r for r in self.page.ancestors(row) if self.page.name(r) == "figure")
        captions = [r for r in self.page.children(figure) if self.page.name(r) == "figcaption"]
        return figure < link and any(self.page.length[r] for r in captions)

    def _in_prose(self, row: int, link: int) -> bool:
        """Return whether a linked image is, or is in, a paragraph and no advertisement."""
        page = self.page
        if page.name(int(page.parent[link])) != "p" or not page.attribute(row, "alt"):
            return False
        pairs = page.attributes(link)
        values = " ".join(pairs.get(name) or "" for name in ("rel", "href", "class", "id"))
        return not _SPONSORED.search(values)

    def _in_entry(self, row: int, link: int) -> bool:  # noqa: ARG002  one of several rules
        """Return whether kept text is linked to the same address: the image is of an entry."""
        return self._address(self.page.attribute(link, "href")) in self._linked_texts

    @cached_property
    def _linked_texts(self) -> frozenset[str]:
        """Addresses to which kept text outside of captions is linked, if the content is a list.

        Below an article such links are stories that a method should have dropped.
        """
        kept = np.where(self.page.in_link, self._kept_own_length, 0)
        if kept.sum() < LIST_SHARE * self._kept_own_length.sum():
            return frozenset()
        links = self.page.is_tag("a")
        rows = links.nonzero()[0]
        links[rows[self._kept_in(rows) == 0]] = False
        return frozenset(self._address(href) for _, href in self.page.having("href", links))

    @staticmethod
    def _address(href: str | None) -> str:
        return (href or "").strip().partition("#")[0]

    @cached_property
    def _figures(self) -> Mask:
        figures = self.page.is_tag("figure")
        if not self.page.holds("figure"):
            return figures
        inner = self.page.inside(figures)
        inner[figures] = False
        return inner

    @cached_property
    def _kept_own_length(self) -> NDArray[np.int32]:
        return self._own_length * self.content.verdict.keep  # elements have none of their own

    def _kept_in(self, rows: NDArray[np.integer]) -> NDArray[np.int64]:
        """Return int64[r]: kept characters in the subtree of each row; of -1 any number."""
        before = self._kept_before
        kept: NDArray[np.int64] = before.take(self.page.end.take(rows)) - before.take(rows)
        return kept

    @cached_property
    def _kept_before(self) -> NDArray[np.int64]:
        """int64[n+1]: kept characters before each row, and all."""
        before = np.zeros(len(self.page) + 1, dtype=np.int64)
        self._kept_own_length.cumsum(out=before[1:])
        return before


def _text_around(page: Page) -> tuple[NDArray[np.int32], NDArray[np.int64], Rows]:
    """Return what of the text may be around images, whatever is kept of it.

    int32[n]: characters of text rows a reader sees, outside of captions. int64[n]: those in each
    subtree. int32[n]: the innermost row at or above each that holds enough of them; -1 for none.
    """
    marks = page.is_tag("figcaption")
    marks[page.rows_where("class", _is_caption_class, *CAPTION_WORDS)] = True
    marks &= page.length <= LONGEST
    left_out = hidden(page) | page.inside(marks) if marks.any() else hidden(page)
    own = page.own_length * ~left_out
    lengths = page.total(own)
    return own, lengths, kernels.nearest(page.parent, lengths >= MIN_TEXT)


@lru_cache(maxsize=4096)
def _is_caption_class(names: str) -> bool:
    """Return whether class names are those of a caption; cached, since pages repeat them."""
    return CAPTION_CLASS.search(names) is not None


def _fits(width: int | None, height: int | None, *, any_ratio: bool) -> bool:
    """Return whether a size is that of an image worth looking at; True where none is known."""
    if not any_ratio and width and height and max(width, height) > MAX_RATIO * min(width, height):
        return min(width, height) >= MIN_SIDE
    return max((side for side in (width, height) if side is not None), default=MIN_SIDE) >= MIN_SIDE
