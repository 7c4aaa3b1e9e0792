"""Reading what was saved: JSON, TOML and archives of arrays. Whatever is wrong is a ValueError.

The libraries below raise a dozen kinds of errors at broken or hostile files. Those who read files
turn the one that is left into an error of the project that names the file and the place in it.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    import tomllib
    from collections.abc import Mapping

    from numpy.typing import NDArray
else:
    tomllib = lazy_module("tomllib")

MOST_BYTES: Final = 1 << 30
"""Bytes of all arrays of an archive, unpacked; shipped weights have five million."""

LARGEST: Final = 1 << 53
"""Largest whole number, either way, that is read: beyond it numbers of computation aren't exact."""

_BROKEN_ARCHIVE: Final = (
    *(OSError, EOFError, LookupError, TypeError, AttributeError, RuntimeError, OverflowError),
    *(SyntaxError, MemoryError, struct.error, zlib.error, zipfile.BadZipFile),
)
"""What zipfile, zlib and numpy raise at a broken archive, besides a ValueError."""


def read_json(text: str | bytes) -> Any:
    """Return the value that JSON holds.

    Raises:
        ValueError: it isn't JSON, or nested too deeply.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables that TOML holds.

    Raises:
        ValueError: it isn't TOML (the message has line and column), or nested too deeply.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def require_field(values: Any, name: str, *kinds: type) -> Any:
    """Return a field of an object that was read.

    Args:
        values: the object.
        name: of the field.
        kinds: types that it may have; true and false are no numbers here.

    Raises:
        ValueError: there is none, or it is of another type, or ``values`` is no object.
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
    """Return the arrays of an npz archive by name; none may hold objects.

    Raises:
        ValueError: it isn't one, is broken, or holds more than `MOST_BYTES`.
    """
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
    """Return an array of one dimension.

    Args:
        arrays: those of an archive.
        name: its name.
        kind: its dtype, exactly.
        size: its length; None for any.

    Raises:
        ValueError: there is none, or it is of another dtype or shape.
    """
    array = arrays.get(name)
    if array is None:
        raise ValueError(f"no array {name!r}")
    if array.dtype != kind or array.ndim != 1 or size not in (None, len(array)):
        wanted = f"{np.dtype(kind)}[{'n' if size is None else size}]"
        raise ValueError(f"{name} must be {wanted}, not {array.dtype}{list(array.shape)}")
    return array
