"""Pages that are fetched by their addresses, with a delay between requests to one host."""

from __future__ import annotations

import datetime as dt
import time
from collections import deque
from typing import TYPE_CHECKING

from chaffinch.batch.record import Record
from chaffinch.errors import FetchError
from chaffinch.fetch import FetchLimits, fetch
from chaffinch.fetch.url_parts import host_name
from chaffinch.metadata.page_fields import OPT_OUT_HEADERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.batch.plan import Plan
    from chaffinch.batch.sources.shards import Shard


def read(shard: Shard, plan: Plan) -> Iterator[Record]:
    """Yield the pages of a list of addresses, in the order of `interleaved_by_host`."""
    requested: dict[str, float] = {}
    limits = FetchLimits(max_bytes=plan.recipe.max_bytes)
    for url in interleaved_by_host(shard.items):
        host = host_name(url)
        time.sleep(max(0.0, requested.get(host, 0.0) + plan.pause - time.monotonic()))
        now = dt.datetime.now(tz=dt.UTC).isoformat(timespec="seconds")
        try:
            page = fetch(
                url,
                limits=limits,
                allow=plan.allow_hosts,
                contact=plan.contact,
                accept_errors=plan.recipe.assessment,
            )
        except FetchError as error:
            yield Record(file=url, url=url, fetched=now, error="fetch", detail=str(error))
        else:
            yield Record(
                file=url,
                url=page.url,
                fetched=now,
                status=page.status,
                encoding=page.encoding,
                html=page.body,
                headers=tuple(one for one in page.headers.items() if one[0] in OPT_OUT_HEADERS),
            )
        requested[host] = time.monotonic()


def interleaved_by_host(urls: Sequence[str]) -> Iterator[str]:
    """Yield addresses of alternating hosts, so that the delay between two requests is used."""
    by_host: dict[str, deque[str]] = {}
    for url in urls:
        by_host.setdefault(host_name(url), deque()).append(url)
    waiting = deque(by_host.values())
    while waiting:
        group = waiting.popleft()
        yield group.popleft()
        if group:
            waiting.append(group)
