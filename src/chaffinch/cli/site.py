"""``chaffinch site`` and ``chaffinch rules``: site models looked at, compared and tried."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli import options
from chaffinch.cli.outputs import write_out
from chaffinch.cli.site_pages import site_pages
from chaffinch.page.guard.limits import Limits
from chaffinch.site import Site
from chaffinch.site.differences import differences
from chaffinch.site.rule_check import check_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chaffinch.page import Page

_MODEL = click.Path(dir_okay=False, path_type=Path)
WRONG = 1


@click.group
def site() -> None:
    """Look at site models that 'chaffinch learn' made, and compare them."""


@site.command
@click.argument("model", type=_MODEL)
@click.argument("pages", nargs=-1, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Lines for people, or one JSON object.",
)
@click.option(
    "--html",
    "report_file",
    type=_MODEL,
    help="Write templates and rules to this .html file, too; with pages given, with a heat map "
    "over one of each template.",
)
@options.source_options
def report(
    *, model: Path, pages: Sequence[str], form: str, report_file: Path | None, **others: Any
) -> None:
    """Say what a site model holds; with pages, what has changed on them since it was learned."""
    learned = Site.load(model)
    limits = Limits(max_bytes=others["max_size"] << 20)
    given = _used(learned, site_pages(pages, options.fetching(others), limits))
    said = learned.report()
    if report_file is not None:
        _write(report_file, said.to_html(given))
    deque(given, maxlen=0)  # where no report took them
    as_json = json.dumps(said.to_dict(), ensure_ascii=False, indent=2)
    write_out(as_json if form == "json" else said.to_text())


def _used(learned: Site, pages: Iterable[Page]) -> Iterator[Page]:
    """Use the model on pages as they pass, so that what has changed is counted."""
    for page in pages:
        learned(page)
        yield page


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"can't write {path}: {error.strerror}") from error


@site.command
@click.argument("before", type=_MODEL)
@click.argument("after", type=_MODEL)
def diff(*, before: Path, after: Path) -> None:
    """Say in words what differs between two models of a site."""
    found = differences(Site.load(before), Site.load(after))
    write_out("\n".join(found) or "nothing differs")


@click.group
def rules() -> None:
    """Try the rules of site models."""


@rules.command
@click.argument("model", type=_MODEL)
@click.argument("pages", nargs=-1, required=True, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@options.source_options
@click.pass_context
def check(context: click.Context, /, *, model: Path, pages: Sequence[str], **others: Any) -> None:
    """Try the rules of a model on pages: which match nothing, which too much.

    Ends with exit code 1 where anything is wrong.
    """
    limits = Limits(max_bytes=others["max_size"] << 20)
    found = check_rules(Site.load(model), site_pages(pages, options.fetching(others), limits))
    for one in found:
        if one.rule is None:
            here = f"template {one.template}" if one.template else f"{one.pages} pages"
            write_out(f"{here}: {one.remark}")
            continue
        said = one.remark or f"{one.share:.0%} of the text"
        write_out(
            f"{one.template}: {one.rule.kind} {one.rule.select}: on {one.matching} of {one.pages} "
            f"pages, {said}"
        )
    context.exit(WRONG if any(one.remark for one in found) else 0)
