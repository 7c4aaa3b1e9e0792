"""A bounded load of HTTP requests on loopback: many connections, one request at a time each."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_RAMP = 64  # connections that are opened at a time


@dataclass
class Load:
    """What came of a load.

    Attributes:
        seconds: from the first request to the last answer.
        statuses: answers by status; 0 for a connection that failed.
        latencies: seconds of each answer of status 200.
    """

    seconds: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    latencies: list[float] = field(default_factory=list)

    def percentile(self, share: float) -> float:
        """Return the latency, in seconds, that a share of the answers stays below."""
        ordered = sorted(self.latencies) or [0.0]
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


async def send_load(port: int, bodies: Sequence[bytes], *, connections: int, requests: int) -> Load:
    """Send requests to a service on loopback, and return what came of them.

    Args:
        port: of the service.
        bodies: pages, taken in turn.
        connections: open all the while, each with one request at a time.
        requests: in all.
    """
    load = Load()
    turns = iter(range(requests))
    pages = itertools.cycle(map(_request, bodies))
    opening = asyncio.Semaphore(_RAMP)
    all_open = asyncio.Barrier(connections + 1)
    tasks = [
        asyncio.create_task(_caller(port, turns, pages, load, opening, all_open))
        for _ in range(connections)
    ]
    await all_open.wait()
    began = time.perf_counter()
    await asyncio.gather(*tasks)
    load.seconds = time.perf_counter() - began
    return load


async def _caller(  # noqa: PLR0913, PLR0917  what all callers share
    port: int,
    turns: Iterator[int],
    pages: Iterator[bytes],
    load: Load,
    opening: asyncio.Semaphore,
    all_open: asyncio.Barrier,
) -> None:
    async with opening:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await all_open.wait()
    for _ in turns:
        began = time.perf_counter()
        try:
            writer.write(next(pages))
            await writer.drain()
            status = await _read(reader)
        except (OSError, asyncio.IncompleteReadError):
            load.statuses[0] += 1
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            continue
        load.statuses[status] += 1
        if status == 200:
            load.latencies.append(time.perf_counter() - began)
    writer.close()


async def _read(reader: asyncio.StreamReader) -> int:
    """Read an answer; return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
    await reader.readexactly(length)
    return int(head.split(b" ", 2)[1])


def _request(body: bytes) -> bytes:
    head = (
        "POST /v1/extract HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body
