"""The columns of the output, documented and numbered, and rows written to files.

Other columns, another number. Files of a shard appear at its end, if there was no error.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.assessment.assessment import STATES
from chaffinch.corpus.sources import Plan
from chaffinch.corpus.store import Storage
from chaffinch.metadata.product import Product

VERSION: Final = 2
"""Number of the schema; it stands in every file's metadata as ``chaffinch.schema``."""

ERRORS: Final[Mapping[str, str]] = {
    "page": "the page can't be processed: too big, too many rows, …",
    "time": "not done within the limit of time",
    "cpu": "the limit of processor time was reached",
    "memory": "the limit of memory was reached",
    "crash": "the process crashed (segmentation fault, abort, …), twice",
    "exit": "the process ended itself, twice",
    "killed": "the process was killed from outside, three times",
    "bug": "the extraction raised an error that it shouldn't",
    "record": "the source is broken here: what stood there is lost",
    "status": "the server answered with a failure, whose page is assessed (`--with assessment`)",
    "render": "the browser could not render the page",
}
"""Kind of error → its description."""

_TEXT = pa.string()
_SHARE = pa.float32()
_TEXTS = pa.list_(_TEXT)
_IMAGE = pa.struct(
    [
        ("url", pa.string()), ("row", pa.int32()), ("width", pa.int32()), ("height", pa.int32()),
        ("alt", pa.string()), ("caption", pa.string()), ("credit", pa.string()),
        ("link", pa.string()), ("source", pa.string()),
    ]
)  # fmt: skip
_MADE_BY = pa.struct([("version", pa.string()), ("weights", pa.string())])
_TABLE = pa.struct([("kind", pa.string()), ("caption", pa.string()), ("markdown", pa.string())])

_PRODUCT: Final = pa.struct(
    [
        (one.name, pa.int64() if one.name == "rating_count" else pa.string())
        for one in fields(Product)
    ]
)
_OBSERVATION: Final = pa.struct(
    [("name", _TEXT), ("value", pa.float64()), ("log_odds", _SHARE), ("rows", pa.list_(pa.int32()))]
)
_ASSESSMENT: Final = pa.struct(
    [
        ("state", _TEXT), ("probabilities", pa.struct([(name, _SHARE) for name in STATES])),
        ("evidence", pa.list_(_OBSERVATION)), ("next_step", _TEXT),
        ("readable_length", pa.int32()), ("status", pa.int16()),
    ]
)  # fmt: skip
_ROWS: Final = pa.list_(pa.int32(), 2)
_FIELD = pa.struct([("name", pa.string()), ("value", pa.string()), ("rows", _ROWS)])
_OWN = pa.struct([("name", pa.string()), ("value", pa.string()), ("source", _TEXT)])
_ENTRY = pa.struct([("list_number", pa.int32()), ("rows", _ROWS), ("fields", pa.list_(_FIELD))])

COLUMNS: Final[Mapping[str, tuple[pa.DataType, str]]] = {
    "url": (_TEXT, "URL of the page, else the canonical one that it names; empty if unknown"),
    "host": (_TEXT, "its host, in lower case"),
    "fetched": (_TEXT, "when it was fetched, ISO 8601, as the source states"),
    "status": (pa.int16(), "HTTP status; 0 if unknown"),
    "encoding": (_TEXT, "encoding that it was decoded by"),
    "language": (_TEXT, "primary subtag of BCP 47; empty if unknown"),
    "page_type": (_TEXT, "kind of page that the method takes it for; null for none"),
    "declared_type": (_TEXT, "kind of page that it declares; empty if it declares none"),
    "title": (_TEXT, "title of the content, without the site's name"),
    "authors": (_TEXTS, "names of the authors"),
    "editors": (_TEXTS, "names of the editors"),
    "original_source": (_TEXT, "whom the page names as the source of its text; empty if none"),
    "published": (_TEXT, "date or time of publication, ISO 8601"),
    "modified": (_TEXT, "date or time of the last change, ISO 8601"),
    "site_name": (_TEXT, "name of the site"),
    "product": (_PRODUCT, "the product that the page is about, its known fields; null for none"),
    "text": (pa.large_string(), "the content as plain text"),
    "markdown": (pa.large_string(), "the content as Markdown"),
    "length": (pa.int32(), "characters of the text"),
    "score": (_SHARE, "0..1, mean by characters of the scores of the kept text; null for no text"),
    "confidence": (_SHARE, "0..1, word F1 that the method expects; null where it expects none"),
    "source": (
        _TEXT,
        "where in the page's data the content stands; null where it stands in its rows",
    ),
    "template": (_TEXT, "template of the site that the page was extracted by; else empty"),
    "method": (_TEXT, "what found the content"),
    "made_by": (_MADE_BY, "version of Chaffinch, and digest of the learned weights, if any"),
    "opt_outs": (_TEXTS, "what its owner declares must not be done with it: noai, …"),
    "error": (_TEXT, "kind of error; empty for none"),
    "error_detail": (_TEXT, "the error in words"),
    "truncated": (_TEXT, "why the page isn't as fetched: length, time, …, cut, or digest"),
    "file": (_TEXT, "file that the page stands in"),
    "member": (_TEXT, "name within an archive of files"),
    "offset": (pa.int64(), "where it begins there: byte, line or row"),
}
"""Column → type and meaning; always present."""

