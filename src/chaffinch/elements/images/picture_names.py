"""Names of pictures in addresses: placeholders, templates, sizes, two names of one picture."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

SUFFIX: Final = re.compile(
    r"\.(?:jpe?g|jpe|jfif|png|gif|webp|avif|svg|bmp|tiff?|heic)(?=$|[?#!@&:;,/])", re.IGNORECASE
)
"""How the address of a picture ends, a query or the like behind it allowed."""

_SUFFIXES: Final = re.compile(
    r"(?:\.(?:html?|aspx?|php|[jt]?pe?g|gif|webp|avif|svg|png|bmp)){1,9}$"
)
_STANDS_FOR_ANOTHER: Final = re.compile(
    r"blank|placeholder|spacer|transparent|lazy\w*|loading|loader|1x1|1px|empty", re.IGNORECASE
)
_STANDS_IF_DRAWN: Final = frozenset("space pixel clear trans grey gray s t x b dot".split())
_MEANINGLESS: Final = frozenset("img image default no bg pic photo post thumb ajax gif".split())
_DRAWN: Final = frozenset(["gif", "png", "svg"])
_TEMPLATE: Final = re.compile(
    r"(?:\{|%7b){1,2}(?:[^{}%\d/]|%20){1,40}(?:\}|%7d)|<%|%3c%25", re.IGNORECASE
)
_SIZED: Final = re.compile(r"[-_](\d{2,4})x(\d{2,4})(?=\.\w{3,4}$)")
_VARIANT: Final = re.compile(
    r"(?:[-_.@](?:\d{2,4}x\d{2,4}|\d{2,4}px|\d{2,4}w|[23]x|thumb(?:nail)?|small|medium|large|big"
    r"|full|scaled|orig(?:inal)?|[smlb])){1,9}$"
    r"|^(?:thumbs?|small|medium|large|tn|th|\d{2,4}px|[sm])[-_]",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"[-_.]")
_NOT_ALPHANUMERIC: Final = re.compile(r"[^0-9a-z]+")
_COMMON: Final = frozenset("image img photo picture thumb default index file show view".split())
MOST_NAME: Final = 300


def is_placeholder(url: str) -> bool:
    """Return whether an address is that of a picture that stands for another or for nothing.

    So is one that is a template for a script to complete.
    """
    if url.startswith("data:") or is_template(url):
        return True
    name = url.partition("?")[0].rstrip("/").rpartition("/")[2].lower()
    return len(name) <= MOST_NAME and _stands(name)


def is_template(url: str) -> bool:
    """Return whether a script would complete an address, such as ``/barn_{width}x.jpg``."""
    return ("{" in url or "%" in url) and _TEMPLATE.search(url) is not None


@lru_cache(maxsize=4096)
def _stands(name: str) -> bool:
    """Return whether a file's name is that of a placeholder; cached, since pages repeat them."""
    words, _, suffix = name.rpartition(".")
    if not words:
        return False
    stands = False
    for word in _MARKS.split(words):
        if _STANDS_FOR_ANOTHER.fullmatch(word) or (word in _STANDS_IF_DRAWN and suffix in _DRAWN):
            stands = True
        elif not (word in _MEANINGLESS or word.replace("x", "").isdigit()):
            return False
    return stands


THUMBNAIL_SIDE: Final = 200
"""Pixels below which an address that names its size is that of a small copy."""
PREVIEW_SIDE: Final = 100
"""Pixels below which it is that of a preview, which no page shows for long."""
_SMALL: Final = re.compile(
    r"[?&](?:(?:im)?w(?:idth)?|h(?:eight)?|size|sz|resize|fit)=(\d{1,4})(?!\d)"
    r"|/(?:max|w|width|fit:|resize:fit:)[/:]?(\d{1,4})(?=[/,:.])"
    r"|(?<=[/,])[wh]_(\d{1,4})(?!\d)|[-_](\d{1,4})x\d{1,4}(?=\.\w{3,4}(?:$|\?))|/(\d{1,4})x\d{0,4}/"
    r"|[/-](\d{2,4})px-"
)
_PREVIEW: Final = re.compile(
    r"[?&](?:blur|lqip|placeholder|tiny)\b|[?&,/](?:q|quality)[=_](?:\d|1\d|20)(?!\d)"
    r"|\be_blur|low-?res(?=[/_.-])|[/_.-](?:lqip|tiny|blurred|blurry|blurhash)(?=[/_.-])"
)
_THUMBNAIL: Final = re.compile(
    r"/(?:thumbs|thumbnails|previews?|mini|micro|xs)/(?=[^/]*+(?:/[^/]*+)?\Z)"
    r"|[/_.-](?:thumb(?:nail)?|preview|mini|micro|xs)\.\w{3,4}(?:$|\?)"
)
"""Near the end of an address; in a wiki's ``/thumb/`` are pictures of any size."""
_SIZE_KEY: Final = re.compile(
    r"\A(?:(?:im)?w(?:idth)?|h(?:eight)?|size|sz|q|quality|fit|crop|auto|fm|format|dpr|blur|resize|s"
    r"|v|ver|version|strip|ssl|cb|ts?)=",
    re.IGNORECASE,
)
_SIZE_FOLDER: Final = re.compile(
    r"\A(?:\d{1,4}x\d{0,4}|(?!(?:19|20)\d\d\Z)\d{3,4}|(?:w|h|max|width|s)_?\d{0,4}|(?:resize|fit|fill|crop|w|h|q|c|f|e)[_:,].*"
    r"|small|medium|large|thumb(?:nail)?s?|full|original|tiny|lqip)\Z"
)

_WIDTH: Final = re.compile(
    r"(?<=[a-z]{5})[-_](?:480|600|640|720|750|768|800|828|900|960|1000|1024|1080|1200|1280|1400|1440"
    r"|1500|1536|1600|1800|1920|2000|2048|2400|2560)$"
)
"""A usual width behind a name of some letters; other numbers tell pictures apart."""


def is_tiny(url: str, *, most: int = THUMBNAIL_SIDE) -> bool:
    """Return whether an address says of itself that it is a small or poor copy of a picture.

    Args:
        url: absolute address.
        most: pixels of a size that it names.
    """
    lower = url[-MOST_NAME:].lower()
    sizes = [int(next(filter(None, found))) for found in _SMALL.findall(lower)]
    if (sizes and max(sizes) < most) or _PREVIEW.search(lower) is not None:
        return True
    return most == THUMBNAIL_SIDE and not sizes and _THUMBNAIL.search(lower) is not None


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
    stem = stem_of(url)
    if stem and stem == stem_of(address):
        return True
    address = unquote(address).lower()
    words = [stem, *_NOT_ALPHANUMERIC.split(stem)]
    return any(
        word in address and len(word) >= (6 if any(map(str.isdigit, word)) else 8)
        for word in words
        if word
    )


def stem_of(url: str) -> str:
    """Return the file's name without marks of size and suffix; "" where it is too general."""
    try:
        name = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2][:MOST_NAME].lower()
    except ValueError:
        return ""
    name = _SUFFIXES.sub("", name).rpartition(":")[2]
    before = ""
    while name != before:
        before, name = name, _VARIANT.sub("", name)
    name = name.strip("-_. ")
    return "" if len(name) < 3 or name in _COMMON else name  # noqa: PLR2004  too short to be distinctive


def named_size(url: str) -> tuple[int, int] | None:
    """Return the width and height that a name such as ``barn-640x480.jpg`` gives."""
    found = _SIZED.search(url.partition("?")[0][-MOST_NAME:])
    return (int(found[1]), int(found[2])) if found else None
