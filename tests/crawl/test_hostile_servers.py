"""Servers that want a crawl never to end: what they are asked for, and send, stays in bounds."""

from __future__ import annotations

import gzip
import itertools
import random
import time
import tracemalloc
import zlib
from collections import Counter
from math import log10
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from hostile_server import Given, html, missing, serving, sitemap
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from chaffinch.cli import main
from chaffinch.crawl import CrawlLimits, CrawlPlan, Politeness, crawl, find_siblings
from chaffinch.crawl.crawl_summary import CrawlSummary
from chaffinch.crawl.frontier import Frontier, Scope
from chaffinch.crawl.opt_outs import TdmFile
from chaffinch.crawl.polite_client import retry_after
from chaffinch.crawl.robots import without_others
from chaffinch.crawl.sitemaps import listed_pages, listed_urls
from chaffinch.crawl.visits import CrawlRequest, Visit
from chaffinch.errors import FetchError
from chaffinch.fetch import AddressGuard, FetchLimits, fetch
from chaffinch.siblings.further_parts import part_address
from private_spellings import urls

HOST = "a.test"
HOSTS = (HOST, "b.test", "c.test")


@pytest.fixture
def crawled(tmp_path):
    """crawled(answer, …) crawls what answers, and gives the summary, the visits and the log."""

    def run(answer, *, extent="site", path="/", politeness=None, fetch_limits=None, **limits):
        visits = []
        with serving(answer) as log:
            plan = CrawlPlan(
                urls=(f"http://{HOST}:{log.port}{path}",),
                extent=extent,
                limits=CrawlLimits(**limits),
                politeness=Politeness(delay=0, back_off=0.001, **(politeness or {})),
                fetch=FetchLimits(
                    **{"total": 5, "read": 2, "max_bytes": 1 << 20, **(fetch_limits or {})}
                ),
                allow=HOSTS,
                resolve=tuple(f"{host}=127.0.0.1" for host in HOSTS),
            )
            summary = crawl(plan, tmp_path / "crawl.warc.gz", on_visit=visits.append)
        return summary, visits, log

    return run


# Addresses


@pytest.mark.parametrize("extent", ["site", "sitemap"])
def test_no_redirect_rule_or_map_leads_to_a_private_address(crawled, extent):
    with serving(lambda *_: html("/secret")) as secret:
        private = [url for url in urls(secret.port) if url.startswith("http://") and " " not in url]
        private = [quote(url, safe=":/@[]%\\#?") for url in private if "\n" not in url][::11]

        def answer(target, root):
            if target == "/robots.txt":
                maps = "".join(f"Sitemap: {url}\n" for url in private)
                return Given(body=f"User-agent: *\n{maps}".encode(), kind="text/plain")
            if target == "/sitemap.xml":
                return sitemap(*private, *(f"{root}/to/{n}" for n in range(len(private))))
            if target.startswith("/to/"):
                return Given(status=302, headers=(("Location", private[int(target[4:])]),))
            if target == "/.well-known/tdmrep.json":
                return Given(status=302, headers=(("Location", private[0]),))
            return html(*private, *(f"/to/{n}" for n in range(len(private))))

        crawled(answer, extent=extent, politeness={"failures": 1000, "retries": 0})
        assert len(private) > 15
        assert secret.asked == []


def test_what_servers_give_to_keep_is_not_brought_back(crawled):
    def answer(target, root):
        headers = (("Set-Cookie", "a=b; Domain=test"), ("WWW-Authenticate", "Basic"))
        if target == "/3":
            other = root.replace(HOST, "b.test")
            return Given(status=302, headers=(*headers, ("Location", f"{other}/4")))
        return Given(body=html("/1", "/2", "/3").body, headers=headers)

    _, _, log = crawled(answer)
    assert len(log.targets) >= 4
    assert log.kept == []


ENTITIES = (
    b'<!DOCTYPE a [<!ENTITY a "finch"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">'
    b'<!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f SYSTEM "file:///etc/hostname">'
    b'<!ENTITY %% g SYSTEM "http://a.test/g.dtd">%s]><urlset><url><loc>http://a.test/%s</loc></url>'
)


@pytest.mark.parametrize(
    "body", [ENTITIES % (b"", b"&e;"), ENTITIES % (b"", b"&f;"), ENTITIES % (b"%g;", b"x")]
)
def test_entities_of_sitemaps_stand_for_nothing(body):
    assert listed_urls(body, "http://a.test/sitemap.xml") == ()
    assert not listed_pages(body, "http://a.test/sitemap.xml")


