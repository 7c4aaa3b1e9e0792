"""The share of pages that `is_readable` calls readable: prose pages, and pages that are lists."""

from __future__ import annotations

import argparse
import json
import lzma
from typing import TYPE_CHECKING

import chaffinch
from bench.lib.timing import corpora

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the labelled pages of a file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    """Print a line for each kind of page."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    folder = corpora()
    found: dict[str, list[bool]] = {}
    for name in ("zh_news", "daniel", "magic_html_article", "wcxb"):
        for row in rows(folder / "corpora" / f"{name}.jsonl.xz"):
            kind = f"{name} {row.get('page_type') or 'article'}"
            found.setdefault(kind, []).append(chaffinch.is_readable(row["html"].encode("latin-1")))
    for row in rows(folder / "sites" / "oa.jlu.edu.cn_lists.jsonl.xz"):
        readable = chaffinch.is_readable(row["html"].encode("latin-1"))
        found.setdefault("lists of links", []).append(readable)
    for kind, values in found.items():
        print(f"{kind:32} {len(values):5} pages  {sum(values) / len(values):.3f} readable")


if __name__ == "__main__":
    main()