ON_REQUEST: Final[Mapping[str, tuple[pa.DataType, str]]] = {
    "images": (pa.list_(_IMAGE), "images of the content"),
    "tables": (pa.list_(_TABLE), "data tables of the content, as Markdown"),
    "assessment": (_ASSESSMENT, "whether the page is content, or a wall or an error in its place"),
    "records": (pa.list_(_ENTRY), "entries of the page's lists, each with its fields"),
    "fields": (pa.list_(_OWN), "fields of one's own that the page has, each with its source"),
    "text_hash": (pa.int64(), "hash of the folded text; null for no text"),
    "signature": (pa.binary(), "MinHash of the text: 128 values of 32 bits; null if it is short"),
    "cluster": (_TEXT, "file and offset of the first page of those alike; else empty"),
}
"""Column → type and meaning; present where the plan includes it."""

SIGNATURE_COLUMNS: Final = pa.schema(
    [
        ("source", pa.string()), ("member", pa.string()), ("offset", pa.int64()),
        ("text_hash", pa.int64()), ("signature", pa.binary()),
    ]
)  # fmt: skip
"""Columns of the hashes and signatures, which are kept until duplicates are found."""


def schema_of(plan: Plan) -> pa.Schema:
    on_request = ("images", "tables", "records", "assessment", "fields")
    names = [name for name in on_request if getattr(plan.recipe, name)]
    if plan.recipe.signatures and plan.duplicates == "keep":
        names += ["text_hash", "signature"]
    if plan.duplicates != "keep":
        names.append("cluster")
    columns = {**COLUMNS, **{name: ON_REQUEST[name] for name in names}}
    fields = [
        pa.field(name, kind, metadata={"description": words})
        for name, (kind, words) in columns.items()
    ]
    return pa.schema(fields, metadata={"chaffinch.schema": str(VERSION)})


_BUFFERED: Final = 2_000  # of a bucket, buffered before they are written
_CHARACTERS: Final = 8 << 20  # of all buckets' texts, buffered likewise


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
        try:
            self._writer.close()
        finally:
            self._writer.is_open = False  # else its finaliser tries again, and prints what fails


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
        for row in rows:
            line = {name: row.get(name) for name in self._names}
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        self._file.close()


FILES: Final[Mapping[str, type[ParquetFile | LinesFile]]] = {
    "parquet": ParquetFile,
    "jsonl": LinesFile,
}
"""Format → its writer; the name of the format is the extension of its files."""


@contextmanager
def writing_buckets(storage: Storage, schema: pa.Schema, form: str) -> Iterator[Buckets]:
    """Yield files by name, which appear at the end, if there was no error."""
    with ExitStack() as stack:
        buckets = Buckets(storage, schema, form, stack)
        yield buckets
        buckets.flush()


class Buckets:
    """Files by name that rows are written to."""

    def __init__(self, storage: Storage, schema: pa.Schema, form: str, stack: ExitStack) -> None:
        self._storage, self._schema, self._form = storage, schema, form
        self._stack = stack
        self._files: dict[str, ParquetFile | LinesFile] = {}
        self._held: dict[str, list[dict[str, Any]]] = {}
        self._characters: Counter[str] = Counter()
        self._all_characters = 0

    def _file(self, name: str) -> ParquetFile | LinesFile:
        if name not in self._files:
            path = self._stack.enter_context(self._storage.writing(name))
            file = self._files[name] = FILES[self._form](path, self._schema)

            def close(kind: type[BaseException] | None, *_: object) -> None:
                try:
                    file.close()
                except OSError as error:
                    if kind is None:
                        raise self._storage.unwritten(name, error) from error

            self._stack.push(close)
        return self._files[name]

    def add(self, name: str, row: dict[str, Any]) -> None:
        rows = self._held.setdefault(name, [])
        rows.append(row)
        characters = len(row.get("text") or "") + len(row.get("markdown") or "")
        self._characters[name] += characters
        self._all_characters += characters
        if len(rows) >= _BUFFERED:
            self._flush(name)
        elif self._all_characters > _CHARACTERS:
            # The largest bucket alone: small groups of rows cost time, and room in the file.
            self._flush(max(self._characters, key=self._characters.__getitem__))

    def flush(self) -> None:
        for name in list(self._held):
            self._flush(name)

    def _flush(self, name: str) -> None:
        try:
            file = self._file(name)
            self._all_characters -= self._characters.pop(name)
            file.write(self._held.pop(name))
        except OSError as error:
            raise self._storage.unwritten(name, error) from error
