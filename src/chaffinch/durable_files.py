"""Files that a full disk, a kill or a power cut leaves whole: the old one or the new one.

A file is written beside its place, flushed to the disk and renamed, and its folder is flushed, in
this order: whoever finds the new name finds all that it stands for, also after a power cut. Who
reads a file to write it anew holds the lock of its folder meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import math
import os
import time
import uuid
from typing import TYPE_CHECKING, Final

from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    import fcntl
    from collections.abc import Iterator, Mapping
    from pathlib import Path
else:
    fcntl = lazy_module("fcntl")  # absent on Windows

PART: Final = ".part"
"""Ending of files that aren't complete."""

_POLL: Final = 0.05  # seconds between two looks at a lock
_CANNOT: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.ENOLCK, errno.ENOSYS})
"""How file systems report that they don't flush or lock folders."""


def part_of(path: Path) -> Path:
    """Return a name of its own beside ``path``, for what is to take its place."""
    return path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}{PART}")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, so that they are there after a power cut.

    Raises:
        OSError: it can't be made.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        flush_folder(one.parent)


def move_file(part: Path, path: Path) -> None:
    """Put a file that is written into the place of another of its file system, for good.

    Raises:
        OSError: it can't be put there.
    """
    _flush_file(part)
    part.replace(path)
    flush_folder(path.parent)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file in one step, for good; a failure leaves what was there.

    Raises:
        OSError: it can't be written.
    """
    replace_files({path: data})


def replace_files(contents: Mapping[Path, bytes]) -> None:
    """Write files of one folder for good, each in one step, in order.

    All are on the disk before the first takes its place, so that a full disk leaves what was there.

    Raises:
        OSError: one can't be written.
    """
    parts = {path: part_of(path) for path in contents}
    try:
        for path, data in contents.items():
            parts[path].write_bytes(data)
            _flush_file(parts[path])
        for path, part in parts.items():
            part.replace(path)
            flush_folder(path.parent)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _flush_file(path: Path) -> None:
    with path.open("rb") as written:
        os.fsync(written.fileno())


def flush_folder(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can.

    Raises:
        OSError: the disk fails.
    """
    with _opened(folder) as number:
        if number is not None:
            with _unless_impossible():
                os.fsync(number)


@contextlib.contextmanager
def locked_folder(folder: Path, *, patience: float = math.inf) -> Iterator[None]:
    """Hold the lock of a folder, which other processes and threads respect that ask for it, too.

    A process that is killed loses it. Where the system has no such locks nothing is held.

    Args:
        folder: the folder, which exists.
        patience: seconds to wait for others.

    Raises:
        BlockingIOError: another one holds it for longer.
        OSError: there is no such folder.
    """
    with _opened(folder) as number:
        if number is not None:
            with _unless_impossible():
                _lock(number, patience)
        yield


def _lock(number: int, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                raise
            time.sleep(_POLL)
        else:
            return


@contextlib.contextmanager
def _opened(folder: Path) -> Iterator[int | None]:
    """Yield the number of an open folder; None on Windows, which doesn't open folders."""
    if os.name == "nt":
        yield None
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        yield number
    finally:
        os.close(number)


@contextlib.contextmanager
def _unless_impossible() -> Iterator[None]:
    """Pass over the errors of file systems that can't do it."""
    try:
        yield
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
