"""The pages of a collection, each with its siblings and the model of its site where it has one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import chaffinch
from bench.lib import digest_sources as sources
from bench.lib.digest_outputs import MODEL_OUTPUTS, OUTPUTS, SITE_OUTPUTS, Case, learned
from bench.lib.digest_sources import Source
from bench.lib.digest_store import INPUT, TOLERANCES, Value, digest

_SIBLINGS: Final = 5


class Cases:
    """Pages that have nothing to do with each other."""

    outputs: Mapping[str, Callable[[Case], Any]] = OUTPUTS

    def __init__(self, pages: Sequence[Source]) -> None:
        self.pages = pages

    def case(self, number: int) -> Case:
        """Return a page with what is needed to read it."""
        page = self.pages[number]
        return Case(page.html, page.url)

    def output(self, number: int, name: str) -> Any:
        """Return an output of a page; the error in words where it raises one."""
        try:
            return self.outputs[name](self.case(number))
        except chaffinch.ChaffinchError as error:
            return f"{type(error).__name__}: {error}"

    def values(self, number: int) -> tuple[str, dict[str, Value]]:
        """Return the id of a page and the digests (and numbers) of all its outputs."""
        page, case = self.pages[number], self.case(number)
        own = f"{page.id}\n{page.url}\n".encode()
        values: dict[str, Value] = {INPUT: digest(own + page.html)}
        for name, read in self.outputs.items():
            try:
                values[name] = _value(name, read, case)
            except Exception as error:
                error.add_note(f"output {name} of page {page.id}, {page.url}")
                raise
        return page.id, values

    def model_output(self, name: str) -> Any:
        """Return an output of the model of the site."""
        raise SystemExit(f"these pages are of many sites: there is no model to show {name} of")

    def model_values(self) -> dict[str, Value]:
        """Return the digests (and numbers) of the model of the site."""
        return {}


class SiteCases(Cases):
    """Pages of one site, compared with the pages before them and read by its model."""

    outputs = OUTPUTS | SITE_OUTPUTS

    @cached_property
    def tables(self) -> dict[int, chaffinch.Page]:
        """Number → table of each page that can be parsed."""
        tables = {}
        for number, page in enumerate(self.pages):
            try:
                tables[number] = chaffinch.parse(page.html, url=page.url)
            except chaffinch.PageError:
                continue
        return tables

    @cached_property
    def site(self) -> chaffinch.Site:
        """The model of the site."""
        return learned(list(self.tables.values()))

    def case(self, number: int) -> Case:
        """Return a page with the pages before it (for the first ones: after) and the model."""
        page = self.pages[number]
        others = [other for other in self.tables if other != number]
        start = max(0, sum(other < number for other in others) - _SIBLINGS)
        siblings = tuple(self.tables[other] for other in others[start:][:_SIBLINGS])
        return Case(page.html, page.url, siblings, self.site)

    def model_output(self, name: str) -> Any:
        """Return an output of the model of the site."""
        return MODEL_OUTPUTS[name](self.site)

    def model_values(self) -> dict[str, Value]:
        """Return the digests (and numbers) of the model of the site."""
        return {name: _value(name, read, self.site) for name, read in MODEL_OUTPUTS.items()}


def cases_of(collection: str, pages: Sequence[Source]) -> Cases:
    """Return the cases of a collection."""
    return SiteCases(pages) if sources.is_site(collection) else Cases(pages)


def _value(name: str, read: Callable[[Any], Any], of: Any) -> Value:
    """Return the digest of an output, or its number; of an error, its class."""
    try:
        found = read(of)
    except chaffinch.ChaffinchError as error:
        return math.nan if name in TOLERANCES else digest(type(error).__name__)
    return float(found) if name in TOLERANCES else digest(found)
