"""The parts of the crawl that need no network: traps, frontier, opt-outs, sitemaps, visits."""

import datetime as dt
import string
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.errors import OptionError
from chaffinch.page import parse
from chaffinch.web import CrawlLimits, CrawlPlan, Politeness
from chaffinch.web.frontier import (
    VISIT_KINDS,
    CrawlRequest,
    Frontier,
    Scope,
    Visit,
    from_fields,
    to_fields,
    trap_reason,
)
from chaffinch.web.polite import opt_outs_of, read_tdm_file, reserved_by, retry_after
from rows_of_cases import examples

HOST = "a.test"


def url(path):
    return f"http://{HOST}{path}"


def frontier(hosts=(HOST,), *, follows=True, per_host=2, **limits):
    scope = Scope(hosts=frozenset(hosts), follows=follows)
    return Frontier(scope, CrawlLimits(**limits), per_host)


def page(path, *outlink, **more):
    links = tuple((url(one), "page") for one in outlink)
    return Visit(url=url(path), kind="page", status=200, text_key=path, outlink=links, **more)


# Traps


TRAPS = [
    "/a/b/a/c/a/d.html", "/f?color=red&color=red", "/f?" + "&".join(f"k{n}=1" for n in range(9)),
    "/" + "x" * 2000, "/a/b" * 11,
]  # fmt: skip
USUAL = ["/", "/2024/01/31/title.html", "/a/b/c/d/e/f?x=1&y=2&x=3", "/a/a/b.html", "/1/1/1.html"]


@pytest.mark.parametrize("path", [*TRAPS, *USUAL])
def test_addresses_that_grow_are_traps(path):
    assert bool(trap_reason(url(path))) == (path in TRAPS)


def test_a_closed_shape_is_requested_no_more_even_where_it_was_queued():
    one = frontier(idle_pages=2)
    for n in range(10):
        assert one.add(CrawlRequest(url=url(f"/day/{n}")))
    for _ in range(3):
        one.record(Visit(url=one.next_request().url, kind="page", status=200, text_key="same"))
    assert one.next_request() is None
    assert not one.has_queued()
    assert one.closed == [("a.test/day/#", url("/day/2"))]
    assert one.refused["a trap: pages of this shape bring nothing new"] == 7


# Frontier


def test_it_goes_no_further_than_its_bounds():
    one = frontier(depth=1, redirects=1)
    assert not one.add(CrawlRequest(url="http://b.test/"))
    assert not one.add(CrawlRequest(url=url("/far"), depth=2))
    assert not one.add(CrawlRequest(url=url("/hop"), hops=2))
    assert not one.add(CrawlRequest(url=url("/a.PDF")))
    assert one.add(CrawlRequest(url=url("/doc")))
    assert one.add(CrawlRequest(url=url("/sitemap.gz"), role="map"))
    assert one.refused == {
        "on another host": 1,
        "more than 1 links away": 1,
        "more redirects than 1": 1,
        "no page by its name": 1,
    }
    assert one.add(CrawlRequest(url=url("/hop")))  # by a way with fewer redirects


def test_no_address_is_given_out_twice():
    one = frontier()
    assert one.add(CrawlRequest(url=url("/?a=1&b=2")))
    assert not one.add(CrawlRequest(url=url("/?b=2&a=1")))
    request = one.next_request()
    one.record(page("/?a=1&b=2", "/?a=1&b=2", "/x"))
    assert request.url == url("/?a=1&b=2")
    assert one.next_request().url == url("/x")
    assert one.next_request() is None


def test_hosts_take_turns_and_none_has_more_than_its_share_on_the_line():
    one = frontier(("a.test", "b.test"), per_host=1)
    for n in range(3):
        for host in ("a.test", "b.test"):
            one.add(CrawlRequest(url=f"http://{host}/{n}"))
    first, second = one.next_request(), one.next_request()
    assert {first.url, second.url} == {"http://a.test/0", "http://b.test/0"}
    assert one.next_request() is None
    one.record(Visit(url="http://b.test/0", kind="page"))
    assert one.next_request().url == "http://b.test/1"


