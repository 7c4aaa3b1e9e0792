"""The address an image is loaded from: lazy loading, srcset, picture and noscript resolved.

A page that loads its images by script leaves a placeholder in ``src`` and the address in an
attribute of any name; it is known by the name or by a value that ends as a picture does. So does
one that shows a small copy first; such a copy, known by its address, gives way to any other source,
to the copy in a noscript and to the picture beside it. A serialised page has its ``noscript`` as
escaped text; an image in there is read as one. HTML
Standard, section 4.8.4 for ``srcset`` and ``picture``; media queries aren't evaluated, the widest
candidate is taken.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import compress, islice
from typing import Final
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property, kept_of_short_texts, kept_with_page
from chaffinch.elements import WORDS
from chaffinch.kernels.arrays import Mask
from chaffinch.page import Page
from chaffinch.page.urls import FETCHED, written_candidates

SUFFIX: Final = re.compile(
    r"\.(?:jpe?g|jpe|jfif|png|gif|webp|avif|svg|bmp|tiff?|heic)(?=$|[?#!@&:;,/])", re.IGNORECASE
)
"""How the address of a picture ends, a query or the like behind it allowed."""
_SUFFIXES: Final = re.compile(
    r"(?:\.(?:html?|aspx?|php|[jt]?pe?g|gif|webp|avif|svg|png|bmp)){1,9}$"
)
_PATH: Final = re.compile(r"(?:[a-zA-Z][\w+.-]{0,20}:)?(?://[^/?#]*+)?([^?#]*+)")
_STANDS_FOR_ANOTHER: Final = re.compile(
    WORDS["names of pictures that stand for others"], re.IGNORECASE
)
_STANDS_IF_DRAWN: Final = frozenset("space pixel clear trans grey gray s t x b dot".split())
_MEANINGLESS: Final = frozenset("img image default no bg pic photo post thumb ajax gif".split())
_DRAWN: Final = frozenset(["gif", "png", "svg"])
_TEMPLATE: Final = re.compile(
    r"(?:\{|%7b){1,2}(?:[^{}%\d/]|%20){1,40}(?:\}|%7d)|<%|%3c%25", re.IGNORECASE
)
_SIZED: Final = re.compile(r"[-_](\d{2,4})x(\d{2,4})(?=\.\w{3,4}$)")
_VARIANT: Final = re.compile(
    r"(?:[-_.@](?:\d{2,4}x\d{2,4}|\d{3,4}x|x\d{3,4}|crop_(?:center|top|bottom|left|right)"
    r"|\d{2,4}px|\d{2,4}w|[23]x|thumb(?:nail)?|small|medium|large|big|full|scaled|orig(?:inal)?|[smlb])){1,9}$"
    r"|^(?:thumbs?|small|medium|large|tn|th|\d{2,4}px|[sm])[-_]",
    re.IGNORECASE,
)
_COMMON: Final = frozenset("image img photo picture thumb default index file show view".split())
_MOST_NAME: Final = 300  # characters of a name, and of the end of an address, that are looked at
_SMALL_SIDE: Final = 200
"""Pixels below which an address that names its size is that of a small copy."""
_PREVIEW_SIDE: Final = 100
"""Pixels below which it is that of a preview, which no page shows for long."""
_SMALL: Final = re.compile(
    r"[?&/,_-](?:(?<=[?&])(?:(?:im)?w(?:idth)?|h(?:eight)?|size|sz|resize|fit)=(\d{1,4})(?!\d)"
    r"|(?<=/)(?:max|w|width|fit:|resize:fit:)[/:]?(\d{1,4})(?=[/,:.])|(?<=[/,])[wh]_(\d{1,4})(?!\d)"
    r"|(?<=[-_])(\d{2,4})x\d{0,4}(?=\.\w{3,4}(?:$|\?))|(?<=/)(\d{1,4})x\d{0,4}(?=[/_-])"
    r"|(?<=[/-])(\d{2,4})px-)"
)
"""Sizes behind a sign: sought by that, in a quarter of the time."""
_PREVIEW: Final = re.compile(
    r"[?&](?:blur|lqip|placeholder|tiny)\b|[?&,/](?:q|quality)[=_](?:\d|1\d|20)(?!\d)"
    r"|/-/(?:empty|resize/\d\dx\d*)/|\be_blur|_blur(?![a-z])|low-?res(?=[/_.-])|[/_.-](?:lqip|tiny|blur(?:red|ry|hash)?)(?=[/_.-])"
)
_MAY_BE_PREVIEW: Final = re.compile(r"blur|lqip|placeholder|tiny|low-?res|q[=_]|quality|/-/")
"""What each such address has in it, found in a tenth of the time."""
_THUMBNAIL: Final = re.compile(
    r"/(?:thumbs|thumbnails|previews?|mini|micro|xs)/(?=[^/]*+(?:/[^/]*+)?\Z)"
    r"|[/_.-](?:thumb(?:nail)?|preview|mini|micro|xs)\.\w{3,4}(?:$|\?)"
)
"""Near the end of an address; in a wiki's ``/thumb/`` are pictures of any size."""
_SIZE_KEY: Final = re.compile(
    r"\A(?:(?:im)?w(?:idth)?|h(?:eight)?|size|sz|q(?:lt|uality)?|fit|crop|auto|fmt?|format|wid|hei|dpr|blur|resize|s"
    r"|v|ver|version|strip|ssl|cb|ts?)=",
    re.IGNORECASE,
)
_SIZE_FOLDER: Final = re.compile(
    r"\A(?:\d{1,4}x\d{0,4}|[a-z]{2,12}[_-]?\d{2,4}x\d{2,4}|(?!(?:19|20)\d\d\Z)\d{3,4}|(?:w|h|max|width|s)_?\d{0,4}"
    r"|(?:resize|fit|fill|crop|w|h|q|c|f|e)[_:,].*"
    r"|small|medium|large|thumb(?:nail)?s?|full|original|tiny|lqip)\Z"
)
_WIDTH: Final = re.compile(
    r"(?<=[a-z]{5})[-_](?:480|600|640|720|750|768|800|828|900|960|1000|1024|1080|1200|1280|1400|1440"
    r"|1500|1536|1600|1800|1920|2000|2048|2400|2560)$"
)
"""A usual width behind a name of some letters; other numbers tell pictures apart."""
_PIXELS: Final = re.compile(r"\A\s*+(\d{1,5}(?:\.\d+)?)\s*+(?:px\s*+)?\Z", re.IGNORECASE)
_STYLE: Final = re.compile(r"(?:^|;)\s*(width|height)\s*:\s*(\d{1,5}(?:\.\d+)?)px", re.IGNORECASE)
_SIDES: Final = tuple(
    (side, f"data-{side}", f"data-original-{side}", f"data-raw{side}")
    for side in ("width", "height")
)
_MARKS: Final = re.compile("[-_.]")
_NOT_ALPHANUMERIC: Final = re.compile("[^0-9a-z]+")


