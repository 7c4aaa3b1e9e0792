"""Rows written to files, one for each bucket of hosts; all files of a shard appear, or none."""

from __future__ import annotations

import io
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Self

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.errors import SetupError
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from types import TracebackType

    from chaffinch.batch.storage import Storage

_ROWS: Final = 2_000  # of a bucket, buffered before they are written
_AT_ONCE: Final = 1 << 18  # bytes written to a file
_CHARACTERS: Final = 8 << 20  # of all buckets' texts, buffered likewise


class _Sink(io.RawIOBase):
    """A file whose errors are kept: what pyarrow hears of, its finaliser prints once more."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = path.open("wb", buffering=0)
        self._problem: OSError | None = None

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        """Write all of ``data``, or nothing more after an error; return its length."""
        view = memoryview(data).cast("B")
        at = 0
        while at < len(view) and self._problem is None:
            try:
                at += self._file.write(view[at:])
            except OSError as error:
                self._problem = error
        return len(view)

    def close(self) -> None:
        """Close the file; errors are kept."""
        try:
            self._file.close()
        except OSError as error:
            self._problem = self._problem or error
        super().close()

    def check(self) -> None:
        """Raise the first error that there was.

        Raises:
            OSError: so it was.
        """
        if self._problem is not None:
            raise self._problem


class ParquetFile:
    """A Parquet file, packed by zstd, that grows by groups of rows."""

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self._schema = schema
        self._sink = _Sink(path)
        file = pa.PythonFile(self._sink, mode="w")
        self._buffered = pa.BufferedOutputStream(file, _AT_ONCE)  # else each column is a call
        self._writer = pq.ParquetWriter(self._buffered, schema, compression="zstd")

    def write(self, rows: list[dict[str, Any]]) -> None:
        """Write one group of rows; absent fields are null.

        Raises:
            OSError: they can't be written.
        """
        try:
            table = self._table(rows)
        except UnicodeEncodeError:  # half of a surrogate pair, as JSON in a page may hold
            table = self._table([_encodable(row) for row in rows])
        self._writer.write_table(table)
        self._sink.check()

    def _table(self, rows: list[dict[str, Any]]) -> pa.Table:
        columns = {name: [row.get(name) for row in rows] for name in self._schema.names}
        return pa.table(columns, schema=self._schema)

    def close(self) -> None:
        """Complete the file.

        Raises:
            OSError: it can't be written.
        """
        self._writer.close()
        self._buffered.close()  # and the sink
        self._sink.check()


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
        """Complete the file.

        Raises:
            OSError: it can't be written.
        """
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
        self._characters: dict[str, int] = {}
        self._all_characters = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._flush(list(self._held))
            self._close(is_complete=error is None)
        except SetupError as problem:
            self._close(is_complete=False)
            self._stack.__exit__(type(problem), problem, problem.__traceback__)
            raise
        self._stack.__exit__(kind, error, trace)

    def _close(self, *, is_complete: bool) -> None:
        """Close all files.

        Raises:
            SetupError: one that is to be complete can't be written.
        """
        while self._files:
            name, file = self._files.popitem()
            try:
                file.close()
            except OSError as error:
                if is_complete:
                    raise self._unwritten(name, error) from error

    def _unwritten(self, name: str, error: OSError) -> SetupError:
        return SetupError(f"can't write {self._storage.path(name)}: {cause(error)}")

    def add(self, name: str, row: dict[str, Any]) -> None:
        """Add a row to the file ``name``."""
        rows = self._held.setdefault(name, [])
        rows.append(row)
        characters = len(row.get("text") or "") + len(row.get("markdown") or "")
        self._characters[name] = self._characters.get(name, 0) + characters
        self._all_characters += characters
        if len(rows) >= _ROWS:
            self._flush([name])
        elif self._all_characters > _CHARACTERS:
            # The largest bucket alone: small groups of rows cost time, and room in the file.
            self._flush([max(self._characters, key=self._characters.__getitem__)])

    def _flush(self, names: list[str]) -> None:
        for name in names:
            if name not in self._files:
                path = self._stack.enter_context(self._storage.writing(name))
                try:
                    self._files[name] = FILES[self._form](path, self._schema)
                except OSError as error:
                    raise self._unwritten(name, error) from error
            self._all_characters -= self._characters.pop(name)
            try:
                self._files[name].write(self._held.pop(name))
            except OSError as error:
                raise self._unwritten(name, error) from error
