"""``chaffinch rules propose``, ``add`` and ``remove``: rules of a person in a site's file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.messages import print_note, write_out
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.site_pages import SitePages
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.comparison.text_table import as_table
from chaffinch.errors import OptionError
from chaffinch.site.rules import KINDS, Rule
from chaffinch.site.site import Site
from chaffinch.site.teach import Mark, SamplePage, keep_rule, remove_rule
from chaffinch.site.teach import propose as proposed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.comparison.text_table import CellValue
    from chaffinch.site.teach import Candidate, Proposal

_MODEL: Final = click.Path(dir_okay=False, path_type=Path)
_TEXT: Final = 40
_kind_option = click.option(
    "--as", "kind", required=True, type=click.Choice(KINDS), help="What the element is."
)
_template_option = click.option(
    "--template", default="", metavar="NAME", help="Template that the rule is for; default: all."
)


@click.command(cls=Verb)
@click.argument("model", type=_MODEL)
@click.argument("pages", nargs=-1, required=True, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@click.option(
    "--on", "where", required=True, metavar="ADDRESS",
    help="Page that the element is on: its address, or the end of it.",
)  # fmt: skip
@click.option(
    "--at", "marked", required=True, metavar="SELECTOR",
    help="Selects the element, the first where it selects several.",
)  # fmt: skip
@_kind_option
@click.option(
    "--also", multiple=True, nargs=2, metavar="KIND SELECTOR",
    help="A further element of that page and what it is, such as «content p.lead», which the rule "
    "must leave so; may be repeated.",
)  # fmt: skip
@click.option(
    "--select", "selector", default="", metavar="SELECTOR", help="Try this selector alone."
)
@click.option("--keep", is_flag=True, help="Write the proposed rule into the model's file.")
@click.option(
    "--number", type=click.IntRange(min=1), metavar="N",
    help="Take candidate N in place of the proposed one, also where it has collateral.",
)  # fmt: skip
@source_options
@click.pass_context
def propose(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    model: Path,
    pages: Sequence[str],
    where: str,
    marked: str,
    kind: str,
    also: Sequence[tuple[str, str]],
    selector: str,
    keep: bool,
    number: int | None,
    **others: Any,
) -> None:
    """Propose rules for one element of a page, each tried on all of the pages.

    Candidates are listed from narrow to wide; a star marks the widest without collateral: it takes
    away nothing that a mode of the model keeps, and adds nothing that mode full drops, but what is
    marked. Ends with exit code 1 where there is none.
    """
    site = Site.load(model)
    found = SitePages(pages, others)
    sample = [SamplePage.of(site, page) for page in found]
    page = _page(sample, where)
    marks = [_mark(sample, page, *one) for one in (*also, (kind, marked))]
    made = proposed(sample, marks, selector=selector)
    write_out(_table(made))
    chosen = _chosen(made, number)
    if keep and chosen is not None:
        keep_rule(model, chosen.rule(kind, _today()), chosen.template)
        print_note(f"{model}: {kind} {chosen.select} is kept.")
    context.exit(FAILED if found.failed or chosen is None else 0)


def _page(sample: Sequence[SamplePage], where: str) -> int:
    """Return the number of the page that an address, or the end of one, names.

    Raises:
        OptionError: none or several have it.
    """
    urls = [one.page.url or "" for one in sample]
    hits = [n for n, url in enumerate(urls) if url == where]
    hits = hits or [n for n, url in enumerate(urls) if url.endswith(where)]
    if len(hits) != 1:
        raise OptionError(f"--on {where}: {len(hits)} of {len(sample)} pages have such an address")
    return hits[0]


def _mark(sample: Sequence[SamplePage], page: int, kind: str, selector: str) -> Mark:
    """Return the mark of an element.

    Raises:
        OptionError: the page has none, or the kind is unknown.
    """
    row = sample[page].page.first(selector)
    if row < 0:
        raise OptionError(f"{selector}: selects nothing on {sample[page].page.url}")
    return Mark(page, row, kind)


def _table(made: Proposal) -> str:
    names = [
        "",
        "selector",
        "for",
        "pages",
        "elements",
        "added",
        "removed",
        "collateral",
        "such as",
    ]
    rows: list[list[CellValue]] = [
        [
            f"{number + 1}{'*' if number == made.chosen else ''}",
            one.select,
            one.template or "all pages",
            f"{one.pages} of {one.of}",
            one.elements,
            one.added,
            one.removed,
            _collateral(one),
            one.examples[0].text[:_TEXT] if one.examples else "",
        ]
        for number, one in enumerate(made.candidates)
    ]
    return as_table(names, rows)


def _collateral(one: Candidate) -> str:
    more = [f"{one.against} against marks"] if one.against else []
    more += [f"{one.missed} marks missed"] if one.missed else []
    return ", ".join([str(one.collateral), *more])


def _chosen(made: Proposal, number: int | None) -> Candidate | None:
    """Return the candidate that is taken; None where none is.

    Raises:
        OptionError: there is no such number, or it goes against a mark.
    """
    if number is None:
        return made.best
    if number > len(made.candidates):
        raise OptionError(f"--number {number}: there are {len(made.candidates)} candidates")
    if (one := made.candidates[number - 1]).against:
        raise OptionError(f"--number {number}: {one.select} goes against a mark")
    return one


def _today() -> str:
    return datetime.now(tz=UTC).date().isoformat()


@click.command(cls=Verb)
@click.argument("model", type=_MODEL)
@_kind_option
@click.option("--select", "selector", required=True, metavar="SELECTOR", help="CSS or XPath.")
@_template_option
def add(*, model: Path, kind: str, selector: str, template: str) -> None:
    """Write a rule into a model's file; all else in it, comments too, stays as it is."""
    keep_rule(model, Rule(kind=kind, select=selector, by_hand=True), template)


@click.command(cls=Verb)
@click.argument("model", type=_MODEL)
@_kind_option
@click.option("--select", "selector", required=True, metavar="SELECTOR", help="Of the rule.")
@_template_option
def remove(*, model: Path, kind: str, selector: str, template: str) -> None:
    """Take a rule that a person wrote out of a model's file."""
    remove_rule(model, kind, selector, template)