# Names of pictures in addresses: placeholders, templates, sizes, two names of one picture.


def is_placeholder(url: str) -> bool:
    """Return whether an address is that of a picture that stands for another or for nothing.

    So is one that is a template for a script to complete.
    """
    if url.startswith("data:") or is_template(url):
        return True
    name = url.partition("?")[0].rstrip("/").rpartition("/")[2].lower()
    if len(name) > _MOST_NAME:
        return False
    stem, _, suffix = name.rpartition(".")
    stands = False
    for word in _MARKS.split(stem):
        if _STANDS_FOR_ANOTHER.fullmatch(word) or (word in _STANDS_IF_DRAWN and suffix in _DRAWN):
            stands = True
        elif word not in _MEANINGLESS and not word.replace("x", "").isdigit():
            return False
    return stands


def is_template(url: str) -> bool:
    """Return whether a script would complete an address, such as ``/barn_{width}x.jpg``."""
    return ("{" in url or "%" in url) and _TEMPLATE.search(url) is not None


def is_tiny(url: str, *, most: int = _SMALL_SIDE) -> bool:
    """Return whether an address says of itself that it is a small or poor copy of a picture.

    ``most`` are the pixels of a size that it names.
    """
    lower = url[-_MOST_NAME:].lower()
    sizes = [*_SMALL.finditer(lower)]
    last = lower.rfind("/", 0, sizes[-1].start() + 1) if sizes else 0  # of folders, of all crops
    if sizes and max(int(one[one.lastindex or 0]) for one in sizes if one.start() >= last) < most:
        return True
    if _MAY_BE_PREVIEW.search(lower) is not None and _PREVIEW.search(lower) is not None:
        return True
    return most == _SMALL_SIDE and not sizes and _THUMBNAIL.search(lower) is not None


