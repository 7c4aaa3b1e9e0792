"""Addresses as pages have them, which may be broken: their parts, their host, where they lead."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

_SHORT: Final = 256
"""Characters of a base that is joined to each address without more ado."""
_SCHEME: Final = re.compile(r"\A[A-Za-z][A-Za-z0-9+.-]*:")


def split_url(url: str) -> SplitResult | None:
    """Return the parts of an address; None of a broken one, such as ``http://[``."""
    try:
        return urlsplit(url)
    except ValueError:
        return None


def host_name(url: str | None) -> str:
    """Return the name of an address's host, without its port, in lower case; "" for none."""
    parts = split_url(url or "")
    return (parts.hostname or "") if parts is not None else ""


def joined(base: str, href: str, *, fragment: bool = True) -> str:
    """Return where ``href`` leads on ``base``, with or without its fragment; "" where broken."""
    try:
        url = join_urls(base, href.strip())
    except ValueError:
        return ""
    return url if fragment else url.partition("#")[0]


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
