r"""Addresses on a page: made absolute, and only those that are safe to follow.

White space and control characters are removed as browsers do (URL Standard, basic URL parser,
https://url.spec.whatwg.org/#url-parsing), so that `` java\tscript:`` is recognised.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import urljoin

LINKS: Final = frozenset({"http", "https", "mailto", "tel", "ftp"})
"""Schemes that a link may have."""

FETCHED: Final = frozenset({"http", "https", "ftp"})
"""Schemes that an image or a citation may have."""

_SHORT: Final = 256
"""Characters of a base that is joined to each address without more ado."""

_EDGES: Final = "".join(map(chr, range(33)))
_REMOVED: Final = {9: None, 10: None, 13: None}
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\"<>\\^`{|}\u2028\u2029\ud800-\udfff\s]")


def absolute(url: str | None, base: str, schemes: frozenset[str] = LINKS) -> str:
    """Return ``url`` resolved against ``base``; "" where it is none or its scheme isn't allowed.

    Without a base, a relative address stays relative. Characters that no address may hold (spaces,
    quotes, angle brackets, …) are percent-encoded; letters of any script are left readable.
    """
    if not url:
        return ""
    url = url.strip(_EDGES)
    if not url.isprintable():
        url = url.translate(_REMOVED)
    scheme = _SCHEME.match(url)
    if scheme is not None:
        if scheme[1].lower() not in schemes:
            return ""
    elif base and url:
        try:
            url = join_urls(base, url)
        except ValueError:
            return ""
        scheme = _SCHEME.match(url)
        if scheme is not None and scheme[1].lower() not in schemes:
            return ""
    return _UNSAFE.sub(_encoded, url)


def join_urls(base: str, url: str) -> str:
    """Return what `urljoin` does, at a cost of the length of ``url`` but not of a long ``base``.

    A path without a leading slash is joined to as many of the last folders of ``base`` as it can
    climb out of. A long base that is itself relative isn't used.

    Raises:
        ValueError: one of them is no address.
    """
    if len(base) <= _SHORT or not url or url[0] in "/?#" or _SCHEME.match(url):
        return urljoin(base, url)
    folder = _folder_of(base)
    scheme, mark, rest = folder.partition("://")
    if not mark:
        return url
    climbed = url.count("..")
    pieces = rest.rsplit("/", climbed + 1)
    if len(pieces) < climbed + 2 or "/" not in pieces[0]:
        return urljoin(base, url)
    near = "/".join(pieces[1:])
    return f"{scheme}://{pieces[0]}/" + urljoin(f"http://h/{near}", url).removeprefix("http://h/")


@lru_cache(maxsize=16)
def _folder_of(base: str) -> str:
    """Return the address of the folder that relative addresses are in, a slash at its end."""
    return urljoin(base, ".")


def candidates(srcset: str | None, base: str) -> list[tuple[str, str]]:
    """Return (absolute address, descriptor) of each image candidate of a ``srcset``.

    Candidates whose scheme isn't allowed are left out. The descriptor is such as ``2x``, ``640w``
    or "".
    """
    out: list[tuple[str, str]] = []
    for found in _CANDIDATE.finditer(srcset or ""):
        url = absolute(found[1].rstrip(","), base, FETCHED)
        if url:
            out.append((url, (found[2] or "").strip()))
    return out


_CANDIDATE: Final = re.compile(r"[\s,]*(\S*[^\s,])(?:\s+([\d.]+[wxh](?:\s+\d+h)?))?\s*(?:,|$)")


def _encoded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))
