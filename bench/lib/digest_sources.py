"""Where the pages come from whose outputs are digested; nothing here needs chaffinch.

A collection is a corpus (``wcxb``), a site (``sites/zhihu.com``), the example site, or pages of the
example web. The first two lie in the folder that ``CHAFFINCH_CORPORA`` names, or in ``../shared``.
"""

from __future__ import annotations

import json
import lzma
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

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


def size(collection: str) -> int:
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
