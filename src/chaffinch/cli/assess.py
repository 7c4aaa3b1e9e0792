"""``chaffinch assess``: whether pages are content, or a wall or an error in its place."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from chaffinch.assessment.assessment import assess_page
from chaffinch.cli.inputs import at_hand, find
from chaffinch.cli.messages import one_line, print_error, write_out
from chaffinch.cli.option_lists import form_option, inputs_argument
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.render_options import loader_of, render_options
from chaffinch.cli.source_options import fetching as fetching_of
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.errors import PageError
from chaffinch.loading.own_address import addressed
from chaffinch.page.bounds import Limits
from chaffinch.page.page import STATUSES
from chaffinch.page_work import PageWork

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.assessment.assessment import Assessment
    from chaffinch.cli.source import Source
    from chaffinch.page import Page


@click.command(cls=Verb)
@inputs_argument
@form_option(
    "text", "json", help_text="A line a page with its evidence below, or a line of JSON a page."
)
@click.option(
    "--status",
    type=click.IntRange(*STATUSES),
    metavar="CODE",
    help="HTTP status of the response that had the pages, where it isn't known otherwise.",
)
@source_options
@render_options
@click.pass_context
def assess(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    inputs: Sequence[str],
    form: str,
    status: int | None,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    render: str,
    browser: str | None,
    **others: Any,
) -> None:
    """Report whether pages are content, or a wall or an error in its place.

    Of each page: its state (content, shell, block_page, login, paywall, consent_wall, error_page,
    empty, parked), how likely that is, what to do next (read, render, retry_later, give_up), and
    what was measured that speaks for it. Pages of addresses are assessed whatever their status.
    """
    fetching = replace(fetching_of(others), accept_errors=True)
    limits = Limits(max_bytes=fetching.limits.max_bytes)
    sources = find(inputs, url=url, encoding=encoding, is_corpus=is_corpus)
    loader = loader_of(render, browser, fetching, limits)
    ready = at_hand(sources, fetching)
    if loader is not None:
        from chaffinch.cli.rendering import loaded  # noqa: PLC0415  few calls render

        ready = loaded(sources, loader, max_bytes=limits.max_bytes)
    has_failed = False
    for source in ready:
        try:
            page, found = _assessed(source, status, limits)
        except PageError as error:
            print_error(f"{source.name}: {error}")
            has_failed = True
        else:
            write_out(_as_json(source, page, found) if form == "json" else _as_text(source, found))
    context.exit(FAILED if has_failed else 0)


def _assessed(source: Source, status: int | None, limits: Limits) -> tuple[Page, Assessment]:
    with PageWork("assessing the page", limits.seconds):
        page = addressed(source.as_page(limits))
        if page.status is None and status is not None:
            page = page.with_status(status)
        return page, assess_page(page)


def _as_json(source: Source, page: Page, found: Assessment) -> str:
    values = {**source.origin._asdict(), "url": page.url or None, **asdict(found)}
    return json.dumps(values, ensure_ascii=False)


def _as_text(source: Source, found: Assessment) -> str:
    """Return a line of the state, and one of each observation."""
    lines = [
        f"{found.state:<12} {found.probability:.2f}  {found.next_step:<11} {one_line(source.name)}"
    ]
    for one in found.evidence:
        rows = f"  rows {', '.join(map(str, one.rows))}" if one.rows else ""
        lines.append(f"    {one.log_odds:+6.2f}  {one.name}: {one.value:g}{rows}")
    return "\n".join(lines)
