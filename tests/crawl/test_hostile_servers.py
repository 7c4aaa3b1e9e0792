"""Servers that want more than a crawl gives: private addresses, endless waits, block pages."""

from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pytest

from answering_server import HOST, Given, html, missing, serving, sitemap
from chaffinch.web import CrawlPlan, Politeness, crawl
from chaffinch.web.listings import listed_pages
from private_spellings import urls

# Addresses


@pytest.mark.parametrize("extent", ["site", "sitemap"])
def test_no_redirect_rule_or_map_leads_to_a_private_address(crawled, extent):
    with serving(lambda *_: html("/secret")) as secret:
        private = [url for url in urls(secret.port) if url.startswith("http://") and " " not in url]
        private = [quote(url, safe=":/@[]%\\#?") for url in private if "\n" not in url][::11]

        def answer(target, root):
            if target == "/robots.txt":
                maps = "".join(f"Sitemap: {url}\n" for url in private)
                return Given(body=f"User-agent: *\n{maps}", kind="text/plain")
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
    (found,) = listed_pages(body, "http://a.test/sitemap.xml")
    assert found.url in {"http://a.test/&e;", "http://a.test/&f;", "http://a.test/x"}


# Waits


CAPTCHA = (
    "<title>Access denied</title><h1>Access denied</h1><p>Please show that you are human.</p>"
    "<div class=captcha></div><iframe src=/captcha/frame></iframe>"
)


def block(number, status=200):
    return Given(status=status, body=f"{CAPTCHA}<p>{number}")


def own(number):
    return html(text=f"A page of its own, {number}: the mill turns in the wind. " * 9)


def late(after):
    return Given(status=503, headers=(("Retry-After", after),))


LEFT = [
    *((lambda _, at=at: late(at), {}, 1, "Retry-After") for at in (
        "301", "999999999999", "Fri, 31 Dec 9999 23:59:59 GMT",
    )),
    (lambda _: Given(status=500), {"failures": 7, "retries": 1}, 14, "7 requests in a row failed"),
    (block, {"blocks": 4, "retries": 0}, 4, "block pages in a row"),
    (lambda n: block(n, 403), {"blocks": 4, "retries": 0}, 4, "block pages in a row"),
    (lambda n: block(n) if n % 3 else own(n), {"blocks": 4}, 12, ""),
]  # fmt: skip
"""What pages are answered with, politeness, requests until the host is left, and why; "" never."""


@pytest.mark.parametrize(("page", "politeness", "requests", "why"), LEFT)
def test_hosts_that_dont_want_to_be_asked_are_left(crawled, page, politeness, requests, why):
    def answer(target, _):
        if target == "/":
            return html(*(f"/{n}" for n in range(60 if why else 12)))
        return page(int(target[1:])) if target[1:].isdigit() else missing()

    summary, _, log = crawled(answer, politeness={"per_host": 1, **politeness})
    asked = [one for one in log.targets if one[1:].isdigit()]
    assert requests <= len(asked) <= requests + 2  # those under way come in, too
    assert [why in reason for reason in summary.left.values()] == [True] * bool(why)
    left = [line for line in summary.lines() if line.startswith("left: ")]
    assert (len(left), summary.refused["on a host that was left"] > 40) == (bool(why), bool(why))


@pytest.mark.parametrize("delay", ["1e9", "301"])
def test_a_host_that_asks_for_too_long_a_delay_is_left(crawled, delay):
    rules = Given(body=f"User-agent: *\nCrawl-delay: {delay}\n", kind="text/plain")
    summary, visits, log = crawled({"/robots.txt": rules})
    assert [target for _, target in log.asked] == ["/robots.txt"]
    assert [visit.kind for visit in visits] == ["forbidden"]
    ((host, why),) = summary.left.items()
    assert (host, "robots.txt asks for" in why) == (f"{HOST}:{log.port}", True)


# Servers that send on


def test_a_start_that_sends_on_to_www_is_followed():
    def answer(target, root):
        if "://www." not in root:
            there = root.replace("://", "://www.")
            return Given(status=301, headers=(("Location", f"{there}{target}"),))
        return html("/1", "/2", text=f"the finch at {target} sings of {target}")

    with serving(answer) as log:
        plan = CrawlPlan(
            urls=(f"http://a.test:{log.port}/",),
            politeness=Politeness(delay=0),
            allow=("a.test", "www.a.test"),
            resolve=("a.test=127.0.0.1", "www.a.test=127.0.0.1"),
        )
        visits = []
        with TemporaryDirectory() as folder:
            crawl(plan, Path(folder, "a.warc.gz"), on_visit=visits.append)
            again = crawl(plan, Path(folder, "a.warc.gz"), resume=True)
    assert sum(visit.kind == "page" for visit in visits) == 3
    assert again.counts == {"page": 3, "redirect": 1}


def test_a_refresh_is_a_redirect(crawled):
    refresh = Given(body="<title>t</title><meta http-equiv=refresh content='1;url=/new'>")
    _, visits, _ = crawled({"/": refresh, "/new": html(text="the new place")})
    assert [(visit.kind, visit.url.rpartition("/")[2]) for visit in visits] == [
        ("redirect", ""), ("page", "new"),
    ]  # fmt: skip
