"""Ray Data: content and metadata as columns of a Dataset, in parallel on a cluster."""

from __future__ import annotations

from functools import partial
from typing import Any

from chaffinch import arrow
from chaffinch.errors import MissingExtraError, OptionError

try:
    import pyarrow as pa
    import ray.data
except ImportError as error:
    raise MissingExtraError.of(error.name or "ray.data", "ray") from error


def extract(
    dataset: ray.data.Dataset,
    *,
    batch_size: int | None = 64,
    resources: dict[str, Any] | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Extract the pages of a `ray.data.Dataset`, lazily: when it is consumed.

    Args:
        dataset: rows with pages, bytes or text.
        batch_size: rows at a time; None for whole blocks.
        resources: further arguments of `ray.data.Dataset.map_batches`, such as
            ``{"num_cpus": 1, "concurrency": 8}``.
        **options: as of `chaffinch.arrow.extract`.

    Raises:
        OptionError: ``dataset`` is none, or an option is unknown.
    """
    if not isinstance(dataset, ray.data.Dataset):
        raise OptionError(f"a Dataset of Ray is wanted, not {type(dataset).__name__}")
    empty = pa.table({options.get("html", "html"): pa.array([], pa.binary())})
    arrow.extract(empty, **{**options, **dict.fromkeys(arrow.OF_PAGES)})
    return dataset.map_batches(
        partial(arrow.extract, **options),
        batch_format="pyarrow",
        batch_size=batch_size,
        zero_copy_batch=True,
        **(resources or {}),
    )
