"""Options that several verbs have, and several options of a verb at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Command = TypeVar("Command", bound="Callable[..., Any]")


def stacked(options: Sequence[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    """Return a decorator that adds ``options`` to a verb, in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def form_option(*forms: str, help_text: str) -> Callable[[Command], Command]:
    """Return the option ``--format``, whose default is the first of the forms."""
    kind = click.Choice(forms)
    return click.option(
        "-f", "--format", "form", type=kind, default=forms[0], show_default=True, help=help_text
    )


inputs_argument = click.argument(
    "inputs", nargs=-1, required=True, metavar="[URL | FILE | FOLDER | -]..."
)
"""Adds the pages that a verb is given, as `chaffinch.cli.inputs.find` takes them."""

workers_option = click.option(
    "-w",
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Processes to use.",
)
"""Adds the number of processes that pages are worked through by."""
