"""Options that set what counts as content where people disagree: the fields of `Policy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.option_lists import stacked

if TYPE_CHECKING:
    from collections.abc import Mapping

FAVORS: Final = ("balanced", "precision", "recall")
FIELDS: Final = {
    "headline": ("headline", "The headline, in the text, too; default: a heading of Markdown."),
    "byline": ("byline", "Author and date beside the headline or the text."),
    "captions": ("captions", "Captions of pictures."),
    "comments": ("comments", "Readers' comments and reviews below a text."),
    "tables": ("data-tables", "Data tables within the text."),
    "cards": ("cards", "Lists of cards: boxes with a link and a few words each."),
    "related": ("related", "Lists of links after the text."),
    "notes": ("notes", "Footnotes and references that marks in the text lead to."),
    "hidden": ("hidden", "Text that a browser doesn't show; --no-hidden drops folded text, too."),
}
"""Field of `Policy` → the name of its option, since ``--tables`` sets how tables are shown, and
what it is."""

_OPTIONS: Final = (
    click.option(
        "--favor",
        type=click.Choice(FAVORS),
        help="Less noise (precision) or less missed (recall); default: balanced.",
    ),
    *(
        click.option(f"--{option}/--no-{option}", f"policy_{name}", default=None, help=help_text)
        for name, (option, help_text) in FIELDS.items()
    ),
)

policy_options = stacked(_OPTIONS)
"""Adds the options that set what counts as content; they go with methods that have a policy."""


def wanted(given: Mapping[str, Any]) -> dict[str, bool] | None:
    """Return what is to count as content and what not, by field of `Policy`; None for nothing."""
    policy = {name: given[f"policy_{name}"] for name in FIELDS}
    return {name: value for name, value in policy.items() if value is not None} or None


def require_page_level(option: str, given: Mapping[str, Any]) -> None:
    """Check that nothing is set that belongs to the default method for single pages.

    Raises:
        click.UsageError: something is, which ``option`` goes without.
    """
    if given["settings"]:
        raise click.UsageError(f"{option} goes without --set")
    if given["favor"] is not None:
        raise click.UsageError(f"{option} goes without --favor")
