"""What the script that makes the kept files and the tests that read them agree on."""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"

WORK = Path("/tmp/chaffinch-earlier")  # noqa: S108  the same wherever they are made
"""Where the kept files were made; batch runs name their sources by absolute paths."""

PORT = 8917
"""The port of the example web in the kept crawls: addresses name it, so tests serve it again."""

WRITTEN = 1_790_000_000
"""Time of last change of every source of a batch run, seconds since 1970: it is in the markers."""

SOURCES = ("sources", "crawl/docs.warc.gz")
"""What the kept batch runs were given, in the folder in which they were started."""

PAGE = "sources/library-of-seeds.html"
"""An article of the site whose model and rules are kept, of which they learned nothing."""

RUNS = {
    "parquet": ("--buckets", "2", "--duplicates", "mark", "--images", "--tables"),
    "jsonl": ("--buckets", "2", "--format", "jsonl"),
    "sites": ("--buckets", "2", "--site-models", "{models}", "--only-metadata"),
}
"""Kind of batch run → its options; each was kept whole and cut short."""


def crawl_options(host: str, address: str = "127.0.0.1") -> list[str]:
    """Return the options by which a host of the example web is crawled on loopback."""
    given = ["--resolve", f"{host}={address}", "--allow-host", host]
    return [*given, "--depth", "1", "--delay", "0.05", "--per-host", "1"]


def run_options(kind: str, models: str) -> list[str]:
    """Return the options of a kept batch run; its site models stand in the folder ``models``."""
    return [one.format(models=models) for one in RUNS[kind]] + ["--workers", "1"]


def date_sources(folder: Path) -> None:
    """Set when the sources of the batch runs were last changed."""
    for path in (*folder.glob("sources/*"), *folder.glob("crawl/*.warc.gz")):
        os.utime(path, (WRITTEN, WRITTEN))


def shard_names(folder: Path, copy: Path | None = None) -> list[str]:
    """Return the names of the shards of `SOURCES` where ``folder`` is the working directory.

    This is how version 0.1.0 names them, written down once more: a run is resumed by these names.

    Args:
        folder: the working directory, which needn't be there.
        copy: where its files are now; ``folder`` if not given.
    """
    there = copy or folder
    lines, pages = (
        [str(folder / path.relative_to(there)) for path in sorted(there.glob(pattern))]
        for pattern in ("sources/*.jsonl.gz", "sources/*.html")
    )
    return [*map(_name, (*lines, str(folder / SOURCES[1]))), _name(SOURCES[0], *pages)]


def _name(source: str, *items: str) -> str:
    digest = blake2b("\n".join((source, *items)).encode()).hexdigest()[:16]
    slug = re.sub(r"[^\w.-]+", "_", Path(source).name)
    return f"{slug}-{digest}"


def move_runs(folder: Path) -> None:
    """Rename the files of batch runs after their shards, as if they had been made in ``folder``.

    Names of shards hold a hash of the absolute paths of sources.
    """
    names = dict(zip(shard_names(WORK, folder), shard_names(folder), strict=True))
    for path in sorted(folder.glob("batch/**/*")):
        for old, new in names.items():
            if path.name.startswith(old):
                path.rename(path.with_name(path.name.replace(old, new)))


def holds(found: object, kept: object) -> bool:
    """Return whether a JSON value has all that a kept one has; a later version may tell more."""
    if isinstance(kept, dict):
        return isinstance(found, dict) and all(
            name in found and holds(found[name], value) for name, value in kept.items()
        )
    if isinstance(kept, list):
        return isinstance(found, list) and len(found) == len(kept) and all(map(holds, found, kept))
    return found == kept
