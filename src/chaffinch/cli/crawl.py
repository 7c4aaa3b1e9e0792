"""``chaffinch crawl``: many pages into a WARC file."""

from __future__ import annotations

import signal
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from chaffinch.cli.filter_options import language_option, url_blacklist_option
from chaffinch.cli.messages import one_line, shows_progress
from chaffinch.cli.politeness_options import politeness_of, politeness_options
from chaffinch.cli.render_options import render_options, require_browser_fits
from chaffinch.cli.source_options import (
    allow_option,
    contact_option,
    fetching,
    resolve_option,
    size_option,
    timeout_option,
)
from chaffinch.cli.terminal import drawn_on
from chaffinch.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from chaffinch.web import CrawlPlan

_SHOWN = 20
_STOPS = () if sys.platform == "win32" else (signal.SIGINT, signal.SIGTERM)


@click.command(cls=Verb)
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option(
    "-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.warc.gz",
    help="File to write.",
)  # fmt: skip
@click.option("--site", "extent", flag_value="site", default=True,
              help="Follow links on the hosts of the addresses; the default.")  # fmt: skip
@click.option("--sitemap", "extent", flag_value="sitemap",
              help="Fetch what the sitemaps of these hosts list.")  # fmt: skip
@click.option("--same-layer", "extent", flag_value="same-layer",
              help="Fetch each page and pages of the same layer as it.")  # fmt: skip
@click.option(
    "--pages", type=click.IntRange(min=1), metavar="N",
    help="Pages in all, duplicates left out; with --same-layer for each address (default 9).",
)  # fmt: skip
@click.option(
    "--requests", type=click.IntRange(min=1), metavar="N",
    help="Requests in all: robots.txt, sitemaps, redirects and retries count; default: 100 and 20 "
    "for each of --pages, a million without --pages.",
)  # fmt: skip
@click.option("--depth", type=click.IntRange(min=0), default=64, show_default=True, metavar="N",
              help="Links from the first page.")  # fmt: skip
@click.option("--host", "hosts", multiple=True, metavar="HOST[:PORT]",
              help="Follow links to this host, too; may be repeated.")  # fmt: skip
@language_option(
    "Follow and record pages in these languages alone, start pages followed in any case; codes "
    "with commas between."
)
@url_blacklist_option
@click.option(
    "--resume", is_flag=True, help="Go on with FILE where a crawl ended, by a crash or by --pages."
)
@click.option(
    "--since", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="WARC file of an earlier crawl; its pages are requested only if they have changed.",
)  # fmt: skip
@politeness_options
@click.option(
    "--binding", multiple=True, type=click.Choice(["robots", "tdm"]),
    help="Obey, not only record: robots meta and X-Robots-Tag; text-mining reservations.",
)  # fmt: skip
@timeout_option
@size_option(16)
@render_options
@allow_option
@resolve_option
@contact_option
def crawl(
    *, urls: Sequence[str], out: Path, resume: bool, since: Path | None, **given: Any
) -> None:
    """Crawl pages politely into a WARC file.

    robots.txt and its delays are obeyed. The file is the crawl's journal, too: after a crash, the
    same command with --resume goes on without fetching a page twice; Ctrl-C and SIGTERM stop it
    cleanly. The summary goes to standard output. Exit code 1: some page failed, or it was stopped;
    3: none failed, and none was had.
    """
    from chaffinch.web import crawl as run  # noqa: PLC0415 an extra

    plan = _plan(urls, given)
    with _bar(given["pages"] if plan.extent != "same-layer" else None) as bar:
        summary = run(plan, out, resume=resume, since=since, on_visit=bar, stop_signals=_STOPS)
    for line in summary.lines(_SHOWN):
        click.echo(one_line(line))
    if summary.problems or summary.is_stopped:
        raise SystemExit(1)
    if not summary.counts["page"] + summary.counts["unchanged"]:
        raise SystemExit(3)


def _plan(urls: Sequence[str], given: dict[str, Any]) -> CrawlPlan:
    from chaffinch.web import CrawlLimits, CrawlPlan  # noqa: PLC0415 an extra

    require_browser_fits(given["render"], given["browser"])
    how = fetching(given)
    return CrawlPlan(
        urls=tuple(urls),
        extent=given["extent"],
        hosts=tuple(given["hosts"]),
        limits=CrawlLimits(pages=given["pages"], requests=given["requests"], depth=given["depth"]),
        politeness=politeness_of(given),
        fetch=how.limits,
        allow=how.allow,
        resolve=how.resolve,
        render=given["render"],
        browser=given["browser"],
        languages=given["languages"],
        url_blacklist=given["url_blacklist"],
    )


class _Bar:
    """A progress bar that counts pages and names the rest."""

    def __init__(self, pages: int | None) -> None:
        from tqdm import tqdm  # noqa: PLC0415 an extra

        self._bar: Any = tqdm(total=pages, unit=" pages", dynamic_ncols=True, file=drawn_on())
        self._others = self._failed = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def __call__(self, visit: Any) -> None:
        if visit.kind == "page":
            self._bar.update(1)
        else:
            self._others += 1
            self._failed += visit.kind == "failed"
            self._bar.set_postfix(others=self._others, failed=self._failed, refresh=False)


def _bar(pages: int | None) -> AbstractContextManager[_Bar | None]:
    """Return a progress bar, or nothing where nobody would see it."""
    return _Bar(pages) if shows_progress() else nullcontext()
