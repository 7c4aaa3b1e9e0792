"""pandas: content and metadata as columns of a DataFrame."""

from __future__ import annotations

from typing import Any

from chaffinch import arrow
from chaffinch.errors import MissingExtraError, OptionError

try:
    import pandas as pd
    import pyarrow as pa
except ImportError as error:
    raise MissingExtraError.of(error.name or "pandas", "pandas") from error


def extract(frame: pd.DataFrame, **options: Any) -> pd.DataFrame:
    """Extract the pages of a `pandas.DataFrame`.

    Args:
        frame: pages as bytes or text in a column of objects, or in one of Arrow's types. Its other
            columns are kept as they are, whatever they hold.
        **options: as of `chaffinch.arrow.extract`.

    Returns:
        A frame with the same index; what is added has types of Arrow (`pandas.ArrowDtype`).

    Raises:
        OptionError: as of `chaffinch.arrow.extract`, or ``frame`` is no frame of pandas.
    """
    if not isinstance(frame, pd.DataFrame):
        raise OptionError(f"a DataFrame of pandas is wanted, not {type(frame).__name__}")
    html = options.get("html", "html")
    named = [html, *(options.get(name) or name for name in arrow.OF_PAGES)]
    given = frame[[name for name in named if name in frame.columns]]
    try:
        table = pa.Table.from_pandas(given, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise OptionError(f"columns {', '.join(given.columns)} of mixed types: {error}") from error
    found = arrow.extract(table, **options).to_pandas(types_mapper=pd.ArrowDtype)
    found.index = frame.index
    added = [name for name in found.columns if name not in given.columns]
    replaced = [name for name in found.columns if name in options.get("columns", ())]
    kept = frame.drop(columns=[html, *(name for name in replaced if name in frame.columns)])
    wanted = dict.fromkeys([*replaced, *added])
    return pd.concat([kept, found[list(wanted)]], axis="columns")
