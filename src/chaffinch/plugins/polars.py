"""Polars: content and metadata as columns of a DataFrame or LazyFrame, and as an expression.

Frames go through Arrow without a copy of their pages (`chaffinch.arrow`). Arguments that aren't
explained here are those of `chaffinch.arrow.extract`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from chaffinch import arrow
from chaffinch.errors import MissingExtraError, OptionError

try:
    import polars as pl
except ImportError as error:
    raise MissingExtraError.of(error.name or "polars", "polars") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

Frame = TypeVar("Frame")


def extract(frame: Frame, **options: Any) -> Frame:
    """Extract the pages of a `polars.DataFrame` or `polars.LazyFrame`, and return the same kind.

    A LazyFrame is extracted when it is collected, batch by batch where the engine streams.

    Raises:
        OptionError: as of `chaffinch.arrow.extract`, or ``frame`` is no frame of Polars.
    """
    made: Any
    if isinstance(frame, pl.DataFrame):
        made = _extracted(frame, options)
    elif isinstance(frame, pl.LazyFrame):
        after = _extracted(frame.collect_schema().to_frame(), options).schema
        work = partial(_extracted, options=options)
        made = frame.map_batches(work, schema=after, streamable=True)
    else:
        raise OptionError(f"a frame of Polars is wanted, not {type(frame).__name__}")
    out: Frame = made
    return out


def expression(
    html: str = "html", *, columns: Sequence[str] = arrow.DEFAULT_COLUMNS, **options: Any
) -> pl.Expr:
    """Return an expression: a struct of ``columns`` and errors for each page of a column.

    Args:
        html: name of the column of pages.
        columns: names of the struct's fields, before ``error`` and ``error_detail``.
        **options: as of `chaffinch.extract`, but those of single pages.

    Raises:
        OptionError: a column or option is unknown.
    """
    work = partial(_structs, options={"columns": tuple(columns), **options})
    kind = work(pl.Series([], dtype=pl.Binary)).dtype
    return pl.col(html).map_batches(work, return_dtype=kind)


def _extracted(frame: pl.DataFrame, options: dict[str, Any]) -> pl.DataFrame:
    made: Any = pl.from_arrow(arrow.extract(frame.to_arrow(), **options))
    out: pl.DataFrame = made
    return out


def _structs(pages: pl.Series, options: dict[str, Any]) -> pl.Series:
    found = _extracted(pl.DataFrame({"html": pages}), options)
    return found.to_struct(pages.name)
