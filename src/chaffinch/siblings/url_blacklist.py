"""Addresses that aren't wanted: single ones, and all that begin alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from chaffinch.errors import OptionError
from chaffinch.siblings.url_shapes import plain_url, url_key

_ALL = "*"


@dataclass(frozen=True)
class UrlBlacklist:
    """A set of addresses; ``url in blacklist`` takes time that grows with the address alone.

    Attributes:
        exact: keys of single addresses: normal form, without scheme and final slash.
        prefixes: beginnings of such keys.
    """

    exact: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()

    @classmethod
    def of(cls, entries: object) -> UrlBlacklist:
        """Return the blacklist of addresses; one that ends with ``*`` stands for all below it.

        Raises:
            OptionError: they are no list of web addresses.
        """
        if isinstance(entries, str):
            entries = (entries,)
        if isinstance(entries, bytes | Mapping) or not isinstance(entries, Iterable):
            raise OptionError(f"url_blacklist is a list of addresses, not {entries!r}")
        exact, prefixes = set(), set()
        for entry in entries:
            url = plain_url(entry.removesuffix(_ALL)) if isinstance(entry, str) else ""
            if not url:
                raise OptionError(f"url_blacklist: not a web address: {entry!r}")
            if entry.endswith(_ALL):
                prefixes.add(_beginning(entry.removesuffix(_ALL), url))
            else:
                exact.add(_key(url))
        return cls(frozenset(exact), frozenset(prefixes))

    def __bool__(self) -> bool:
        return bool(self.exact or self.prefixes)

    def __contains__(self, url: str) -> bool:
        """Return whether an address is one of these; scheme, fragment, final slash don't count."""
        plain = plain_url(url) if self else ""
        if not plain:
            return False
        bare = _bare(plain)
        lengths = {len(one) for one in self.prefixes}
        return _key(plain) in self.exact or any(bare[:end] in self.prefixes for end in lengths)


def _bare(url: str) -> str:
    return url.partition("://")[2]


def _beginning(entry: str, url: str) -> str:
    """Return with what addresses begin, ``url`` in normal form; a host may be cut anywhere."""
    if "/" in _bare(entry):
        return _bare(url)
    return _bare(url).rstrip("/.") + "." * entry.endswith(".")


def _key(url: str) -> str:
    return _bare(url_key(url)).rstrip("/")
