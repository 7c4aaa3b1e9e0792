"""``chaffinch explain``: why each part of a page was kept or dropped."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.messages import one_line, write_out
from chaffinch.cli.method_options import method_options, task_of
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.render_options import loader_of, render_options
from chaffinch.cli.rendering import find_page
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.comparison.text_table import as_table
from chaffinch.decision.rules import CHOICE
from chaffinch.extraction.explained import explained_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.explanation import Contribution, RuleChange
    from chaffinch.extraction.explained import Explained
    from chaffinch.extraction.extract import Extract

    Numbered = tuple[int, Explained]

_TEXT: Final = 32
_SELECTOR: Final = 40
"""Characters of a block's text, from its start, and of its selector, to its end, in the table."""
_INDENT: Final = " " * 12


@click.command(cls=Verb)
@click.argument("page", metavar="URL|FILE|-")
@form_option(
    "table",
    "json",
    help_text="Table for people, a block a line, or one JSON object with all that is known.",
)
@click.option(
    "--block", "numbers", type=click.IntRange(min=0), multiple=True, metavar="N",
    help="Only this block, in full; may be repeated.",
)  # fmt: skip
@click.option(
    "--find", "wanted", default="", metavar="TEXT",
    help="Only the blocks that hold this text, in any case, in full.",
)  # fmt: skip
@method_options
@source_options
@render_options
def explain(  # noqa: PLR0913  the options of the verb
    *,
    page: str,
    form: str,
    numbers: Sequence[int],
    wanted: str,
    url: str | None,
    encoding: str | None,
    is_corpus: bool,
    render: str,
    browser: str | None,
    **others: Any,
) -> None:
    """Explain why each part of a page was kept or dropped.

    A line for each text block: its number, whether it was kept, its score, the rule that decided,
    and the groups of features that spoke most for it and against it, in log-odds. --block and
    --find show all that is known of some: every group, every rule that changed it, its slot in
    the site's template.
    """
    task, fetching = task_of("text", {**others, "is_corpus": is_corpus})
    loader = loader_of(render, browser, fetching, task.limits, task.replacements)
    options = {"url": url, "encoding": encoding, "is_corpus": is_corpus}
    source = find_page(page, fetching, loader, max_bytes=task.limits.max_bytes, **options)
    found = task.extract(source)
    every = list(enumerate(found.explain()))
    chosen = _chosen(every, numbers, wanted)
    if form == "json":
        write_out(json.dumps(explained_values(found, chosen), ensure_ascii=False, indent=2))
    elif numbers or wanted:
        write_out("\n\n".join("\n".join(_in_full(*one)) for one in chosen))
    else:
        write_out(_heading(found, every) + _table(every))


def _chosen(every: list[Numbered], numbers: Sequence[int], wanted: str) -> list[Numbered]:
    """Return the blocks that are requested.

    Raises:
        click.UsageError: there is none, or no such number.
    """
    for number in numbers:
        if number >= len(every):
            raise click.UsageError(f"--block {number}: the page has {len(every)} blocks, from 0")
    if not numbers and not wanted:
        return every
    folded = " ".join(wanted.split()).casefold()
    chosen = [
        (number, one)
        for number, one in every
        if number in numbers or (folded and folded in one.text.casefold())
    ]
    if not chosen:
        raise click.UsageError(f"--find: no block of the page holds {wanted!r}")
    return chosen


def _heading(found: Extract, every: list[Numbered]) -> str:
    kept = sum(one.keep for _, one in every)
    parts = [f"{kept} of {len(every)} blocks kept by {found.method}"]
    if found.page_type:
        parts.append(f"page type {found.page_type}")
    if thresholds := {one.threshold for _, one in every} - {None}:
        (threshold,) = thresholds
        parts.append(f"kept from a score of {threshold:.2f}")
    if found.source:
        parts.append(f"content from {found.source}")
    return "; ".join(parts) + "\n\n"


def _table(every: list[Numbered]) -> str:
    names = ["block", "kept", "score", "decided by", "for", "against", "text", "selector"]
    rows = [
        [
            number,
            "kept" if one.keep else "dropped",
            f"{one.score:.2f}",
            "score" if one.rule == CHOICE else one.rule or one.reason,
            _strongest(one.supporting),
            _strongest(one.opposing),
            _start(one.text, _TEXT),
            _end(one.selector, _SELECTOR),
        ]
        for number, one in every
    ]
    return as_table(names, rows)


def _strongest(some: Sequence[Contribution]) -> str:
    return f"{some[0].group} {some[0].log_odds:+.1f}" if some else ""


def _start(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _end(text: str, most: int) -> str:
    return text if len(text) <= most else "…" + text[1 - most :]


def _in_full(number: int, one: Explained) -> list[str]:
    """Return the lines of all that is known of a block."""
    state = "kept" if one.keep else "dropped"
    lines = [
        f"block {number}: {state}, score {one.score:.2f}",
        _line("text", one.text),
        _line("selector", one.selector),
        _line("because", one.reason),
    ]
    if one.threshold is not None:
        lines.append(_line("threshold", f"{one.threshold:.2f}"))
    if one.slot:
        lines.append(_line("slot", one.slot))
    lines += _listed("rules", [_of_change(change) for change in one.changes])
    lines += _listed("for", [_of_group(piece) for piece in one.supporting])
    lines += _listed("against", [_of_group(piece) for piece in one.opposing])
    return lines


def _line(name: str, value: str) -> str:
    return f"  {name:<9} {one_line(value)}"


def _listed(name: str, values: list[str]) -> list[str]:
    return [
        _line(name, value) if not number else _INDENT + value for number, value in enumerate(values)
    ]


def _of_change(change: RuleChange) -> str:
    parts = []
    if change.before != change.after:
        parts.append(f"score {change.before:.2f} to {change.after:.2f}")
    if change.keep is not None:
        parts.append("kept" if change.keep else "dropped")
    return f"{change.rule}: {', '.join(parts)}"


def _of_group(piece: Contribution) -> str:
    value = f" ({piece.value})" if piece.value else ""
    return f"{piece.log_odds:+.2f} {piece.group}{value}"
