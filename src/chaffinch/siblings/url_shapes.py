"""Addresses: their normal form, the shape that those of one template share, and unwanted ones.

No source: that pages of one template have addresses of one shape is common experience; the
definition of the shape is this project's. Session and tracking keys are those in wide use.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode

from urllib3.exceptions import LocationParseError
from urllib3.util import parse_url

from chaffinch.errors import OptionError
from chaffinch.page.urls import absolute, split_url
from chaffinch.web.guard import PORTS, one_form

WEB: Final = frozenset({"http", "https"})  # schemes of pages

LONGEST_LINK: Final = 8_192
"""Characters of a link, or of a base, beyond which links aren't followed; servers take no more."""

MOST_DIRECTORIES: Final = 32
"""Slashes of a link, or of a base, beyond which links aren't followed: each is looked at in every
link."""

MOST_LINKS: Final = 20_000
"""Links of a page that are looked at; the longest lists of real sites have a few thousand."""

_TRACKING: Final = re.compile(
    r"\A(?:utm_\w+|gclid|dclid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_ga|_gl|spm|vero_id|oly_\w+_id)\Z",
    re.IGNORECASE,
)
_SESSION: Final = re.compile(
    r"\A(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|sessionid"
    r"|session_id|sess|sid|zenid|oscsid)\Z",
    re.IGNORECASE,
)
_SESSION_VALUE: Final = re.compile(r"\A(?=.*[A-Za-z])(?=.*\d)[\w.!-]{8,}\Z")
_SESSION_IN_PATH: Final = re.compile(r";jsessionid=[^/?#]*", re.IGNORECASE)
_HEX: Final = re.compile(r"(?<![0-9a-f])(?=[a-f]*+\d)(?=[0-9]*+[a-f])[0-9a-f]{8,}", re.IGNORECASE)
_DAY: Final = re.compile(r"(?:19|20)\d\d[-_]?(?:0[1-9]|1[0-2])[-_]?(?:0[1-9]|[12]\d|3[01])")
_WORDS: Final = re.compile(r"[^\W\d_]+(?:[-_ +.'’][^\W\d_]+)*")
_NAME: Final = re.compile(r"\A[^\W\d_]*+(?:[-_ ][^\W\d_]+)?\Z")
_HOST_END: Final = re.compile(r"(?<!\.)\.*+(?::(?P<port>\d{0,5}))?\Z")
_DIGITS: Final = re.compile(r"\d+")
_NOT_DIGIT: Final = re.compile(r"\D")
_AND: Final = re.compile("[&;]")
_WORD_RUN: Final = re.compile(r"a(?:[^a#@%]*a)+")
_EXTENSION: Final = re.compile(r"\.([A-Za-z]{2,5})\Z")


def plain_url(url: str | None, base: str = "") -> str:
    """Return the normal form of a page's address; "" where it is no web address.

    Absolute, ASCII, with a path, without fragment, user, usual port, the dot of a whole name,
    tracking keys and session ids (those whose value looks like one).
    """
    found = absolute(url, base, WEB)
    try:
        target = parse_url(found) if found else None
    except LocationParseError:
        return ""
    if target is None or target.scheme not in WEB or target.auth is not None:
        return ""
    if not (target.host or "").strip("."):
        return ""
    path = _SESSION_IN_PATH.sub("", target.path or "/")
    query = target.query
    if query is not None:
        kept = [pair for pair in _AND.split(query) if pair and not _is_tracking(pair)]
        query = "&".join(kept) or None
    return one_form(target)._replace(path=path, query=query, fragment=None).url


def is_followed(url: str) -> bool:
    return len(url) <= LONGEST_LINK and url.count("/") <= MOST_DIRECTORIES


def url_key(url: str) -> str:
    """Return the same key for addresses that differ only in the order of their query."""
    split = split_url(url)
    if split is None or "&" not in split.query:
        return url
    pairs = sorted(parse_qsl(split.query, keep_blank_values=True))
    return split._replace(query=urlencode(pairs)).geturl()


