"""A line to many hosts that keeps to manners: delays, few requests at a time, patience.

Requests of one host are sent ``delay`` seconds apart at least. A failure that may pass is tried
again after a wait that doubles; a server that says ``Retry-After`` is left alone for so long, all
of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from chaffinch.errors import ChaffinchError, LineError
from chaffinch.fetch.failures import status_in_words
from chaffinch.fetch.line import Terms, ask
from chaffinch.fetch.request import request_headers
from chaffinch.fetch.targets import host_header, parsed
from chaffinch.siblings.url_shapes import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urllib3.util import Url

    from chaffinch.crawl.settings import Politeness
    from chaffinch.fetch import AddressGuard, FetchLimits
    from chaffinch.fetch.line import Exchange

PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
"""Statuses that another try may change."""

_PAUSING: Final = frozenset({429, 503})
"""Statuses by which a host asks for less, not only for this page."""


class StoppedError(ChaffinchError):
    """The line was stopped before the request was sent."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came of asking, further tries included.

    Attributes:
        exchange: the last answer; None where none came.
        problem: why none came, or why it is no good; "" where it is.
        request: headers that were sent, in order.
        attempts: requests made.
        seconds: that the last one took.
        began: when the last one began.
    """

    exchange: Exchange | None
    problem: str
    request: tuple[tuple[str, str], ...] = ()
    attempts: int = 1
    seconds: float = 0.0
    began: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass
class _Host:
    """When a host may be asked next, by the event loop's clock."""

    delay: float
    free_at: float = 0.0
    begun: float = -math.inf
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass
class PoliteLine:
    """Asks hosts, each in its own time.

    Attributes:
        limits: bounds of one request.
        guard: judges every address that is connected to.
        manners: delays, tries and waits.

    Raises:
        OptionError: the contact is malformed.
    """

    limits: FetchLimits
    guard: AddressGuard
    manners: Politeness
    _hosts: dict[str, _Host] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._headers = request_headers(self.manners.contact)
        self._pool = ThreadPoolExecutor(self.manners.in_all, thread_name_prefix="line")
        self._stopped = asyncio.Event()

    @property
    def is_stopped(self) -> bool:
        """Whether no more requests are sent."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Send no more requests: those that wait to be sent fail, those that were sent go on."""
        self._stopped.set()

    def close(self) -> None:
        """Wait for no one any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def slow_down(self, host: str, delay: float) -> None:
        """Wait at least ``delay`` seconds between two requests to ``host``, as it asks."""
        known = self._host(host)
        known.delay = max(known.delay, delay)
        known.free_at = max(known.free_at, known.begun + known.delay)

    async def get(
        self,
        url: str,
        *,
        wants: Callable[[int, Mapping[str, str]], bool],
        extra: Mapping[str, str] | None = None,
    ) -> Reply:
        """Ask for ``url`` until there is an answer or no hope.

        Args:
            url: a plain address.
            wants: as of `chaffinch.fetch.line.ask`.
            extra: headers besides the usual ones.

        Raises:
            FetchError: the address is refused, or what came is no good for good (too big, too
                slow); the message says which.
            StoppedError: the line was stopped before there was an answer.
        """
        target = parsed(url)
        headers = {"host": host_header(target), **self._headers, **(extra or {})}
        reply = Reply(exchange=None, problem="")
        for attempt in range(self.manners.retries + 1):
            began, clock = datetime.now(UTC), time.monotonic()
            answer, problem = None, ""
            try:
                answer, began, clock = await self._asked(target, headers, wants)
            except LineError as error:
                problem = str(error)
            if answer is not None and answer.status in PASSING:
                problem = status_in_words(answer.status)
            reply = Reply(
                exchange=answer,
                problem=problem,
                request=tuple(headers.items()),
                attempts=attempt + 1,
                seconds=time.monotonic() - clock,
                began=began,
            )
            if not problem or attempt == self.manners.retries:
                break
            if not await self._waited(host_of(url), answer, attempt):
                break
        return reply

    async def _asked(
        self, target: Url, headers: Mapping[str, str], wants: Callable[..., bool]
    ) -> tuple[Exchange, datetime, float]:
        """Ask once, when it is this request's turn; return the answer, and when it was asked for.

        The next turn is counted from when a request has been sent, not from when it was begun:
        however busy this machine is, the server sees the distance.
        """
        loop = asyncio.get_running_loop()
        host = self._host(host_of(target.url))
        async with host.turn:
            while (left := host.free_at - loop.time()) > 0:  # it may move meanwhile
                await self._sleep(left)
            if self.is_stopped:
                raise StoppedError
            began, clock = datetime.now(UTC), time.monotonic()
            terms = Terms(self.limits, self.guard, clock + self.limits.total)
            sent = loop.create_future()
            tell = partial(loop.call_soon_threadsafe, _tell, sent)
            work = loop.run_in_executor(
                self._pool, partial(ask, target, headers, terms, wants=wants, sent=tell)
            )
            await asyncio.wait({work, sent}, return_when=asyncio.FIRST_COMPLETED)
            sent.cancel()
            host.begun = loop.time()
            host.free_at = max(host.free_at, host.begun + host.delay)
        return await work, began, clock

    async def _waited(self, host: str, answer: Exchange | None, attempt: int) -> bool:
        """Wait before the next try; return False where the server asks for too long."""
        seconds = self.manners.back_off * 2**attempt * random.uniform(1, 1.25)  # noqa: S311
        if answer is not None:
            asked = retry_after(answer.header("retry-after"))
            if asked > self.manners.longest_wait:
                return False
            seconds = max(seconds, asked)
            if answer.status in _PAUSING and asked:
                known = self._host(host)
                now = asyncio.get_running_loop().time()
                known.free_at = max(known.free_at, now + seconds)
        await self._sleep(min(seconds, self.manners.longest_wait))
        return True

    async def _sleep(self, seconds: float) -> None:
        """Wait.

        Raises:
            StoppedError: the line was stopped meanwhile.
        """
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopped.wait(), seconds)
            raise StoppedError

    def _host(self, host: str) -> _Host:
        return self._hosts.setdefault(host, _Host(self.manners.delay))


def _tell(sent: asyncio.Future[None]) -> None:
    """Say that a request was sent, if anybody still waits for that."""
    if not sent.done():
        sent.set_result(None)


def retry_after(value: str) -> float:
    """Return the seconds that a Retry-After asks to wait; 0 where it says nothing or the past."""
    value = value.strip()
    if value.isdecimal() and value.isascii():
        return float(value[:9])
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return 0.0
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