# Waits


@pytest.mark.parametrize("delay", ["1e9", "301"])
def test_a_host_that_asks_for_too_long_a_delay_is_left(crawled, delay):
    def answer(target, _):
        if target == "/robots.txt":
            return Given(body=f"User-agent: *\nCrawl-delay: {delay}\n".encode(), kind="text/plain")
        return html(*(f"/{n}" for n in range(50)))

    summary, visits, log = crawled(answer)
    assert [target for _, target in log.asked] == ["/robots.txt"]
    assert list(summary.left) == [f"{HOST}:{log.port}"]
    assert [visit.kind for visit in visits] == ["forbidden"]
    (line,) = [line for line in summary.lines() if line.startswith("left: ")]
    assert "robots.txt asks for" in line


@pytest.mark.parametrize("after", ["301", "999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_host_that_wants_to_be_asked_again_too_late_is_left(crawled, after):
    def answer(target, _):
        if target == "/":
            return html(*(f"/{n}" for n in range(200)))
        return (
            Given(status=503, headers=(("Retry-After", after),))
            if target[1:].isdigit()
            else missing()
        )

    summary, visits, log = crawled(answer, politeness={"per_host": 1})
    assert len(log.targets) == 2
    assert list(summary.left) == [f"{HOST}:{log.port}"]
    assert summary.refused["on a host that was left"] == 199
    assert any(line.startswith("left: ") and "Retry-After" in line for line in summary.lines())
    assert len(visits) == 2


@pytest.mark.parametrize(
    "value",
    [
        "9" * 10_000,
        "Mon, 01 Jan 0001 00:00:00 +2359",
        "Fri, 31 Dec 99999 00:00:00 GMT",
        ",;" * 9999,
    ],
)
def test_any_retry_after_is_a_number_of_seconds(value):
    assert retry_after(value) >= 0


def test_a_host_that_fails_and_fails_is_left(crawled):
    def answer(target, _):
        return (
            html(*(f"/{n}" for n in range(500)))
            if target == "/"
            else Given(status=404 if "." in target else 500)
        )

    summary, _, log = crawled(answer, politeness={"failures": 7, "retries": 1, "per_host": 1})
    assert len(log.targets) == 1 + 7 * 2
    assert "7 requests in a row failed" in next(iter(summary.left.values()))


CAPTCHA = (
    "<title>Access denied</title><h1>Access denied</h1><p>Please show that you are human.</p>"
    "<div class=captcha></div><iframe src=/captcha/frame></iframe>"
)


@pytest.mark.parametrize("status", [200, 403])
def test_a_host_that_blocks_is_left(crawled, status):
    def answer(target, _):
        if target == "/":
            return html(*(f"/{n}" for n in range(60)))
        if "." in target:
            return missing()
        return Given(status=status, body=f"{CAPTCHA}<p>{target}".encode())

    summary, _, log = crawled(answer, politeness={"blocks": 4, "retries": 0, "per_host": 1})
    asked = [one for one in log.targets if one != "/" and "." not in one]
    assert 4 <= len(asked) <= 6  # those under way come in, too
    assert "block pages in a row" in next(iter(summary.left.values()))


def test_pages_between_block_pages_keep_a_host(crawled):
    def answer(target, _):
        if target == "/":
            return html(*(f"/{n}" for n in range(12)))
        if "." in target:
            return missing()
        if int(target[1:]) % 3 == 0:
            return html(text=f"A page of its own, {target}: the mill turns in the wind. " * 9)
        return Given(body=f"{CAPTCHA}<p>{target}".encode())

    summary, _, log = crawled(answer, politeness={"blocks": 4, "per_host": 1})
    assert not summary.left
    assert len([one for one in log.targets if "." not in one]) == 13


# Requests


def endless_maps(target, root):
    """Sitemaps each of which names two that are new, and one page."""
    if target.startswith("/page"):
        return html(text=target)
    if "map" not in target:
        return missing()
    name = target.rpartition(".")[0]
    locs = "".join(f"<sitemap><loc>{root}{name}{n}.xml</loc></sitemap>" for n in (0, 1))
    page = f"{root}/page{name[-9:].replace('/', '')}"
    body = f"<sitemapindex>{locs}<url><loc>{page}</loc></url></sitemapindex>"
    return Given(body=body.encode(), kind="application/xml")


def test_sitemaps_that_name_new_ones_end(crawled):
    summary, _, log = crawled(endless_maps, extent="sitemap", pages=12)
    assert summary.counts["page"] == 12
    assert len(log.asked) <= 340  # what CrawlLimits says


def test_sitemaps_that_hold_nothing_but_sitemaps_end_without_any_limit(crawled):
    def answer(target, root):
        if "map" not in target:
            return missing()
        name = target.rpartition(".")[0]
        return sitemap(*(f"{root}{name}-{n}.xml" for n in range(50)), index=True)

    summary, _, log = crawled(answer, extent="sitemap", idle_pages=20)
    assert len(log.targets) < 120
    assert summary.counts["page"] == 0


def test_sitemaps_in_a_circle_are_read_once(crawled):
    def answer(target, root):
        if not target.endswith(".xml"):
            return missing()
        return sitemap(f"{root}/sitemap.xml", f"{root}/b.xml", f"{root}/c.xml", index=True)

    _, _, log = crawled(answer, extent="sitemap")
    assert Counter(log.targets).most_common(1)[0][1] == 1
    assert len(log.targets) == 3


def test_sitemaps_are_read_to_a_depth(crawled):
    def answer(target, root):
        depth = int(target[1:-4]) if target[1:-4].isdigit() else 0
        return (
            sitemap(f"{root}/{depth + 1}.xml", index=True) if target.endswith(".xml") else missing()
        )

    summary, _, log = crawled(answer, extent="sitemap", map_depth=3)
    assert len(log.targets) == 4
    assert summary.refused == {"a sitemap below more than 3 others": 1}


def test_many_sitemaps_do_not_keep_the_pages_waiting(crawled):
    def answer(target, root):
        if target == "/sitemap.xml":
            return sitemap(*(f"{root}/maps/{n}.xml" for n in range(3000)), index=True)
        if target.startswith("/maps/"):
            return sitemap(*(f"{root}/page{target[6:-4]}-{n}" for n in range(20)))
        return html(text=target) if target.startswith("/page") else missing()

    summary, _, log = crawled(answer, extent="sitemap", pages=15)
    assert summary.counts["page"] == 15
    assert len(log.targets) <= 2 + 2 + 15  # as many maps as were under way, and the pages


def test_every_request_counts(crawled):
    """Redirects, retries, rules: the limit is that of what the server was asked for."""

    def answer(target, root):
        number = int(target.rpartition("/")[2] or 0) if target.rpartition("/")[2].isdigit() else 0
        if number % 3 == 1:
            return Given(status=503)
        if number % 3 == 2:
            return Given(status=302, headers=(("Location", f"{root}/x/{number + 1}"),))
        return html(*(f"/{number * 7 + n}" for n in range(1, 8)), text=str(number))

    summary, _, log = crawled(answer, requests=40, politeness={"per_host": 4, "failures": 10_000})
    assert len(log.asked) == 40
    assert summary.most_requests == 40
    assert "ended by its limit of 40 requests" in "\n".join(summary.lines())
    assert not summary.is_stopped


def endless(seed):
    """A site without end whose pages are all different."""
    chance = random.Random(seed)  # noqa: S311 no secret

    def word():
        return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=9))

    def answer(target, root):
        if target in ("/robots.txt", "/.well-known/tdmrep.json"):
            return missing()
        bare = target.partition("?")[0].rstrip("/")
        links = [
            f"{bare}/{word()}/",
            f"/{word()}/{word()}.html",
            f"{bare}/?{word()}={word()}",
            f"/2031/{len(bare)}/",
        ]
        links += [f"http://{word()}.a.test/", root.replace(HOST, "b.test")]
        return Given(
            body=html(*links, text=" ".join(word() for _ in range(50))).body,
            headers=tuple(("Set-Cookie", f"{word()}={'x' * 900}") for _ in range(50)),
        )

    return answer


