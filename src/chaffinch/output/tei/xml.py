"""Characters and addresses as XML and the TEI schema take them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlsplit

_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ADDRESS: Final = "!#$%&'()*+,/:;=?@-._~"
"""Characters of an address that have a meaning in it, or need no quoting."""
_COLON_FIRST: Final = re.compile(r"\A(?![A-Za-z][A-Za-z0-9+.-]*:)[^/?#]*:")
"""How an address begins that has no scheme and yet a colon in its first segment."""
_BROKEN: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_DAY: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)


def escaped(text: str) -> str:
    """Return ``text`` for use between tags; characters that XML 1.0 forbids are left out."""
    is_plain = text.isprintable()  # no printable character is forbidden
    text = text if is_plain else _FORBIDDEN.sub("", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text if is_plain else text.replace("\r", "&#13;")


def pair(name: str, value: str) -> str:
    """Return an attribute with a space before it."""
    value = escaped(value).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
    return f' {name}="{value}"'


def pointer(url: str) -> str:
    """Return an address as a URI (RFC 3986); "" for what can't be one."""
    url = _BROKEN.sub("%25", url.encode("utf-8", "replace").decode("utf-8"))
    try:
        parts = urlsplit(url)
        host = parts.netloc if parts.port is None or parts.port else ""
    except ValueError:
        return ""
    if _COLON_FIRST.match(url):
        url = f"./{url}"
    if "[" not in host:
        return _once_marked(url)
    before, _, after = url.partition(host)
    return before + host + _once_marked(after)


def _once_marked(url: str) -> str:
    """Return an address quoted, only its first number sign as such."""
    start, mark, fragment = url.partition("#")
    fragment = fragment.replace("#", "%23")
    return quote(start + mark + fragment, safe=_ADDRESS)


def when(date: str) -> dict[str, str]:
    """Return the attribute of a date in ISO 8601; none for a date in words."""
    return {"when": date} if _DAY.fullmatch(date) else {}
