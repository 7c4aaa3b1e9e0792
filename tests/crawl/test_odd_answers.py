"""Crawls of servers whose answers are odd, rules and maps too: not quite HTTP, hostile types."""

import gc
import time
from pathlib import Path

import pytest

from chaffinch.web import CrawlLimits, CrawlPlan, FetchLimits, Politeness, crawl
from raw_server import NOT_QUITE_HTTP, TYPES, raw_server

OF_TYPES = [
    b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: %s\r\n\r\n<p>Finches +ADw-sing+AD4-."
    % kind.encode("latin-1")
    for kind in TYPES
]
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


@pytest.mark.parametrize("extent", ["site", "sitemap"])
@pytest.mark.parametrize("answers", [NOT_QUITE_HTTP, OF_TYPES], ids=["heads", "types"])
def test_crawls_of_odd_answers_end_and_can_be_read(tmp_path, answers, extent):
    for number, answer in enumerate(answers):
        visits, file = [], tmp_path / f"{number}.warc.gz"
        with raw_server(answer) as hostile:
            crawl(plan_of(hostile, extent), file, on_visit=visits.append)
            assert len(hostile.asked) <= MOST
        assert all(visit.url.startswith("http://127.0.0.1:") for visit in visits), answer


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
            until = time.monotonic() + 5  # for the server's own end
            while handles() > before:
                assert time.monotonic() < until, answer
                time.sleep(0.01)


def handles():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
