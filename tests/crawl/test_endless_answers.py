"""Servers that want an answer never to end: what is read and kept of each stays in bounds."""

import itertools
import sys
import tracemalloc
import zlib
from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from answering_server import HOST, Given, html
from bench.speed.steps import Steps
from chaffinch.siblings.pagination import part_address
from chaffinch.web import CrawlLimits
from chaffinch.web.frontier import CrawlRequest, Frontier, Scope, Visit
from chaffinch.web.listings import listed_urls
from chaffinch.web.polite import TdmFile, of_this_crawler

# Sizes


def test_a_robots_file_of_a_hundred_megabytes_is_not_read_to_its_end(crawled):
    rules = Given(body=itertools.repeat(b"Disallow: /x\n" * 1000, 8000), kind="text/plain")
    summary, visits, log = crawled({"/robots.txt": rules, "/": html()})
    assert [visit.kind for visit in visits] == ["forbidden"]
    assert "page too big" in summary.forbidden[0][1]
    assert log.targets == []
    assert log.sent < 32 << 20


def test_a_page_of_a_million_links_gives_so_many(crawled):
    body = "<!doctype html>" + "".join(f"<a href=/{n}.html>" for n in range(60_000))
    limits = {"requests": 30, "addresses": 5000, "fetch_limits": {"max_bytes": 4 << 20}}
    summary, visits, log = crawled({"/": Given(body=body)}, **limits)
    assert len(visits[0].outlink) == 20_000
    assert summary.refused["more than 5,000 addresses are known"] == 20_000 - 4999
    assert len(log.asked) <= 30


def test_a_base_as_long_as_the_page_is_not_put_before_each_link(crawled):
    body = f"<!doctype html><base href='/{'x' * 100_000}/'>" + "<a href=n.html>n</a>" * 5000

    _, visits, _ = crawled({"/": Given(body=body)}, requests=10)
    assert all(len(url) < 3000 for url, _ in visits[0].outlink)


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + b"<url>" * 200_000,
        b"<urlset>" + b"<url><loc>http://a.test/</loc></url>" * 60_000,
        b"\n".join(b"http://a.test/%d" % n for n in range(60_000)),
        b"<urlset>"
        + b"".join(b"<url><loc>http://a.test/%d</loc></url>" % n for n in range(60_000)),
        b"<urlset><url><loc>http://a.test/" + b"x" * 200_000 + b"</loc></url>",
    ],
)
def test_a_sitemap_gives_what_the_format_allows_and_no_more(body):
    found = listed_urls(body, "http://a.test/sitemap.xml")
    assert len(found) <= 50_000
    assert all(len(url) <= 8192 for url, _ in found)
    packed = zlib.compressobj(wbits=31)
    assert listed_urls(packed.compress(body) + packed.flush(), "http://a.test/") == found


def test_a_sitemap_that_unpacks_without_end_is_bounded():
    packed = zlib.compressobj(9, wbits=31)
    piece = b"<url><loc>http://a.test/</loc></url>" * 30_000
    body = (
        packed.compress(b"<urlset>")
        + b"".join(packed.compress(piece) for _ in range(200))
        + packed.flush()
    )
    assert listed_urls(body, "http://a.test/s.xml.gz") == (("http://a.test/", "page"),)


# Growth


def test_closing_a_shape_takes_the_same_steps_for_each_address_that_waits():
    def steps(size):
        frontier = Frontier(Scope(hosts=frozenset({HOST})), CrawlLimits(idle_pages=1), 2)
        for n in range(size):
            frontier.add(CrawlRequest(url=f"http://{HOST}/day/{n}"))
        requests = [frontier.next_request(), frontier.next_request()]
        for request in requests:
            frontier.record(Visit(url=request.url, kind="page", status=200, text_key="same"))
        counted = Steps()
        sys.settrace(counted.trace)
        following = frontier.next_request()
        sys.settrace(None)
        assert following is None
        assert frontier.refused.total() == size - 2
        # A plain dict looks for its first entry behind all that were taken: no opcode shows it.
        assert {type(one) for one in frontier._queued[HOST]} == {OrderedDict}  # noqa: SLF001
        return counted.opcodes.total()

    assert steps(4_000) < 10.5 * steps(400)


def test_agents_times_rules_of_a_robots_file_are_not_multiplied():
    def peak(size):
        agents = "".join(f"User-agent: bot{n}\n" for n in range(size))
        rules = "".join(f"Disallow: /{n}\n" for n in range(size))
        tracemalloc.start()
        try:
            Protego.parse(of_this_crawler((agents + rules).encode()))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(1600) < 3 * peak(800)


CLOSED = "User-agent: *\nDisallow: /\n"
ONE = "User-agent: {}\nDisallow: /\nAllow: /open\n\nUser-agent: *\nAllow: /\n"


@pytest.mark.parametrize(
    ("text", "is_free"),
    [
        (CLOSED, False),
        ("User-agent: other\nUser-agent: chaffinch\nDisallow: /\n", False),
        ("User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /x", True),
        ("User-agent: chaffinch\nAllow: /\n\nUser-agent: *\nDisallow: /", True),
        ("useragent: Chaffinch # me\nDisallow: /", False),
        ("User-agent: chaffinchbot\nDisallow: /", True),
        ("User-agent: finch\nDisallow: /", True),
        ("User-agent: the-chaffinch\nDisallow: /", True),
        *((ONE.format(name), False) for name in (
            "Chaffinch/1.0", "CHAFFINCH", "chaffinch/*", "Chaffinch 0.9", "chaffinch*",
            "Mozilla/5.0 (compatible; Chaffinch/1.0)", " \tchaffinch\t ", "Chaffinch/1.0 # a bird",
        )),
        *((ONE.format(name), True) for name in ("Finch/1.0", "Chaffinches", "chaff", "* # all")),
        ("\ufeff" + CLOSED, False),
        ("\ufeff\ufeff" + CLOSED, False),
        ("\ufeff# rules\n" + CLOSED, False),
        (CLOSED.replace("\n", "\r"), False),
        (CLOSED.replace("\n", "\r\n"), False),
        (CLOSED.replace("\n", "\n\n"), False),
        ("Sitemap: /s.xml\n\ufeff" + CLOSED, False),
    ],
)  # fmt: skip
def test_rules_for_others_stay_those_of_others(text, is_free):
    for body in (text.encode(), ("\ufeff" + text).encode("utf-16-le"), text.encode("utf-16")):
        file = Protego.parse(of_this_crawler(body))
        assert file.can_fetch("http://a.test/p", "chaffinch") is is_free


@given(st.text("ab*$", min_size=1, max_size=8), st.text("ab", max_size=8))
def test_patterns_of_reservations_match_as_those_of_robots(pattern, target):
    plain = pattern.replace("$", "") + ("$" if pattern.endswith("$") else "")
    rules = f"User-agent: *\nDisallow: /{plain}"
    reserved, _ = TdmFile(((f"/{plain}", True, ""),)).of(f"/{target}")
    assert bool(reserved) is not Protego.parse(rules).can_fetch(f"http://a.test/{target}", "x")


def test_a_pattern_of_many_stars_is_matched_in_one_pass():
    assert TdmFile((("/*" + "a*" * 500 + "b", True, ""),)).of("/" + "a" * 2000) == (None, "")


@pytest.mark.parametrize("digits", [5000, 20_000])
def test_a_number_of_thousands_of_digits_is_no_page_number(digits):
    assert part_address(f"http://a.test/x?page={'1' * digits}").part is None
