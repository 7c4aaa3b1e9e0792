"""An HTTP client that keeps to politeness: delays per host, retries with back-off, Retry-After.

Requests to one host are sent ``delay`` seconds apart at least. Transient failures are retried with
exponential back-off; a host whose response has ``Retry-After`` gets no request for so long. A host
that wants to be waited for longer than `Politeness.longest_wait`, or at which too many requests in
a row fail or bring block pages, is left. All requests are counted, whatever they are for.

Opt-outs of a page's owner: robots meta, X-Robots-Tag, reservations of text and data mining.

`chaffinch.metadata` reads those of a page and its headers; to these comes the host's file
``/.well-known/tdmrep.json`` (TDM Reservation Protocol, W3C Community Group report of 2024). The
meta element takes precedence over the header, and that over the file. ``noai`` in robots counts as
a reservation.

Source: RFC 9309. A robots.txt that doesn't exist (4xx) forbids nothing; an unreachable one (5xx, no
response) forbids everything. Five redirects are followed. Departure: not to hosts outside the
scope of the crawl; such a redirect forbids everything. ``Crawl-delay`` and ``Sitemap`` are no part
of the RFC but in wide use. A host whose ``Crawl-delay`` is longer than `Politeness.longest_wait` is
left.
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import fnmatch
import glob
import json
import math
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from protego import Protego
from urllib3.util import Url

from chaffinch.errors import ChaffinchError, FetchError, RefusedError, TransferError
from chaffinch.metadata.page_fields import AGENT, RESERVATION, header_directives, read_directives
from chaffinch.page import Page
from chaffinch.siblings.url_shapes import host_of, plain_url
from chaffinch.web.client import (
    RawResponse,
    ReadsBody,
    RequestTerms,
    Way,
    describe_status,
    http_date,
    request_headers,
    send_request,
)  # fmt: skip
from chaffinch.web.frontier import Scope
from chaffinch.web.guard import AddressGuard, parse_target
from chaffinch.web.settings import FetchLimits, Politeness

TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
"""Statuses that are retried."""

_OVERLOADED: Final = frozenset({429, 503})  # statuses whose Retry-After holds for the whole host


class StoppedError(ChaffinchError):
    """The client was stopped before there was a response."""


@dataclass(frozen=True, kw_only=True)
class Download:
    """The result of a request, retries included; times and headers are those of the last one.

    ``problem`` says why there is no response, or why it is a failure.
    """

    response: RawResponse | None
    problem: str
    request_headers: tuple[tuple[str, str], ...] = ()
    attempts: int = 1
    seconds: float = 0.0
    began: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass
class _HostSchedule:
    """When the next request to a host may be sent, in seconds of the event loop's clock."""

    delay: float
    turn: contextlib.AbstractAsyncContextManager[None]
    free_at: float = 0.0
    last_sent: float = -math.inf
    failures: int = 0
    blocks: int = 0


