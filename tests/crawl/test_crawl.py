"""Crawls of the example web, checked against the server's own log."""

from collections import Counter
from itertools import pairwise

import pytest
from crawl_records import asked, by_url, records
from warcio.archiveiterator import ArchiveIterator

from chaffinch.errors import OptionError
from chaffinch.web import Politeness


def test_a_site_is_crawled_once_and_no_further_than_robots_lets(web, crawl_of):
    summary, out, visits = crawl_of("docs.test", pages=30)
    targets = asked(web, "docs.test")
    assert summary.counts["page"] == 30
    assert summary.is_cut_short
    assert len(targets) == len(set(targets))
    assert not [target for target in targets if target.startswith("/edit/")]
    assert ("robots.txt forbids it" in {reason for _, reason in summary.forbidden}) == any(
        visit.kind == "forbidden" for visit in visits
    )
    urls = [url for _, url in records(out, "response", "revisit")]
    assert Counter(urls).most_common(1)[0][1] == 1
    assert {line["host"] for line in web.asked} == {"docs.test"}
    agents = {line["headers"]["user-agent"] for line in web.asked}
    assert all(agent.startswith("Chaffinch/") for agent in agents)
    assert not any("cookie" in line["headers"] for line in web.asked)


def test_crawl_delay_is_kept(web, crawl_of):
    politeness = {"per_host": 4, "contact": "https://me.test/bot"}
    summary, _, _ = crawl_of("slow.test", pages=4, politeness=politeness)
    assert web.asked[-1]["headers"]["user-agent"].endswith("(+https://me.test/bot)")
    times = [line["time"] for line in web.asked]
    # A request may arrive a little late, and the next one then a little close to it.
    assert min(b - a for a, b in pairwise(times)) > 0.3
    assert summary.delays == {f"slow.test:{web.port}": 0.5}
    assert "asks for 0.5 s" in "\n".join(summary.lines())


def test_the_delay_between_requests_is_kept(web, crawl_of):
    crawl_of("docs.test", pages=5, politeness={"delay": 0.2, "per_host": 8})
    times = [line["time"] for line in web.asked]
    assert times[-1] - times[0] > 0.2 * (len(times) - 1) - 0.1


def test_every_failure_is_reported_and_none_stops_the_crawl(web, crawl_of, web_maker):
    summary, out, visits = crawl_of(
        "faulty.test", fetch={"total": 2, "read": 1.4}, politeness={"per_host": 8, "retries": 2}
    )
    faults, root = web_maker.faults, f"http://faulty.test:{web.port}"
    failed = {url.removeprefix(root): reason for url, reason in summary.problems}
    good = {visit.url.removeprefix(root) for visit in visits if visit.kind == "page"}
    assert set(faults.ALL_GOOD) <= good
    assert set(faults.HOPELESS) <= set(failed)
    assert len({failed[path] for path in faults.HOPELESS}) > 12  # in words that differ
    assert failed["/endless"].startswith("page too big")
    assert failed["/bomb"].startswith("page too big")
    assert failed["/drip"] == "not done within 2 s"
    assert failed["/loop/a"] == "redirects in a circle"
    tries = Counter(asked(web, "faulty.test"))
    assert tries["/twice/503"] == tries["/twice/429"] == tries["/twice/reset"] == 3
    assert tries["/status/500"] == tries["/always/429"] == tries["/half"] == 3
    assert tries["/status/404"] == tries["/endless"] == tries["/bomb"] == 1
    assert tries["/hops/3"] == tries["/hops/0"] == 1
    assert "/picture.png" not in tries
    recorded = {url for _, url in records(out, "response")}
    assert f"{root}/status/404" in recorded
    assert f"{root}/hops/3" in recorded
    assert f"{root}/half" not in recorded


def test_retry_after_holds_for_the_host(web, crawl_of):
    crawl_of("faulty.test", path="/twice/429", pages=1)
    times = [line["time"] for line in web.asked if line["target"] == "/twice/429"]
    assert len(times) == 3
    assert min(b - a for a, b in pairwise(times)) > 0.9


