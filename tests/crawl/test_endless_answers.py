"""Servers that want an answer never to end: what is read and kept of each stays in bounds."""

import itertools
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from answering_server import Given, html
from chaffinch.web.listings import listed_pages
from chaffinch.web.polite import of_this_crawler, reserved_by
from rows_of_cases import examples

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
    assert summary.refused["more than 5,000 URLs are known"] == 20_000 - 4999
    assert len(log.asked) <= 30


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
    found = listed_pages(body, "http://a.test/sitemap.xml")
    assert len(found) <= 50_000
    assert all(len(one.url) <= 8192 for one in found)
    packed = zlib.compressobj(wbits=31)
    assert listed_pages(packed.compress(body) + packed.flush(), "http://a.test/") == found


# Growth


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


@pytest.mark.parametrize(
    ("text", "is_free"),
    examples(__file__, "rules for others stay those of others")
)  # fmt: skip
def test_rules_for_others_stay_those_of_others(text, is_free):
    for body in (text.encode(), ("\ufeff" + text).encode("utf-16-le"), text.encode("utf-16")):
        file = Protego.parse(of_this_crawler(body))
        assert file.can_fetch("http://a.test/p", "chaffinch") is is_free


@given(st.text("ab*$", min_size=1, max_size=8), st.text("ab", max_size=8))
def test_patterns_of_reservations_match_as_those_of_robots(pattern, target):
    plain = pattern.replace("$", "") + ("$" if pattern.endswith("$") else "")
    rules = f"User-agent: *\nDisallow: /{plain}"
    reserved, _ = reserved_by(((f"/{plain}", True, ""),), f"/{target}")
    assert bool(reserved) is not Protego.parse(rules).can_fetch(f"http://a.test/{target}", "x")


def test_a_pattern_of_many_stars_is_matched_in_one_pass():
    assert reserved_by((("/*" + "a*" * 500 + "b", True, ""),), "/" + "a" * 2000) == (None, "")
