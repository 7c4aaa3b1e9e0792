"""Pages whose outputs are digested, and their digests in one small file; nothing needs chaffinch.

A collection is a corpus (``wcxb``), a site (``sites/zhihu.com``), the example site, or pages of the
example web. The first two lie in the folder that ``CHAFFINCH_CORPORA`` names, or in ``../shared``.

A digest is three bytes: one change in 16 million goes unseen, and hardly a change is seen on one
page and in one output alone. A file holds a line of JSON (the number of pages, the names of the
outputs, the digests of the site's model), then a column for each output: what repeats, as the
digest of «no tables» does, costs next to nothing once it is compressed.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

EXAMPLE_SITE: Final = "example_site"
EXAMPLE_WEB: Final = "example_web"
_SUFFIX: Final = ".jsonl.xz"
_STORIES: Final = "app late state plain wall consent frames lazy".split()
_ALONE: Final = {
    "post.test": ["/", "/birds/index.html?page=3", "/feed.xml", "/about.html"],
    "zh.post.test": ["/", "/mills/index.html"],
    "shop.test": ["/", *(f"/item.html?id={number}" for number in range(0, 100, 9))],
    "forum.test": ["/", *(f"/thread/{number}/" for number in range(0, 100, 9))],
    "docs.test": ["/", *(f"/manual/chapter-{number}.html" for number in range(0, 100, 9))],
    "slow.test": ["/", "/1.html"],
    "trap.test": ["/", "/real/1.html"],
    "opted.test": ["/", "/noindex.html"],
    "app.test": [
        *("/", "/scroll.html", "/plain-scroll.html", "/popup.html"),
        *(f"/{kind}/{number}.html" for kind in _STORIES for number in (1, 2, 3)),
    ],
}


@dataclass(frozen=True)
class Source:
    """One page: its name within the collection, its bytes as served, its address."""

    id: str
    html: bytes
    url: str | None


class _Lines(Sequence[Source]):
    """Pages as lines of JSON, each read when it is requested: a sample needs few of them."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return _Lines(self._lines[number])
        return _source(json.loads(self._lines[number]))


def shared() -> Path:
    """Return the folder that holds ``corpora/`` and ``sites/`` (it may not exist)."""
    return Path(os.environ.get("CHAFFINCH_CORPORA") or Path("..") / "shared")


def collections() -> list[str]:
    """Return the names of all collections that are at hand."""
    corpora = sorted(path.name for path in (shared() / "corpora").glob(f"*{_SUFFIX}"))
    sites = sorted(path.name for path in (shared() / "sites").glob(f"*{_SUFFIX}"))
    names = [EXAMPLE_SITE, EXAMPLE_WEB, *corpora, *(f"sites/{name}" for name in sites)]
    return [name.removesuffix(_SUFFIX) for name in names]


def is_site(collection: str) -> bool:
    """Return whether the pages of a collection are those of one site."""
    return collection.startswith("sites/") or collection == EXAMPLE_SITE


def size_of(collection: str) -> int:
    """Return the bytes of the collection's file; 0 for what is made here."""
    return 0 if collection in {EXAMPLE_SITE, EXAMPLE_WEB} else _path(collection).stat().st_size


def _path(collection: str) -> Path:
    folder = shared() if collection.startswith("sites/") else shared() / "corpora"
    return folder / f"{collection}{_SUFFIX}"


def read(collection: str) -> Sequence[Source]:
    """Return the pages of a collection, in a fixed order."""
    if collection == EXAMPLE_SITE:
        return _example_site()
    if collection == EXAMPLE_WEB:
        return _example_web()
    with lzma.open(_path(collection), "rt", encoding="utf-8") as lines:
        return _Lines(list(lines))


def _source(row: dict[str, str]) -> Source:
    return Source(str(row["id"]), row["html"].encode("latin-1"), row.get("url"))


def _example_site() -> list[Source]:
    from site_maker import pages  # noqa: PLC0415  few runs need it

    return [_source(row) for row in pages()]


def _example_web() -> list[Source]:
    from web_maker import Asked, answer  # noqa: PLC0415  few runs need it
    from web_maker.texts import entry  # noqa: PLC0415  the same

    targets = [(host, target) for host, some in _ALONE.items() for target in some]
    for host, language in (("post.test", "en"), ("zh.post.test", "zh")):
        stories = (entry("article", language, number) for number in range(0, 400, 20))
        targets += [(host, story.link) for story in stories]
    asked = [Asked(host=host, port=80, target=target) for host, target in targets]
    return [
        Source(f"{one.host}{one.target}", answer(one).body, f"http://{one.host}{one.target}")
        for one in asked
    ]


