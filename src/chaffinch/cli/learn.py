"""``chaffinch learn``: a site model from a site's own pages."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli import options, politeness
from chaffinch.cli.auto_siblings import layer_pages
from chaffinch.cli.inputs import is_address
from chaffinch.cli.outputs import write_out
from chaffinch.cli.site_pages import site_pages
from chaffinch.page.guard.limits import Limits
from chaffinch.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.page import Page

_COUNT: Final = 24  # pages that a single address finds; the model's docs have what more add


@click.command
@click.argument("inputs", nargs=-1, required=True, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@click.option(
    "--save",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the model goes, as TOML; beside it, as .pages, what --update needs.",
)
@click.option(
    "--update",
    is_flag=True,
    help="Take the pages into the model that is there; what people wrote in it stays.",
)
@click.option(
    "--same-layer",
    type=click.IntRange(min=0),
    metavar="N",
    help="Of each address, find and fetch N pages of the same layer, too; default: 24 where a "
    "single address is given, else 0.",
)
@click.option("--date", default="", metavar="DATE", help="Of the pages; default: today.")
@options.source_options
@politeness.politeness_options
def learn(
    *,
    inputs: Sequence[str],
    save: Path,
    update: bool,
    same_layer: int | None,
    date: str,
    **others: Any,
) -> None:
    """Learn a site model from the site's own pages; nothing needs to be labelled.

    Two or three pages of each kind are a beginning, forty are plenty. Give pages of one site:
    folders, files, addresses, archives (WARC), tables or lists of addresses. Of a single address,
    pages of the same layer are found: --delay, --per-host, --at-once, --retries and --back-off say
    how politely.
    """
    limits = Limits(max_bytes=others["max_size"] << 20)
    count = same_layer if same_layer is not None else _COUNT if len(inputs) == 1 else 0
    pages = chain.from_iterable(
        layer_pages(given, count, others)
        if count and is_address(given)
        else site_pages([given], options.fetching(others), limits)
        for given in inputs
    )
    site = Site.load(save) if update else None
    counted = _Counted(pages)
    learned = Site.learn(counted, date=date) if site is None else site.update(counted, date=date)
    if not counted.count:
        raise click.UsageError(f"no page in {', '.join(inputs)}")
    learned.save(save)
    write_out(learned.report().to_text())


class _Counted:
    """Counts pages as they pass."""

    def __init__(self, pages: Iterator[Page]) -> None:
        self._pages = pages
        self.count = 0

    def __iter__(self) -> Iterator[Page]:
        for page in self._pages:
            self.count += 1
            yield page