def test_traps_end_and_nothing_behind_a_way_out_is_requested(web, crawl_of, web_maker):
    summary, _, visits = crawl_of("trap.test", allow=("trap.test", "127.0.0.1"), idle_pages=5)
    targets = asked(web, "trap.test")
    real = {visit.url.rpartition(f":{web.port}")[2] for visit in visits if visit.kind == "page"}
    assert set(web_maker.traps.REAL) <= real
    assert len(targets) < 400
    assert len(targets) == len(set(targets))
    assert {shape.partition("/")[2] for shape, _ in summary.traps} >= {"calendar/#/#/", "a?page&q"}
    assert "a trap: a directory that repeats" in summary.refused
    assert "a trap: a query that repeats" in summary.refused
    assert {line["host"] for line in web.asked} == {"trap.test"}
    reasons = " ".join(reason for _, reason in summary.problems)
    assert "file:///etc/passwd" in reasons
    assert "javascript:" in reasons
    assert summary.refused["on another host"] >= 5


@pytest.mark.parametrize("allow", [(), ("elsewhere.test",), ("docs.test:1",)])
def test_private_addresses_are_refused_unless_allowed_by_name(web, crawl_of, allow):
    summary, _, _ = crawl_of("docs.test", allow=allow)
    assert web.asked == []
    assert "not a public address" in summary.forbidden[0][1]


def test_opt_outs_are_recorded_with_each_page(web, crawl_of):
    summary, out, visits = crawl_of("opted.test")
    found = by_url(visits)
    assert found["noindex.html"].robots == "noindex"
    assert found["nofollow.html"].robots == "noarchive, nofollow"
    assert found["ours.html"].robots == "noindex"
    assert found["theirs.html"].robots == found["header-theirs.html"].robots == ""
    assert found["header.html"].robots == "nofollow, noindex"
    assert found["header-ours.html"].robots == "noarchive"
    assert found["two-headers.html"].robots == "noarchive, nosnippet"
    assert found["free.html"].reserved == ""
    assert found["tdm-meta.html"].reserved == found["noai.html"].reserved == "1"
    assert found["tdm-header.html"].policy == "https://opted.test/p"
    assert found["tdm-file/a.html"].reserved == "1"
    assert found["tdm-file/open/a.html"].reserved == "0"
    assert found["nobirds/a.html"].kind == "forbidden"
    assert "/nobirds/a.html" not in asked(web, "opted.test")
    assert "/no/a.html" in asked(web, "opted.test")  # forbidden to others only
    assert "/from/nofollow.html" in asked(web, "opted.test")
    assert summary.opt_outs["tdm reserved"] == 4
    with out.open("rb") as file:
        fields = {
            record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read()
            for record in ArchiveIterator(file)
            if record.rec_type == "metadata"
        }
    assert b"robots: noindex\r\n" in fields[f"http://opted.test:{web.port}/noindex.html"]
    assert b"reserved: 1\r\n" in fields[f"http://opted.test:{web.port}/tdm-meta.html"]


def test_opt_outs_can_be_made_binding(web, crawl_of):
    summary, out, visits = crawl_of("opted.test", politeness={"binding": ("robots", "tdm")})
    found = by_url(visits)
    left_out = {name for name, visit in found.items() if visit.kind == "left out"}
    assert left_out == {
        "noindex.html", "nofollow.html", "none.html", "ours.html", "header.html",
        "header-ours.html", "two-headers.html", "tdm-meta.html", "tdm-header.html",
        "tdm-file/a.html", "noai.html", "past.html",
    }  # fmt: skip
    assert found["free.html"].kind == found["tdm-file/open/a.html"].kind == "page"
    targets = asked(web, "opted.test")
    assert "/tdm-file/a.html" not in targets  # known before it is asked for
    assert "/from/nofollow.html" not in targets
    assert "/from/header.html" not in targets
    assert "/from/noindex.html" in targets
    recorded = {url.partition(f":{web.port}")[2] for _, url in records(out, "response")}
    assert not recorded & {f"/{name}" for name in left_out}
    assert len(summary.left_out) == len(left_out)


