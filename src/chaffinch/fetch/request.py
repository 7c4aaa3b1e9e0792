"""One polite request: one page by its address, bounded in time, size and redirects.

One connection a hop, each made to an address that the guard has judged; see `line`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from email.message import Message
from typing import TYPE_CHECKING, Final, NamedTuple

from urllib3.util import Url, make_headers

from chaffinch.errors import FetchError, OptionError
from chaffinch.fetch.addresses import AddressGuard
from chaffinch.fetch.failures import shown, status_in_words
from chaffinch.fetch.limits import FetchLimits
from chaffinch.fetch.line import Terms, ask, unpacked
from chaffinch.fetch.targets import host_header, joined, parsed
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAGE_TYPES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "application/xml", "text/xml"}
    | {"", "*/*", "unknown/unknown", "application/unknown"}  # said by servers that don't know
)
"""Media types of answers that may hold a page; the last four are those of unknown ones."""

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
"""Statuses that redirect."""

_ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.8,*/*;q=0.1"


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """What came back.

    Attributes:
        url: address that answered, after redirects, without its fragment.
        status: HTTP status, 200 to 299.
        headers: of the answer; names in lower case, repeated ones joined by ", ".
        body: the page, unpacked (gzip, deflate; brotli and zstd where they're installed).
        encoding: charset that Content-Type names, if any; not checked.
        redirects: addresses asked before ``url``, the first one given.
    """

    url: str
    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    encoding: str | None = None
    redirects: tuple[str, ...] = ()


class _Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes
    encoding: str | None


def fetch(
    url: str,
    *,
    limits: FetchLimits | None = None,
    allow: Sequence[str] = (),
    resolve: Sequence[str] = (),
    contact: str = "",
) -> Fetched:
    """Fetch one page.

    Args:
        url: an http or https address, without user name and password.
        limits: bounds on time, size and redirects.
        allow: hosts that may be in a private network; see `AddressGuard`.
        resolve: names whose address is told, not looked up; see `AddressGuard`.
        contact: address (URL or mail) that the user agent names for the servers' owners.

    Raises:
        FetchError: the address, or one redirected to, is refused or no HTTP address; the server
            can't be reached, is too slow, breaks off, answers with a status other than 2xx or
            with something other than a page; the page is too big. The message says which.
        OptionError: ``allow``, ``resolve`` or ``contact`` is malformed.
    """
    limits = limits or FetchLimits()
    guard = AddressGuard(tuple(allow), tuple(resolve))
    terms = Terms(limits, guard, time.monotonic() + limits.total)
    headers = request_headers(contact)
    asked: list[str] = []
    while True:
        try:
            target = parsed(url)
            answer = _ask(target, {"host": host_header(target), **headers}, terms)
        except FetchError as error:
            if not asked:
                raise
            raise FetchError(f"redirected to {shown(url)}: {error}") from error
        if isinstance(answer, _Answer):
            return Fetched(url=target.url, redirects=tuple(asked), **answer._asdict())
        asked.append(target.url)
        if len(asked) > limits.max_redirects:
            raise FetchError(f"more than {limits.max_redirects} redirects")
        url = joined(target.url, answer)


def request_headers(contact: str) -> dict[str, str]:
    """Return the headers of a request but Host; ``contact`` stands in the user agent.

    Raises:
        OptionError: ``contact`` is malformed.
    """
    if not contact.isprintable() or not contact.isascii():
        raise OptionError(f"not a contact address: {contact!r}")
    agent = f"Chaffinch/{__version__}" + (f" (+{contact})" if contact else "")
    return {
        **make_headers(accept_encoding=True, user_agent=agent),
        "accept": _ACCEPT,
        "accept-language": "*",
        "connection": "close",
    }


def _ask(target: Url, headers: Mapping[str, str], terms: Terms) -> _Answer | str:
    """Return the answer, or the address that the server redirects to."""
    found = ask(target, headers, terms, wants=_is_page)
    names = {name.lower() for name, _ in found.headers}
    said = {name: found.header(name) for name in names}
    if found.status in REDIRECTS and said.get("location"):
        return utf8(said["location"])
    charset = charset_of(said.get("content-type", ""))
    return _Answer(found.status, said, unpacked(found, terms.limits), charset)


def _is_page(status: int, headers: Mapping[str, str]) -> bool:
    """Tell whether the body is to be read; raise where the answer is neither page nor redirect."""
    if status in REDIRECTS and headers.get("location"):
        return False
    if not 200 <= status < 300:  # noqa: PLR2004 - the range of success
        raise FetchError(status_in_words(status))
    kind = media_type(headers.get("content-type", ""))
    if kind not in PAGE_TYPES:
        raise FetchError(f"not a page: the server calls it {kind!r}")
    return True


def media_type(content_type: str) -> str:
    """Return the media type of a Content-Type, in lower case, without parameters."""
    return content_type.partition(";")[0].strip().lower()


def charset_of(content_type: str) -> str | None:
    """Return the charset that a Content-Type names, if any."""
    said = Message()
    said["content-type"] = content_type
    return said.get_content_charset()


def utf8(header: str) -> str:
    """Return a header's value as UTF-8, which servers send and HTTP reads as Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header
