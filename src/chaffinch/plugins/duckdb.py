"""DuckDB: a vectorised function of SQL from pages to structs of content and metadata."""

from __future__ import annotations

from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Final

from chaffinch import arrow
from chaffinch.errors import MissingExtraError, OptionError

try:
    import duckdb
    import pyarrow as pa
except ImportError as error:
    raise MissingExtraError.of(error.name or "duckdb", "duckdb") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPES: Final = {"html": "BLOB", "url": "VARCHAR", "encoding": "VARCHAR", "status": "SMALLINT"}
"""Input → its type in SQL."""


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str = "chaffinch",
    *,
    inputs: Sequence[str] = ("html",),
    columns: Sequence[str] = arrow.DEFAULT_COLUMNS,
    **options: Any,
) -> None:
    """Create a function of a connection: ``SELECT chaffinch(html).text FROM pages``.

    Args:
        connection: what `duckdb.connect` returned.
        name: of the function.
        inputs: its parameters, in order: ``html`` (a BLOB), and any of ``url``, ``encoding`` and
            ``status``.
        columns: fields of the struct that it returns, before ``error`` and ``error_detail``.
        **options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: an input, column or option is unknown.
    """
    if isinstance(inputs, str) or "html" not in inputs or not set(inputs) <= set(_TYPES):
        raise OptionError(f"inputs are html and any of {', '.join(_TYPES)}, not {inputs!r}")
    work = _Function(tuple(inputs), {"columns": tuple(columns), **options})
    connection.create_function(
        name,
        work,
        [_TYPES[one] for one in inputs],
        _struct_type(connection, columns),
        type="arrow",
        null_handling="special",
    )


class _Function:
    """A function from arrays of inputs to an array of structs, with as many parameters.

    Raises:
        OptionError: an option is unknown.
    """

    def __init__(self, inputs: tuple[str, ...], options: dict[str, Any]) -> None:
        self._inputs = inputs
        self._options = options
        parameters = [Parameter(one, Parameter.POSITIONAL_ONLY) for one in inputs]
        self.__signature__ = Signature(parameters)  # DuckDB reads their number from it
        self(*(pa.array([], pa.binary() if one == "html" else pa.string()) for one in inputs))

    def __call__(self, *arrays: Any) -> Any:
        """Return an array of structs."""
        found = arrow.extract(
            pa.table(dict(zip(self._inputs, arrays, strict=True))), **self._options
        )
        return found.select(arrow.kinds_of(self._options["columns"])).to_struct_array()


def _struct_type(connection: duckdb.DuckDBPyConnection, columns: Sequence[str]) -> Any:
    """Return DuckDB's type of the structs."""
    kinds = arrow.kinds_of(columns)
    empty = connection.from_arrow(pa.schema(kinds.items()).empty_table())
    return duckdb.struct_type(dict(zip(kinds, empty.types, strict=True)))
