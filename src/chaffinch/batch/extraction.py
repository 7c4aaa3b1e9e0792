"""The default extractor: from a record to the fields of its row."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.batch.record import Record
from chaffinch.batch.text_signatures import text_hash, text_signature
from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.extraction.trip import extract
from chaffinch.fetch.url_parts import host_name
from chaffinch.loading.own_address import addressed
from chaffinch.page import parse, tags
from chaffinch.page.guard.limits import Limits

if TYPE_CHECKING:
    from chaffinch.batch.recipe import Recipe
    from chaffinch.extraction.extract import Extract
    from chaffinch.page import Page

LEFT_OUT = "left_out"
"""Field with the reason of a row that isn't written, because the recipe excludes it."""


_SOME_PAGE: Final = Record(
    file="", url="https://chaffinch.example/", html=b"<p>A page to warm up with, in some words."
)


class Extraction:
    """Extracts pages by one method; the default extractor of a run.

    Raises:
        OptionError: the method or a setting is unknown.
    """

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._limits = Limits(max_bytes=recipe.max_bytes)
        self._method = prepare_method(
            recipe.method, settings=recipe.settings or None, policy=recipe.policy or None
        )
        self(_SOME_PAGE)  # loads what is loaded on first use, before the limits of the first page

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return the fields of a record's row, as in `chaffinch.batch.schema`.

        Raises:
            PageError: the page can't be processed.
        """
        page = page_of(record, self._limits)
        found = extract(page, method=self._method)
        return fields_of(replace(found, headers=record.headers), self._recipe)


def page_of(record: Record, limits: Limits) -> Page:
    """Return the page of a record; without an address it gets the canonical one that it declares.

    Raises:
        PageError: it can't be processed.
    """
    page = parse(record.html, url=record.url or None, encoding=record.encoding, limits=limits)
    return addressed(page.with_status(record.status or None))


def fields_of(found: Extract, recipe: Recipe) -> dict[str, Any]:
    """Return the fields of a row, or the reason in `LEFT_OUT` where there is none."""
    language = found.language
    if recipe.languages and language.partition("-")[0] not in recipe.languages:
        return {LEFT_OUT: "language"}
    about = found.metadata
    url = found.url or ""
    row = {
        "url": url,
        "host": host_name(url),
        "language": language,
        "page_type": found.page_type,
        "declared_type": about.value("declared_type") or "",
        "title": found.title,
        "authors": list(found.authors),
        "editors": list(about.value("editors") or ()),
        "original_source": about.value("original_source") or "",
        "published": found.date,
        "modified": about.value("modified") or "",
        "site_name": found.site_name,
        "product": about.product.value.values() if about.product else None,
        "score": kept_score(found),
        "confidence": found.confidence,
        "source": found.source,
        "method": found.method,
        "made_by": found.made_by,
        "opt_outs": list(about.value("opt_outs") or ()),
        "encoding": found.in_rows.page.encoding,
        "length": len(found.text),
    }
    if not recipe.only_metadata:
        row |= {"text": found.text, "markdown": found.markdown()}
    if recipe.images:
        row["images"] = [asdict(one) for one in found.images]
    if recipe.tables:
        row["tables"] = [
            {"kind": one.kind, "caption": one.caption, "markdown": one.markdown()}
            for one in found.tables
        ]
    if recipe.assessment:
        row["assessment"] = asdict(found.assessment)
    if recipe.records:
        row["records"] = [
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
    if recipe.signatures and found.text:
        row |= {"text_hash": text_hash(found.text), "signature": text_signature(found.text)}
    return row


def kept_score(found: Extract) -> float | None:
    """Return the mean score of the kept text by characters, 0..1; None where nothing is kept."""
    page = found.page
    length = np.where(found.content.kept & (page.tag == tags.TEXT), page.own_length, 0)
    return float(np.average(found.score, weights=length)) if length.any() else None
