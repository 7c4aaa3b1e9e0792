"""Rows written to files, one for each bucket of hosts; all files of a shard appear, or none."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.errors import SetupError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from types import TracebackType

    from chaffinch.batch.storage import Storage

_ROWS: Final = 2_000  # of a bucket, buffered before they are written
_CHARACTERS: Final = 4 << 20  # of all buckets' texts, buffered likewise


class ParquetFile:
    """A Parquet file, packed by zstd, that grows by groups of rows."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._schema = schema
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write one group of rows; absent fields are null."""
        try:
            table = self._table(rows)
        except UnicodeEncodeError:  # half of a surrogate pair, as JSON in a page may hold
            table = self._table([_encodable(row) for row in rows])
        self._writer.write_table(table)

    def _table(self, rows: list[dict[str, Any]]) -> pa.Table:
        columns = {name: [row.get(name) for row in rows] for name in self._schema.names}
        return pa.table(columns, schema=self._schema)

    def close(self) -> None:
        """Complete the file."""
        self._writer.close()


def _encodable(value: Any) -> Any:
    """Return a value with all text in it made encodable in UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_encodable(one) for one in value]
    if isinstance(value, dict):
        return {name: _encodable(one) for name, one in value.items()}
    return value


class LinesFile:
    """A file of JSON lines."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._names = schema.names
        self._file = path.open("w", encoding="utf-8", errors="replace")

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write rows; absent fields are null."""
        for row in rows:
            line = {name: row.get(name) for name in self._names}
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Complete the file."""
        self._file.close()


FILES: Final[Mapping[str, Callable[[Path, pa.Schema], ParquetFile | LinesFile]]] = {
    "parquet": ParquetFile,
    "jsonl": LinesFile,
}
"""Format → its writer; the name of the format is the extension of its files."""


class Buckets:
    """Files by name that rows are written to; they appear at the end, if there was no error.

    Args:
        storage: the folder.
        schema: of all of them.
        form: a key of `FILES`.
    """

    def __init__(self, storage: Storage, schema: pa.Schema, form: str) -> None:
        self._storage, self._schema, self._form = storage, schema, form
        self._stack = ExitStack()
        self._files: dict[str, ParquetFile | LinesFile] = {}
        self._held: dict[str, list[dict[str, Any]]] = {}
        self._characters = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._flush(list(self._held))
        for file in self._files.values():
            file.close()
        self._stack.__exit__(kind, error, trace)

    def add(self, name: str, row: dict[str, Any]) -> None:
        """Add a row to the file ``name``."""
        rows = self._held.setdefault(name, [])
        rows.append(row)
        self._characters += len(row.get("text") or "") + len(row.get("markdown") or "")
        if self._characters > _CHARACTERS:
            self._flush(list(self._held))
        elif len(rows) >= _ROWS:
            self._flush([name])

    def _flush(self, names: list[str]) -> None:
        for name in names:
            if name not in self._files:
                path = self._stack.enter_context(self._storage.writing(name))
                self._files[name] = FILES[self._form](path, self._schema)
            try:
                self._files[name].write(self._held.pop(name))
            except OSError as error:
                raise SetupError(f"can't write {self._storage.path(name)}: {error}") from error
        if not self._held:
            self._characters = 0
