"""The rows of a run, found by fixed filters: values are compared, and no query is ever written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from chaffinch.batch.storage import PAGES, Storage
from chaffinch.errors import OptionError, require_one_of, require_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ORDERS: Final = ("", "confidence", "length", "score")
"""What rows can be ordered by, the smallest first; "" for the order in which they were written."""
_EQUAL: Final = ("error", "language", "page_type", "host", "method", "template", "truncated")
"""Columns whose whole value is compared."""
_SHOWN: Final = (
    "url", "title", "host", "language", "page_type", "confidence", "length", "score", "method",
    "template", "error", "error_detail", "truncated", "status", "published", "file", "member",
    "offset",
)  # fmt: skip
_TEXT: Final = 300
"""Characters of a text that are shown of a row."""


@dataclass(frozen=True, kw_only=True)
class RowFilter:
    """Which rows of a run are wanted; None for any value, "" for rows without one.

    Attributes:
        error, language, page_type, host, method, template, truncated: value of the column.
        state: state that the page was assessed to be in.
        least, most: bounds of the confidence, 0..1.
        text: part of the address or title, in any case.
        order: one of `ORDERS`.

    Raises:
        OptionError: the order is unknown.
    """

    error: str | None = None
    language: str | None = None
    page_type: str | None = None
    host: str | None = None
    method: str | None = None
    template: str | None = None
    truncated: str | None = None
    state: str | None = None
    least: float | None = None
    most: float | None = None
    text: str = ""
    order: str = ""

    def __post_init__(self) -> None:
        require_one_of("order", self.order, ORDERS)

    def matches(self, table: pa.Table) -> pa.Array:
        """Return bool[n]: the rows of a table that are wanted."""
        wanted = pa.array([True] * len(table))
        for name in _EQUAL:
            value = getattr(self, name)
            if value is not None and name in table.column_names:
                own = pc.fill_null(table[name], "")
                wanted = pc.and_(wanted, pc.equal(own, pa.scalar(value)))
        if self.state is not None:
            wanted = pc.and_(wanted, pc.equal(_states(table), pa.scalar(self.state)))
        confidence = pc.cast(table["confidence"], pa.float64())
        if self.least is not None:
            wanted = pc.and_(wanted, pc.fill_null(pc.greater_equal(confidence, self.least), False))
        if self.most is not None:
            wanted = pc.and_(wanted, pc.fill_null(pc.less_equal(confidence, self.most), False))
        if self.text:
            found = [
                pc.match_substring(pc.fill_null(table[name], ""), self.text, ignore_case=True)
                for name in ("url", "title")
            ]
            wanted = pc.and_(wanted, pc.or_(*found))
        return wanted


class FoundRows(NamedTuple):
    """Rows of a run: how many are wanted in all, and some of them."""

    total: int
    rows: list[dict[str, Any]]


def _states(table: pa.Table) -> pa.Array:
    if "assessment" not in table.column_names:
        return pa.array([""] * len(table))
    return pc.fill_null(pc.struct_field(table["assessment"].combine_chunks(), "state"), "")


def run_rows(out: str, wanted: RowFilter, *, start: int = 0, most: int = 100) -> FoundRows:
    """Return rows of a run, each with its ``id``, by which `row_of` finds it again.

    Args:
        out: folder of the run.
        wanted: which rows.
        start: rows to pass over.
        most: rows to return.

    Raises:
        OptionError: the folder holds no rows.
        SetupError: one of its files is broken.
    """
    require_whole("start", start, 0)
    require_whole("most", most, 0)
    parts = []
    for part, table in _tables(out, [*_SHOWN, "assessment"]):
        rows = pc.indices_nonzero(wanted.matches(table))
        ids = pa.array([f"{part}-{row}" for row in rows.to_pylist()], pa.string())
        chosen = [name for name in _SHOWN if name in table.column_names]
        parts.append(table.select(chosen).take(rows).append_column("id", ids))
    every = pa.concat_tables(parts, promote_options="default")
    if wanted.order:
        every = every.take(pc.sort_indices(every, sort_keys=[(wanted.order, "ascending")]))
    return FoundRows(len(every), [_cut(row) for row in every.slice(start, most).to_pylist()])


def row_of(out: str, row_id: str) -> dict[str, Any]:
    """Return a row of a run, all of its columns.

    Raises:
        OptionError: there is no such row.
        SetupError: the file is broken.
    """
    part, _, row = row_id.partition("-")
    if part.isdigit() and row.isdigit():
        for number, table in _tables(out, None, only=int(part)):
            if number == int(part) and int(row) < len(table):
                found: dict[str, Any] = table.slice(int(row), 1).to_pylist()[0]
                return found
    raise OptionError(f"the run has no row {row_id[:40]!r}")


def _tables(
    out: str, columns: list[str] | None, *, only: int | None = None
) -> Iterator[tuple[int, pa.Table]]:
    """Yield number and table of each file of pages, with the columns that it has of some.

    Raises:
        OptionError: there is none.
        SetupError: one can't be read.
    """
    storage = Storage(out)
    names = storage.names(PAGES)
    if not names:
        raise OptionError(f"{out} holds no pages of a run")
    for number, name in enumerate(names):
        if only is not None and number != only:
            continue
        with storage.open(name) as file:
            yield number, _table(file, columns, is_parquet=name.endswith(".parquet"))


def _table(file: Any, columns: list[str] | None, *, is_parquet: bool) -> pa.Table:
    if is_parquet:
        parquet = pq.ParquetFile(file)
        known = parquet.schema_arrow.names
        return parquet.read(columns=None if columns is None else [c for c in columns if c in known])
    rows = [json.loads(line) for line in file if line.strip()]
    names = dict.fromkeys(name for row in rows for name in row)
    kept = [name for name in names if columns is None or name in columns]
    return pa.table({name: [row.get(name) for row in rows] for name in kept})


def _cut(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with long texts cut."""
    return {
        name: value[:_TEXT] if isinstance(value, str) and name not in {"file", "member"} else value
        for name, value in row.items()
    }
