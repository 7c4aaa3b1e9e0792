"""An HTTP client that keeps to politeness: delays per host, retries with back-off, Retry-After.

Requests to one host are sent ``delay`` seconds apart at least. Transient failures are retried with
exponential back-off; a host whose response has ``Retry-After`` gets no request for so long. A host
that wants to be waited for longer than `Politeness.longest_wait`, or at which too many requests in
a row fail or bring block pages, is left. All requests are counted, whatever they are for.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final

from urllib3.util import Url

from chaffinch.errors import ChaffinchError, FetchError, RefusedError, TransferError
from chaffinch.siblings.url_shapes import host_of
from chaffinch.web.client import (
    RawResponse,
    ReadsBody,
    RequestTerms,
    describe_status,
    http_date,
    request_headers,
    send_request,
)  # fmt: skip
from chaffinch.web.guard import AddressGuard, host_header, parse_target
from chaffinch.web.settings import FetchLimits, Politeness

TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
"""Statuses that are retried."""

_OVERLOADED: Final = frozenset({429, 503})
"""Statuses whose Retry-After holds for the whole host."""


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
    free_at: float = 0.0
    last_sent: float = -math.inf
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    failures: int = 0
    blocks: int = 0


@dataclass
class PoliteClient:
    """Sends requests to many hosts, to each at its own pace, ``max_requests`` in all.

    ``left`` has the hosts that get no more requests, and why.
    """

    limits: FetchLimits
    guard: AddressGuard
    politeness: Politeness
    max_requests: int | None = None
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
        self,
        url: str,
        *,
        reads_body: ReadsBody,
        extra: Mapping[str, str] | None = None,
    ) -> Download:
        """Request a plain address, with retries."""
        target = parse_target(url)
        headers = {"host": host_header(target), **self._headers, **(extra or {})}
        download = Download(response=None, problem="")
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
            if not problem or attempt == self.politeness.retries:
                break
            if not await self._waits_to_retry(host_of(url), response, attempt):
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
            sent = loop.create_future()
            send = partial(send_request, target, headers, terms, reads_body=reads_body)
            on_sent = partial(loop.call_soon_threadsafe, _set, sent)
            work = loop.run_in_executor(self._pool, partial(send, on_sent=on_sent))
            await asyncio.wait({work, sent}, return_when=asyncio.FIRST_COMPLETED)
            sent.cancel()
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
        return self._hosts.setdefault(host, _HostSchedule(self.politeness.delay))


def _set(sent: asyncio.Future[None]) -> None:
    if not sent.done():
        sent.set_result(None)


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
