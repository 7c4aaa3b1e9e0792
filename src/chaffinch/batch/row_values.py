"""What a row holds of an extract: each column's value, computed where it is wanted."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.fetch.url_parts import host_name
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.extraction.extract import Extract


def kept_score(found: Extract) -> float | None:
    """Return the mean score of the kept text by characters, 0..1; None where nothing is kept."""
    page = found.page
    length = np.where(found.content.kept & (page.tag == tags.TEXT), page.own_length, 0)
    total = length.sum(dtype=np.float64)
    if not total:
        return None
    return float(
        np.multiply(found.content.verdict.text_score, length, dtype=np.float64).sum() / total
    )


def _of_metadata(name: str) -> Callable[[Extract], str]:
    return lambda found: found.metadata.value(name) or ""


def _texts_of_metadata(name: str) -> Callable[[Extract], list[str]]:
    return lambda found: list(found.metadata.value(name) or ())


def _product(found: Extract) -> dict[str, Any] | None:
    product = found.metadata.product
    return product.value.values() if product else None


def _tables(found: Extract) -> list[dict[str, Any]]:
    return [
        {"kind": one.kind, "caption": one.caption, "markdown": one.markdown()}
        for one in found.tables
    ]


def _records(found: Extract) -> list[dict[str, Any]]:
    return [
        {
            "list_number": one.list_number,
            "rows": list(one.rows),
            "fields": [
                {"name": name, "value": field.value, "rows": list(field.rows)}
                for name, field in one.fields.items()
            ],
        }
        for one in found.records
    ]


VALUES: Final[Mapping[str, Callable[[Extract], Any]]] = {
    "url": lambda found: found.url or "",
    "host": lambda found: host_name(found.url or ""),
    "language": lambda found: found.language,
    "page_type": lambda found: found.page_type,
    "declared_type": _of_metadata("declared_type"),
    "title": lambda found: found.title,
    "authors": lambda found: list(found.authors),
    "editors": _texts_of_metadata("editors"),
    "original_source": _of_metadata("original_source"),
    "published": lambda found: found.date,
    "modified": _of_metadata("modified"),
    "site_name": lambda found: found.site_name,
    "product": _product,
    "score": kept_score,
    "confidence": lambda found: found.confidence,
    "source": lambda found: found.source,
    "method": lambda found: found.method,
    "made_by": lambda found: found.made_by,
    "opt_outs": _texts_of_metadata("opt_outs"),
    "encoding": lambda found: found.in_rows.page.encoding,
    "length": lambda found: len(found.text),
    "text": lambda found: found.text,
    "markdown": lambda found: found.markdown(),
    "images": lambda found: [asdict(one) for one in found.images],
    "tables": _tables,
    "assessment": lambda found: asdict(found.assessment),
    "records": _records,
}
"""Column → its value of an extract; `chaffinch.batch.schema` has types and meanings."""

OUTPUTS: Final = ("text", "markdown")
"""Columns that a recipe may leave out."""

ON_REQUEST: Final = ("images", "tables", "assessment", "records")
"""Columns that a recipe adds, by fields of these names."""

ALWAYS: Final = tuple(name for name in VALUES if name not in {*OUTPUTS, *ON_REQUEST})
"""The other columns."""
