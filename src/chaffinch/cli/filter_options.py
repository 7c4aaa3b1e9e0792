"""Options that set which pages are wanted at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.option_lists import Command, stacked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.extraction.page_filter import PageFilter


def _codes(_context: click.Context, _option: click.Parameter, given: str) -> tuple[str, ...]:
    return tuple(code.strip().lower() for code in given.split(",") if code.strip())


def language_option(help_text: str) -> Callable[[Command], Command]:
    """Return the option ``--language``, with what it means for the verb."""
    return click.option(
        "--language", "languages", default="", metavar="CODES", callback=_codes, help=help_text
    )


url_blacklist_option = click.option(
    "--url-blacklist",
    multiple=True,
    metavar="URL",
    help="Leave this address out; one that ends with * stands for all that begin so; may be "
    "repeated.",
)
_OPTIONS = (
    language_option(
        "Leave pages out that aren't in one of these languages; codes with commas between."
    ),
    click.option(
        "--only-with-metadata",
        is_flag=True,
        help="Leave pages out that have no address, no title or no date of publication.",
    ),
    url_blacklist_option,
    click.option(
        "--author-blacklist",
        multiple=True,
        metavar="NAME",
        help="A name that is no author's, such as an agency's; may be repeated.",
    ),
)


def filter_options(command: Command) -> Command:
    """Add the options that set which pages are wanted."""
    return stacked(_OPTIONS)(command)


def page_filter(given: Mapping[str, Any]) -> PageFilter | None:
    """Return the filter that values of `filter_options` give; None for none.

    Raises:
        OptionError: a value is no code of a language, or no address.
    """
    names = ("languages", "only_with_metadata", "url_blacklist")
    wanted = {name: given[name] for name in names if given.get(name)}
    if not wanted:
        return None
    from chaffinch.extraction.page_filter import PageFilter  # noqa: PLC0415  few calls filter

    return PageFilter(**wanted)
