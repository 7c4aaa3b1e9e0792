"""One request on one guarded connection, bounded in time and size, and the way of redirects.

Built on urllib3's connections. The certificate is verified for the host's name; proxies, cookies,
netrc and other settings of the process's environment are ignored. Each redirect, a ``meta refresh``
among them, is a connection of its own, to an address that the guard has checked.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, NamedTuple, Self

from urllib3 import HTTPHeaderDict, HTTPResponse, exceptions
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.response import BaseHTTPResponse
from urllib3.util import Url, make_headers

from chaffinch.errors import FetchError, OptionError, TransferError
from chaffinch.version import __version__
from chaffinch.web.guard import (
    AddressGuard,
    parse_target,
    port_of,
    printable_url,
    redirect_target,
)  # fmt: skip
from chaffinch.web.settings import FetchLimits

PAGE_TYPES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "application/xml", "text/xml"}
    | {"", "*/*", "unknown/unknown", "application/unknown"}  # of servers that don't know it
)
"""Media types of responses that may hold a page; the last four stand for «unknown»."""

UNSAID_TYPES: Final = frozenset(
    {"application/octet-stream", "binary/octet-stream", "application/force-download"}
)
"""Media types that say nothing: what has one is a page if it begins as one."""

REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
SUCCESS: Final = range(200, 300)
FAILED: Final = range(400, 600)

FAILURES: Final = (exceptions.HTTPError, http.client.HTTPException, OSError)
"""Everything that a connection raises for reasons that lie with the network or the server."""

ReadsBody = Callable[[int, Mapping[str, str]], bool]
"""Whether a body is read, by status and headers (names in lower case)."""

_WORDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (exceptions.ConnectTimeoutError, "no connection within {connect:g} s"),
    (exceptions.ReadTimeoutError, "the server was silent for {read:g} s"),
    (TimeoutError, "the server was silent for {read:g} s"),
    (
        ssl.SSLCertVerificationError,
        "the server's certificate is not trusted: {error.verify_message}",
    ),
    (ssl.SSLError, "no secure connection: {error.reason}"),
    (exceptions.DecodeError, "the answer isn't compressed as declared"),
    (exceptions.HTTPError, "the server broke off its answer"),
    (http.client.RemoteDisconnected, "the server closed the connection without an answer"),
    (ConnectionResetError, "the server reset the connection"),
    (http.client.HTTPException, "the answer is not HTTP"),
    (OSError, "no connection: {error.strerror}"),
)
_KINDS: Final = (
    ("json", "JSON"), ("text/plain", "plain text"), ("markdown", "Markdown"), ("pdf", "PDF"),
    ("rss", "a feed"), ("atom", "a feed"), ("csv", "a table"), ("image/", "an image"),
    ("audio/", "sound"), ("video/", "a video"), ("zip", "an archive"), ("javascript", "a script"),
)  # fmt: skip
"""Part of a media type → what it is."""

_CHUNK: Final = 65_536  # bytes read or decompressed at a time
_LONGEST_DATE: Final = 64  # characters
_CHARSET: Final = re.compile(r"""\bcharset\s*+=\s*+["']?([^\s"';,]+)""", re.IGNORECASE)
_TYPE_END: Final = re.compile("[;,\"'\\s]")
_SOON: Final = 5  # seconds; a page that is replaced later is one
_HEAD: Final = 32 << 10  # bytes in which a refresh is looked for
_TAG: Final = re.compile(rb"(?is)<!--.*?(?:-->|\Z)|<(/?)(noscript|script|style|meta)\b([^<>]*+)>")
_REFRESH: Final = re.compile(rb"http-equiv\s*+=\s*+[\"']?\s*+refresh\b", re.IGNORECASE)
_CONTENT: Final = re.compile(
    rb"content\s*+=\s*+([\"']?)\s*+(\d{1,3})(?:\.\d{0,9})?(?:\s*+[;,]\s*+|\s++)(?:url\s*+=\s*+)?"
    rb"[\"']?\s*+([^\"'>]++)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class RawResponse:
    """A response as it came over the connection.

    The body is in the content coding of the headers, without chunked framing; empty where it wasn't
    read. The version is 10 or 11.
    """

    status: int
    reason: str
    version: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)
    address: str

    def header(self, name: str) -> str:
        """Return a header's values joined by ", "; "" where there is none."""
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    @property
    def location(self) -> str:
        """Where the response redirects to, decoded as UTF-8 where it is; "" for nowhere."""
        found = self.header("location") if self.status in REDIRECT_STATUSES else ""
        try:
            return found.encode("latin-1").decode()
        except UnicodeError:
            return found

    @property
    def media_type(self) -> str:
        return media_type(self.header("content-type"))


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """A page as it was fetched."""

    url: str  # address after redirects, without its fragment
    status: int  # HTTP status, 200 to 299; any but redirects where errors are accepted, too
    # of the response; names in lower case, repeated ones joined by ", "
    headers: Mapping[str, str] = field(repr=False)
    # the page, decompressed (gzip, deflate; brotli and zstd where they're installed)
    body: bytes = field(repr=False)
    encoding: str | None = None  # charset of the Content-Type, if any; not checked
    redirects: tuple[str, ...] = ()  # addresses requested before ``url``, the given one first


class Way:
    """The way of redirects from an address; who requests each address judges it before.

    ``url`` is the one to request next, or that was arrived at; with ``refreshes``, a ``meta
    refresh`` within seconds is a redirect, too.
    """

    def __init__(self, url: str, limits: FetchLimits, *, refreshes: bool = True) -> None:
        self.url = url
        self.passed: list[str] = []
        self._limits, self._refreshes = limits, refreshes

    def follow(self, response: RawResponse) -> bytes | None:
        """Go where a response leads; return the decoded body of one that leads nowhere."""
        target, body = response.location, b""
        if not target:
            body = decoded_body(response, self._limits)
            if self._refreshes and response.status in SUCCESS and response.media_type in PAGE_TYPES:
                target = refresh_target(body, self.url)
            if not target:
                return body
        self.passed.append(self.url)
        if len(self.passed) > self._limits.max_redirects:
            raise FetchError(f"more than {self._limits.max_redirects} redirects")
        self.url = redirect_target(self.url, target)
        with contextlib.suppress(FetchError):  # who requests it says why it is none
            self.url = parse_target(self.url).url
        return None


def refresh_target(body: bytes, url: str) -> str:
    """Return where a page sends its readers on within seconds, by ``meta refresh``; "" for nowhere.

    One in a ``noscript`` is for browsers without scripts, and one to the page itself renews it.
    """
    opaque = b""
    for tag in _TAG.finditer(body[:_HEAD]):
        name = (tag[2] or b"").lower()
        if opaque:
            opaque = b"" if tag[1] and name == opaque else opaque
        elif name and name != b"meta":
            opaque = b"" if tag[1] else name
        elif name and _REFRESH.search(tag[3]) and (found := _CONTENT.search(tag[3])):
            if int(found[2]) > _SOON:
                return ""
            target = redirect_target(url, found[3].strip().decode("utf-8", "replace"))
            return "" if target.partition("#")[0] == url.partition("#")[0] else target
    return ""


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
    terms = RequestTerms(
        limits, AddressGuard(tuple(allow), tuple(resolve)), time.monotonic() + limits.total
    )
    headers = request_headers(contact)

    def reads_body(status: int, names: Mapping[str, str]) -> bool:
        if status in REDIRECT_STATUSES and names.get("location"):
            return False
        if not (status in SUCCESS or accept_errors):
            raise FetchError(describe_status(status))
        if media_type(names.get("content-type", "")) not in PAGE_TYPES:
            raise FetchError(no_page(names.get("content-type", "")))
        return True

    way = Way(parse_target(url).url, limits)
    while True:
        try:
            target = parse_target(way.url)
            own = {"host": str(target.netloc), **headers}
            response = send_request(target, own, terms, reads_body=reads_body)
        except FetchError as error:
            if not way.passed:
                raise
            raise FetchError(f"redirected to {printable_url(way.url)}: {error}") from error
        if (body := way.follow(response)) is not None:
            break
    names = {name.lower() for name, _ in response.headers}
    return Fetched(
        url=way.url,
        status=response.status,
        headers={name: response.header(name) for name in names},
        body=body,
        encoding=charset_of(response.header("content-type")),
        redirects=tuple(way.passed),
    )


class RequestTerms(NamedTuple):
    """Bounds of a request, the address guard, and its deadline as of ``time.monotonic()``."""

    limits: FetchLimits
    guard: AddressGuard
    deadline: float


def send_request(
    target: Url,
    headers: Mapping[str, str],
    terms: RequestTerms,
    *,
    reads_body: ReadsBody,
    on_sent: Callable[[], object] | None = None,
) -> RawResponse:
    """Send a GET request for ``target``, call ``on_sent``, and return the response."""
    limits = terms.limits
    too_slow = FetchError(f"not done within {limits.total:g} s")
    with _Watchdog(terms.deadline) as watchdog:
        try:
            connection, address = _connect(target, terms)
            with contextlib.closing(connection):
                watchdog.watch(connection.sock)
                connection.timeout = limits.read
                connection.request(
                    "GET", target.request_uri, headers=headers, preload_content=False
                )
                if on_sent is not None:
                    on_sent()
                with contextlib.closing(connection.getresponse()) as response:
                    names = {name.lower(): value for name, value in response.headers.items()}
                    body = b""
                    if reads_body(response.status, names):
                        body = _body(response, limits.max_bytes, decode=False)
                    answer = RawResponse(
                        status=response.status,
                        reason=response.reason or "",
                        version=response.version,
                        headers=tuple(response.headers.iteritems()),
                        body=body,
                        address=address,
                    )
        except FAILURES as error:
            if watchdog.has_fired:
                raise too_slow from error
            raise TransferError(_describe_failure(error, limits)) from error
    if watchdog.has_fired:  # a body that ends with the connection looks whole
        raise too_slow
    return answer


def _connect(target: Url, terms: RequestTerms) -> tuple[HTTPConnection, str]:
    host, port = str(target.host).strip("[]"), port_of(target)
    failure: Exception | None = None
    for address in terms.guard.addresses(host, port):
        left = terms.deadline - time.monotonic()
        if left <= 0:
            break
        seconds = min(terms.limits.connect, left)
        connection = (
            HTTPSConnection(
                address, port, timeout=seconds, server_hostname=host, cert_reqs="CERT_REQUIRED"
            )
            if target.scheme == "https"
            else HTTPConnection(address, port, timeout=seconds)
        )
        try:
            connection.connect()
        except FAILURES as error:
            connection.close()
            failure = error
        else:
            return connection, address
    raise failure or FetchError(f"not done within {terms.limits.total:g} s")


class _Watchdog:
    """Shuts a connection down at the deadline, and closes its socket at the end.

    A socket's time-out bounds one wait; a server may send one byte just before each is over. And
    where headers are such that no response is made of them (two lengths), nobody else closes it
    before the collector of cycles comes by.
    """

    def __init__(self, deadline: float) -> None:
        self.has_fired = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(max(0.0, deadline - time.monotonic()), self._fire)
        self._timer.daemon = True

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()
        if self._socket is not None:
            handle = self._socket.detach()
            if handle >= 0:
                socket.close(handle)

    def watch(self, connected: socket.socket | None) -> None:
        self._socket = connected
        if self.has_fired:
            self._fire()

    def _fire(self) -> None:
        self.has_fired = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Of the plain socket: TLS would first wait for a silent server's close_notify.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def decoded_body(response: RawResponse, limits: FetchLimits) -> bytes:
    """Return the body without its content coding (gzip, deflate; brotli and zstd if installed)."""
    if not response.body or not response.header("content-encoding"):
        return response.body
    headers = HTTPHeaderDict(response.headers)
    coded = HTTPResponse(io.BytesIO(response.body), headers, status=200, preload_content=False)
    try:
        return _body(coded, limits.max_bytes)
    except FAILURES as error:
        raise FetchError(_describe_failure(error, limits)) from error


def _body(response: BaseHTTPResponse, max_bytes: int, *, decode: bool = True) -> bytes:
    body = bytearray()
    while chunk := response.read1(_CHUNK, decode_content=decode):
        body += chunk
        if len(body) > max_bytes:
            raise FetchError(f"page too big: more than {max_bytes:,} bytes")
    return bytes(body)


def agent_name(contact: str) -> str:
    """Return what a user agent says of this program and of whom to write to."""
    if not contact.isprintable() or not contact.isascii():
        raise OptionError(f"not a contact address: {contact!r}")
    return f"Chaffinch/{__version__}" + (f" (+{contact})" if contact else "")


def request_headers(contact: str) -> dict[str, str]:
    """Return the headers of a request but Host; ``contact`` stands in the user agent."""
    return {
        **make_headers(accept_encoding=True, user_agent=agent_name(contact)),
        "accept": "text/html,application/xhtml+xml,application/xml;q=0.8,*/*;q=0.1",
        "accept-language": "*",
        "connection": "close",
    }


def media_type(content_type: str) -> str:
    """Return the media type of a Content-Type, in lower case, without parameters.

    Of several the first counts; quotes around it are none of it, nor a parameter behind a space.
    """
    return _TYPE_END.split(content_type.lstrip(" \t\"'"), maxsplit=1)[0].lower()


def charset_of(content_type: str) -> str | None:
    """Return the charset parameter of a Content-Type, in lower case, if any."""
    found = _CHARSET.search(content_type)
    return found[1].lower() if found else None


def no_page(content_type: str) -> str:
    kind = media_type(content_type)
    named = next((f" ({words})" for part, words in _KINDS if part in kind), "")
    return f"not a page: the server calls it {kind[:100]!r}{named}"


def http_date(value: str) -> datetime | None:
    """Return the date of a header, with its zone (UTC where it names none); None for no date."""
    try:
        when = parsedate_to_datetime(value[:_LONGEST_DATE])
    except (ValueError, TypeError, OverflowError):
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def describe_status(status: int) -> str:
    """Return the name of a status; the server's own reason phrase isn't safe for terminals."""
    return f"HTTP status {status} {http.client.responses.get(status, '')}".rstrip()


def _describe_failure(error: BaseException, limits: FetchLimits) -> str:
    if isinstance(error, exceptions.NewConnectionError) and isinstance(error.__cause__, OSError):
        error = error.__cause__
    words = next(words for kind, words in _WORDS if isinstance(error, kind))
    return words.format(error=error, connect=limits.connect, read=limits.read)
