"""What a page's head declares: title, description, the article's body, and the type of the page.

Read here and not through `Page.head`, which reads everything and takes a tenth of a millisecond.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats

_TYPES: Final = (
    ('Article"', 'BlogPosting"'),
    ('"Product"', '"ProductGroup"'),
    ('DiscussionForumPosting"', '"QAPage"', '"Question"'),
    ('"ItemList"', '"CollectionPage"'),
)
"""Ends of types of schema.org in JSON-LD, by type of page."""
FACTS: Final = (
    *("json_ld json_ld_article json_ld_product json_ld_discussion json_ld_list".split()),
    *("og_article og_product og_other".split()),
)
"""Names of the columns of `HeadSignals.facts`."""
_OF_SHOPS: Final = {"product": 0.75, "collection": 0.05, "service": 0.05}
_OF_OTHERS: Final = 0.01
"""Share of the pages of each type that declare a product; see `page_type_posterior`."""
_NAMES: Final = ("og:type", "og:title", "description", "og:description")
_NO_TYPES: Final = [False] * len(_TYPES)
_META, _SVG = tags.CODES["meta"], tags.CODES["svg"]
_TITLES: Final = tags.table(["title"])
_ALL: Final = np.zeros(0, dtype=bool)
_FIRST_ROWS: Final = 256
"""Rows in which the title of nearly every page stands; the others are searched without one."""
_TITLE: Final = 400
_DESCRIPTION: Final = 600
_BODY: Final = 20_000
"""Characters that are read of each."""


@dataclass(frozen=True, eq=False)
class HeadSignals:
    """What the head of a page declares.

    Attributes:
        title: text of the title and of ``og:title``.
        description: of the page.
        body: ``articleBody`` of JSON-LD.
        facts: float32[len(FACTS)], 1 where the head has it.
    """

    title: str
    description: str
    body: str
    facts: Floats


def read_head_signals(page: Page) -> HeadSignals:
    """Return what the head of ``page`` declares."""
    meta = _meta(page)
    sources = [
        source
        for row, source in page.sources.items()
        if "ld+json" in (page.attribute(row, "type") or "")
    ]
    kind = meta.get("og:type", "").lower()
    data = "\n".join(sources)
    facts = [
        bool(sources),
        *([any(end in data for end in ends) for ends in _TYPES] if data else _NO_TYPES),
        kind == "article",
        kind.endswith("product"),
        bool(kind) and kind != "article" and not kind.endswith("product"),
    ]
    return HeadSignals(
        f"{_title(page)} {meta.get('og:title', '')}"[:_TITLE],
        (meta.get("description") or meta.get("og:description", ""))[:_DESCRIPTION],
        next((body for body in map(_body, sources) if body), "")[:_BODY],
        np.array(facts, dtype=np.float32),
    )


def page_type_posterior(kinds: Floats, names: tuple[str, ...], facts: Floats) -> Floats:
    """Return float32[k] in 0..1: probability of each page type, given the head's declaration.

    Three of four pages of products declare a product (and no list of products), and next to no
    other page does, but the network gives that fact, one of hundreds of inputs, too little weight.
    So its output is taken for the prior, and the declaration, or its absence, for independent
    evidence: Bayes' rule gives the posterior. Shares are those of wcxb, rounded: 65 of 86 products,
    5 of 87 collections, 9 of 162 services, 4 of 991 others.

    Args:
        kinds: float32[k] in 0..1, probability of each page type by the network.
        names: names of the page types.
        facts: as `HeadSignals.facts`.
    """
    product, listed, og = (
        bool(facts[FACTS.index(name)]) for name in ("json_ld_product", "json_ld_list", "og_product")
    )
    share = np.array([_OF_SHOPS.get(name, _OF_OTHERS) for name in names], dtype=np.float32)
    posterior: Floats = kinds * (share if og or (product and not listed) else 1 - share)
    posterior /= posterior.sum()
    return posterior


def _meta(page: Page) -> dict[str, str]:
    """Return the content of the first meta with each of the names."""
    named: dict[int, str] = {}
    columns = page.attribute_columns
    for kind in ("name", "property"):  # a property counts more
        for name, rows in columns.candidate_values(kind, _NAMES).items():
            named |= dict.fromkeys(rows, name.lower())
    found: dict[str, str] = {}
    for row, name in sorted(named.items()):
        if name not in _NAMES or name in found or page.tag[row] != _META:
            continue
        pairs = page.attributes(row)
        if (pairs.get("property") or name).lower() == name:
            found[name] = pairs.get("content") or ""
    return found


def _title(page: Page) -> str:
    """Return the first title outside svg."""
    tag = page.tag
    for start, some in ((0, tag[:_FIRST_ROWS]), (_FIRST_ROWS, tag[_FIRST_ROWS:])):
        for row in kernels.rows_of(some, _TITLES, _ALL).tolist():
            if all(tag[above] != _SVG for above in page.ancestors(start + row)):
                return page.text_of(start + row)
    return ""


def _body(source: str) -> str:
    """Return the first ``articleBody`` of a JSON-LD source; the string alone is decoded."""
    at = source.find('"articleBody"')
    start = source.find('"', source.find(":", at + 13)) if at >= 0 else -1
    if start < 0:
        return ""
    try:
        body, _ = json.JSONDecoder(strict=False).raw_decode(source, start)
    except ValueError:
        return ""
    return body if isinstance(body, str) else ""