def names_size(url: str) -> bool:
    """Return whether the query of an address says how a picture is to be scaled."""
    return any(map(_SIZE_KEY.match, url.partition("?")[2].split("&")))


def picture_key(url: str) -> tuple[str, ...]:
    """Return what is the same of one picture in several sizes: host, folders, name, query."""
    head, _, query = url.partition("?")
    *folders, _ = head.split("/")
    pairs = (pair for pair in query.split("&") if pair and not _SIZE_KEY.match(pair))
    name = _WIDTH.sub("", stem_of(url)) or head
    return (*(one for one in folders if not _SIZE_FOLDER.match(one.lower())), name, *pairs)


def same_picture(url: str, other: str) -> bool:
    """Return whether two addresses name one picture in two sizes, by their names without size."""
    stem = stem_of(url)
    return stem != "" and stem == stem_of(other)


def names_picture(address: str, url: str) -> bool:
    """Return whether ``address`` holds a distinctive word of the name of the picture at ``url``.

    A word is distinctive from six characters with a digit among them, else from eight.
    """
    if same_picture(url, address):
        return True
    stem = stem_of(url)
    words = filter(unquote(address).lower().__contains__, (stem, *_NOT_ALPHANUMERIC.split(stem)))
    return any(len(word) >= (6 if any(map(str.isdigit, word)) else 8) for word in words)


def stem_of(url: str) -> str:
    """Return the file's name without marks of size and suffix; "" where it is too general."""
    path = _PATH.match(url)
    name = unquote(path[1] if path else "").rstrip("/").rpartition("/")[2][:_MOST_NAME].lower()
    name, before = _SUFFIXES.sub("", name).rpartition(":")[2], ""
    while name != before:
        before, name = name, _VARIANT.sub("", name)
    name = name.strip("-_. ")
    return "" if len(name) < 3 or name in _COMMON else name  # noqa: PLR2004  too short to tell apart


# The size of an image as far as its markup gives it: inline style, attributes, the file's name.


def declared_size(page: Page, row: int) -> tuple[float | None, float | None]:
    """Return width and height of an image in pixels; None for what isn't given.

    Inline style goes before attributes. Per cent, other units and more than five digits count as
    not given.
    """
    pairs = page.attributes(row)
    return parsed_size(
        pairs.get("width") or "", pairs.get("height") or "", pairs.get("style") or ""
    )


@kept_of_short_texts(4096)
def parsed_size(width: str, height: str, style: str) -> tuple[float | None, float | None]:
    """Return width and height in pixels that attributes and inline style give, as `declared_size`.

    Kept, since pages repeat the same few sizes.
    """
    sizes: dict[str, float] = {}
    for name, side in (("width", width), ("height", height)):
        if match := _PIXELS.match(side):
            sizes[name] = float(match[1])
    for match in _STYLE.finditer(style):
        sizes[match[1].lower()] = float(match[2])
    return sizes.get("width"), sizes.get("height")


def image_size(page: Page, row: int, url: str = "") -> tuple[int | None, int | None]:
    """Return (width, height) in pixels, None for what isn't given; per cent don't count.

    Inline style goes before attributes, these before ``data-width`` and the like, these before the
    size in a name such as ``barn-640x480.jpg``. A responsive image of AMP gives its ratio alone.
    """
    pairs, name = page.attributes(row), url.partition("?")[0][-_MOST_NAME:]
    if pairs.get("layout") == "responsive":
        return None, None
    given = [
        next(filter(_PIXELS.match, filter(None, map(pairs.get, names))), "") for names in _SIDES
    ]
    width, height = parsed_size(*given, pairs.get("style") or "")
    if width is None and height is None and (named := _SIZED.search(name)):
        return int(named[1]), int(named[2])
    return None if width is None else int(width), None if height is None else int(height)


