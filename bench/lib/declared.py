"""A baseline for metadata made of extruct: what pages declare, syntax by syntax in a fixed order.

extruct reads the syntaxes and chooses nothing; the order is JSON-LD, microdata, microformats, Open
Graph, Dublin Core, and of the items of a syntax those that are articles or works come first.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

SYNTAXES = ("json-ld", "microdata", "microformat", "opengraph", "dublincore")
ARTICLE = re.compile(r"Article|Posting|Report|Blog|h-entry|hentry|article", re.IGNORECASE)
TITLES = ("headline", "og:title", "title", "name")
AUTHORS = ("author", "creator", "article:author", "og:article:author")
DATES = ("datePublished", "published", "article:published_time", "og:article:published_time",
         "dateCreated", "uploadDate", "date", "issued", "created")  # fmt: skip


def answer(text: str, url: str | None) -> dict[str, Any]:
    """Return title, authors and date of a page's HTML; a field that nothing declares is empty."""
    import extruct  # noqa: PLC0415  optional

    found = extruct.extract(
        text,
        base_url=url or "https://example.org/",
        syntaxes=list(SYNTAXES),
        uniform=True,
        errors="ignore",
    )
    items = [item for syntax in SYNTAXES for item in _ordered(found.get(syntax) or [], syntax)]
    return {
        "title": html.unescape(next(_texts(items, TITLES), "")),
        "authors": _authors(items),
        "date": next(_texts(items, DATES), None),
    }


def _ordered(items: list[Any], syntax: str) -> list[dict[str, Any]]:
    """Return the items that speak of the page, articles first."""
    flat: list[dict[str, Any]] = []
    for item in items:
        if isinstance(item, dict):
            graph = item.get("@graph")
            flat += [i for i in (graph if isinstance(graph, list) else [item]) if _is_item(i)]
    if syntax == "dublincore":
        return [_plain(item) for item in flat]
    articles = [item for item in flat if ARTICLE.search(str(item.get("@type") or ""))]
    return articles if articles or syntax != "opengraph" else flat


def _is_item(item: Any) -> bool:
    return isinstance(item, dict)


def _plain(item: dict[str, Any]) -> dict[str, Any]:
    """Return Dublin Core's elements and terms as fields; its first value counts."""
    out: dict[str, Any] = {}
    for one in [*item.get("elements", ()), *item.get("terms", ())]:
        out.setdefault(one["URI"].rpartition("/")[2], one.get("content"))
    return out


def _texts(items: list[dict[str, Any]], fields: tuple[str, ...]) -> Iterator[str]:
    for item in items:
        for field in fields:
            for value in _several(item.get(field)):
                if isinstance(value, str) and value.strip():
                    yield value.strip()


def _authors(items: list[dict[str, Any]]) -> list[str]:
    """Return the names of the first item that has an author who isn't an address."""
    for item in items:
        for field in AUTHORS:
            given = _several(item.get(field))
            names = [
                name.strip()
                for one in given
                for name in _several(one.get("name") if isinstance(one, dict) else one)
                if isinstance(name, str) and name.strip() and "://" not in name
            ]
            if names:
                return names
    return []


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
