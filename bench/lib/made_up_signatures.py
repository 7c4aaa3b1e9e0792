"""Made-up signatures of pages, some of them alike, as a run leaves them before it finds duplicates.

A share of the pages are copies of an earlier page: half of these of its text, half of its signature
with up to 40 of 128 values changed, so that some are near duplicates and some are not. One page of
each shard is too short for a signature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from chaffinch.batch.schema import SIGNATURES as SCHEMA
from chaffinch.batch.storage import SIGNATURES
from chaffinch.batch.text_signatures import VALUES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_CHANGED: Final = 40
_HELD: Final = 20_000
"""Pages that later ones may be copies of, those that were made first."""


def write_signatures(  # noqa: PLR0913  options are keyword-only
    folder: Path,
    pages: int,
    *,
    shards: int,
    alike: float = 0.3,
    more: Sequence[NDArray[np.uint32]] = (),
    seed: int = 9,
) -> None:
    """Write the files of signatures of a run.

    Args:
        folder: of the run.
        pages: how many.
        shards: files that they are spread over, one after the other.
        alike: share of pages that are copies, 0..1.
        more: signatures of further pages, uint32[VALUES] each.
        seed: of all that is random.
    """
    dice = np.random.default_rng(seed)
    first: NDArray[np.uint32] = np.zeros((0, VALUES), dtype="<u4")
    hashes: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
    (folder / SIGNATURES).mkdir(parents=True, exist_ok=True)
    for number in range(shards):
        count = pages * (number + 1) // shards - pages * number // shards
        signatures = dice.integers(0, 1 << 32, (count, VALUES), dtype="<u4")
        own = dice.integers(0, 1 << 62, count)
        if len(first):
            copies = np.flatnonzero(dice.random(count) < alike)
            of = dice.integers(0, len(first), len(copies))
            changed = (
                dice.random((len(copies), VALUES))
                < (dice.integers(0, _CHANGED, len(copies)) / VALUES)[:, None]
            )
            exact = dice.random(len(copies)) < 0.5
            changed[exact] = False
            signatures[copies] = np.where(changed, signatures[copies], first[of])
            own[copies[exact]] = hashes[of[exact]]
        room = _HELD - len(first)
        first, hashes = (
            np.concatenate([first, signatures[:room]]),
            np.concatenate([hashes, own[:room]]),
        )
        added = np.array(more[number::shards], dtype="<u4").reshape(-1, VALUES)
        signatures = np.concatenate([signatures, added])
        own = np.concatenate([own, dice.integers(0, 1 << 62, len(added))])
        path = folder / SIGNATURES / f"part-{number:05d}.parquet"
        _write(path, number, own, signatures, has_short=count > 0)


def _write(
    path: Path,
    number: int,
    hashes: NDArray[np.int64],
    signatures: NDArray[np.uint32],
    *,
    has_short: bool,
) -> None:
    """Write one shard's file."""
    count = len(hashes)
    packed: list[bytes | None] = [row.tobytes() for row in signatures]
    if has_short:
        packed[0] = None
    columns = {
        "source": [f"part-{number:05d}.warc.gz"] * count,
        "member": [""] * count,
        "offset": np.arange(count) * 7000,
        "text_hash": hashes,
        "signature": packed,
    }
    pq.write_table(pa.table(columns, schema=SCHEMA), path, compression="zstd")