# Sources

_AMP: Final = frozenset(["amp-img", "amp-anim"])
_LAZY: Final[list[str]] = WORDS["lazy attributes"]
_LAZY_SETS: Final = (
    "data-srcset", "data-lazy-srcset", "data-original-set", "data-ezsrcset", "data-bgset",
)  # fmt: skip
_SETS: Final = ("srcset", *_LAZY_SETS)
_USUAL: Final = frozenset(
    "src srcset sizes alt title href style class id width height loading decoding border".split()
)
"""Attributes of images that never say what a script is to load."""
_LAZY_CLASS: Final = re.compile(r"lazy|unveil|b-loaded|progressive|blur-up", re.IGNORECASE)
_STANDS_IN: Final = re.compile(rf"{_LAZY_CLASS.pattern}|placeholder|lqip|preview", re.IGNORECASE)
_OTHER: Final = re.compile(r"link|href|caption|avatar|author|icon|permalink|page|target|share")
_ESCAPED_IMAGE: Final = re.compile(
    r"<img\b(?:[^<>\"']|\"[^\"]*+\"|'[^']*+'){0,200}?\ssrc\s*+=\s*+[\"']?([^\s\"'<>]++)",
    re.IGNORECASE,
)
_DESCRIPTOR: Final = re.compile(r"\A(\d++(?:\.\d*+)?|\.\d++)([wx])")
_SMALL_SHOWN: Final = 64
"""Pixels of both sides up to which an image is shown as a small copy, if it names another."""
NEAR: Final = 40  # rows between a lazy image and its copy in a noscript, at most


@dataclass(frozen=True, slots=True)
class ImageSource:
    """Where an image comes from: absolute address, the attribute that gave it, and the element.

    ``row`` is -1 where that names no larger version.
    """

    url: str
    attribute: str
    row: int = -1


def larger_version(page: Page, source: ImageSource) -> str:
    """Return the absolute address of the widest version that the element names; "" for none."""
    url = _widest(page, page.attributes(source.row), _SETS) if source.row >= 0 else ""
    return "" if url == source.url else url


@kept_with_page
def image_elements(page: Page) -> Mask:
    """Return bool[n]: elements that are an image, shown or not."""
    held = not page.tag_names.isdisjoint(("img", "image"))
    marks = page.is_tag("img", "image") if held else np.zeros(len(page), dtype=bool)
    if not _AMP.isdisjoint(page.names.values()):
        marks[[row for row, name in page.names.items() if name in _AMP]] = True
    if "noscript" in page.tag_names and "<img" in page.text:
        marks[[row for row, _ in _escaped_images(page)]] = True
    return marks


@kept_with_page
def image_element_rows(page: Page) -> NDArray[np.intp]:
    return image_elements(page).nonzero()[0]


def _escaped_images(page: Page) -> Iterator[tuple[int, str]]:
    """Yield the row of each noscript whose text is the source of an image, and its address."""
    for row in page.is_tag("noscript").nonzero()[0].tolist():
        if page.end[row] == row + 2 and (found := _ESCAPED_IMAGE.search(page.text_of(row + 1))):
            yield row, html.unescape(found[1])