def test_a_site_without_end_ends_by_the_limit_of_requests(crawled):
    summary, _, log = crawled(endless(1), requests=150)
    assert len(log.asked) == 150
    assert {host for host, _ in log.asked} == {HOST}  # however many hosts its pages name
    assert summary.refused["on another host"] > 0


def test_there_is_a_limit_where_none_is_given():
    assert CrawlLimits().most_requests(None) == 1_000_000
    assert CrawlLimits(pages=12).most_requests(12) == 340
    assert CrawlLimits(pages=12, requests=5).most_requests(12) == 5


def test_the_limit_is_a_switch_and_a_crawl_goes_on_beyond_it(tmp_path):
    def answer(target, _):
        return (
            html(*(f"/{n}" for n in range(30)), text=target)
            if target[1:].isdigit() or target == "/"
            else missing()
        )

    with serving(answer) as log:
        given = [
            "crawl",
            f"http://{HOST}:{log.port}/",
            "--out",
            str(tmp_path / "a.warc.gz"),
            "--delay",
            "0",
        ]
        given += ["--resolve", f"{HOST}=127.0.0.1", "--allow-host", HOST]
        first = CliRunner().invoke(main, [*given, "--requests", "10"])
        assert first.exit_code == 0
        assert "ended by its limit of 10 requests" in first.stdout
        assert len(log.asked) == 10
        second = CliRunner().invoke(main, [*given, "--requests", "20", "--resume"])
        assert second.exit_code == 0
    assert max(Counter(log.targets).values()) == 1
    assert len(log.targets) == 8 + 10  # robots.txt and the file of reservations are asked for anew