def host_of(url: str) -> str:
    """Return host and port, such as ``grain.example:8080``, in lower case; "" for none.

    Requests are counted and links compared by it, so that it has no usual port, and no dot behind
    the name; `host_name` has no port.
    """
    split = split_url(url)
    if split is None:
        return ""
    netloc = split.netloc.lower()
    end = _HOST_END.search(netloc)
    host, port = (netloc[: end.start()], end["port"] or "") if end else (netloc, "")
    return host if port in {"", str(PORTS.get(split.scheme))} else f"{host}:{port}"


def url_shape(url: str) -> str:
    """Return the shape of an address: host, directories, kind of last segment, query keys.

    Numbers become ``#``, dates ``@``, long hexadecimal strings ``%``, words of the last segment
    ``a``; directories without numbers stay, since they name sections, unless they are of several
    words. A directory that ends an address (``/thread/12/``) is its last segment.
    """
    split = split_url(url)
    if split is None:
        return ""
    *directories, last = unquote(split.path.removesuffix("/")).split("/")
    slash = "/" if split.path.endswith("/") else ""
    names = [
        one if _NAME.match(one) and not _HEX.match(one) else _segment(one) for one in directories
    ]
    path = "/".join([*names, _segment(last) + slash])
    keys = sorted({key for key, _ in parse_qsl(split.query, keep_blank_values=True)})
    return f"{split.netloc.lower()}{path}" + ("?" + "&".join(keys) if keys else "")


def url_numbers(url: str) -> tuple[int, ...]:
    """Return the numbers of the path, then of the query, in order; they place a page in time.

    Dates come first as one number (20251120).
    """
    split = split_url(url)
    if split is None:
        return ()
    text = f"{unquote(split.path)}?{split.query}"
    days = [int(_NOT_DIGIT.sub("", day)) for day in _DAY.findall(text)]
    rest = [int(one[:18]) for one in _DIGITS.findall(_DAY.sub("", text))]
    return (*days, *rest)


def _is_tracking(pair: str) -> bool:
    """Return whether a pair of a query is a tracking key or a session id."""
    key, _, value = pair.partition("=")
    if _TRACKING.match(key):
        return True
    return bool(_SESSION.match(key)) and (not value or bool(_SESSION_VALUE.match(value)))


def _segment(segment: str) -> str:
    ending = _EXTENSION.search(segment)
    stem = segment[: ending.start()] if ending else segment
    stem = _HEX.sub("%", _DAY.sub("@", stem))
    stem = _DIGITS.sub("#", _WORDS.sub("a", stem))
    stem = _WORD_RUN.sub("a", stem)
    return stem + (f".{ending[1].lower()}" if ending else "")


_ALL = "*"


@dataclass(frozen=True)
class UrlBlacklist:
    """A set of addresses; ``url in blacklist`` takes time that grows with the address alone."""

    # keys of single addresses: normal form, without scheme and final slash
    exact: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()  # beginnings of such keys

    @classmethod
    def of(cls, entries: object) -> "UrlBlacklist":
        """Return the blacklist of addresses; one that ends with ``*`` stands for all below it."""
        if isinstance(entries, str):
            entries = (entries,)
        if isinstance(entries, bytes | Mapping) or not isinstance(entries, Iterable):
            raise OptionError(f"url_blacklist is a list of addresses, not {entries!r}")
        exact, prefixes = set(), set()
        for entry in entries:
            start = entry.removesuffix(_ALL) if isinstance(entry, str) else ""
            url = plain_url(start)
            if not url:
                raise OptionError(f"url_blacklist: not a web URL: {entry!r}")
            if start == entry:
                exact.add(_key(url))
            elif "/" in _bare(start):
                prefixes.add(_bare(url))
            else:  # a host may be cut anywhere
                prefixes.add(_bare(url).rstrip("/.") + "." * start.endswith("."))
        return cls(frozenset(exact), frozenset(prefixes))

    def __contains__(self, url: str) -> bool:
        """Return whether an address is one of these; scheme, fragment, final slash don't count."""
        plain = plain_url(url) if self.exact or self.prefixes else ""
        bare, lengths = _bare(plain), {len(one) for one in self.prefixes}
        return bool(plain) and (
            _key(plain) in self.exact or any(bare[:end] in self.prefixes for end in lengths)
        )


def _bare(url: str) -> str:
    return url.partition("://")[2]


def _key(url: str) -> str:
    return _bare(url_key(url)).rstrip("/")
