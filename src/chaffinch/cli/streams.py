"""Standard streams: results on standard output, everything for people on standard error.

Titles, texts, names of files and messages of libraries come from pages, and a terminal that gets
them as they are is driven by them. So while a verb runs, no stream that is a terminal gets a
character that it would obey, or that turns text around. Files and pipes get what was written.
"""

import contextlib
import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TextIO, cast

import click

from chaffinch.wording import cause

QUIET: Final = "chaffinch.quiet"
"""Key of click's context under which stands whether notes and progress are left out."""

_UNWRITABLE: Final = frozenset(
    {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EBADF, errno.EIO, errno.EROFS}
)
"""Errors of output: a full disk, a quota, a closed stream, a broken device."""

_LEFT_OUT: Final[dict[int, None]] = {
    code: None
    for codes in (
        range(0x20),  # C0
        range(0x7F, 0xA0),  # delete, and C1, in which CSI begins a sequence as ESC [ does
        range(0x202A, 0x202F),  # bidirectional embeddings and overrides
        range(0x2066, 0x206A),  # bidirectional isolates
        range(0xD800, 0xE000),  # bytes of a name that aren't UTF-8, which go out as they came in
    )
    for code in codes
    if chr(code) not in "\t\n"
}


def shown(text: str) -> str:
    """Return a text as a terminal may get it: without controls but tabs and ends of lines."""
    return text if text.isascii() and text.isprintable() else text.translate(_LEFT_OUT)


class Shown:
    """A stream that is a terminal; what is written to it is `shown`."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(shown(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def draw(text: str) -> None:
    """Draw a line in the place of the last; it moves the cursor, and holds no text of pages."""
    stream: Any = sys.stderr
    if isinstance(stream, Shown):
        stream = stream.stream
    click.echo(f"\r\x1b[K{text}", file=stream, nl=False)


@contextlib.contextmanager
def progress(*, is_wanted: bool = True) -> Iterator[Callable[[str], None] | None]:
    """Give what draws a line of progress, in the place of the one before; None where none is."""
    is_drawn = is_wanted and sys.stderr is not None and sys.stderr.isatty() and not is_quiet()
    yield draw if is_drawn else None
    if is_drawn:
        click.echo(err=True)


@contextlib.contextmanager
def guarded_streams() -> Iterator[None]:
    """Surround a call: output that can't be written is one line on standard error, exit code 1.

    A closed standard output is an error once something is written to it, a closed standard error
    is none. Streams that are terminals show no controls, whoever writes to them; after an exception
    that nobody caught they stay so, since Python will write its message.
    """
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", Shown(one)) if one.isatty() else one for one in before)
    try:
        yield
        sys.stdout, sys.stderr = before
    except (SystemExit, KeyboardInterrupt):
        sys.stdout, sys.stderr = before
        raise
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        with contextlib.suppress(OSError, ValueError):
            # What standard output still holds goes nowhere, or its finaliser fails as well.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        print_error(f"can't write {error.filename or 'the output'}: {cause(error)}")
        sys.exit(1)


def one_line(message: str) -> str:
    """Return a message as one line without control characters."""
    return "".join(c if c.isprintable() else " " for c in message)


def bug_line(error: Exception) -> str:
    """Return the problem with a page at which Chaffinch itself failed, where the next goes on."""
    return f"a bug of Chaffinch; please report it, with the page: {type(error).__name__}: {error}"


def print_error(message: str) -> None:
    click.echo(f"Error: {one_line(message)}", err=True)


def print_note(message: str) -> None:
    """Put what is no error on standard error, one line, unless the call is quiet."""
    if not is_quiet():
        click.echo(one_line(message), err=True)


def is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


def write_out(given: object) -> None:
    """Write text, or another value as JSON, to standard output: UTF-8, ending in one line break."""
    is_text = isinstance(given, str)
    text = str(given) if is_text else json.dumps(given, ensure_ascii=False, indent=2)
    text = text.rstrip("\n") + "\n"
    if sys.stdout.isatty():
        click.echo(shown(text), nl=False)
    else:
        click.echo(text.encode("utf-8", "replace"), nl=False)
