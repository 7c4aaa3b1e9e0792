"""No handle stays open after crawls of servers whose answers are not quite HTTP."""

import gc
import time
from pathlib import Path

import pytest

from chaffinch.web import CrawlLimits, CrawlPlan, FetchLimits, Politeness, crawl
from raw_server import NOT_QUITE_HTTP, raw_server

MOST = 24
"""Requests of a crawl here: rules, reservations, maps, the page, each with its redirects."""


def plan_of(server, extent):
    return CrawlPlan(
        urls=(server.url,),
        extent=extent,
        limits=CrawlLimits(requests=MOST),
        politeness=Politeness(delay=0, retries=0, back_off=0.001),
        fetch=FetchLimits(connect=2, read=0.4, total=1.5, max_bytes=1 << 20),
        allow=server.allow,
    )


@pytest.fixture
def uncollected():
    """Hold the collector of cycles, so that what it alone would close is seen."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="handles can't be counted here")
def test_no_handle_stays_open_after_an_odd_answer(tmp_path):
    """Two lengths kept a socket until the collector came by: no response was made of them."""
    for number, answer in enumerate(NOT_QUITE_HTTP):
        with raw_server(answer) as hostile:
            before = handles()
            crawl(plan_of(hostile, "site"), tmp_path / f"{number}.warc.gz")
            assert len(hostile.asked) <= MOST
            until = time.monotonic() + 5  # for the server's own end
            while handles() > before:
                assert time.monotonic() < until, answer
                time.sleep(0.01)


def handles():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
