"""Digests of a collection in one small file, and how two of them differ.

A digest is three bytes: one change in 16 million goes unseen, and hardly a change is seen on one
page and in one output alone. A file holds a line of JSON (the number of pages, the names of the
outputs, the digests of the site's model), then a column for each output: what repeats, as the
digest of «no tables» does, costs next to nothing once it is compressed.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

SIZE: Final = 3
"""Bytes of a digest."""
INPUT: Final = "input"
"""The column of the pages themselves: where it differs, nothing else can be compared."""

TOLERANCES: Final = {
    "score": 2e-3,
    "confidence": 0.0101,
    "method_scores": 2e-3,
    "sibling_scores": 2e-3,
    "site_scores": 2e-3,
    "learned_numbers": 1e-2,
}
"""Output that is a number → how far two of them may lie apart."""

Value = bytes | float
"""A digest, or a number that is compared with a tolerance; NaN where a page raised an error."""
Column = NDArray[np.uint8] | NDArray[np.float32]


def digest(value: Any) -> bytes:
    """Return the digest of text, bytes or what JSON holds, whatever the order of its keys."""
    if not isinstance(value, str | bytes):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return blake2b(value, digest_size=SIZE).digest()


def same(one: Value, other: Value, tolerance: float) -> bool:
    """Return whether two values are equal, numbers as far as the tolerance goes."""
    if isinstance(one, bytes) or isinstance(other, bytes):
        return one == other
    return bool(np.isclose(one, other, rtol=0, atol=tolerance, equal_nan=True))


@dataclass
class Digests:
    """The digests of a collection.

    Attributes:
        columns: output → uint8[n, 3], or float32[n] of an output that is a number.
        model: output → value of the model of a site; empty for other collections.
    """

    columns: dict[str, Column] = field(default_factory=dict)
    model: dict[str, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: list[dict[str, Value]], model: Mapping[str, Value]) -> Digests:
        """Return the digests of pages that all have the same outputs."""
        columns: dict[str, Column] = {}
        for name, first in rows[0].items():
            values: list[Any] = [row[name] for row in rows]
            if isinstance(first, bytes):
                joined = np.frombuffer(b"".join(values), dtype=np.uint8)
                columns[name] = joined.reshape(len(rows), SIZE)
            else:
                columns[name] = np.array(values, dtype=np.float32)
        return cls(columns, dict(model))

    def __len__(self) -> int:
        return len(self.columns[INPUT]) if self.columns else 0

    def value(self, page: int, output: str) -> Value:
        """Return what is kept of one output of a page."""
        column = self.columns[output]
        return column[page].tobytes() if column.dtype == np.uint8 else float(column[page])

    def save(self, path: Path) -> None:
        """Write the file."""
        kinds = {name: column.dtype.str for name, column in self.columns.items()}
        model = {
            name: one.hex() if isinstance(one, bytes) else one for name, one in self.model.items()
        }
        head = json.dumps({"pages": len(self), "columns": kinds, "model": model})
        parts = [head.encode(), b"\n", *(column.tobytes() for column in self.columns.values())]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lzma.compress(b"".join(parts), preset=9))

    @classmethod
    def load(cls, path: Path) -> Digests:
        """Read a file that `save` wrote."""
        line, data = lzma.decompress(path.read_bytes()).split(b"\n", 1)
        head = json.loads(line)
        columns: dict[str, Column] = {}
        at = 0
        for name, kind in head["columns"].items():
            count = head["pages"] * (SIZE if kind == "|u1" else 1)
            column = np.frombuffer(data, dtype=kind, count=count, offset=at)
            columns[name] = column.reshape(-1, SIZE) if kind == "|u1" else column
            at += column.nbytes
        model = {
            name: bytes.fromhex(one) if isinstance(one, str) else one
            for name, one in head["model"].items()
        }
        return cls(columns, model)


def differences(stored: Digests, page: int, row: Mapping[str, Value]) -> Iterator[str]:
    """Yield the outputs of a page that differ from the stored ones."""
    if stored.value(page, INPUT) != row[INPUT]:
        yield INPUT
        return
    for name, value in row.items():
        known = name in stored.columns
        if known and not same(stored.value(page, name), value, TOLERANCES.get(name, 0.0)):
            yield name


def model_differences(stored: Digests, model: Mapping[str, Value]) -> Iterator[str]:
    """Yield the outputs of a site's model that differ from the stored ones."""
    for name, value in model.items():
        known = name in stored.model
        if known and not same(stored.model[name], value, TOLERANCES.get(name, 0.0)):
            yield name
