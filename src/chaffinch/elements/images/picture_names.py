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
