"""What reaches a terminal: no character that a terminal obeys, or that turns text around.

Titles, texts, names of files and messages of libraries come from pages, and a terminal that gets
them as they are is driven by them. So while a verb runs, standard output and standard error pass
through here where they are a terminal. Files and pipes get what was written, verbatim.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHOWN: Final = "\t\n"
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
    if chr(code) not in _SHOWN
}


def shown(text: str) -> str:
    """Return a text as a terminal may get it: without controls but tabs and ends of lines."""
    return text if text.isascii() and text.isprintable() else text.translate(_LEFT_OUT)


class Shown:
    """A stream that is a terminal; what is written to it is `shown`."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; return its length as it was given."""
        self.stream.write(shown(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Have standard streams that are terminals show no controls, whoever writes to them.

    After an exception that nobody caught they stay so, since Python will write its message.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (_guarded(stream) for stream in before)
    try:
        yield
    except (SystemExit, KeyboardInterrupt):
        sys.stdout, sys.stderr = before
        raise
    sys.stdout, sys.stderr = before


def _guarded(stream: TextIO) -> TextIO:
    return cast("TextIO", Shown(stream)) if stream is not None and stream.isatty() else stream


def drawn_on() -> TextIO:
    """Return standard error for progress bars, which move the cursor and hold no text of pages."""
    stream: Any = sys.stderr
    return cast("TextIO", stream.stream if isinstance(stream, Shown) else stream)