def test_redirects_between_hosts_end():
    def answer(target, root):
        number = int(target[1:]) if target[1:].isdigit() else 0
        other = HOSTS[(number + 1) % 3]
        return Given(
            status=302,
            headers=(("Location", f"http://{other}:{root.rpartition(':')[2]}/{number + 1}"),),
        )

    with serving(answer) as log:
        with pytest.raises(FetchError, match="more than 10 redirects"):
            fetch(
                f"http://{HOST}:{log.port}/0",
                allow=HOSTS,
                resolve=tuple(f"{host}=127.0.0.1" for host in HOSTS),
            )
        assert len(log.asked) == 11


def test_an_address_that_grows_by_redirects_ends(crawled):
    def answer(target, root):
        return (
            Given(status=302, headers=(("Location", f"{root}{target}{'/x' * 400}"),))
            if "robots" not in target and "well" not in target
            else missing()
        )

    summary, _, log = crawled(answer)
    assert len(log.targets) <= 4
    assert summary.counts["redirect"] == len(log.targets)


def test_discovery_sends_no_more_than_its_share():
    def answer(target, root):
        if target == "/robots.txt":
            maps = "".join(f"Sitemap: {root}/map{n}.xml\n" for n in range(10_000))
            return Given(body=f"User-agent: *\nAllow: /\n{maps}".encode(), kind="text/plain")
        if target == "/story/1":
            return html("/", "/story/")
        if target in ("/", "/story/"):
            return html(*(f"{target}page/{n}" for n in range(2, 5000)))
        return Given(status=302, headers=(("Location", f"{target}1"),))

    with serving(answer) as log:
        found = find_siblings(
            f"http://{HOST}:{log.port}/story/1",
            count=4,
            politeness=Politeness(delay=0, back_off=0.001),
            limits=FetchLimits(total=5),
            guard=AddressGuard((HOST,), (f"{HOST}=127.0.0.1",)),
        )
        assert len(log.asked) <= CrawlLimits().most_requests(5)
    assert found.siblings == []
    assert found.left_out


# Sizes


def forever(piece):
    return itertools.repeat(piece, 1 << 14)


