"""Pages in a column of an Arrow table: their content and metadata as further columns.

One function on which tables of others stand (`chaffinch.plugins`): a batch in, a batch out, row by
row, without state. Its columns have the names and types of those of `chaffinch run`
(`chaffinch.corpus.table`). It needs ``chaffinch[arrow]``.
"""

import io
from typing import Any, Final, TypeVar

from chaffinch import errors

with errors.from_extra("arrow"):
    import pyarrow as pa

    from chaffinch.corpus.table import COLUMNS, ON_REQUEST

from collections.abc import Mapping, Sequence

from chaffinch.corpus import rows as row_values
from chaffinch.extraction import extract as trip

Batch = TypeVar("Batch")

DEFAULT_COLUMNS: Final = ("title", "language", "published", "page_type", "confidence", "text")
"""Columns that are added unless others are named."""

ERRORS: Final = ("error", "error_detail")
"""Columns that are always added: the kind of a page's error, "" for none; the error in words."""


def extract(  # noqa: PLR0913  options are keyword-only
    batch: Batch,
    *,
    html: str = "html",
    url: str | None = None,
    encoding: str | None = None,
    status: str | None = None,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    **options: Any,
) -> Batch:
    """Extract the pages of a batch.

    Args:
        batch: a `pyarrow.RecordBatch` or `pyarrow.Table`.
        html: name of the column of pages: binary (best: their encoding is found) or text.
        url: name of the column of their addresses; None for ``url`` where there is one.
        encoding: the same, of the labels the transport gave; None for ``encoding``.
        status: the same, of HTTP statuses; None for ``status``.
        columns: names of the columns to add, keys of `chaffinch.corpus.rows.VALUES`; each is
            computed only if it is named.
        **options: as of `chaffinch.extract`, the same for all pages.

    Returns:
        A batch of the same type and rows: the columns of ``batch`` but that of pages and those that
        are replaced, then ``columns``, then `ERRORS`. A page that can't be processed has null in
        all of ``columns`` but its address. So has a null in place of a page, with a null ``error``.

    Raises:
        OptionError: an option is unknown or impossible, or a column isn't there or of another type.
    """
    if not isinstance(batch, pa.RecordBatch | pa.Table):
        raise errors.OptionError(
            f"a pyarrow.RecordBatch or a pyarrow.Table is wanted, not {type(batch).__name__}"
        )
    rows: Any = batch
    inputs = _inputs(rows.schema, html, {"url": url, "encoding": encoding, "status": status})
    kinds = kinds_of(columns)
    ready = trip.prepared_options(options)
    values: dict[str, list[Any]] = {name: [] for name in kinds}
    for cells in zip(*(rows.column(name) for name in inputs.values()), strict=True):
        given = {name: cell.as_py() for name, cell in zip(inputs, cells, strict=True)}
        for name, value in _row(given, columns, ready).items():
            values[name].append(value)
    schema = schema_of(rows.schema, html=html, columns=columns)
    made = {name: pa.array(values[name], kind) for name, kind in kinds.items()}
    arrays = [made[name] if name in made else rows.column(name) for name in schema.names]
    out: Batch = type(rows).from_arrays(arrays, schema=schema)
    return out


def schema_of(
    schema: pa.Schema, *, html: str = "html", columns: Sequence[str] = DEFAULT_COLUMNS, **_: Any
) -> pa.Schema:
    """Return the schema of what `extract` returns for batches of one; arguments are its own."""
    kinds = kinds_of(columns)
    kept = [one for one in schema if one.name != html and one.name not in kinds]
    return pa.schema([*kept, *(pa.field(name, kind) for name, kind in kinds.items())])


def kinds_of(columns: Sequence[str]) -> dict[str, pa.DataType]:
    """Return each column that `extract` adds → its type, errors included."""
    if isinstance(columns, str) or not hasattr(columns, "__iter__"):
        raise errors.OptionError(f"columns are several names, in a list, not {columns!r}")
    known = {**COLUMNS, **ON_REQUEST}
    for name in columns:
        errors.require_one_of("column", name, row_values.VALUES)
    return {name: known[name][0] for name in (*columns, *ERRORS)}


def _inputs(schema: pa.Schema, html: str, others: Mapping[str, str | None]) -> dict[str, str]:
    """Return each argument of `chaffinch.extract` → the column that has it."""
    errors.require_text("html", html)
    inputs = {"html": html}
    for option, column in others.items():
        errors.require_kind(option, column, str)
        if column is not None:
            inputs[option] = column
        elif option in schema.names and option != html:
            inputs[option] = option
    for option, column in inputs.items():
        if schema.names.count(column) != 1:
            there = ", ".join(schema.names)
            raise errors.OptionError(
                f"one column {column!r} of {option} is wanted; there are: {there}"
            )
    kind = schema.field(html).type
    if not any(is_kind(kind) for is_kind in _PAGE_KINDS):
        raise errors.OptionError(f"pages are binary or text, but column {html!r} is {kind}")
    return inputs


_PAGE_KINDS: Final = (
    *(pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view),
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view),
    pa.types.is_null,
)


def _row(given: dict[str, Any], columns: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    html = given.pop("html")
    if html is None:
        return dict.fromkeys((*columns, *ERRORS))
    given["status"] = given.get("status") or None
    if isinstance(html, str):
        html = io.StringIO(html)  # a page, even if it looks like an address
    try:
        found = trip.extract(html, **given, **options)
        row = {name: row_values.VALUES[name](found) for name in columns}
    except errors.PageError as error:
        known = {name: given.get(name) if name == "url" else None for name in columns}
        other = "memory" if isinstance(error, errors.OutOfMemoryError) else "page"
        kind = "time" if isinstance(error, errors.TimeLimitError) else other
        return {**known, "error": kind, "error_detail": str(error)}
    return {**row, "error": "", "error_detail": ""}
