"""Lines and texts for people: results on standard output, all else on standard error."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from chaffinch.cli.terminal import shown
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUIET: Final = "chaffinch.quiet"
"""Key of the context under which stands whether notes and progress are left out."""


def one_line(message: str) -> str:
    """Return a message as one line without control characters."""
    return "".join(c if c.isprintable() else " " for c in message)


def bug_line(error: Exception) -> str:
    """Return the problem with a page at which Chaffinch itself failed, where the next goes on."""
    return f"a bug of Chaffinch; please report it, with the page: {type(error).__name__}: {error}"


def print_error(message: str) -> None:
    """Put an error on standard error, one line."""
    click.echo(f"Error: {one_line(message)}", err=True)


def print_note(message: str) -> None:
    """Put what is no error on standard error, one line, unless the call is quiet."""
    if not is_quiet():
        click.echo(one_line(message), err=True)


def is_quiet() -> bool:
    """Return whether notes and progress are to be left out."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def shows_progress() -> bool:
    """Return whether a progress bar on standard error would be seen, and isn't unwanted."""
    return sys.stderr is not None and sys.stderr.isatty() and not is_quiet()


def write_out(text: str) -> None:
    """Write to standard output, UTF-8 and ending in one line break.

    A page's control characters don't reach a terminal, which might obey them (`terminal`).
    """
    text = text.rstrip("\n") + "\n"
    if sys.stdout.isatty():
        click.echo(shown(text), nl=False)
    else:
        click.echo(text.encode("utf-8", "replace"), nl=False)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the errors of writing to a file or a folder into one line that names it.

    Raises:
        click.ClickException: it can't be written.
    """
    try:
        yield
    except OSError as error:
        message = f"can't write {error.filename or path}: {cause(error)}"
        raise click.ClickException(message) from error


def write_file(path: Path, text: str) -> None:
    """Write a report to a file.

    Raises:
        click.ClickException: it can't be written.
    """
    with writing(path):
        path.write_text(text, encoding="utf-8", errors="replace")
