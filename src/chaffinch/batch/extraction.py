"""The default extractor: from a record to the fields of its row."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from chaffinch.assessment.assessment import assess_page
from chaffinch.batch.record import Record, is_failure
from chaffinch.batch.row_values import ALWAYS, ON_REQUEST, OUTPUTS, VALUES
from chaffinch.batch.text_signatures import text_hash, text_signature
from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.extraction.trip import extract
from chaffinch.fetch.failures import describe_status
from chaffinch.fetch.url_parts import host_name
from chaffinch.loading.replaced_source import nothing_replaced, read_page
from chaffinch.page.guard.limits import Limits
from chaffinch.site.site import load_site

if TYPE_CHECKING:
    from chaffinch.batch.recipe import Recipe
    from chaffinch.extraction.extract import Extract
    from chaffinch.loading.replaced_source import Replacements
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
        method = load_site(recipe.site) if recipe.site else recipe.method
        self._method = prepare_method(
            method, settings=recipe.settings or None, policy=recipe.policy or None
        )
        self(_SOME_PAGE)  # loads what is loaded on first use, before the limits of the first page

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return the fields of a record's row, as in `chaffinch.batch.schema`.

        Raises:
            PageError: the page can't be processed.
        """
        page = page_of(record, self._limits, self._method.replacements)
        if is_failure(record.status):
            return fields_of_failure(page)
        found = extract(page, method=self._method)
        if record.headers:
            found = replace(found, headers=record.headers)
        return fields_of(found, self._recipe)


def page_of(record: Record, limits: Limits, replacements: Replacements = nothing_replaced) -> Page:
    """Return the page of a record; without an address it gets the canonical one that it declares.

    Args:
        record: the page.
        limits: of its size and structure.
        replacements: what is replaced in its source, by its address.

    Raises:
        PageError: it can't be processed.
    """
    options: dict[str, Any] = {"encoding": record.encoding, "limits": limits}
    page = read_page(record.html, replacements, url=record.url or None, **options)
    return page.with_status(record.status or None)


def fields_of_failure(page: Page) -> dict[str, Any]:
    """Return the fields of a page that its server sent for a failure: an error, and what it is."""
    url = page.url or ""
    return {
        "url": url,
        "host": host_name(url),
        "title": page.title,
        "encoding": page.encoding,
        "error": "status",
        "error_detail": describe_status(page.status or 0),
        "assessment": asdict(assess_page(page)),
    }


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
