"""``chaffinch siblings``: pages of the same layer as one page, and why they were chosen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import click

from chaffinch.cli.found_siblings import discovered
from chaffinch.cli.inputs import is_address
from chaffinch.cli.messages import one_line, write_out
from chaffinch.cli.page_loop import EMPTY
from chaffinch.cli.politeness_options import politeness_options
from chaffinch.cli.render_options import loader_of, page_loader, render_options
from chaffinch.cli.rendering import find_page
from chaffinch.cli.sibling_pages import own_address
from chaffinch.cli.source_options import fetching, source_options
from chaffinch.cli.verb import Verb
from chaffinch.page.bounds import Limits
from chaffinch.siblings.sibling_links import sibling_links, spread
from chaffinch.siblings.url_shapes import plain_url
from chaffinch.wording import counted


@click.command(cls=Verb)
@click.argument("page", metavar="URL | FILE | -")
@click.option(
    "-n", "--count", type=click.IntRange(min=1), default=8, show_default=True,
    help="Siblings to look for.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
@politeness_options
@source_options
@render_options
def siblings(*, page: str, count: int, as_json: bool, **given: Any) -> None:
    """Find pages of the same layer as one page, with the reason.

    Given an address, lists, feeds and sitemaps are read where the page's own links don't suffice,
    and every sibling is fetched and compared; robots.txt is obeyed. Given a file, its links alone
    decide; --url gives its address. Exit code 3: there is none.
    """
    if is_address(page):
        if given["url"] is not None:
            raise click.UsageError("--url goes with one file or standard input")
        found = _fetched(page, count, given)
    else:
        found = _read(page, count, given)
    write_out(json.dumps(found, ensure_ascii=False) if as_json else "\n".join(_lines(found)))
    if not found["siblings"]:
        raise SystemExit(EMPTY)


def _fetched(url: str, count: int, given: dict[str, Any]) -> dict[str, Any]:
    with page_loader(given) as loader:
        found = discovered(url, given, count=count, loader=loader)
    return {
        "url": found.url,
        "siblings": [
            {
                "url": one.url,
                "score": one.score,
                "layout": round(one.path_similarity, 3),
                "why": list(one.reasons),
                "from": one.source,
            }
            for one in found.siblings
        ],
        "parts": found.parts,
        "left_out": [{"url": url, "why": why} for url, why in found.left_out],
        "looked_at": found.looked_at,
    }


def _read(name: str, count: int, given: dict[str, Any]) -> dict[str, Any]:
    limits = Limits(max_bytes=given["max_size"] << 20)
    options = {key: given[key] for key in ("url", "encoding", "is_corpus")}
    how = fetching(given)
    loader = loader_of(given["render"], given["browser"], how, limits)
    source = find_page(name, how, loader, max_bytes=limits.max_bytes, **options)
    page = source.as_page(limits)
    url = plain_url(page.url or own_address(page, None) or "")
    if not url:
        raise click.UsageError("the page doesn't declare its address; give it as --url")
    page = replace(page, url=url)
    near = sibling_links(url, [page])
    return {
        "url": url,
        "siblings": [
            {"url": one.url, "score": one.score, "why": list(one.reasons), "from": one.source}
            for one in spread(near.links, count)
        ],
        "parts": list(near.parts),
        "left_out": [],
        "looked_at": [],
    }


def _lines(found: dict[str, Any]) -> list[str]:
    out = [f"{found['url']}: {counted(len(found['siblings']), 'sibling')}"]
    for one in found["siblings"]:
        layout = f", {one['layout']:.0%} of tag paths in common" if "layout" in one else ""
        out.append(f"{one['score']:.2f}  {one['url']}")
        out.append(f"      {', '.join(one['why'])}{layout}")
        if one["from"] != found["url"]:
            out.append(f"      found on {one['from']}")
    out += [f"looked at {place}" for place in found["looked_at"]]
    out += [f"further part of the same article: {part}" for part in found["parts"]]
    out += [f"left out: {one['url']}: {one['why']}" for one in found["left_out"]]
    return [one_line(line) for line in out]
