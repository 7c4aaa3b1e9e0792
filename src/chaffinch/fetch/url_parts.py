"""Addresses as pages have them, which may be broken: their parts, their host, where they lead."""

from __future__ import annotations

from urllib.parse import SplitResult, urljoin, urlsplit


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
        url = urljoin(base, href.strip())
    except ValueError:
        return ""
    return url if fragment else url.partition("#")[0]
