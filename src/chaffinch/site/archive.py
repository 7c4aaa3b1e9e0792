"""Archives of arrays with a JSON header, without pickled objects: what was learned of a site."""

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import RulesError
from chaffinch.storage import LARGEST, read_arrays, read_json, require_array

BROKEN: Final = (LookupError, TypeError, ValueError, AttributeError, OverflowError)
"""What is raised where something else was saved than what is read."""
Columns = Mapping[str, Sequence[NDArray[Any]]]
Kinds = Mapping[str, type[np.generic]]
_VERSION: Final = 1


def concatenated(columns: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    """Return the columns one after the other, as ``dtype``; empty where there are none."""
    return np.concatenate([*columns, np.zeros(0, dtype=dtype)]).astype(dtype)


def archived(kind: str, header: Mapping[str, Any], columns: Columns, kinds: Kinds) -> bytes:
    """Return an archive of a kind, the same bytes for the same values.

    The header holds plain values; a column has parts, one for each of its owners, and a dtype.
    """
    text = json.dumps({"kind": kind, "version": _VERSION, **header}).encode()
    arrays: dict[str, Any] = {"header": np.frombuffer(text, dtype=np.uint8)}
    for name, parts in columns.items():
        arrays[name] = concatenated(parts, kinds[name])
        arrays[f"{name}_sizes"] = np.array([len(one) for one in parts], dtype=np.int64)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


class Archive:
    """An archive that is read; of what doesn't fit it raises errors that are `BROKEN`."""

    def __init__(self, kind: str, data: bytes) -> None:
        self._arrays = read_arrays(data)
        self.header = read_json(require_array(self._arrays, "header", np.uint8).tobytes())
        if self.header["kind"] != kind or self.header["version"] != _VERSION:
            raise RulesError(f"not a file of {kind}, version {_VERSION}")

    def parts(self, name: str, kind: type[np.generic], count: int) -> list[NDArray[Any]]:
        sizes = require_array(self._arrays, f"{name}_sizes", np.int64, size=count)
        column = require_array(self._arrays, name, kind)
        if not ((sizes >= 0) & (sizes <= len(column))).all() or sizes.sum() != len(column):
            raise ValueError(f"the sizes of {name} don't fit")
        return np.split(column, np.cumsum(sizes)[:-1]) if count else []

    def owners(self, kinds: Kinds, count: int) -> list[dict[str, NDArray[Any]]]:
        """Return the parts of some columns by their names, for each of ``count`` owners."""
        columns = [self.parts(name, kind, count) for name, kind in kinds.items()]
        return [dict(zip(kinds, parts, strict=True)) for parts in zip(*columns, strict=True)]


def require_ascending(*columns: NDArray[Any]) -> None:
    if any((one[1:] <= one[:-1]).any() for one in columns):
        raise ValueError("hashes must ascend")


def saved_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text is wanted, not {value!r:.80}")
    return value


def saved_count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST:
        raise ValueError(f"a whole number from 0 on is wanted, not {value!r:.80}")
    return value


def saved_share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"a number from 0 to 1 is wanted, not {value!r:.80}")
    return float(value)
