"""Elements, attributes and addresses that run something, in HTML, SVG and MathML alike.

Names count, whatever namespace they stand in: where HTML is read once more, an element may come to
stand in svg and be another one there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from chaffinch.page.urls import LINKS, absolute

_NAME: Final = re.compile(r"\A[a-z][a-z0-9_:.-]*+\Z")
_ATTRIBUTE_NAME: Final = re.compile(r"\A[a-z0-9_:.-]++\Z")
_ELEMENTS: Final = frozenset(
    "animate animatecolor animatemotion animatetransform set discard handler listener"  # SVG
    " script style template iframe object embed applet frame frameset base meta link"
    " portal fencedframe layer ilayer xml noembed noframes plaintext".split()
)
"""Elements that run or load something, set attributes of others, or swallow what follows."""

_ADDRESSES: Final = frozenset(
    "href xlink:href src action formaction poster background cite longdesc lowsrc dynsrc manifest"
    " ping attributionsrc values to from by".split()
)
_PICTURES: Final = frozenset(["src", "poster", "background", "lowsrc", "dynsrc"])
_SVG_PICTURES: Final = frozenset(["image", "feimage"])
_SETS: Final = frozenset(["srcset", "imagesrcset"])

_IGNORED: Final = re.compile(r"[\x00-\x20\x7f-\xa0]+")
_SCRIPT: Final = re.compile(r"(?:java|vb|live)script:|data:(?!image/)", re.IGNORECASE)
_STYLE_MARKS: Final = re.compile(r"\\|/\*|:|\(")
_STYLE_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_STYLE_COMMENT: Final = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?")
_STYLE_SCRIPT: Final = re.compile(
    r"(?:java|vb|live)script:|expression\(|-moz-binding|(?<![a-z-])behaviou?r:|data:text",
    re.IGNORECASE,
)
_LAST: Final = 0x10FFFF


@lru_cache(maxsize=4096)
def is_element(name: str) -> bool:
    """Return whether an element of this name may be written: it is a name, and runs nothing."""
    return _NAME.match(name) is not None and name not in _ELEMENTS


def runs_nothing(element: str, name: str, value: str | None) -> bool:
    """Return whether an attribute of an element runs nothing."""
    kind = _kind(name)
    return kind == _PLAIN or (
        kind == _CHECKED and (not value or _is_harmless(element, name, value))
    )


_LEFT_OUT: Final = 0
_PLAIN: Final = 1
_CHECKED: Final = 2


@lru_cache(maxsize=4096)
def _kind(name: str) -> int:
    """Return whether an attribute of this name is left out, written, or written by its value."""
    if _ATTRIBUTE_NAME.match(name) is None or name.startswith("on") or name == "srcdoc":
        return _LEFT_OUT
    return _CHECKED if name in _ADDRESSES or name in _SETS or name == "style" else _PLAIN


def _is_harmless(element: str, name: str, value: str) -> bool:
    if name in _SETS:
        return _SCRIPT.search(_IGNORED.sub("", value)) is None
    return _is_style(value) if name == "style" else _is_address(element, name, value)


def _is_address(element: str, name: str, value: str) -> bool:
    """Return whether an address runs nothing; pictures alone may be given as data."""
    if absolute(value, "", LINKS):
        return True
    is_picture = name in _PICTURES or element in _SVG_PICTURES
    return is_picture and value.strip().lower().startswith("data:image/")


def _is_style(value: str) -> bool:
    """Return whether a style loads no script, as old browsers did (``expression()``, bindings)."""
    if not _STYLE_MARKS.search(value):
        return True
    plain = _STYLE_ESCAPE.sub(_unescaped, _STYLE_COMMENT.sub("", value))
    return _STYLE_SCRIPT.search(_IGNORED.sub("", plain)) is None


def _unescaped(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if code <= _LAST else ""