def test_canonical_copies_and_equal_bytes_are_duplicates(web, crawl_of, web_maker):
    entry = web_maker.texts.entry("article", "en", 0)
    path = f"/print{entry.link}"
    summary, out, visits = crawl_of("post.test", path=path, pages=1)
    kinds = [(visit.kind, visit.url.rpartition(f":{web.port}")[2]) for visit in visits]
    assert kinds[0] == ("duplicate", path)
    assert ("page", entry.link) in kinds or summary.counts["page"] == 1
    assert "canonical" in visits[0].reason
    summary, out, visits = crawl_of("trap.test", path="/session/00ab/real.html", idle_pages=3,
                                    name="sessions", pages=9, depth=2)  # fmt: skip
    assert len({url for _, url in records(out, "metadata")}) == len(records(out, "metadata"))


def test_sitemaps_are_enough(crawl_of):
    summary, _, visits = crawl_of("shop.test", extent="sitemap", pages=12)
    kinds = Counter(visit.kind for visit in visits)
    assert kinds == {"map": 1, "page": 12}
    assert {visit.url.partition("?")[0].rpartition("/")[2] for visit in visits[1:]} == {"item.html"}
    assert summary.is_cut_short


def test_a_start_that_cannot_be_fetched_is_reported(crawl_of):
    summary, _, _ = crawl_of("post.test", path="/none.html")
    assert summary.problems[0][1] == "HTTP status 404 Not Found"
    with pytest.raises(OptionError, match="contact"):
        crawl_of("docs.test", politeness={"contact": "me\nyou"})
    assert Politeness().delay == 1.0  # polite unless told otherwise


def test_an_unreachable_robots_file_forbids_everything(web, crawl_of, monkeypatch, web_maker):
    answer = web_maker.server.answer
    broken = web_maker.Answer(status=503)
    monkeypatch.setattr(
        web_maker.server,
        "answer",
        lambda asked: broken if asked.path == "/robots.txt" else answer(asked),
    )
    summary, _, _ = crawl_of("docs.test")
    assert "robots.txt can't be had: HTTP status 503" in summary.forbidden[0][1]
    assert asked(web, "docs.test") == []


def test_pages_in_other_languages_are_left_out(crawl_of):
    _, _, visits = crawl_of("zh.post.test", pages=3, depth=1, languages=("en",))
    out = [visit for visit in visits if visit.kind == "left out"]
    assert {visit.reason for visit in out} == {"its language is zh"}
    assert len(out) > 10
    kept = {visit.url for visit in visits if visit.kind == "page"}
    assert {url.rpartition("/")[2] for url in kept} <= {"about.html", "contact.html"}  # in English
    assert not [visit for visit in out if visit.depth and visit.outlink]
    _, _, wanted = crawl_of("zh.post.test", pages=3, depth=1, languages=("zh",), name="zh")
    assert Counter(visit.kind for visit in wanted)["page"] == 3


def test_blacklisted_addresses_are_not_asked_for(web, crawl_of):
    base = f"http://docs.test:{web.port}"
    summary, _, _ = crawl_of("docs.test", pages=12, name="all")
    targets = [one for one in asked(web, "docs.test") if one != "/"]
    web.asked.clear()
    blocked = (f"{base}{targets[0]}", f"{base}/part2/*")
    summary, _, _ = crawl_of("docs.test", pages=12, url_blacklist=blocked, name="some")
    assert summary.refused["blacklisted"] >= 1
    assert targets[0] not in asked(web, "docs.test")
    assert not [one for one in asked(web, "docs.test") if one.startswith("/part2/")]
