"""A crawl that ends before its end: what is in its file is not fetched again."""

import os
import signal
import threading
import time
from contextlib import contextmanager

import pytest
from crawl_records import asked, records


def test_a_crawl_goes_on_where_it_ended(web, crawl_of):
    crawl_of("docs.test", pages=10)
    first = asked(web, "docs.test")
    summary, out, visits = crawl_of("docs.test", pages=25, resume=True)
    targets = asked(web, "docs.test")
    assert summary.counts["page"] == 25
    assert summary.resumed == len(first)
    assert len(targets) == len(set(targets))
    assert set(first) <= set(targets)
    assert len(visits) == len(targets) - len(first)
    urls = [url for _, url in records(out, "metadata")]
    assert len(urls) == len(set(urls))


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_crawl_without_loss(web, crawl_of, stop):
    kept = signal.getsignal(stop)
    whole, _, _ = crawl_of("docs.test", pages=25, name="whole")
    before = len(asked(web, "docs.test"))
    summary, _, visits = crawl_of(
        "docs.test", pages=25, stop_signals=(stop,),
        then=lambda seen: len(seen) == 5 and signal.raise_signal(stop),
    )  # fmt: skip
    assert summary.is_stopped
    assert not summary.is_cut_short
    assert "go on with --resume" in "\n".join(summary.lines())
    assert 5 <= len(visits) < whole.counts.total()
    assert signal.getsignal(stop) == kept
    # Whatever was asked for is recorded, and nothing is asked for again.
    assert len(asked(web, "docs.test")) - before == len(visits)
    again, _, _ = crawl_of("docs.test", pages=25, resume=True, stop_signals=(stop,))
    assert not again.is_stopped
    assert again.counts["page"] == 25
    targets = asked(web, "docs.test")[before:]
    assert len(targets) == len(set(targets))


@contextmanager
def signals_sent(web, target, stop, count):
    """Send a signal once ``target`` was asked for, and again when it was taken notice of."""

    def send():
        while target not in [line["target"] for line in web.asked]:
            time.sleep(0.005)
        for _ in range(count):
            handler = signal.getsignal(stop)
            os.kill(os.getpid(), stop)
            while signal.getsignal(stop) is handler:
                time.sleep(0.005)

    sender = threading.Thread(target=send)
    sender.start()
    yield
    sender.join()


def test_a_stop_ends_the_wait_for_a_turn(web, crawl_of):
    stop = signal.SIGTERM
    with signals_sent(web, "/robots.txt", stop, 1):
        summary, _, visits = crawl_of("docs.test", politeness={"delay": 3600}, stop_signals=(stop,))
    assert summary.is_stopped
    assert [line["target"] for line in web.asked] == ["/robots.txt"]
    assert visits == []
    again, _, _ = crawl_of("docs.test", pages=2, resume=True)
    assert again.counts["page"] == 2
