"""One page by its address: one request, bounded in time, size and redirects.

Each redirect is a connection of its own, to an address that the guard has checked.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from urllib3.util import Url, make_headers

from chaffinch.errors import FetchError, OptionError
from chaffinch.fetch.addresses import AddressGuard
from chaffinch.fetch.failures import describe_status, printable_url
from chaffinch.fetch.limits import FetchLimits
from chaffinch.fetch.raw_request import RequestTerms, decoded_body, send_request
from chaffinch.fetch.request_urls import host_header, parse_target, redirect_target
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PAGE_TYPES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "application/xml", "text/xml"}
    | {"", "*/*", "unknown/unknown", "application/unknown"}  # of servers that don't know it
)
"""Media types of responses that may hold a page; the last four stand for «unknown»."""

REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
"""Statuses that redirect."""

UNSAID_TYPES: Final = frozenset(
    {"application/octet-stream", "binary/octet-stream", "application/force-download"}
)
"""Media types that say nothing: what has one is a page if it begins as one."""

_CHARSET: Final = re.compile(r"""\bcharset\s*+=\s*+["']?([^\s"';,]+)""", re.IGNORECASE)
_TYPE_END: Final = re.compile("[;,\"']")
_ACCEPT: Final = "text/html,application/xhtml+xml,application/xml;q=0.8,*/*;q=0.1"


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """A page as it was fetched.

    Attributes:
        url: address after redirects, without its fragment.
        status: HTTP status, 200 to 299; any but redirects where errors are accepted, too.
        headers: of the response; names in lower case, repeated ones joined by ", ".
        body: the page, decompressed (gzip, deflate; brotli and zstd where they're installed).
        encoding: charset of the Content-Type, if any; not checked.
        redirects: addresses requested before ``url``, the given one first.
    """

    url: str
    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    encoding: str | None = None
    redirects: tuple[str, ...] = ()


class _FinalResponse(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes
    encoding: str | None


def fetch(  # noqa: PLR0913  options are keyword-only
    url: str,
    *,
    limits: FetchLimits | None = None,
    allow: Sequence[str] = (),
    resolve: Sequence[str] = (),
    contact: str = "",
    accept_errors: bool = False,
) -> Fetched:
    """Fetch one page.

    Args:
        url: an http or https address, without user name and password.
        limits: bounds on time, size and redirects.
        allow: hosts that may be in a private network; see `AddressGuard`.
        resolve: names with a fixed address; see `AddressGuard`.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        accept_errors: return the pages of other statuses than 2xx, too.

    Raises:
        FetchError: the address, or one redirected to, is refused or no HTTP address; the server
            can't be reached, is too slow, breaks off, answers with a status other than 2xx or
            with something other than a page; the page is too big. The message names it.
        OptionError: ``allow``, ``resolve`` or ``contact`` is malformed.
    """
    limits = limits or FetchLimits()
    guard = AddressGuard(tuple(allow), tuple(resolve))
    terms = RequestTerms(limits, guard, time.monotonic() + limits.total)
    headers = request_headers(contact)
    requested: list[str] = []
    while True:
        try:
            target = parse_target(url)
            own = {"host": host_header(target), **headers}
            answer = _request(target, own, terms, accept_errors=accept_errors)
        except FetchError as error:
            if not requested:
                raise
            raise FetchError(f"redirected to {printable_url(url)}: {error}") from error
        if isinstance(answer, _FinalResponse):
            return Fetched(url=target.url, redirects=tuple(requested), **answer._asdict())
        requested.append(target.url)
        if len(requested) > limits.max_redirects:
            raise FetchError(f"more than {limits.max_redirects} redirects")
        url = redirect_target(target.url, answer)


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


def _request(
    target: Url, headers: Mapping[str, str], terms: RequestTerms, *, accept_errors: bool
) -> _FinalResponse | str:
    """Return the response, or the address that the server redirects to."""
    reads_body = partial(_is_page, accept_errors=accept_errors)
    found = send_request(target, headers, terms, reads_body=reads_body)
    names = {name.lower() for name, _ in found.headers}
    fields = {name: found.header(name) for name in names}
    if found.status in REDIRECT_STATUSES and fields.get("location"):
        return header_text(fields["location"])
    charset = charset_of(fields.get("content-type", ""))
    return _FinalResponse(found.status, fields, decoded_body(found, terms.limits), charset)


def _is_page(status: int, headers: Mapping[str, str], *, accept_errors: bool) -> bool:
    """Return whether the body is read, as of pages; of no redirect. Others are a FetchError."""
    if status in REDIRECT_STATUSES and headers.get("location"):
        return False
    if not (200 <= status < 300 or accept_errors):  # noqa: PLR2004 - the range of success
        raise FetchError(describe_status(status))
    kind = media_type(headers.get("content-type", ""))
    if kind not in PAGE_TYPES:
        raise FetchError(f"not a page: the server calls it {kind!r}")
    return True


def media_type(content_type: str) -> str:
    """Return the media type of a Content-Type, in lower case, without parameters.

    Of several the first counts; quotes around it are none of it.
    """
    return _TYPE_END.split(content_type.lstrip(" \t\"'"), maxsplit=1)[0].strip().lower()


def charset_of(content_type: str) -> str | None:
    """Return the charset parameter of a Content-Type, in lower case, if any."""
    found = _CHARSET.search(content_type)
    return found[1].lower() if found else None


def header_text(header: str) -> str:
    """Return a header's value, decoded as UTF-8 where it is; ``header`` was decoded as Latin-1."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header
