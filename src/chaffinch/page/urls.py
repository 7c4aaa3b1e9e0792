"""URLs on a page, made absolute, and their parts."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, quote, urljoin, urlsplit


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


def place_of(url: str | None) -> str:
    """Return an address without scheme, fragment, ``index``, suffix of HTML and final slash."""
    return _AT_END.sub("", (url or "").partition("#")[0].partition("//")[2])


_AT_END: Final = re.compile(r"(?:/index)?(?:\.x?html?)?/?\Z")
LINKS: Final = frozenset({"http", "https", "mailto", "tel", "ftp"})
"""Schemes that a link may have."""

FETCHED: Final = frozenset({"http", "https", "ftp"})
"""Schemes that an image or a citation may have."""

_EDGES: Final = "".join(map(chr, range(33)))
_REMOVED: Final = {9: None, 10: None, 13: None}
_SCHEME: Final = re.compile(r"\A([A-Za-z][A-Za-z0-9+.-]*):")
_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\"<>\\^`{|}\u2028\u2029\ud800-\udfff\s]")
_WRITTEN: Final = r"[\w~%+=,&@!$'()*.-]"
_PLAIN: Final = re.compile(
    rf"/?+(?>(?:(?!\.){_WRITTEN}++/)*)(?>(?:(?!\.){_WRITTEN}++)?)"
    rf"(?>(?:\?(?>(?:{_WRITTEN}++|[/:;?])+))?)(?>(?:\#(?>(?:{_WRITTEN}++|[/:;?])+))?)",
    re.ASCII,
)
"""Relative addresses that are joined to a base by writing them behind some part of it: without
dots, empty folders or parameters, and of no characters that are encoded."""


def absolute(url: str | None, base: str, schemes: frozenset[str] = LINKS) -> str:
    """Return ``url`` resolved against ``base``; "" where it is none or its scheme isn't allowed.

    Without a base, a relative address stays relative. Characters that no address may hold (spaces,
    quotes, angle brackets, …) are percent-encoded; letters of any script are left readable.
    """
    if not url:
        return ""
    if base and _PLAIN.fullmatch(url):
        before = _before(base, schemes, url[0] if url[0] in "/?#" else "")
        return "" if before is None else before + url
    return _joined(url, base, schemes)


@lru_cache(maxsize=64)
def _before(base: str, schemes: frozenset[str], mark: str) -> str | None:
    """Return what stands before a plain address that begins with ``mark``; None where it is none.

    ``mark`` is ``/``, ``?`` or ``#``; "" for any other beginning.
    """
    found = _joined(f"{mark}a", base, schemes)
    return found[: -len(mark) - 1] if found else None


def _joined(url: str, base: str, schemes: frozenset[str]) -> str:
    """Return `absolute` of any address."""
    url = url.strip(_EDGES)
    if not url.isprintable():
        url = url.translate(_REMOVED)
    scheme = _SCHEME.match(url)
    if scheme is not None:
        if scheme[1].lower() not in schemes:
            return ""
    elif base and url:
        try:
            url = urljoin(base, url)
        except ValueError:
            return ""
        scheme = _SCHEME.match(url)
        if scheme is not None and scheme[1].lower() not in schemes:
            return ""
    return _UNSAFE.sub(lambda found: quote(found[0], safe="", errors="replace"), url)


_NOWHERE: Final = frozenset(("#", "#!"))
_ENCODED_MAIL: Final = "/cdn-cgi/l/email-protection"


def decoded_mail(code: str) -> str:
    """Return the mail address that Cloudflare wrote in hexadecimal; "" where it is none.

    The first byte is the key of all others, and another with each request.
    """
    try:
        key, *rest = bytes.fromhex(code)
    except ValueError:
        return ""
    mail = bytes(key ^ one for one in rest).decode("utf-8", "replace")
    return mail if mail.isprintable() else ""


class Addresses:
    """Addresses on one page made absolute by `absolute`, on its base; "" for the page's top."""

    def __init__(self, base: str) -> None:
        self._base = base

    def find(self, url: str | None, schemes: frozenset[str] = LINKS) -> str:
        """Return an address made absolute; "" where it is none or its scheme isn't allowed."""
        if url in _NOWHERE:
            return ""
        if url and _ENCODED_MAIL in url:
            mail = decoded_mail(url.partition("#")[2])
            url = mail and f"mailto:{mail}"
        return absolute(url, self._base, schemes)


def candidates(srcset: str | None, base: str) -> list[tuple[str, str]]:
    """Return (absolute address, descriptor) of each image candidate of a ``srcset``.

    Candidates whose scheme isn't allowed are left out. The descriptor is such as ``2x``, ``640w``
    or "".
    """
    written = written_candidates(srcset) if srcset else ()
    return [(url, mark) for raw, mark in written if (url := absolute(raw, base, FETCHED))]


_WORD: Final = re.compile(r"[^\s,]\S*+")
_AFTER_ADDRESS: Final = re.compile(r"(?>(?:\s++([\d.]++[wxh](?>(?:\s++\d++h)?)))?)\s*+(?:,|$)")


def written_candidates(srcset: str) -> Iterator[tuple[str, str]]:
    """Yield (address as written, descriptor) of each candidate.

    Addresses may hold commas: one ends an address where white space follows it, or where what
    follows the word is no descriptor. Each word is read at most twice.
    """
    at = 0
    while found := _WORD.search(srcset, at):
        word = found[0]
        url = word.rstrip(",")
        after = _AFTER_ADDRESS.match(srcset, found.end()) if url == word else None
        if after:
            yield url, after[1] or ""
            at = after.end()
            continue
        if url == word:
            url = word[: max(word.rfind(","), 0)].rstrip(",")
        if url:
            yield url, ""
        at = found.start() + len(url) + 1 if url else found.end()
