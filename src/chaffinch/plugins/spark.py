"""Spark: content and metadata as columns of a DataFrame, by ``mapInArrow``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chaffinch import arrow
from chaffinch.errors import MissingExtraError, OptionError

try:
    from pyspark.sql import DataFrame
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
except ImportError as error:
    raise MissingExtraError.of(error.name or "pyspark", "spark") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def extract(frame: DataFrame, **options: Any) -> DataFrame:
    """Extract the pages of a `pyspark.sql.DataFrame`, lazily: in its partitions' Python workers.

    Args:
        frame: rows with pages, binary or text.
        **options: as of `chaffinch.arrow.extract`.

    Raises:
        OptionError: ``frame`` is none, a column isn't there, or an option is unknown.
    """
    if not isinstance(frame, DataFrame):
        raise OptionError(f"a DataFrame of Spark is wanted, not {type(frame).__name__}")
    before = to_arrow_schema(frame.schema)
    after = arrow.extract(before.empty_table(), **options).schema
    return frame.mapInArrow(_Extraction(options), from_arrow_schema(after))


@dataclass(frozen=True)
class _Extraction:
    """The function that Spark runs on a partition's batches."""

    options: dict[str, Any]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield a batch for each."""
        for batch in batches:
            yield arrow.extract(batch, **self.options)
