"""Files that a kill or a power cut leaves whole, and saved data that is read without surprises.

A file is written beside its place, flushed to the disk and renamed, and its folder is flushed, in
this order: whoever finds the new name finds all that it stands for, also after a power cut. Who
reads a file to write it anew holds the lock of its folder meanwhile.

Libraries raise a dozen kinds of errors at broken or hostile files; here whatever is wrong is a
ValueError, which those who read files turn into an error of the project that names the file.
"""

import contextlib
import errno
import io
import json
import math
import os
import stat
import struct
import time
import tomllib
import uuid
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from numpy.typing import NDArray

PART: Final = ".part"
"""Ending of files that aren't complete."""

_POLL: Final = 0.05  # seconds between two looks at a lock
_CANNOT: Final = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.ENOLCK, errno.ENOSYS})
"""How file systems report that they don't flush or lock folders."""


def part_of(path: Path) -> Path:
    """Return a name of its own beside ``path``, for what is to take its place."""
    return path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}{PART}")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, so that they are there after a power cut."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for one in missing:
        flush_folder(one.parent)


def move_file(part: Path, path: Path) -> None:
    """Put a file that is written into the place of another of its file system, for good."""
    _flush_file(part)
    part.replace(path)
    flush_folder(path.parent)


def replace_files(contents: Mapping[Path, bytes]) -> None:
    """Write files of one folder for good, each in one step, in order.

    All are on the disk before the first takes its place, so that a full disk leaves what was there.
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
    """Flush the names in a folder to the disk, where the system can."""
    with _opened(folder) as number:
        if number is not None:
            with _unless_impossible():
                os.fsync(number)


@contextlib.contextmanager
def locked_folder(folder: Path, *, patience: float = math.inf) -> Iterator[None]:
    """Hold the lock of a folder, which other processes and threads respect that ask for it, too.

    A process that is killed loses it. Where the system has no such locks nothing is held. A
    `BlockingIOError` is raised where another one holds it for longer than ``patience``, in seconds.
    """
    with _opened(folder) as number:
        if number is not None:
            with _unless_impossible():
                _lock(number, patience)
        yield


def _lock(number: int, patience: float) -> None:
    import fcntl  # noqa: PLC0415  absent on Windows

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


MOST_BYTES: Final = 1 << 30
"""Bytes of all arrays of an archive, unpacked; shipped weights have five million."""

MOST_TEXT: Final = 1 << 26
"""Bytes of a file of TOML or JSON, of which a rule takes a hundred."""

LARGEST: Final = 1 << 53
"""Largest whole number, either way, that is read: beyond it numbers of computation aren't exact."""

_BROKEN_ARCHIVE: Final = (
    *(OSError, EOFError, LookupError, TypeError, AttributeError, RuntimeError, OverflowError),
    *(SyntaxError, MemoryError, struct.error, zlib.error, zipfile.BadZipFile),
)
"""What zipfile, zlib and numpy raise at a broken archive, besides a ValueError."""


def read_file(path: Path, most: int = MOST_TEXT) -> bytes:
    """Return the bytes of a file of saved data.

    Raises:
        OSError: it can't be read, is none that has an end (a link may lead to a device or a pipe),
            or is larger than ``most`` bytes.
    """
    state = path.stat()
    if not stat.S_ISREG(state.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    if state.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
    return path.read_bytes()


def read_json(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables that TOML holds, behind a byte order mark or not."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def require_field(values: Any, name: str, *kinds: type) -> Any:
    """Return a field, of one of some types, of an object that was read.

    True and false are no numbers here.
    """
    if not isinstance(values, dict) or name not in values:
        raise ValueError(f"{name} is missing")
    value = values[name]
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(f"{name} must be {wanted}, not {value!r:.80}")
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError(f"{name} must be at most {LARGEST:,}")
    return value


def read_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays of an npz archive by name; none may hold objects."""
    import numpy as np  # noqa: PLC0415  those who only write files don't need it

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MOST_BYTES:
                raise ValueError(f"more than {MOST_BYTES:,} bytes of arrays")
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return {name: np.asarray(arrays[name]) for name in arrays.files}
    except _BROKEN_ARCHIVE as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def require_array(
    arrays: Mapping[str, NDArray[Any]], name: str, kind: type, *, size: int | None = None
) -> NDArray[Any]:
    """Return an array of one dimension, of exactly a dtype and, unless None, of a size."""
    import numpy as np  # noqa: PLC0415  the same

    array = arrays.get(name)
    if array is None:
        raise ValueError(f"no array {name!r}")
    if array.dtype != kind or array.ndim != 1 or size not in (None, len(array)):
        wanted = f"{np.dtype(kind)}[{'n' if size is None else size}]"
        raise ValueError(f"{name} must be {wanted}, not {array.dtype}{list(array.shape)}")
    return array
