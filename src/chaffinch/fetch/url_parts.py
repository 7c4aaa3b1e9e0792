"""Addresses as pages have them, which may be broken: their parts, their host, where they lead."""

from __future__ import annotations

from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

_GENERAL: Final = frozenset("ac co com edu go gob gov gouv mil ne net nom or org".split())
"""Levels below a country's domain under which names are registered."""


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


def registrable_domain(host: str) -> str:
    """Return the part of a host's name that its owner registered, such as ``example.co.uk``.

    "" for no host, and the whole of an IP address.

    The last two levels; three where the last but one is a general level of a country's domain, by
    the shape of names (RFC 1591: ``co``, ``com``, ``ac``, … below two letters). The list of public
    suffixes holds more; a domain that it has and this doesn't is taken for one site.
    """
    levels = host.strip(".").split(".")
    if levels[-1].isdigit() or ":" in host:
        return host
    general = len(levels) > 2 and len(levels[-1]) == 2 and levels[-2] in _GENERAL  # noqa: PLR2004 - levels; letters of a country's
    return ".".join(levels[-3 if general else -2 :])
