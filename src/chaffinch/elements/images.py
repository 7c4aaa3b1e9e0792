"""Whether an image belongs to the content: by the text, the link and the names around it.

Base: topic-information, section 3.4 (noise images: a side under 100, longer than three times the
other side, in a link, without size and with fewer than 15 characters around). Departures, by
measurement (`bench.quality.parts`):

- The text around is that of the smallest box with 15 characters, captions not counted; half of it
  must be content, size known or not. A short text without links may be a caption that the method
  dropped: then three quarters of the text of the next box must be content.
- An image in a link is content if the link leads to its own larger version or a page named after
  it or for pictures, if kept text is linked to the same address (an entry of a list), if the figure
  has a caption outside the link, or if it stands in a paragraph and the link isn't marked as an
  advertisement.
- It is small where no side reaches 100. Proportions don't matter in paragraphs, size and
  proportions don't in figures, but for pictures of a pixel.
- Icons, avatars, logos, emoji, buttons, banners and counters are known by their names, alternative
  texts and sizes; outside of tables, what stands thrice on the page without alternative text is an
  ornament, and of a picture that stands twice, each time alone, the first is shown.
- A method that judges images itself (`Verdict.judges_images`) has the word on them.
"""

import html
import re
from collections import Counter
from functools import partial
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property, finds, kept_with_page
from chaffinch.elements import WORDS
from chaffinch.elements.adverts import ADVERTS, rows_named
from chaffinch.elements.hidden import hidden, hidden_of, may_be_marked
from chaffinch.elements.image_sources import (
    SUFFIX,
    ImageSource,
    ImageSources,
    image_element_rows,
    image_elements,
    image_size,
    names_picture,
    names_size,
    picture_key,
)
from chaffinch.elements.texts import text_between
from chaffinch.kernels.arrays import Mask, Rows
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.urls import LINKS
from chaffinch.verdict import DROPPED_BY_SELECTOR, Content
from chaffinch.wording import any_of, fold_words

# The caption of an image and whom it credits.
#
# A caption is a figcaption, an element of such a class in the box of the image, an attribute of
# the image such as WordPress writes, or a short line next to it that is set or worded as one.

_LEVELS: Final = 4  # boxes around an image that may hold its caption
LONGEST: Final = 500  # characters of a caption, at most
_SHORT: Final = 150  # characters of a line that may be a caption without markup of one
_MOST_ROWS: Final = 60

_CAPTION_CLASS: Final = re.compile(
    r"caption|legend|bildunterschrift|cutline|img-?desc|image-?desc|photo-?desc|thumbcaption",
    re.IGNORECASE,
)
_names_caption: Final = finds(_CAPTION_CLASS)
_CAPTIONS: Final = Search("class", "caption", "legend", "bildunterschrift", "cutline", "desc")
"""Any class name of a caption holds one of these."""
_CREDIT_CLASS: Final = re.compile(
    r"credit|copyright|photographer|image-?source|photo-?by|byline|quelle|rights", re.IGNORECASE
)
_WORDED: Final = re.compile(
    r"(?:fig(?:ure|\.)?\s*\d|abb(?:ildung|\.)?\s*\d|рис(?:унок|\.)?\s*\d|图\s?[\d一二三四五六七八九十：:为]"
    r"|photo\b|image\b|foto\b|bild\b|△|▲|▼|↑|©|\(c\)|（图|配图)",
    re.IGNORECASE,
)
_CREDIT: Final = re.compile(
    r"(?:\b(?:photo(?:graph)?s?|images?|pictures?|illustration|foto|bild|fotografía|imagen"
    r"|crédit(?:\s?photo)?|crédito|credits?|source|quelle|fuente|fonte|zdroj|źródło|copyright"
    r"|courtesy)\b(?:\s+(?:credits?|courtesy|source))?\s*(?:[:：/]|\b(?:by|of|von|par|de)\b)"
    r"|©|\(c\)|图片来源\s?[:：]|圖片來源\s?[:：]|供图\s?[:：/]?|摄影\s?[:：/]?|图\s?[:：/]|来源\s?[:：])"
    r"\s*(?P<name>[^.;；。|()（）\[\]]{2,80})",
    re.IGNORECASE,
)
_MARKUP: Final = re.compile(r"<[^<>]{1,300}>")
_SET_APART: Final = tags.table("em i small center font cite".split())


