"""``chaffinch crawl``: many pages into a WARC file, or the URLs that would be crawled."""

from __future__ import annotations

import json
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from chaffinch import web as crawling
from chaffinch.cli import pages
from chaffinch.cli.options import Option, file_option, form_option, made, of_field, verb
from chaffinch.cli.site_pages import POLITENESS
from chaffinch.cli.streams import one_line, print_error, print_note, progress, write_out
from chaffinch.cli.work import EMPTY, FAILED, LANGUAGE, URL_BLACKLIST
from chaffinch.errors import PageError
from chaffinch.extraction.extract import PageFilter
from chaffinch.loading.address import addressed
from chaffinch.web.settings import BINDING, CrawlLimits, Politeness
from chaffinch.wording import failing_as

_SHOWN: Final = 20
_LIST: Final = ".txt"
_STOPS: Final = () if sys.platform == "win32" else (signal.SIGINT, signal.SIGTERM)


def _listed(_context: click.Context, _argument: click.Parameter, given: Sequence[str]) -> list[str]:
    """Return URLs, those of a list in its place."""
    urls = []
    for one in given:
        lines = [one]
        if one.endswith(_LIST) and not pages.is_address(one):
            with failing_as(click.UsageError, f"can't read {one}"):
                lines = Path(one).read_text("utf-8-sig", "replace").splitlines()
        urls += [url for line in lines if (url := line.strip()) and not url.startswith("#")]
    return urls


@verb(
    click.Argument(["urls"], nargs=-1, required=True, metavar="URL|LIST...", callback=_listed),
    file_option(
        "-o", "--output", ending=".warc.gz", metavar="FILE.warc.gz", help="File to write."
    ),
    Option(
        "--extent", type=click.Choice(["site", "sitemap"]), default="site",
        help="Follow links on the hosts of the URLs, or fetch what their sitemaps list.",
    ),
    of_field(CrawlLimits, "pages", help="Pages in all, duplicates left out."),
    Option(
        "--resume", is_flag=True,
        help="Go on with FILE where a crawl ended, by a crash or by --pages.",
    ),
    Option(
        "--dry-run", is_flag=True,
        help="Fetch no page but the given one: print the URLs that it lists, one a line.",
    ),
    of_field(CrawlLimits, "requests", heading="Bounds"),
    of_field(CrawlLimits, "depth", heading="Bounds"),
    Option(
        "--follow", "hosts", multiple=True, metavar="HOST[:PORT]", heading="Bounds",
        help="Follow links to this host, too; may be repeated.",
    ),
    LANGUAGE,
    URL_BLACKLIST,
    Option(
        "--from", "source", type=click.Choice(["page", "feeds", "sitemaps"]), default="page",
        heading="Dry run", needs="--dry-run",
        help="The links of the page; the entries of its feeds, or of this feed; those of the "
        "sitemaps of its host, or of this sitemap.",
    ),
    Option(
        "--external", is_flag=True, heading="Dry run", needs="--dry-run",
        help="URLs on other hosts, too.",
    ),
    Option(
        "--lists", type=click.IntRange(min=1), default=100, metavar="N", heading="Dry run",
        needs="--dry-run", help="Feeds and sitemaps that are read at most.",
    ),
    form_option(
        "text", "json", heading="Dry run", needs="--dry-run",
        meaning="JSON is a line a URL, with title, date and language as far as they are listed.",
    ),
    *POLITENESS,
    of_field(
        Politeness, "binding", type=click.Choice(BINDING), heading="Politeness", metavar=None,
        help="Obey, not only record: robots meta and X-Robots-Tag; text-mining reservations.",
    ),
    *pages.file_options(needs="--dry-run"),
    pages.TIMEOUT,
    pages.size_option(16),
    *pages.NETWORK,
    *pages.RENDERING,
    examples=(
        "chaffinch crawl https://grain.example/ -o grain.warc.gz --pages 500",
        "chaffinch crawl https://grain.example/ --dry-run --from sitemaps",
    ),
)  # fmt: skip
def crawl(given: dict[str, Any]) -> int:
    """Crawl pages politely into a WARC file.

    robots.txt and its delays are obeyed. The file is the crawl's journal, too: after a crash, the
    same command with --resume goes on without fetching a page twice; Ctrl-C and SIGTERM stop it
    cleanly. The summary goes to standard output. Exit code 1: some page failed, or it was stopped;
    3: none failed, and none was had.

    A LIST is a .txt file of URLs, one a line; with --depth 0 these alone are fetched.

    With --dry-run the URLs that a page, its feeds or the sitemaps of its host list are printed.
    """
    if given["output"] is None and not given["dry_run"]:
        raise click.UsageError("--output FILE.warc.gz is wanted, or --dry-run")
    reading = pages.Reading.of(given)
    if given["dry_run"]:
        chosen = crawling.LinkFilter(external=given["external"], wanted=made(PageFilter, given))
        codes = [_list_urls(one, chosen, given, reading) for one in given["urls"]]
        return FAILED if FAILED in codes else min(codes)
    plan = crawling.CrawlPlan(
        urls=tuple(given["urls"]),
        extent=given["extent"],
        hosts=tuple(given["hosts"]),
        limits=made(CrawlLimits, given),
        politeness=reading.politeness,
        fetch=reading.fetch,
        **reading.loading,
        languages=given["PageFilter__languages"],
        url_blacklist=given["PageFilter__url_blacklist"],
    )
    counts = Counter[str]()
    with progress() as draw:

        def count(visit: Any) -> None:
            counts[visit.kind] += 1
            others = counts.total() - counts["page"]
            if draw is not None:
                draw(f"{counts['page']} pages, {others} others, {counts['failed']} of them failed")

        summary = crawling.crawl(
            plan, given["output"], resume=given["resume"], on_visit=count, stop_signals=_STOPS
        )
    for line in summary.lines(_SHOWN):
        click.echo(one_line(line))
    print_note(f"wrote {given['output']}")
    if summary.problems or summary.is_stopped:
        return FAILED
    return 0 if summary.counts["page"] else EMPTY


def _list_urls(name: str, chosen: Any, given: dict[str, Any], reading: pages.Reading) -> int:
    """Print what a page, or its feeds or sitemaps, list; return the exit code."""
    is_address, source = pages.is_address(name), given["source"]
    if not is_address and source != "page":
        raise click.UsageError("--from feeds and --from sitemaps go with a URL")
    try:
        if is_address:
            more = {"chosen": chosen, "most_lists": given["lists"], **reading.manners}
            with reading.loader() as loader:
                found = crawling.find_links(name, source, loader=loader, **more)
        else:
            page = reading.one(name).as_page(reading.limits)
            found = crawling.links_of(addressed(page), chosen)
    except PageError as error:
        print_error(f"{name}: {error}")
        return FAILED
    for url, why in found.left_out:
        print_error(f"{url}: {why}")
    if found.pages:
        as_json = (json.dumps(asdict(one), ensure_ascii=False) for one in found.pages)
        as_text = (one_line(one.url) for one in found.pages)
        write_out("\n".join(as_json if given["form"] == "json" else as_text))
    elif not found.left_out:
        print_note(f"{name}: no URLs found")
    return FAILED if found.left_out else 0 if found.pages else EMPTY