class ImageSources:
    """The sources of the images of one page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._known: dict[int, ImageSource | None] = {}
        self._shared: dict[str, bool] = {}  # src → whether several have it

    def of(self, row: int) -> ImageSource | None:
        """Return the source of the image ``row``; None where it has none of its own.

        None, too, for a copy in a noscript of an image that stands beside it, and for a preview
        beside the picture itself.
        """
        if self.in_noscript[row]:
            return None if self._is_copy(row) else self._source(row)
        found = self._source(row)
        aside = self._page.attribute(row, "aria-hidden") == "true"  # shown until another is there
        if found is None or not (aside or is_tiny(found.url)):
            return found and (self._waited_for(row, found) or found)
        for other in self._beside(row):
            if (better := self._source(other)) is None or is_tiny(better.url):
                continue
            if self.in_noscript[other]:
                return replace(better, attribute="noscript")
            if aside and self._page.attribute(other, "aria-hidden") != "true":
                return None
            if is_tiny(found.url, most=_PREVIEW_SIDE) or same_picture(found.url, better.url):
                return None
        return found

    def _waited_for(self, row: int, found: ImageSource) -> ImageSource | None:
        """Return what a noscript directly behind an image shows for which that stands in."""
        name = self._page.attribute(row, "class") or ""
        if found.attribute != "src" or not _STANDS_IN.search(name):
            return None
        for other in self._beside(row):
            better = self._source(other) if other > row else None
            if better is not None and not is_tiny(better.url):
                return replace(better, attribute="noscript") if self.in_noscript[other] else None
        return None

    def _beside(self, row: int) -> Iterator[int]:
        """Yield the images before and behind one with nothing but elements between them."""
        rows = image_element_rows(self._page)
        at = int(rows.searchsorted(row))
        for other in rows[max(at - 1, 0) : at + 3].tolist():
            first, last = sorted((row, other))
            apart = last - first > NEAR or self._page.own_length[first + 1 : last].any()
            if other != row and not apart:
                yield other

    def _source(self, row: int) -> ImageSource | None:
        if row not in self._known:
            self._known[row] = self._read(row)
        return self._known[row]

    def _read(self, row: int) -> ImageSource | None:
        page, pairs = self._page, self._page.attributes(row)
        if page.name(row) == "noscript":
            url = page.addresses.find(self._escaped[row], FETCHED)
            return ImageSource(url, "noscript") if url and not is_placeholder(url) else None
        given = (pairs.get("src") or "").strip()
        src = "" if given.startswith("#") else page.addresses.find(given, FETCHED)
        lazy = _LAZY_CLASS.search(pairs.get("class") or "") is not None
        usable = (
            bool(src) and not is_placeholder(src) and not self._is_shared(pairs.get("src") or "")
        )
        tiny = usable and (
            is_tiny(src) or 0 < max(side or 0 for side in declared_size(page, row)) <= _SMALL_SHOWN
        )
        drawn = src.partition("?")[0].endswith((".gif", ".svg"))  # what loads is a photograph
        for name, url in _lazy(page, pairs) if not usable or lazy or tiny or drawn else ():
            is_mark = usable and url.startswith(f"{src}?")  # of one that is to be loaded
            return ImageSource(src, "src", row) if is_mark else ImageSource(url, name, row)
        if not usable or tiny:
            may = not usable or is_tiny(src) or "w," in (pairs.get("srcset") or "") + ","
            if may and (larger := _widest(page, pairs, _SETS)):
                return ImageSource(larger, "srcset")
            if (found := self._of_picture(row) or self._of_link(row, src)) is not None:
                return found
        if not src or (not usable and (is_placeholder(src) or lazy)):
            return None
        return ImageSource(src, "src", row)

    def _of_picture(self, row: int) -> ImageSource | None:
        """Return the source that the ``picture`` around an image names."""
        page = self._page
        above = int(page.parent[row])
        if above < 0 or page.name(above) != "picture":
            return None
        for child in page.children(above)[:20]:
            if page.name(child) == "source":
                pairs = page.attributes(child)
                url = _widest(page, pairs, _SETS)
                url = url or next((found for _, found in _lazy(page, pairs)), "")
                if url:
                    return ImageSource(url, "source")
        return None

    def _of_link(self, row: int, src: str) -> ImageSource | None:
        """Return the picture that the link around a preview of it opens."""
        page, link = self._page, int(self._page.parent[row])
        url = page.addresses.find(page.attribute(link, "href") or "", FETCHED) if link >= 0 else ""
        name = url.rpartition("/")[2]  # of a wiki's page about a picture it has a colon
        is_picture = url != src and ":" not in name and SUFFIX.search(name) is not None
        may = is_picture and src != "" and is_tiny(src, most=_PREVIEW_SIDE)
        return ImageSource(url, "href") if may else None

    def _is_copy(self, row: int) -> bool:
        """Return whether an image outside, near the noscript around ``row``, is the same."""
        page, own = self._page, self._source(row)
        if own is None:
            return False
        at = int(np.searchsorted(self._outside, row))
        for other in self._outside[max(at - 2, 0) : at + 2].tolist():
            if abs(other - row) <= NEAR and (found := self._source(other)) is not None:
                if found.url == own.url or same_picture(found.url, own.url):
                    return True
                first, last = sorted((row, other))
                between = slice(first + 1, last)
                behind = other > row and found.attribute not in ("src", "srcset")
                behind &= page.parent.item(other) == page.parent.item(page.parent.item(row))
                if (other < row or behind) and not (
                    page.own_length[between].any() or image_elements(page)[between].any()
                ):
                    return True
        return False

    def _is_shared(self, src: str) -> bool:
        """Return whether several images with lazy sources have this ``src``."""
        if src not in self._shared:
            page, (counts, sources) = self._page, self._given
            rows = image_element_rows(page).tolist() if counts[src,] > 1 else []
            several = compress(rows, map((src,).__eq__, sources))
            lazy = (row for row in several if any(_lazy(page, page.attributes(row))))
            self._shared[src] = len([*islice(lazy, 2)]) > 1
        return self._shared[src]

    @cached_property
    def _given(self) -> tuple[Counter[tuple[str | None, ...]], list[tuple[str | None, ...]]]:
        """The ``src`` of each image, and how many have it."""
        rows = image_element_rows(self._page)
        sources = self._page.own_attributes.values_of(rows.astype(np.int32), "src")
        return Counter(sources), sources

    @cached_property
    def _escaped(self) -> dict[int, str]:
        return dict(_escaped_images(self._page))

    @cached_property
    def in_noscript(self) -> Mask:
        marks = self._page.is_tag("noscript")
        return self._page.inside(marks) if "noscript" in self._page.tag_names else marks

    @cached_property
    def _outside(self) -> NDArray[np.intp]:
        return (image_elements(self._page) & ~self.in_noscript).nonzero()[0]


def _lazy(page: Page, pairs: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    """Yield (attribute, absolute address) of the sources that a script would load."""
    others = {name: value for name, value in pairs.items() if value and name not in _USUAL}
    if not others:
        return
    for name in _LAZY:
        if name in others and (url := _address(page, others[name])):
            yield name, url
    for name in _LAZY_SETS:
        if name in others and (url := _widest(page, others, (name,))):
            yield name, url
    for name, value in others.items():
        is_alone = SUFFIX.search(value) and not _OTHER.search(name) and len(value.split()) == 1
        if is_alone and (url := _address(page, value)):
            yield name, url


def _address(page: Page, value: str | None) -> str:
    """Return the absolute address in a value, if it has the shape of one."""
    value = (value or "").strip()
    if not value or " " in value or value.startswith(("{", "[", "data:")):
        return ""
    if "/" not in value and not SUFFIX.search(value):
        return ""
    url = page.addresses.find(value, FETCHED)
    return "" if is_placeholder(url) else url


def _widest(page: Page, pairs: Mapping[str, str | None], names: tuple[str, ...]) -> str:
    """Return the widest candidate of the sets ``names``; "" if there is none."""
    found = [
        (_width(descriptor), raw)
        for name in names
        if (value := pairs.get(name))
        for raw, descriptor in written_candidates(value)
    ]
    for _, raw in sorted(found, key=lambda one: -one[0]):
        if (url := page.addresses.find(raw, FETCHED)) and not is_placeholder(url):
            return url
    return ""


def _width(descriptor: str) -> float:
    """Return the pixels that a candidate's descriptor gives, a thousand for each density."""
    found = _DESCRIPTOR.match(descriptor)
    return float(found[1]) * (1 if found[2] == "w" else 1000) if found else 1.0