def caption_of(page: Page, row: int, pictures: Mask) -> tuple[str, str]:
    """Return (caption, credit) of the image ``row``; "" for each that isn't there.

    ``pictures`` is bool[n], rows of images: a box with several has no caption for one of them.
    """
    caption, credit = (text_between(page, *one) for one in _ranges(page, row, pictures))
    caption = caption or _own_caption(page, row)
    if credit and caption.endswith(credit) and caption != credit:
        caption = caption.removesuffix(credit).rstrip(" -–—|/·(")
    if named := _CREDIT.search(credit or caption):
        credit = named["name"]
    return caption[:LONGEST], credit.strip(" -–—:：|/·")[:_SHORT]


def caption_rows(page: Page, row: int, pictures: Mask) -> list[tuple[int, int]]:
    """Return half-open ranges of rows: the caption and the credit of the image ``row``, if shown.

    Arguments are those of `caption_of`.
    """
    return [one for one in _ranges(page, row, pictures) if one[0] < one[1]]


def _ranges(page: Page, row: int, pictures: Mask) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the rows of the caption and of the credit, half-open; empty where there is none."""
    caption, credit = (
        (one, int(page.end[one])) if one >= 0 else (0, 0) for one in _marked(page, row, pictures)
    )
    if caption == (0, 0) and not _own_caption(page, row):
        caption = _next_line(page, row, pictures)
    return caption, credit


def _own_caption(page: Page, row: int) -> str:
    """Return the caption that an image bears itself, without its markup; "" if none."""
    values = (page.attribute(row, name) for name in ("data-image-caption", "data-caption"))
    texts = (" ".join(html.unescape(_MARKUP.sub(" ", one)).split()) for one in values if one)
    return next(filter(None, texts), "")


def _marked(page: Page, row: int, pictures: Mask) -> tuple[int, int]:
    """Return the rows of the caption and of the credit in the boxes around; -1 where none is."""
    caption = credit = -1
    for box in islice(page.ancestors(row), _LEVELS):
        stop, name = int(page.end[box]), page.name(box)
        if name in ("body", "article", "main") or stop - box > _MOST_ROWS:
            break
        if name != "figure" and pictures[box:stop].sum() > 1:
            break
        for inner in range(box + 1, stop):
            if page.tag[inner] == tags.TEXT or not 0 < page.length[inner] <= LONGEST:
                continue
            names = page.attribute(inner, "class") or ""
            is_caption = page.name(inner) == "figcaption" or _names_caption(names)
            if credit < 0 and _CREDIT_CLASS.search(names):
                credit = inner
            elif caption < 0 and is_caption and not inner <= row < int(page.end[inner]):
                caption = inner
        if caption >= 0 or name == "figure":
            break
    return caption, credit


def _next_line(page: Page, row: int, pictures: Mask) -> tuple[int, int]:
    """Return the rows, half-open, of the short line after an image that is set or worded as one.

    The range is empty where there is no such line.
    """
    stop = min(row + _MOST_ROWS, len(page))
    texts = (at for at in range(row + 1, stop) if pictures[at] or page.own_length[at])
    at = next(texts, -1)
    if at < 0 or pictures[at] or page.line[at] == page.line[row]:
        return 0, 0
    last = at + 1
    while last < stop and page.line[last] == page.line[at]:
        last += 1
    text = text_between(page, at, last)
    if not 0 < len(text) <= _SHORT or any(tags.HEADING[page.tag[r]] for r in page.ancestors(at)):
        return 0, 0
    set_apart = any(
        _SET_APART[page.tag[above]] and page.length[above] >= len(text) - 2
        for above in islice(page.ancestors(at), _LEVELS)
    )
    return (at, last) if set_apart or _WORDED.match(text) else (0, 0)


# Icons, avatars, buttons, banners, counters and the like: images that are no content.
#
# They are known by class and id, by the file's name if it holds no other words, by an alternative
# text that is the name of a button, and by the sizes of banners.

_DECORATION: Final = re.compile(
    rf"(?:^|[^a-z])(?:{WORDS['names of decorations']})(?=[^a-z]|$)", re.IGNORECASE
)
_decorates: Final = finds(_DECORATION)
_DECORATIVE_FILE: Final = re.compile(WORDS["files of decorations"], re.IGNORECASE)
_BUTTONS: Final = frozenset(WORDS["words of buttons"].split())
"""Words of names of images that a page has for itself."""
_DRAWN: Final = frozenset(WORDS["words of drawn buttons"].split())
"""Words of the same, where the image is drawn and no photograph."""
_BESIDE: Final = frozenset(WORDS["words beside words of buttons"].split())
"""Words that may stand beside them."""
_LABELS: Final = frozenset(WORDS["labels of buttons"])
"""Alternative texts of buttons, in lower case."""
_ASKED, _WITH_ASKED = (
    frozenset(map(fold_words, some.split())) for some in WORDS["words of labels of buttons"]
)
"""Words of what buttons do, and those beside them."""
_UNSPACED: Final = re.compile(any_of(word for word in _ASKED | _WITH_ASKED if word >= "\u2e80"))
_SCANNED: Final = frozenset("qr qrcode erweima ewm".split())
_COUNTER: Final = re.compile(
    r"/(?:hit|hits|counter|count|cnt|stats?|pixel|beacon|track|logo)\d*(?:\.(?:php|gif|aspx?|cgi|pl))?(?:\?|$)",
    re.IGNORECASE,
)
_BANNERS: Final = frozenset(
    [(468, 60), (728, 90), (970, 90), (88, 31), (320, 50), (120, 600), (160, 600), (234, 60)]
)
"""Sizes of banners that no picture of a text has."""
_ALT_OF_USER: Final = re.compile(WORDS["texts of pictures of users"])
_WORD: Final = re.compile(r"[^\W\d_]+")
_NEW_WORD: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HASH: Final = re.compile(r"[.-](?=[a-f]{0,40}\d)[\da-f]{8,40}\Z")
"""Where words of a name meet, and what builds of a site put behind it."""
_PHOTOGRAPH: Final = re.compile(r"\.(?:jpe?g|webp|heic|avif)(?=$|[?#!@])", re.IGNORECASE)
_PICTURE: Final = 300  # pixels of both declared sides from which on a name alone makes no button
_LONG_ALT: Final = 30  # characters of an alternative text from which on it describes a picture


def is_button(url: str, alt: str, size: tuple[int | None, int | None]) -> bool:
    """Return whether an image is a button, an icon, a banner or a counter of the page itself.

    By its address, alternative text, and width and height in pixels.
    """
    if size in _BANNERS or _COUNTER.search(url):
        return True
    name = url.partition("?")[0].rpartition("/")[2][-200:].rpartition(".")[0]
    words = {*_WORD.findall(_NEW_WORD.sub("-", _HASH.sub("", name)).lower())}
    if words & _SCANNED and words <= _SCANNED | _BUTTONS | _BESIDE:
        return True
    if min(side or 0 for side in size) >= _PICTURE or len(alt) >= 2 * _LONG_ALT:
        return False
    known, is_label = _BUTTONS, " ".join(alt.lower().split()) in _LABELS
    if not _PHOTOGRAPH.search(url):
        known = _BUTTONS | _DRAWN
        said = {*_WORD.findall(_UNSPACED.sub(r" \g<0> ", fold_words(alt)))}
        is_label |= bool(said & _ASKED) and said <= _ASKED | _WITH_ASKED | _BUTTONS
    is_named = len(alt) < _LONG_ALT and bool(words & known) and words <= known | _BESIDE
    return is_label or is_named


def is_decoration(page: Page, row: int, url: str) -> bool:
    pairs, above = page.attributes(row), page.attribute(int(page.parent[row]), "class")
    names = f"{pairs.get('class') or ''} {pairs.get('id') or ''} {above or ''}"
    if _decorates(names) or _ALT_OF_USER.search(pairs.get("alt") or ""):
        return True
    found, alt = _DECORATIVE_FILE.search(url), pairs.get("alt") or ""
    is_told = alt and (alt.isalpha() or f"/{alt}." not in url)
    return found is not None and not (found["theme"] and is_told)


# Which images are content


MIN_SIDE: Final = 100
MAX_RATIO: Final = 3.0
MIN_TEXT: Final = 15
"""Characters that a box must hold for its text to count for the image in it; the source's limit."""
MIN_SHARE: Final = 0.5  # share of that box's text that must be content
SHORT_BOX: Final = 100
"""Characters of a box without links that may be a caption which the method dropped."""
LIST_SHARE: Final = 0.3
"""Share of the kept text that stands in links where the content is a list of entries."""
MOST_IMAGES: Final = 2000
"""Images of a page that are considered; the pages of the labelled sites have 180 at most."""
ORNAMENT: Final = 3  # times that an ornament stands among the images
LARGE_SIDE: Final = 200  # pixels of a side from which on nothing is an ornament
LARGE: Final = 1000
"""Characters of a box whose text is too various to speak for one image.

Where half of it isn't content, and in the body itself, the verdict on the image's own row counts.
"""
MOST_SHARE: Final = 0.75  # share of the text that must be content in the box around such a box