SIZE: Final = 3
"""Bytes of a digest."""
INPUT: Final = "input"
"""The column of the pages themselves: where it differs, nothing else can be compared."""
TOLERANCES: Final = {
    "score": 2e-3,
    "confidence": 0.0101,
    "method_scores": 2e-3,
    "sibling_scores": 2e-3,
    "site_scores": 2e-3,
    "learned_numbers": 1e-2,
}
"""Output that is a number → how far two of them may lie apart."""
Value = bytes | float
"""A digest, or a number that is compared with a tolerance; NaN where a page raised an error."""
Column = NDArray[np.uint8] | NDArray[np.float32]


def digest(value: Any) -> bytes:
    """Return the digest of text, bytes or what JSON holds, whatever the order of its keys."""
    if not isinstance(value, str | bytes):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return blake2b(value, digest_size=SIZE).digest()


def same(one: Value, other: Value, tolerance: float) -> bool:
    """Return whether two values are equal, numbers as far as the tolerance goes."""
    if isinstance(one, bytes) or isinstance(other, bytes):
        return one == other
    return bool(np.isclose(one, other, rtol=0, atol=tolerance, equal_nan=True))


@dataclass
class Digests:
    """The digests of a collection.

    Attributes:
        columns: output → uint8[n, 3], or float32[n] of an output that is a number.
        model: output → value of the model of a site; empty for other collections.
    """

    columns: dict[str, Column] = field(default_factory=dict)
    model: dict[str, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: list[dict[str, Value]], model: Mapping[str, Value]) -> Digests:
        """Return the digests of pages that all have the same outputs."""
        columns: dict[str, Column] = {}
        for name, first in rows[0].items():
            values: list[Any] = [row[name] for row in rows]
            if isinstance(first, bytes):
                joined = np.frombuffer(b"".join(values), dtype=np.uint8)
                columns[name] = joined.reshape(len(rows), SIZE)
            else:
                columns[name] = np.array(values, dtype=np.float32)
        return cls(columns, dict(model))

    def __len__(self) -> int:
        return len(self.columns[INPUT]) if self.columns else 0

    def value(self, page: int, output: str) -> Value:
        """Return what is kept of one output of a page."""
        column = self.columns[output]
        return column[page].tobytes() if column.dtype == np.uint8 else float(column[page])

    def save(self, path: Path) -> None:
        """Write the file."""
        kinds = {name: column.dtype.str for name, column in self.columns.items()}
        model = {
            name: one.hex() if isinstance(one, bytes) else one for name, one in self.model.items()
        }
        head = json.dumps({"pages": len(self), "columns": kinds, "model": model})
        parts = [head.encode(), b"\n", *(column.tobytes() for column in self.columns.values())]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(lzma.compress(b"".join(parts), preset=9))

    @classmethod
    def load(cls, path: Path) -> Digests:
        """Read a file that `save` wrote."""
        line, data = lzma.decompress(path.read_bytes()).split(b"\n", 1)
        head = json.loads(line)
        columns: dict[str, Column] = {}
        at = 0
        for name, kind in head["columns"].items():
            count = head["pages"] * (SIZE if kind == "|u1" else 1)
            column = np.frombuffer(data, dtype=kind, count=count, offset=at)
            columns[name] = column.reshape(-1, SIZE) if kind == "|u1" else column
            at += column.nbytes
        model = {
            name: bytes.fromhex(one) if isinstance(one, str) else one
            for name, one in head["model"].items()
        }
        return cls(columns, model)


def differences(stored: Digests, page: int, row: Mapping[str, Value]) -> Iterator[str]:
    """Yield the outputs of a page that differ from the stored ones."""
    if stored.value(page, INPUT) != row[INPUT]:
        yield INPUT
        return
    for name, value in row.items():
        known = name in stored.columns
        if known and not same(stored.value(page, name), value, TOLERANCES.get(name, 0.0)):
            yield name


def model_differences(stored: Digests, model: Mapping[str, Value]) -> Iterator[str]:
    """Yield the outputs of a site's model that differ from the stored ones."""
    for name, value in model.items():
        known = name in stored.model
        if known and not same(stored.model[name], value, TOLERANCES.get(name, 0.0)):
            yield name
