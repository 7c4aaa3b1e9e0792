"""The default extractor: from a record to the fields of its row."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from chaffinch.batch.record import Record
from chaffinch.batch.row_values import ALWAYS, ON_REQUEST, OUTPUTS, VALUES
from chaffinch.batch.text_signatures import text_hash, text_signature
from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.extraction.trip import extract
from chaffinch.loading.own_address import addressed
from chaffinch.page import parse
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
    if recipe.languages and found.language.partition("-")[0] not in recipe.languages:
        return {LEFT_OUT: "language"}
    named = [name for name in ON_REQUEST if getattr(recipe, name)]
    outputs = () if recipe.only_metadata else OUTPUTS
    row = {name: VALUES[name](found) for name in (*ALWAYS, *outputs, *named)}
    if recipe.signatures and found.text:
        row |= {"text_hash": text_hash(found.text), "signature": text_signature(found.text)}
    return row