_FIGURE, _NOSCRIPT = tags.CODES["figure"], tags.CODES["noscript"]
_LOGO: Final = re.compile(r"(?:^|[/._-])logos?(?=[/._-]|$)", re.IGNORECASE)
_SPONSORED: Final = re.compile(
    r"\b(?:sponsored|ads?|advert\w*|affiliate|promo\w*)\b", re.IGNORECASE
)
_OF_PICTURES: Final = re.compile(
    rf"(?<=[/._=?&-])(?:{WORDS['folders of pictures']})(?=[/._=?&-]|$)", re.IGNORECASE
)
_SCRIPTED: Final = re.compile(r"^\s*(?:javascript:|#|$)", re.IGNORECASE)


def content_images(content: Content, sources: ImageSources) -> dict[int, ImageSource]:
    """Return row → source of the images that belong to ``content``, in document order.

    Images are img, amp-img and the like; posters and backgrounds are for
    `chaffinch.elements.listed` to find. Sources of images elsewhere aren't resolved.
    """
    page, keep = content.page, content.verdict.keep
    rows = image_element_rows(page)
    rows = rows[page.shown[rows]][:MOST_IMAGES]
    if (
        len(rows)
        and (adverts := rows_named(page, ADVERTS, partial(_with_any, page, rows))) is not None
    ):
        rows = rows[~adverts[rows]]
    if not len(rows) or not keep.any():
        return {}
    if content.verdict.judges_images:
        kept = ((row, sources.of(row)) for row in rows[keep[rows]].tolist())
        return {row: source for row, source in kept if source is not None}
    rules = ImageRules(content)
    found = ((row, sources.of(row)) for row in rules.in_content(rows))
    return _once(page, {row: one for row, one in found if one and rules.belongs(row, one)})


