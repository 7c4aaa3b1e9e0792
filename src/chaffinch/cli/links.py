"""``chaffinch links``: the addresses that a page, its feeds or its site's sitemaps list."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.filter_options import language_option, page_filter, url_blacklist_option
from chaffinch.cli.inputs import is_address
from chaffinch.cli.messages import one_line, print_error, print_note, write_out
from chaffinch.cli.page_loop import EMPTY, FAILED
from chaffinch.cli.politeness_options import politeness_of, politeness_options
from chaffinch.cli.rendering import find_page
from chaffinch.cli.source_options import fetching, source_options
from chaffinch.cli.verb import Verb
from chaffinch.page.bounds import Limits

if TYPE_CHECKING:
    from chaffinch.web import LinkFilter, LinkList


@click.command(cls=Verb)
@click.argument("page", metavar="URL | FILE | -")
@click.option(
    "--from", "source", type=click.Choice(["page", "feeds", "sitemaps"]), default="page",
    show_default=True,
    help="The links of the page; the entries of its feeds, or of this feed; those of the sitemaps "
    "of its host, or of this sitemap.",
)  # fmt: skip
@click.option("--external", is_flag=True, help="Addresses on other hosts, too.")
@language_option(
    "Leave out what a link or a feed declares to be in another language; codes with commas between."
)
@url_blacklist_option
@click.option(
    "--lists", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
    help="Feeds and sitemaps that are read at most.",
)  # fmt: skip
@click.option(
    "--json", "as_json", is_flag=True,
    help="A line of JSON an address, with title, date and language as far as they are listed.",
)  # fmt: skip
@politeness_options
@source_options
@click.pass_context
def links(
    context: click.Context, /, *, page: str, source: str, as_json: bool, lists: int, **given: Any
) -> None:
    """Print the addresses that a page, its feeds or sitemaps list, one a line.

    robots.txt is obeyed. Of a saved page the links are printed; --url gives its address. Exit
    code 3: there is none.
    """
    from chaffinch.extraction.page_filter import PageFilter  # noqa: PLC0415  only here
    from chaffinch.web import LinkFilter  # noqa: PLC0415 an extra

    chosen = LinkFilter(external=given["external"], wanted=page_filter(given) or PageFilter())
    if is_address(page):
        found = _fetched(page, source, lists, chosen, given)
    elif source != "page":
        raise click.UsageError("--from feeds and --from sitemaps go with an address")
    else:
        found = _read(page, chosen, given)
    for url, why in found.left_out:
        print_error(f"{url}: {why}")
    if found.pages:
        lines = (json.dumps(asdict(one), ensure_ascii=False) for one in found.pages)
        write_out("\n".join(lines if as_json else (one_line(one.url) for one in found.pages)))
    elif not found.left_out:
        print_note(f"{page}: no addresses found")
    context.exit(FAILED if found.left_out else 0 if found.pages else EMPTY)


def _fetched(
    url: str, source: str, lists: int, chosen: LinkFilter, given: dict[str, Any]
) -> LinkList:
    from chaffinch.web import find_links  # noqa: PLC0415 an extra

    if given["url"] is not None:
        raise click.UsageError("--url goes with one file or standard input")
    how = fetching(given)
    return find_links(
        url,
        source,
        chosen=chosen,
        most_lists=lists,
        politeness=politeness_of(given),
        limits=how.limits,
        guard=how.guard,
    )


def _read(name: str, chosen: LinkFilter, given: dict[str, Any]) -> LinkList:
    from chaffinch.loading.own_address import addressed  # noqa: PLC0415  only here
    from chaffinch.web import links_of  # noqa: PLC0415 an extra

    limits = Limits(max_bytes=given["max_size"] << 20)
    options = {key: given[key] for key in ("url", "encoding", "is_corpus")}
    one = find_page(name, fetching(given), None, max_bytes=limits.max_bytes, **options)
    return links_of(addressed(one.as_page(limits)), chosen)
