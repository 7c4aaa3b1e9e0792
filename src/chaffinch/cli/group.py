"""``chaffinch group``: pages about one event, from several sites, as one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import click

from chaffinch.cli.options import Option, form_option, verb
from chaffinch.cli.pages import CORPUS, INPUTS, NETWORK, TIMEOUT, Reading, size_option
from chaffinch.cli.site_pages import PACE, SitePages
from chaffinch.cli.streams import print_error, print_note, write_out
from chaffinch.cli.work import EMPTY, FAILED
from chaffinch.corpus.events import DAYS, SIMILARITY, Story, group_stories
from chaffinch.errors import PageError
from chaffinch.extraction.extract import extract
from chaffinch.extraction.extracted import Extract
from chaffinch.page import Page
from chaffinch.siblings.url_shapes import host_of
from chaffinch.web import frontier, response
from chaffinch.wording import counted

_ENTRIES: Final = 3
"""Of a list of articles at least; a short article may have its type."""


@verb(
    INPUTS,
    form_option(
        "markdown", "json", meaning="For people, or a JSON object a line for each event."
    ),
    Option(
        "--results", is_flag=True,
        help="The inputs are pages of search results: the pages that they list are fetched, "
        "politely, and these are grouped.",
    ),
    Option(
        "--pages", type=click.IntRange(min=1), default=20, metavar="N", needs="--results",
        help="Pages of search results that are fetched at most.",
    ),
    Option(
        "--sites", type=click.IntRange(min=1), default=2, metavar="N",
        help="Sites of an event at least.",
    ),
    Option(
        "--days", type=click.IntRange(min=0), default=DAYS, metavar="N",
        help="Days between two pages of an event at most.",
    ),
    Option(
        "--similarity", type=click.FloatRange(0, 1, min_open=True), default=SIMILARITY,
        help="Mean similarity of the pages of an event at least.",
    ),
    CORPUS,
    TIMEOUT,
    size_option(64),
    *NETWORK,
    *PACE,
    examples=(
        "chaffinch group news/*.html",
        "chaffinch group --results https://search.example/?q=harvest -f json",
    ),
)  # fmt: skip
def group(given: dict[str, Any]) -> int:
    """Group pages about one event, and print what they say together.

    For each event: what several sites say, who said it, first and since; where they differ in a
    number, date, name or negation; what each page adds. Events of most sites come first, pages
    that stand alone aren't printed. Pages are compared within one language, lists of articles with
    none.
    """
    pages, reading = SitePages(given["inputs"], given), Reading.of(given)
    failed: list[str] = []
    found = _extracts(pages, reading, failed)
    if given["results"]:
        found = _extracts(_listed(found, given, reading, failed), reading, failed)
    lists = ((one, one.page_type == "listing" and len(one.records) >= _ENTRIES) for one in found)
    stories = [Story.of(one) for one, is_list in lists if not is_list]
    options = {name: given[name] for name in ("similarity", "days", "sites")}
    events = group_stories(stories, **options)
    if given["form"] == "json":
        for event in events:
            write_out(json.dumps(event.to_dict(), ensure_ascii=False))
    elif events:
        write_out("\n\n".join(event.markdown() for event in events))
    grouped = sum(len(event.stories) for event in events)
    held = counted(len(events), "event")
    print_note(f"{counted(len(stories), 'page')}, {grouped} of them in {held}")
    return FAILED if pages.failed or failed else EMPTY if not events else 0


def _extracts(pages: Iterable[Page], reading: Reading, failed: list[str]) -> Iterator[Extract]:
    """Yield what can be extracted; of a page that can't there is a line, and its URL in failed."""
    for page in pages:
        try:
            found = extract(page, limits=reading.limits)
            if found.text:
                yield found
        except PageError as error:
            failed.append(page.url or "a page")
            print_error(f"{failed[-1]}: {error}")


def _listed(
    results: Iterable[Extract], given: Mapping[str, Any], reading: Reading, failed: list[str]
) -> Sequence[Page]:
    """Return the pages that pages of search results list, each fetched once."""
    urls: dict[str, None] = {}
    for found in results:
        own = host_of(found.url) if found.url else ""
        links = [url for entry in found.records if "://" in (url := entry.value("link"))]
        urls |= dict.fromkeys([url for url in links if host_of(url) != own] or links)
    if not urls:
        raise click.UsageError("--results: no list of links was found on the pages given")
    wanted = list(urls)[: given["pages"]]
    found_pages = response.fetching(
        lambda fetcher: _fetched(fetcher, wanted, failed),
        **reading.manners,
        scope=frontier.Scope(hosts=frozenset(map(host_of, wanted))),
    )
    return [one for one in found_pages if one is not None]


async def _fetched(
    fetcher: response.PageFetcher, urls: Sequence[str], failed: list[str]
) -> list[Page | None]:
    async def page(url: str) -> Page | None:
        try:
            return (await fetcher.page(url))[1]
        except PageError as error:
            failed.append(url)
            print_error(f"{url}: {error}")
            return None

    return await asyncio.gather(*map(page, urls))