def _with_any(page: Page, images: NDArray[np.intp], rows: Rows) -> Rows:
    """Return those of some rows that hold any of some images."""
    begin, stop = images.searchsorted((rows, page.end.take(rows)))
    held: Rows = rows[stop > begin]
    return held


@kept_with_page
def _unseen(page: Page) -> Mask:
    """Return bool[n]: what is hidden for good, as far as it holds text or images."""
    rows = may_be_marked(page)
    written = rows[page.length.take(rows) > 0].tolist()
    return hidden_of(page, written + _with_any(page, image_element_rows(page), rows).tolist())[0]


def _once(page: Page, found: dict[int, ImageSource]) -> dict[int, ImageSource]:
    """Return images without ornaments and without what shows a picture again."""
    if len(found) <= 1:
        return found
    keys = {row: picture_key(source.url) for row, source in found.items()}
    counts = Counter(keys.values())
    if len(counts) == len(keys):
        return found
    in_table = page.inside(page.boxes == tags.CODES["table"])
    with_text = {*page.line[page.own_length > 0].tolist()}
    seen: set[tuple[str, ...]] = set()
    out = {}
    for row, source in found.items():
        key = keys[row]
        is_again = key in seen and page.line.item(row) not in with_text
        is_ornament = counts[key] >= ORNAMENT and not page.attribute(row, "alt")
        if is_ornament:
            sides = image_size(page, row, source.url)
            is_ornament = max(side or 0 for side in sides) < LARGE_SIDE
        if in_table[row] or not (is_again or is_ornament):
            out[row] = source
        seen.add(key)
    return out


