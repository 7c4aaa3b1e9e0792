"""Options that set what of the content is shown, and where the outputs go."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from chaffinch.cli.option_lists import stacked
from chaffinch.cli.option_values import read_parts
from chaffinch.output.options import PARTS, POSTS, OutputOptions

WITH_MARKDOWN: Final = ("markdown", "json")
"""Forms of output that hold Markdown."""
_MARKUP: Final = (*WITH_MARKDOWN, "html", "tei")

if TYPE_CHECKING:
    from collections.abc import Mapping

_FLAGS: Final = {
    "links": "In Markdown, HTML and TEI, links with their addresses, or only their text.",
    "images": "In Markdown, HTML and TEI, images.",
    "tables": "In Markdown, HTML and TEI, data tables as tables, or a paragraph a cell.",
    "formulas": "In Markdown, HTML and TEI, formulas as such, or their TeX as text.",
    "emphasis": "In Markdown, HTML and TEI, bold, italic and the like.",
}
_EXTRAS: Final = {
    "front-matter": "Begin text, Markdown and HTML with the metadata as YAML.",
    "formula-cells": "Leave cells of CSV that spreadsheets take for formulas as they are.",
    "titles": "In Markdown, the titles of links and images, which show below a resting pointer.",
    "rows": "Name the rows of the page that each block of Markdown, HTML or TEI came from.",
}
_FORMS: Final = {
    **dict.fromkeys(_FLAGS, _MARKUP),
    "front-matter": ("text", "markdown", "html"),
    "formula-cells": ("csv",),
    "titles": WITH_MARKDOWN,
    "rows": _MARKUP,
    "posts": ("text", *WITH_MARKDOWN),
    "with": ("json", "tei"),
}
"""Option → forms of output that it acts on."""

output_option = click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="File for one page; folder for several, or with a slash at its end; "
    "default: standard output.",
)

max_tokens_option = click.option(
    "--max-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Of Markdown, that in JSON too, what fits into so many tokens (estimated); what is left "
    "out is named at its end.",
)


shown_options = stacked(
    [
        *(
            click.option(f"--{name}/--no-{name}", default=True, show_default=True, help=help_text)
            for name, help_text in _FLAGS.items()
        ),
        *(
            click.option(f"--{name}", is_flag=True, help=help_text)
            for name, help_text in _EXTRAS.items()
        ),
        click.option(
            "--posts",
            type=click.Choice(POSTS),
            help="In Markdown and text, name author and date above each post of a thread, or not; "
            "default: named in Markdown of pages of the type forum.",
        ),
        click.option(
            "--with",
            "parts",
            multiple=True,
            metavar="PARTS",
            callback=read_parts,
            help=f"What JSON holds besides, parted by commas: {', '.join(PARTS)}. TEI takes "
            "posts; may be repeated.",
        ),
        max_tokens_option,
        click.option(
            "--chunk-tokens",
            type=click.IntRange(min=1),
            metavar="N",
            help="Make the chunks of JSON Markdown of at most so many tokens (estimated).",
        ),
        click.option(
            "--section",
            metavar="NUMBER|HEADING",
            help="Of Markdown, that in JSON too, only this section; see 'chaffinch outline'.",
        ),
    ]
)
"""Adds the options that set what of the content is shown: the fields of `OutputOptions`."""


def shown(form: str, given: Mapping[str, Any]) -> OutputOptions:
    """Return what outputs show, from values of `shown_options`, if the verb has them.

    Raises:
        click.UsageError: a part of the Markdown is wanted of a form that has none.
    """
    for name in ("max_tokens", "section"):
        if given.get(name) is not None and form not in WITH_MARKDOWN:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} acts on Markdown: add --format markdown, or json")
    if given.get("chunk_tokens") is not None and (form != "json" or "chunks" not in given["parts"]):
        raise click.UsageError("--chunk-tokens goes with --format json --with chunks")
    names = [field.name for field in fields(OutputOptions)]
    return OutputOptions.of(None, {name: given[name] for name in names if name in given})


def refuse_idle(context: click.Context, form: str) -> None:
    """Refuse those of `shown_options` that were written and don't act on this form of output.

    What stands in a file of settings may, for it holds for other calls, too.

    Raises:
        click.UsageError: there is one.
    """
    for option in context.command.params:
        name = option.opts[0].removeprefix("--")
        forms = _FORMS.get(name, (form,))
        source = context.get_parameter_source(option.name or "")
        if form not in forms and source is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} acts on {', '.join(forms)}, not on {form}")
