"""The default extractor: from a record to the fields of its row.

MinHash is `rensa`'s R-MinHash (a wheel in Rust without dependencies): 128 values of 32 bits over
the sets of five words in a row; a character is a word in scripts that write without spaces.
Source: A. Broder, "On the resemblance and containment of documents", SEQUENCES 1997.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Final

import numpy as np

from chaffinch.assessment.assessment import assess_page
from chaffinch.corpus.sources import Recipe, Record
from chaffinch.errors import from_extra
from chaffinch.extraction.extract import extract
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import prepare_method
from chaffinch.loading.address import read_page
from chaffinch.page import Page, tags
from chaffinch.page.bounds import Limits
from chaffinch.page.urls import host_name
from chaffinch.site.model import SiteNotes
from chaffinch.site.site import load_site
from chaffinch.web.client import FAILED, describe_status

SIGNATURE_VALUES: Final = 128
"""Values of a signature; the share that is equal estimates the Jaccard similarity of two texts."""

LEFT_OUT: Final = "left_out"
"""Field with the reason of a row that isn't written, because the recipe excludes it."""

_SHINGLE: Final = 5  # words
_SEED: Final = 42  # arbitrary; the same for all signatures that are compared
_ALONE: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff"
_WORD: Final = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+")
_SOME_PAGE: Final = Record(
    file="", url="https://chaffinch.example/", html=b"<p>A page to warm up with, in some words."
)


def kept_score(found: Extract) -> float | None:
    """Return the mean score of the kept text by characters, 0..1; None where nothing is kept."""
    page = found.page
    length = np.where(found.content.kept & (page.tag == tags.TEXT), page.own_length, 0)
    total = length.sum(dtype=np.float64)
    scores = found.content.verdict.text_score
    return float(np.multiply(scores, length, dtype=np.float64).sum() / total) if total else None


def _of_metadata(name: str) -> Callable[[Extract], str]:
    return lambda found: found.metadata.value(name) or ""


def _texts_of_metadata(name: str) -> Callable[[Extract], list[str]]:
    return lambda found: list(found.metadata.value(name) or ())


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


_SAME: Final = (
    "language", "page_type", "title", "site_name", "confidence", "source", "method", "made_by",
    "text",
)  # fmt: skip
"""Columns that are fields of an extract."""
VALUES: Final[Mapping[str, Callable[[Extract], Any]]] = {
    "url": lambda found: found.url or "",
    "host": lambda found: host_name(found.url or ""),
    **{name: attrgetter(name) for name in _SAME},
    "declared_type": _of_metadata("declared_type"),
    "authors": lambda found: list(found.authors),
    "editors": _texts_of_metadata("editors"),
    "original_source": _of_metadata("original_source"),
    "published": lambda found: found.date,
    "modified": _of_metadata("modified"),
    "product": lambda found: (one := found.metadata.product) and one.value.values(),
    "score": kept_score,
    "opt_outs": _texts_of_metadata("opt_outs"),
    "encoding": lambda found: found.in_rows.page.encoding,
    "length": lambda found: len(found.text),
    "markdown": lambda found: found.markdown(),
    "images": lambda found: [asdict(one) for one in found.images],
    "tables": _tables,
    "assessment": lambda found: asdict(found.assessment),
    "records": _records,
}
"""Column → its value of an extract; `chaffinch.corpus.table` has types and meanings."""

OUTPUTS: Final = ("text", "markdown")
"""Columns that a recipe may leave out."""

ON_REQUEST: Final = ("images", "tables", "assessment", "records")
"""Columns that a recipe adds, by fields of these names."""

ALWAYS: Final = tuple(name for name in VALUES if name not in {*OUTPUTS, *ON_REQUEST})
"""The other columns."""


class Extraction:
    """Extracts pages by one method, or by the model of their site; a run's default extractor."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._limits = Limits(max_bytes=recipe.max_bytes)
        self._sites = load_site(recipe.site) if recipe.site else None
        self._method = prepare_method(
            self._sites or recipe.method,
            settings=recipe.settings or None,
            policy=recipe.policy or None,
        )
        self(_SOME_PAGE)  # loads what is loaded on first use, before the limits of the first page

    def __call__(self, record: Record) -> dict[str, Any]:
        """Return the fields of a record's row, as in `chaffinch.corpus.table`, or `LEFT_OUT`."""
        recipe = self._recipe
        page = page_of(record, self._limits)
        if record.status in FAILED:
            return _fields_of_failure(page)
        found = extract(page, method=self._method)
        if record.headers:
            found = replace(found, headers=record.headers)
        if recipe.languages and found.language.partition("-")[0] not in recipe.languages:
            return {LEFT_OUT: "language"}
        named = [name for name in ON_REQUEST if getattr(recipe, name)]
        outputs = () if recipe.only_metadata else OUTPUTS
        row = {name: VALUES[name](found) for name in (*ALWAYS, *outputs, *named)}
        if recipe.fields:
            own = found.fields(recipe.fields).items()
            row["fields"] = [{"name": n, "value": f.value, "source": f.source} for n, f in own]
        if recipe.signatures and found.text:
            row |= {"text_hash": text_hash(found.text), "signature": text_signature(found.text)}
        if self._sites is not None:
            # Without notes of its own the content stands in the page's data.
            template = isinstance(found.notes, SiteNotes) and found.notes.template
            row |= {"method": "site", "template": template or ""}
        return row


def page_of(record: Record, limits: Limits) -> Page:
    """Return the page of a record; without an address it gets the canonical one it declares."""
    options: dict[str, Any] = {"encoding": record.encoding, "limits": limits}
    page = read_page(record.html, url=record.url or None, **options)
    return page.with_status(record.status or None)


def _fields_of_failure(page: Page) -> dict[str, Any]:
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


def text_hash(text: str) -> int:
    """Return a 63-bit hash of a text, white space and case folded."""
    folded = " ".join(text.casefold().split()).encode("utf-8", "replace")
    return int.from_bytes(blake2b(folded, digest_size=8).digest(), "big") >> 1


def text_signature(text: str) -> bytes | None:
    """Return `SIGNATURE_VALUES` little-endian 32-bit values of a text; None if it is too short."""
    with from_extra("batch"):
        import rensa  # noqa: PLC0415 - an extra
    words = _WORD.findall(text.casefold())
    shingles = {" ".join(words[at : at + _SHINGLE]) for at in range(len(words) - _SHINGLE + 1)}
    if not shingles:
        return None
    sketch = rensa.RMinHash(num_perm=SIGNATURE_VALUES, seed=_SEED)
    sketch.update(sorted(shingles))
    return np.asarray(sketch.digest(), dtype="<u4").tobytes()