class ImageRules:
    """The rules on one content."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.page: Page = content.page

    def in_content(self, rows: NDArray[np.intp], *, captions: bool = True) -> list[int]:
        """Return those of some images around which the text is content, and that no selector drops.

        Those that are hidden aren't content. With ``captions`` a short text around one that isn't
        content may be its caption.
        """
        page, verdict, reasons = self.page, self.content.verdict, self.content.reasons
        unseen = _unseen(page) if image_elements(page)[rows].all() else hidden(page)
        rows = rows[~unseen[rows]]
        given = page.parent, page.end, page.own_length, _in_captions(page) | unseen, verdict.keep
        boxes, sums = kernels.sums_around(*given, rows.astype(np.int32), MIN_TEXT)
        own, length, kept = verdict.keep.take(rows), *sums
        # Of a box and of the next one; where there is none, -1, or one with too much text, the
        # verdict on the image counts.
        found = kept >= ((MIN_SHARE,), (MOST_SHARE,)) * length
        found = np.where(
            (length > LARGE) & (~found | (boxes <= page.body)), own & (kept > 0), found
        )
        found = np.where(boxes < 0, own, found)
        near, may_be = found[0], ~found[0] & found[1] & (boxes[0] >= 0) & (length[0] <= SHORT_BOX)
        for at in may_be.nonzero()[0].tolist() if captions else ():
            near[at] = self._is_captioned(rows.item(at), *boxes[:, at].tolist())
        if DROPPED_BY_SELECTOR in reasons:
            near &= verdict.why.take(rows) != reasons.index(DROPPED_BY_SELECTOR)
        content: list[int] = rows[near].tolist()
        return content

    def belongs(self, row: int, source: ImageSource) -> bool:
        """Return whether the image ``row`` is content, if its surroundings are."""
        page, url = self.page, source.url
        size = image_size(page, row, url)
        if is_decoration(page, row, url) or is_button(url, page.attribute(row, "alt") or "", size):
            return False
        if _counts_visits(page, row, source, size):
            return False
        link, above = self.link_around(row), page.parent.item(row)
        figure = _nearest(page, above, _FIGURE) if "figure" in page.tag_names else -1
        if link >= 0:
            if self.is_own(link, url, size):
                return True
            beside = page.children(figure) if 0 <= figure < link else []
            if _LOGO.search(url) or not (
                any(page.name(r) == "figcaption" and page.length[r] for r in beside)
                or self._is_in_prose(row, link)
                or _address(page.attribute(link, "href")) in self._linked_texts
            ):
                return False
        if figure >= 0:
            return True
        return _fits(*size, any_ratio=link < 0 and page.name(int(page.parent[row])) == "p")

    def link_around(self, row: int) -> int:
        """Return the link that a row is, or is in; -1 for none."""
        return _nearest(self.page, row, tags.LINK) if self.page.in_link[row] else -1

    def _is_captioned(self, row: int, box: int, outer: int) -> bool:
        """Return whether the text of a short box may be the caption of an image in it.

        What stands in links is one where these lead to a picture. Of ``outer``, the next box with
        more text, enough is content.
        """
        page = self.page
        is_card = page.in_link[row] and outer != page.parent[box]
        if not (is_card or page.link_length[box]):
            return True
        link = self.link_around(row)
        return link >= 0 and SUFFIX.search(page.attribute(link, "href") or "") is not None

    def is_own(self, link: int, url: str, size: tuple[int | None, int | None]) -> bool:
        """Return whether a link leads to the image at ``url``: larger, or on a page of its own.

        A small or long one named after a page is a button of a menu.
        """
        href = self.page.attribute(link, "href") or ""
        if _SCRIPTED.search(href) or self.page.anchor(link):
            return _fits(*size, any_ratio=False)
        address = self.page.addresses.find(href, LINKS)
        if SUFFIX.search(address) or _OF_PICTURES.search(address):
            return True
        path = address.partition("//")[2].partition("/")[2]
        return names_picture(path, url) and _fits(*size, any_ratio=False)

    def _is_in_prose(self, row: int, link: int) -> bool:
        """Return whether a linked image is, or is in, a paragraph and no advertisement."""
        page = self.page
        if page.name(int(page.parent[link])) != "p" or not page.attribute(row, "alt"):
            return False
        pairs = page.attributes(link)
        values = " ".join(pairs.get(name) or "" for name in ("rel", "href", "class", "id"))
        return not _SPONSORED.search(values)

    @cached_property
    def _linked_texts(self) -> frozenset[str]:
        """Addresses to which kept text outside of captions is linked, if the content is a list.

        Below an article such links are stories that a method should have dropped.
        """
        page = self.page
        kept = self.content.verdict.keep & page.written & ~_in_captions(page)
        length = page.own_length * (kept & ~_unseen(page))
        if length[page.in_link].sum() < LIST_SHARE * length.sum():
            return frozenset()
        links = page.is_tag("a") & (page.total(length) > 0)
        return frozenset(_address(href) for _, href in page.having("href", links))


def _nearest(page: Page, row: int, tag: int) -> int:
    """Return the element of a tag that a row is, or is in; -1 for none."""
    parent, tag_of = page.parent.item, page.tag.item
    while row >= 0 and tag_of(row) != tag:
        row = parent(row)
    return row


def _counts_visits(
    page: Page, row: int, source: ImageSource, size: tuple[int | None, int | None]
) -> bool:
    """Return whether an image is a pixel, or has no name and is for those without scripts."""
    if source.attribute == "src" and size[0] is not None and max(size[0], size[1] or 0) <= 1:
        return True
    is_named = page.attribute(row, "alt") or SUFFIX.search(source.url) or names_size(source.url)
    return not is_named and "noscript" in page.tag_names and _nearest(page, row, _NOSCRIPT) >= 0


def _address(href: str | None) -> str:
    return (href or "").strip().partition("#")[0]


@kept_with_page
def _in_captions(page: Page) -> Mask:
    """Return bool[n]: text around images that doesn't count, whatever is kept of it.

    That is what stands in captions, and the source of images. No more counts what isn't seen.
    """
    marks = page.is_tag("figcaption")
    marks[_CAPTIONS.where(page, _names_caption)] = True
    marks &= page.length <= LONGEST
    if "noscript" in page.tag_names:
        marks |= image_elements(page) & page.is_tag("noscript")
    return page.inside(marks) if marks.any() else marks


def _fits(width: int | None, height: int | None, *, any_ratio: bool) -> bool:
    """Return whether a size is that of an image worth looking at; True where none is known."""
    if not any_ratio and width and height and max(width, height) > MAX_RATIO * min(width, height):
        return min(width, height) >= MIN_SIDE
    return max((side for side in (width, height) if side is not None), default=MIN_SIDE) >= MIN_SIDE
