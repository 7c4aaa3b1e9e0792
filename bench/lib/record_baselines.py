"""What other tools find of a list page: extruct in declarations, autoscraper by its rules.

Neither has entries: extruct's items are taken as such, autoscraper returns values of each field.
autoscraper 1.1.14 finds nothing with beautifulsoup4 4.13 or later, so that it needs an environment
of its own, with 4.12.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from bench.lib.record_labels import LabelledList, labelled_value
from bench.lib.record_scores import Values
from chaffinch.page.decoding import decode

_KEYS = {
    "headline": "title", "name": "title", "title": "title", "url": "link", "image": "image",
    "price": "price", "datePublished": "date", "published": "date", "author": "author",
    "description": "summary", "summary": "summary",
}  # fmt: skip
_WORDS = ("article", "posting", "product", "listitem", "entry", "event", "recipe", "jobposting")
TAUGHT = ("title", "link", "date")


def declared_values(labelled: LabelledList) -> Values:
    """Return what the items that the page declares say of each field."""
    import extruct  # noqa: PLC0415  optional

    text = decode(labelled.html).text
    found = extruct.extract(
        text,
        base_url=labelled.page.url or "https://example.org/",
        syntaxes=["json-ld", "microdata", "microformat"],
        uniform=True,
        errors="ignore",
    )
    out: dict[str, list[str]] = defaultdict(list)
    for item in _items(found):
        named: dict[str, str] = {}
        for key, value in item.items():
            if (name := _KEYS.get(key)) and (plain := _plain(value)):
                named.setdefault(name, plain)
        for name, value in named.items():
            out[name].append(value)
    return out


def _items(found: Any) -> list[dict[str, Any]]:
    """Return all items, nested ones included, whose type is that of an entry."""
    out, waiting = [], [found]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            kind = str(one.get("@type") or "").lower()
            if any(word in kind for word in _WORDS):
                out.append(one)
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return out


def _plain(value: Any) -> str:
    while isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        value = value.get("name") or value.get("url") or ""
    return value if isinstance(value, str) else ""


class TaughtScraper:
    """autoscraper, taught with the fields of one entry of one page of a site."""

    def __init__(self, example: LabelledList) -> None:
        from autoscraper import AutoScraper  # noqa: PLC0415  optional

        entry = example.entries[0]
        wanted = {
            name: [labelled_value(example.page, name, rows)]
            for name in TAUGHT
            if (rows := entry.fields.get(name))
        }
        self._scraper: Any = AutoScraper()
        self._scraper.build(
            url=example.page.url or "", html=decode(example.html).text, wanted_dict=wanted
        )

    def __call__(self, labelled: LabelledList) -> Values:
        """Return the values of each field on another page."""
        found: dict[str, list[str]] = self._scraper.get_result_similar(
            url=labelled.page.url or "",
            html=decode(labelled.html).text,
            group_by_alias=True,
            unique=False,
        )
        return found or {}
