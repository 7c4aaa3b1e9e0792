"""Servers that want a crawl never to end: what it requests stays in bounds."""

from collections import Counter

import pytest
from click.testing import CliRunner

from answering_server import HOST, Given, html, missing, serving, sitemap
from chaffinch.cli import main
from chaffinch.web import AddressGuard, CrawlLimits, FetchLimits, Politeness, find_siblings


def maps_and_a_page(target, root):
    """Sitemaps each of which names two that are new, and one page."""
    name = target.rpartition(".")[0]
    locs = "".join(f"<sitemap><loc>{root}{name}{n}.xml</loc></sitemap>" for n in (0, 1))
    page = f"{root}/page{name[-9:].replace('/', '')}"
    body = f"<sitemapindex>{locs}<url><loc>{page}</loc></url></sitemapindex>"
    return Given(body=body, kind="application/xml")


def maps_alone(target, root):
    name = target.rpartition(".")[0]
    return sitemap(*(f"{root}{name}-{n}.xml" for n in range(50)), index=True)


def maps_in_a_circle(_target, root):
    return sitemap(f"{root}/sitemap.xml", f"{root}/b.xml", f"{root}/c.xml", index=True)


def maps_below_each_other(target, root):
    depth = int(target[1:-4]) if target[1:-4].isdigit() else 0
    return sitemap(f"{root}/{depth + 1}.xml", index=True)


def many_maps(target, root):
    if target == "/sitemap.xml":
        return sitemap(*(f"{root}/maps/{n}.xml" for n in range(3000)), index=True)
    return sitemap(*(f"{root}/page{target[6:-4]}-{n}" for n in range(20)))


@pytest.mark.parametrize(
    ("maps", "limits", "pages", "most"),
    [
        (maps_and_a_page, {"pages": 12}, 12, 340),  # what CrawlLimits says
        (maps_alone, {"idle_pages": 20}, 0, 119),
        (maps_in_a_circle, {}, 0, 3),
        (maps_below_each_other, {"map_depth": 3}, 0, 4),
        (many_maps, {"pages": 15}, 15, 2 + 2 + 15),  # maps that were under way, and the pages
    ],
)
def test_sitemaps_without_end_end(crawled, maps, limits, pages, most):
    def answer(target, root):
        if target.startswith("/page"):
            return html(text=target)
        return maps(target, root) if target.endswith(".xml") else missing()

    summary, _, log = crawled(answer, extent="sitemap", **limits)
    assert summary.counts["page"] == pages
    assert len(log.targets) <= most
    assert max(Counter(log.targets).values()) == 1
    refused = {"a sitemap below more than 3 others": 1}
    assert (summary.refused == refused) == (maps is maps_below_each_other)


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


def test_the_limit_is_a_switch_and_a_crawl_goes_on_beyond_it(tmp_path):
    numbers = [f"/{n}" for n in range(30)]
    with serving({at: html(*numbers, text=at) for at in ("/", *numbers)}) as log:
        given = ["crawl", f"http://{HOST}:{log.port}/", "--output", str(tmp_path / "a.warc.gz")]
        given += ["--delay", "0", "--resolve", f"{HOST}=127.0.0.1", "--allow-host", HOST]
        first = CliRunner().invoke(main, [*given, "--requests", "10"])
        assert first.exit_code == 0
        assert "ended by its limit of 10 requests" in first.stdout
        assert len(log.asked) == 10
        second = CliRunner().invoke(main, [*given, "--requests", "20", "--resume"])
        assert second.exit_code == 0
    assert max(Counter(log.targets).values()) == 1
    assert len(log.targets) == 8 + 10  # robots.txt and the file of reservations are asked for anew


def test_discovery_sends_no_more_than_its_share():
    def answer(target, root):
        if target == "/robots.txt":
            maps = "".join(f"Sitemap: {root}/map{n}.xml\n" for n in range(10_000))
            return Given(body=f"User-agent: *\nAllow: /\n{maps}", kind="text/plain")
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
