"""Kinds of sources, recognised by the extension of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAGES: Final = (".html", ".htm", ".xhtml", ".mhtml", ".mht")

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".warc.lz4"),
    "zip": (".zip", ".wacz"),
    "tar": (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"),
    "lines": (".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.bz2", ".jsonl.zst"),
    "parquet": (".parquet",),
    "addresses": (".txt", ".urls"),
    "files": (*_PAGES, *(f"{ending}.gz" for ending in _PAGES)),
}
"""Kind of source → endings of its files, in lower case."""


def kind_of(path: str) -> str | None:
    """Return the kind of source that a file is by its name, a key of `KINDS`; None for none."""
    name = path.lower()
    return next((kind for kind, endings in KINDS.items() if name.endswith(endings)), None)
