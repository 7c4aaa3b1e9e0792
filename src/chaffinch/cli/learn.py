"""``chaffinch learn``: a site model from a site's own pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.messages import write_out
from chaffinch.cli.option_values import read_date
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.politeness_options import politeness_options
from chaffinch.cli.render_options import render_options
from chaffinch.cli.site_pages import SitePages
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.durable_files import locked_folder
from chaffinch.errors import RulesError
from chaffinch.site.site import Site
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Sequence

_COUNT: Final = 24  # pages that a single address finds; the model's docs have what more add


@click.command(cls=Verb)
@click.argument("inputs", nargs=-1, required=True, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@click.option(
    "--save", required=True, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="Where the model goes, as TOML; beside it, as .pages, what --update needs.",
)  # fmt: skip
@click.option(
    "--update",
    is_flag=True,
    help="Take the pages into the model that is there; what people wrote in it stays.",
)
@click.option(
    "--same-layer", type=click.IntRange(min=0), metavar="N",
    help="Of each address, find and fetch N pages of the same layer, too; default: 24 where a "
    "single address is given, else 0.",
)  # fmt: skip
@click.option(
    "--date", default="", metavar="YYYY-MM-DD", callback=read_date,
    help="Date of the pages; default: today.",
)  # fmt: skip
@source_options
@politeness_options
@render_options
@click.pass_context
def learn(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
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
    pages of the same layer are found: --delay, --per-host, --at-once, --retries and --back-off set
    how politely.
    """
    count = same_layer if same_layer is not None else _COUNT if len(inputs) == 1 else 0
    if update and not save.exists():
        raise click.UsageError(f"--update: there is no model {save} yet; leave --update out")
    site = Site.load(save) if update else None
    before = save.read_bytes() if update else b""
    pages = SitePages(inputs, others, same_layer=count, site=site)
    learned = Site.learn(pages, date=date) if site is None else site.update(pages, date=date)
    if not pages.count:
        raise click.UsageError(f"no page in {', '.join(inputs)}")
    _save(learned, save, before)
    write_out(learned.report().to_text())
    context.exit(FAILED if pages.failed else 0)


def _save(site: Site, path: Path, before: bytes) -> None:
    """Save a model, unless the file that it was made from is another by now.

    Raises:
        RulesError: so it is, or it can't be written.
    """
    try:
        with locked_folder(path.parent):
            if before and path.read_bytes() != before:
                raise RulesError(f"{path} was changed while the model was learned: learn it again")
            site.save(path)
    except OSError as error:
        raise RulesError(f"can't write {path}: {cause(error)}") from error
