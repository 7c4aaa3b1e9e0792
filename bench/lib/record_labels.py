"""List pages whose entries and fields are labelled by hand, as rows of their tables.

`bench/quality/record_labels.json` holds, by site and by the SHA-1 of a page's bytes: its kind, its
number of rows, the CRC-32 of its entries' texts, the names of the labelled fields, and for each
entry its first row, its size in rows, and for each field where it begins in the entry and its size;
0 where the entry has none, null where the field wasn't judged. Pages are those of the corpora's
``sites`` and of the example web. A page whose rows or texts differ from the labels is an error.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
import sys
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.lib.timing import corpora
from chaffinch import parse
from chaffinch.elements.image_sources import ImageSources
from chaffinch.page import Page
from chaffinch.page.urls import absolute

LABELS = Path(__file__).parents[1] / "quality" / "record_labels.json"
EXAMPLE = "example"
SINGLE = "a single entry"
"""Kind of the list pages with one entry, where nothing repeats."""


@dataclass(frozen=True, eq=False)
class LabelledEntry:
    """A labelled entry.

    Attributes:
        rows: half-open range of its rows.
        fields: name → rows of the field; None where the entry has none. Those that weren't judged
            are left out.
    """

    rows: tuple[int, int]
    fields: dict[str, tuple[int, int] | None]


@dataclass(frozen=True, eq=False)
class LabelledList:
    """A list page with its labels."""

    site: str
    kind: str
    html: bytes
    page: Page
    entries: list[LabelledEntry]


def labelled_lists(only: str = "") -> Iterator[LabelledList]:
    """Yield the labelled pages of the sites whose name contains ``only``.

    Raises:
        ValueError: labels don't fit their page, or their page isn't there.
    """
    for site, known in json.loads(LABELS.read_text(encoding="utf-8")).items():
        if only not in site:
            continue
        missing = set(known)
        for html, url in site_files(site):
            key = hashlib.sha1(html, usedforsecurity=False).hexdigest()[:12]
            if key in missing:
                missing.discard(key)
                yield _fitted(site, known[key], html, url)
        if missing:
            raise ValueError(f"{site}: no page for labels {', '.join(sorted(missing))}")


def _fitted(site: str, label: dict[str, Any], html: bytes, url: str | None) -> LabelledList:
    page = parse(html, url=url)
    entries = [_entry(label["fields"], *one) for one in label["entries"]]
    rows_fit = len(page) == label["rows"]
    text = "\n".join(page.folded(one.rows[0]) for one in entries) if rows_fit else ""
    if f"{zlib.crc32(text.encode()):08x}" != label["text"]:
        raise ValueError(f"{site}: labels don't fit {url or 'a page'}")
    return LabelledList(site, label["kind"], html, page, entries)


def _entry(names: list[str], start: int, size: int, *given: Any) -> LabelledEntry:
    fields = {
        name: (start + one[0], start + one[0] + one[1]) if one else None
        for name, one in zip(names, given, strict=True)
        if one is not None
    }
    return LabelledEntry((start, start + size), fields)


def site_files(site: str) -> Iterator[tuple[bytes, str | None]]:
    """Yield bytes and address of all pages of a site, labelled or not."""
    if site == EXAMPLE:
        yield from _example_files()
        return
    with lzma.open(corpora() / "sites" / f"{site}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["html"].encode("latin-1"), row["url"] or None


@functools.cache
def _example_files() -> tuple[tuple[bytes, str], ...]:
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
    from site_maker import write  # noqa: PLC0415  beside the package

    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        files = sorted(Path(folder).rglob("*.html"))
        return tuple(
            (file.read_bytes(), f"https://{file.relative_to(folder).as_posix()}") for file in files
        )


def labelled_value(page: Page, name: str, rows: tuple[int, int]) -> str:
    """Return the value of a labelled field: text, or the absolute address of a link or image."""
    if name == "link":
        return absolute(page.attribute(rows[0], "href"), page.base)
    if name == "image":
        source = ImageSources(page).of(rows[0])
        return "" if source is None else source.url
    return " ".join(page.text[page.text_at[rows[0]] : page.text_at[rows[1]]].split())