@dataclass
class PoliteClient:
    """Sends requests to many hosts, to each at its own pace, ``max_requests`` in all.

    ``left`` has the hosts that get no more requests, and why. ``turns`` makes what says who is next
    at a host: who has waited longest.
    """

    limits: FetchLimits
    guard: AddressGuard
    politeness: Politeness
    max_requests: int | None = None
    turns: Callable[[], contextlib.AbstractAsyncContextManager[None]] = asyncio.Lock
    sent: int = 0
    left: dict[str, str] = field(default_factory=dict)
    is_exhausted: bool = False
    _hosts: dict[str, _HostSchedule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._headers = request_headers(self.politeness.contact)
        self._pool = ThreadPoolExecutor(self.politeness.at_once, thread_name_prefix="crawl")
        self._stopped = asyncio.Event()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """Send no more requests: those that wait to be sent fail, those in flight go on."""
        self._stopped.set()

    def close(self) -> None:
        """Let the threads end; requests in flight aren't waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def slow_down(self, host: str, delay: float) -> None:
        """Raise the delay between two requests to ``host`` to at least ``delay`` seconds.

        Where that is longer than `Politeness.longest_wait`, the host is left.
        """
        if not delay <= self.politeness.longest_wait:
            self.left.setdefault(host, f"robots.txt asks for {delay:g} s between requests")
            return
        known = self._host(host)
        known.delay = max(known.delay, delay)
        known.free_at = max(known.free_at, known.last_sent + known.delay)

    async def get(
        self, url: str, *, reads_body: ReadsBody, extra: Mapping[str, str] | None = None
    ) -> Download:
        """Request a plain address, with retries."""
        target = parse_target(url)
        headers = {"host": str(target.netloc), **self._headers, **(extra or {})}
        for attempt in range(self.politeness.retries + 1):
            began, clock = datetime.now(UTC), time.monotonic()
            response, problem = None, ""
            try:
                response, began, clock = await self._send(target, headers, reads_body)
            except TransferError as error:
                problem = str(error)
            except RefusedError:
                raise
            except FetchError:
                self._note_failure(host_of(url))
                raise
            if response is not None and response.status in TRANSIENT:
                problem = describe_status(response.status)
            download = Download(
                response=response,
                problem=problem,
                request_headers=tuple(headers.items()),
                attempts=attempt + 1,
                seconds=time.monotonic() - clock,
                began=began,
            )
            is_last = not problem or attempt == self.politeness.retries
            if is_last or not await self._waits_to_retry(host_of(url), response, attempt):
                break
        if download.problem:
            self._note_failure(host_of(url))
        else:
            self._host(host_of(url)).failures = 0
        return download

    def _note_failure(self, host: str) -> None:
        known = self._host(host)
        known.failures += 1
        if known.failures >= self.politeness.failures:
            self.left.setdefault(host, f"{known.failures} requests in a row failed")

    def note_page(self, host: str, *, is_block: bool) -> None:
        """Count what a host answered with; too many block pages in a row, and it is left."""
        known = self._host(host)
        known.blocks = known.blocks + 1 if is_block else 0
        if known.blocks >= self.politeness.blocks:
            self.left.setdefault(host, f"{known.blocks} block pages in a row")

    async def _send(
        self, target: Url, headers: Mapping[str, str], reads_body: ReadsBody
    ) -> tuple[RawResponse, datetime, float]:
        """Send one request in its host's turn; return the response, and when the request began.

        The delay to the next request counts from when this one has been sent, not from when it was
        begun: the server sees the delay however busy this machine is.
        """
        loop = asyncio.get_running_loop()
        host = self._host(host_of(target.url))
        async with host.turn:
            while (left := host.free_at - loop.time()) > 0:  # it may be raised meanwhile
                await self._sleep(left)
            self._count(host_of(target.url))
            began, clock = datetime.now(UTC), time.monotonic()
            terms = RequestTerms(self.limits, self.guard, clock + self.limits.total)
            is_sent = asyncio.Event()
            send = partial(send_request, target, headers, terms, reads_body=reads_body)
            on_sent = partial(loop.call_soon_threadsafe, is_sent.set)
            work = loop.run_in_executor(self._pool, partial(send, on_sent=on_sent))
            either: list[asyncio.Future[Any]] = [work, asyncio.ensure_future(is_sent.wait())]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            either[1].cancel()
            host.last_sent = loop.time()
            host.free_at = max(host.free_at, host.last_sent + host.delay)
        return await work, began, clock

    def _count(self, host: str) -> None:
        if host in self.left:
            raise RefusedError(f"the host was left: {self.left[host]}")
        if self.max_requests is not None and self.sent >= self.max_requests:
            self.is_exhausted = True
            self.stop()
        if self.is_stopped:
            raise StoppedError
        self.sent += 1

    async def _waits_to_retry(self, host: str, response: RawResponse | None, attempt: int) -> bool:
        """Wait before a retry; return False where Retry-After is longer than `longest_wait`.

        Then the host is left, if the status is of the whole host.
        """
        seconds = self.politeness.back_off * 2**attempt * random.uniform(1, 1.25)  # noqa: S311
        if response is not None:
            requested = retry_after(response.header("retry-after"), response.header("date"))
            if requested > self.politeness.longest_wait:
                if response.status in _OVERLOADED:
                    self.left.setdefault(host, f"it answers with Retry-After of {requested:,.0f} s")
                return False
            seconds = max(seconds, requested)
            if response.status in _OVERLOADED and requested:
                known = self._host(host)
                now = asyncio.get_running_loop().time()
                known.free_at = max(known.free_at, now + seconds)
        await self._sleep(min(seconds, self.politeness.longest_wait))
        return True

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), seconds)
            raise StoppedError

    def _host(self, host: str) -> _HostSchedule:
        if host not in self._hosts:
            self._hosts[host] = _HostSchedule(self.politeness.delay, self.turns())
        return self._hosts[host]


def retry_after(value: str, date: str = "") -> float:
    """Return the seconds of a Retry-After; 0 where it is malformed or a date in the past.

    A date counts by the response's Date: this machine's clock may be wrong.
    """
    value = value.strip()
    if value.isdecimal() and value.isascii():
        return float(value[:9])
    until = http_date(value)
    if until is None:
        return 0.0
    return max(0.0, (until - (http_date(date) or datetime.now(UTC))).total_seconds())


@dataclass(frozen=True, kw_only=True)
class OptOuts:
    """The opt-outs that hold for one page."""

    robots: tuple[str, ...] = ()  # directives that hold for this crawler, in lower case, sorted
    # whether text and data mining is reserved; None where it isn't declared
    reserved: bool | None = None
    policy: str = ""  # address of the owner's policy; "" where there is none

    @property
    def exclusion(self) -> str:
        """The directive that forbids to keep the page; "" where none does."""
        for word in ("none", "noindex", "noarchive"):
            if word in self.robots:
                return word
        for word in self.robots:
            if word.startswith("unavailable_after:") and _is_past(word.partition(":")[2]):
                return "unavailable_after"
        return ""

    @property
    def forbids_following(self) -> bool:
        return bool({"none", "nofollow"} & set(self.robots))


TdmRules = tuple[tuple[str, bool, str], ...]
"""Of a host's ``tdmrep.json``: (pattern of paths, reserved, policy), the first match holds."""


def reserved_by(rules: TdmRules, target: str) -> tuple[bool | None, str]:
    """Return whether ``target``, path and query, is reserved, and the policy."""
    return next((one[1:] for one in rules if _matches(one[0], target)), (None, ""))


def read_tdm_file(body: bytes) -> TdmRules:
    """Return the rules of a ``tdmrep.json``; no rules where it is malformed."""
    try:
        rules: Any = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    out = []
    for rule in rules if isinstance(rules, list) else []:
        if isinstance(rule, dict) and isinstance(pattern := rule.get("location"), str):
            reserved = str(rule.get(RESERVATION)) == "1"
            out.append((pattern, reserved, str(rule.get("tdm-policy") or "")))
    return tuple(out)


def opt_outs_of(
    page: Page | None, headers: Sequence[tuple[str, str]], in_file: tuple[bool | None, str]
) -> OptOuts:
    """Return the opt-outs of a page, or of a response that is none.

    ``in_file`` is what the host's tdmrep.json says of the address: (reserved, policy).
    """
    directives: set[str] = set()
    reserved, policy = in_file
    meta: dict[str, str] = {}
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            directives.update(header_directives(value))
        elif name.lower() in (RESERVATION, "tdm-policy"):
            meta[name.lower()] = value.strip()
    if page is not None:
        directives.update(read_directives(page.head.all_meta("robots", AGENT)))
        for name in (RESERVATION, "tdm-policy"):
            meta[name] = page.head.first_meta(name) or meta.get(name, "")
    if meta.get(RESERVATION) in ("0", "1"):
        reserved, policy = meta[RESERVATION] == "1", meta.get("tdm-policy", "")
    elif "noai" in directives and reserved is None:
        reserved = True
    return OptOuts(robots=tuple(sorted(directives)), reserved=reserved, policy=policy)


def _is_past(date: str) -> bool:
    try:
        return datetime.fromisoformat(date.strip()[:10]).replace(tzinfo=UTC) < datetime.now(UTC)
    except ValueError:
        return False


def _matches(pattern: str, target: str) -> bool:
    """Match as in robots.txt: a prefix, in which ``*`` is anything and a closing ``$`` the end."""
    parts = map(glob.escape, pattern.removesuffix("$").split("*"))
    return fnmatch.fnmatchcase(target, "*".join(parts) + "*" * (not pattern.endswith("$")))


_HOPS: Final = 5
_MAX_BYTES: Final = 512 << 10  # bytes that are parsed; the RFC requires 500 KiB at least
_OK: Final = 200
_LINE_END: Final = re.compile(r"\r\n?|\n")
_AGENT_LINE: Final = re.compile(r"\A\s*+user[- ]?agent\s*+[:\s]([^\n]*)", re.IGNORECASE)
_OWN: Final = re.compile(rf"(?<![\w-]){AGENT}(?![\w-])", re.IGNORECASE)
_ABSENT: Final = frozenset(range(400, 500)) - {429}  # too many requests
_SERVER: Final = range(500, 600)


@dataclass(frozen=True)
class RobotsRules:
    """The rules of a host."""

    # why robots.txt is unreachable, so that nothing is allowed; "" where it isn't
    problem: str = ""
    sitemaps: tuple[str, ...] = ()  # addresses of sitemaps
    delay: float = 0.0  # Crawl-delay in seconds; 0 where there is none
    tdm: TdmRules = ()
    _file: Protego | None = None

    def refusal(self, url: str) -> str:
        """Return why ``url`` may not be requested; "" where it may."""
        if self.problem:
            return f"robots.txt can't be had: {self.problem}"
        if self._file is not None and not self._file.can_fetch(url, AGENT):
            return "robots.txt forbids it"
        return ""


@dataclass
class RobotsCache:
    """The rules of each host within the scope, requested when they are first needed."""

    client: PoliteClient
    scope: Scope | None
    _rules: dict[str, asyncio.Task[RobotsRules]] = field(default_factory=dict)

    async def rules(self, url: str) -> RobotsRules:
        """Return the rules of the host of ``url``; a Crawl-delay is applied to the client."""
        root = f"{urlsplit(url).scheme}://{host_of(url)}"
        if root not in self._rules:
            reading = self._rules[root] = asyncio.create_task(self._read(root))
            reading.add_done_callback(partial(self._forget_failure, root))
        return await asyncio.shield(self._rules[root])  # who stops waiting stops for itself alone

    def _forget_failure(self, root: str, reading: asyncio.Task[RobotsRules]) -> None:
        """Let the next who asks try again: a failure is of those who wait for it."""
        if reading.cancelled() or reading.exception() is not None:
            self._rules.pop(root, None)

    def delays(self) -> dict[str, float]:
        """Return host → Crawl-delay in seconds, of the hosts that set one."""
        return {
            host_of(root): delay
            for root, known in self._rules.items()
            if known.done() and (delay := known.result().delay)
        }

    async def _read(self, root: str) -> RobotsRules:
        body, problem = await self._file(f"{root}/robots.txt")
        if problem:
            return RobotsRules(problem=problem)
        file = Protego.parse(of_this_crawler(body[:_MAX_BYTES]))
        delay = float(file.crawl_delay(AGENT) or 0.0)
        self.client.slow_down(host_of(root), math.inf if math.isnan(delay) else delay)
        sitemaps = tuple(filter(None, (plain_url(one, root) for one in file.sitemaps)))
        tdm: TdmRules = ()
        target = f"{root}/.well-known/tdmrep.json"
        if file.can_fetch(target, AGENT):
            body, _ = await self._file(target)
            tdm = read_tdm_file(body) if len(body) <= _MAX_BYTES else ()
        return RobotsRules(sitemaps=sitemaps, delay=delay, tdm=tdm, _file=file)

    async def _file(self, url: str) -> tuple[bytes, str]:
        """Return (body, problem) of a file of a host, b"" for none; redirects are followed."""
        way = Way(url, replace(self.client.limits, max_redirects=_HOPS + 1), refreshes=False)
        while len(way.passed) <= _HOPS:
            if way.passed and self.scope is not None and not self.scope.leads(host_of(way.url)):
                return b"", "it is on another host"
            try:
                download = await self.client.get(
                    way.url, reads_body=lambda status, _: status == _OK
                )
                response = download.response
                if response is None or response.status in _SERVER:
                    return b"", download.problem or f"HTTP status {response and response.status}"
                if (body := way.follow(response)) is not None:
                    is_known = response.status == _OK or response.status in _ABSENT
                    return body, "" if is_known else "no file"
            except FetchError as error:
                return b"", str(error)
        return b"", ""


def of_this_crawler(body: bytes) -> str:
    """Return robots.txt as text, its groups named as the parser compares names.

    A byte order mark is no text. Versions and what else stands beside this crawler's name don't
    count. Other crawlers get one name: the parser copies each rule to every agent of its group, so
    that many agents above many rules would take time and memory in the product of both.
    """
    encoding = "utf-16" if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    lines = _LINE_END.split(body.decode(encoding, "replace").replace("\ufeff", ""))
    for place, line in enumerate(lines):
        if found := _AGENT_LINE.match(line):
            name = found[1].partition("#")[0].strip()
            if name != "*":
                lines[place] = f"User-agent: {AGENT if _OWN.search(name) else 'others'}"
    return "\n".join(lines)
