"""Standard output and error of a call: closed ones, and what becomes of a full disk behind them."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import TYPE_CHECKING, Final

from chaffinch.cli.messages import print_error
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNWRITABLE: Final = frozenset(
    {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EBADF, errno.EIO, errno.EROFS}
)
"""Errors of output: a full disk, a quota, a closed stream, a broken device."""


@contextlib.contextmanager
def guarded_streams() -> Iterator[None]:
    """Surround a call: output that can't be written is one line on standard error, exit code 1.

    A closed standard output is an error once something is written to it, a closed standard error
    is none.

    Raises:
        SystemExit: output can't be written.
    """
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    try:
        yield
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        _discard_output()
        print_error(f"can't write {error.filename or 'the output'}: {cause(error)}")
        sys.exit(1)


def _discard_output() -> None:
    """Let what standard output still holds go nowhere, or its finaliser fails as well."""
    with contextlib.suppress(OSError, ValueError):
        number = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