@pytest.mark.parametrize(
    "bad",
    [
        Given(body=forever(b"<p>more" * 1000)),
        Given(body=forever(b"6\r\n<p>mor\r\n" * 1000), headers=(("Transfer-Encoding", "chunked"),)),
        Given(
            body=forever(b"1;" + b"x" * 2000 + b"\r\na\r\n"),
            headers=(("Transfer-Encoding", "chunked"),),
        ),
        Given(body=b"", headers=tuple((f"X-{n}", "y" * 60_000) for n in range(150))),
        Given(body=b"", first=b"HTTP/1.1 100 Continue\r\n\r\n" * 200_000),
        Given(
            body=gzip.compress(gzip.compress(bytes(64 << 20))),
            headers=(("Content-Encoding", "gzip, gzip"),),
        ),
        Given(body=b"x", headers=(("Content-Encoding", ",".join(["gzip"] * 1000)),)),
    ],
    ids=["endless", "chunks", "chunk extensions", "headers", "1xx", "bomb in a bomb", "codings"],
)
def test_an_answer_without_end_costs_one_request_and_its_bound(crawled, bad):
    def answer(target, _):
        return bad if target == "/" else missing()

    tracemalloc.start()
    try:
        _, visits, log = crawled(
            answer, fetch_limits={"total": 3, "max_bytes": 1 << 20}, politeness={"retries": 0}
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert log.targets == ["/"]
    assert [visit.kind for visit in visits] == ["failed"] or not any(
        visit.outlink for visit in visits
    )
    assert peak < 160 << 20
    assert log.sent < 64 << 20


def test_a_body_of_a_byte_at_a_time_ends(crawled):
    def slowly():
        for _ in range(400):
            time.sleep(0.05)
            yield b"x"

    def answer(target, _):
        return Given(body=slowly()) if target == "/" else missing()

    _, visits, log = crawled(answer, fetch_limits={"total": 0.5, "read": 0.4})
    assert visits[0].reason == "not done within 0.5 s"
    assert log.sent < 100


def test_a_robots_file_of_a_hundred_megabytes_is_not_read_to_its_end(crawled):
    def answer(target, _):
        if target == "/robots.txt":
            return Given(body=itertools.repeat(b"Disallow: /x\n" * 1000, 8000), kind="text/plain")
        return html()

    summary, visits, log = crawled(answer)
    assert [visit.kind for visit in visits] == ["forbidden"]
    assert "page too big" in summary.forbidden[0][1]
    assert log.targets == []
    assert log.sent < 32 << 20


def test_a_page_of_a_million_links_gives_so_many(crawled):
    links = "".join(f"<a href=/{n}.html>" for n in range(60_000))

    def answer(target, _):
        return Given(body=b"<!doctype html>" + links.encode()) if target == "/" else missing()

    summary, visits, log = crawled(
        answer, requests=30, addresses=5000, fetch_limits={"max_bytes": 4 << 20}
    )
    assert len(visits[0].outlink) == 20_000
    assert summary.refused["more than 5,000 addresses are known"] == 20_000 - 4999
    assert len(log.asked) <= 30


def test_a_base_as_long_as_the_page_is_not_put_before_each_link(crawled):
    body = f"<!doctype html><base href='/{'x' * 100_000}/'>" + "<a href=n.html>n</a>" * 5000

    def answer(target, _):
        return Given(body=body.encode()) if target == "/" else missing()

    _, visits, _ = crawled(answer, requests=10)
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


def test_closing_a_shape_with_many_addresses_waiting_is_linear():
    def cost(size):
        frontier = Frontier(Scope(hosts=frozenset({HOST})), CrawlLimits(idle_pages=1), 2)
        for n in range(size):
            frontier.add(CrawlRequest(url=f"http://{HOST}/day/{n}"))
        requests = [frontier.next_request(), frontier.next_request()]
        for request in requests:
            frontier.record(Visit(url=request.url, kind="page", status=200, text_key="same"))
        began = time.process_time()
        assert frontier.next_request() is None
        assert frontier.refused.total() == size - 2
        return time.process_time() - began

    assert log10(cost(100_000) / cost(10_000)) < 1.25


class Looked(dict):
    """A dict that counts how often it is read."""

    count = 0

    def __getitem__(self, key):
        type(self).count += 1
        return super().__getitem__(key)

    def __contains__(self, key):
        type(self).count += 1
        return super().__contains__(key)

    def get(self, key, default=None):
        type(self).count += 1
        return super().get(key, default)


@pytest.mark.parametrize("closes", [False, True])
def test_a_chain_of_redirects_is_walked_once(closes):
    size = 3000
    summary = CrawlSummary()
    summary._redirects = Looked(  # noqa: SLF001 to count
        {f"{n}": f"{n + 1}" for n in range(size)} | ({f"{size}": "0"} if closes else {})
    )
    Looked.count = 0
    summary.close(10)
    assert Looked.count < 6 * size
    words = Counter(reason for _, reason in summary.problems)
    assert words == (
        {"redirects in a circle": size + 1} if closes else {"more than 10 redirects": size - 10}
    )


def test_agents_times_rules_of_a_robots_file_are_not_multiplied():
    def peak(size):
        agents = "".join(f"User-agent: bot{n}\n" for n in range(size))
        rules = "".join(f"Disallow: /{n}\n" for n in range(size))
        tracemalloc.start()
        try:
            Protego.parse(without_others(agents + rules))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(1600) < 3 * peak(800)


@pytest.mark.parametrize(
    ("text", "is_free"),
    [
        ("User-agent: *\nDisallow: /\n", False),
        ("User-agent: other\nUser-agent: chaffinch\nDisallow: /\n", False),
        ("User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /x", True),
        ("User-agent: chaffinch\nAllow: /\n\nUser-agent: *\nDisallow: /", True),
        ("useragent: Chaffinch # me\nDisallow: /", False),
        ("User-agent: chaffinchbot\nDisallow: /", True),
    ],
)
def test_rules_for_others_stay_those_of_others(text, is_free):
    assert Protego.parse(without_others(text)).can_fetch("http://a.test/p", "chaffinch") is is_free
    assert Protego.parse(text).can_fetch("http://a.test/p", "chaffinch") is is_free


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
