"""``chaffinch rules``: the rules of site models tried on pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import write_out
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.site_pages import SitePages
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.site.rule_check import check_rules
from chaffinch.site.site import Site

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.group
def rules() -> None:
    """Try the rules of site models."""


@rules.command(cls=Verb)
@click.argument("model", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("pages", nargs=-1, required=True, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@source_options
@click.pass_context
def check(context: click.Context, /, *, model: Path, pages: Sequence[str], **others: Any) -> None:
    """Try the rules of a model on pages: which match nothing, which too much.

    Ends with exit code 1 where anything is wrong.
    """
    given = SitePages(pages, others)
    found = check_rules(Site.load(model), given)
    for one in found:
        if one.rule is None:
            here = f"template {one.template}" if one.template else f"{one.pages} pages"
            write_out(f"{here}: {one.remark}")
            continue
        said = one.remark or f"{one.share:.0%} of the text"
        write_out(
            f"{one.template or 'all pages'}: {one.rule.kind} {one.rule.select}: "
            f"on {one.matching} of {one.pages} pages, {said}"
        )
    context.exit(FAILED if given.failed or any(one.remark for one in found) else 0)