def test_the_limit_of_pages_is_never_passed():
    one = frontier(pages=3, per_host=9)
    for n in range(9):
        one.add(CrawlRequest(url=url(f"/{n}")))
    taken = [one.next_request() for _ in range(9)]
    assert [request is not None for request in taken] == [True] * 3 + [False] * 6
    one.record(Visit(url=taken[0].url, kind="failed", status=404))
    assert one.next_request() is not None
    assert one.next_request() is None


# Visits

words = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), max_size=20)
addresses = st.text(string.ascii_letters + "/?=&%", max_size=20).map(lambda tail: url("/" + tail))
roles = st.sampled_from(["page", "map", "canonical"])
visits = st.builds(
    Visit,
    url=addresses,
    kind=st.sampled_from(VISIT_KINDS),
    via=addresses,
    role=roles,
    **dict.fromkeys(("depth", "hops", "status"), st.integers(0, 599)),
    attempts=st.integers(1, 9),
    **dict.fromkeys(("reason", "text_key", "payload", "robots", "policy"), words),
    reserved=st.sampled_from(["", "0", "1"]),
    seconds=st.floats(0, 99),
    outlink=st.lists(st.tuples(addresses, roles)).map(tuple),
)


@given(visits)
def test_a_visit_is_read_as_it_was_written(visit):
    assert from_fields(visit.url, to_fields(visit)) == visit


# Opt-outs


def opt_outs(html="", headers=(), in_file=(None, "")):
    return opt_outs_of(parse(html), headers, in_file)


@pytest.mark.parametrize(
    ("content", "closes", "links"), examples(__file__, "what directives exclude")
)
def test_what_directives_exclude(content, closes, links):
    found = opt_outs(f'<meta name=robots content="{content}">')
    assert (found.exclusion, found.forbids_following) == (closes, links)


def test_the_nearest_word_on_text_mining_counts():
    meta = "<meta name=tdm-reservation content=0>"
    header = [("TDM-Reservation", "1"), ("tdm-policy", "https://a.test/p")]
    assert opt_outs("", [], (True, "in file")).reserved is True
    assert opt_outs("", [("tdm-reservation", "0")], (True, "")).reserved is False
    found = opt_outs("", header)
    assert (found.reserved, found.policy) == (True, "https://a.test/p")
    assert opt_outs(meta, header).reserved is False
    assert opt_outs("<meta name=robots content=noai>").reserved is True
    assert opt_outs("").reserved is None


def test_a_tdm_file_is_read_rule_by_rule():
    body = b"""[{"location": "/open/*.html$", "tdm-reservation": 0},
      {"location": "/", "tdm-reservation": "1", "tdm-policy": "p"}, {"x": 1}, 7]"""
    file = read_tdm_file(body)
    assert reserved_by(file, "/open/a.html") == (False, "")
    assert reserved_by(file, "/open/a.html?x") == (True, "p")
    assert read_tdm_file(b"<html>") == read_tdm_file(b"[" * 100_000) == ()


# Sitemaps


# Politeness


def test_retry_after_is_seconds_or_a_date():
    now = dt.datetime.now(dt.UTC)
    assert retry_after("120") == 120
    assert 50 < retry_after(format_datetime(now + dt.timedelta(seconds=60), usegmt=True)) <= 60
    assert retry_after(format_datetime(now - dt.timedelta(seconds=60), usegmt=True)) == 0
    server = "Sun, 22 Nov 2026 12:00:00 GMT"  # its clock counts, wherever this machine's is
    assert retry_after("Sun, 22 Nov 2026 12:00:09 GMT", server) == 9
    for nothing in ("", "soon", "-5", "１２"):
        assert retry_after(nothing) == 0


@pytest.mark.parametrize(
    "made",
    [
        lambda: CrawlLimits(pages=0),
        lambda: CrawlLimits(depth=-1),
        lambda: Politeness(delay=-1),
        lambda: Politeness(per_host=0),
        lambda: Politeness(binding=("everything",)),
        lambda: CrawlPlan(urls=()),
        lambda: CrawlPlan(urls=("file:///etc/passwd",)),
        lambda: CrawlPlan(urls=("http://a.test/",), extent="world"),
        lambda: CrawlPlan(urls=("http://a.test/",), languages=("English!",)),
        lambda: CrawlPlan(urls=("http://a.test/",), url_blacklist=("docs",)),
    ],
)
def test_impossible_settings_are_refused(made):
    with pytest.raises(OptionError):
        made()
