"""What a page's head declares: title, description, the article's body, and the type of the page.

Read here and not through `Page.head`, which reads everything and takes a tenth of a millisecond.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.kernels.arrays import frozen
from chaffinch.page import tags
from chaffinch.page.attributes import Search
from chaffinch.page.head import title_row

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Floats
    from chaffinch.page import Page

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
_PRODUCT, _LISTED = FACTS.index("json_ld_product"), FACTS.index("json_ld_list")
_OG_PRODUCT: Final = FACTS.index("og_product")
_OF_SHOPS: Final = {"product": 0.75, "collection": 0.05, "service": 0.05}
_OF_OTHERS: Final = 0.01
"""Share of the pages of each type that declare a product; see `page_type_posterior`."""
_NO_TYPES: Final = (False,) * len(_TYPES)
_NAMES: Final = frozenset({"og:type", "og:title", "description", "og:description"})
_NAMED: Final = tuple(Search(name, "og:t", "descr") for name in ("property", "name"))
"""Each of these names has one of them."""
_META: Final = tags.CODES["meta"]
_TITLE: Final = 400
_DESCRIPTION: Final = 600
_BODY: Final = 20_000
"""Characters that are read of each."""
_DECODER: Final = json.JSONDecoder(strict=False)


class HeadSignals(NamedTuple):
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
    meta, row = _meta(page), title_row(page)
    title = page.text_of(row) if row >= 0 else ""
    sources = [
        source
        for row, source in page.sources.items()
        if "ld+json" in (page.attribute(row, "type") or "")
    ]
    kind = meta.get("og:type", "").lower()
    is_article, is_product = kind == "article", kind.endswith("product")
    facts = (
        bool(sources),
        *(_declared_types("\n".join(sources)) if sources else _NO_TYPES),
        is_article,
        is_product,
        bool(kind) and not (is_article or is_product),
    )
    return HeadSignals(
        f"{title} {meta.get('og:title', '')}"[:_TITLE],
        (meta.get("description") or meta.get("og:description", ""))[:_DESCRIPTION],
        next(filter(None, map(_body, sources)), "")[:_BODY] if sources else "",
        np.array(facts, dtype=np.float32),
    )


def _declared_types(data: str) -> tuple[bool, ...]:
    """Return whether JSON-LD declares one of each of `_TYPES`."""
    return tuple([any(map(data.__contains__, ends)) for ends in _TYPES])


def declares_news(page: Page) -> bool:
    """Return whether JSON-LD declares the page a news article, and no list.

    All 319 labelled pages that do are articles; of blog postings and plain articles not all are.
    """
    data = "\n".join(page.sources.values())
    return data.count('NewsArticle"') == 1 and not _declared_types(data)[-1]


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
    declared = facts[_OG_PRODUCT] or (facts[_PRODUCT] and not facts[_LISTED])
    posterior: Floats = kinds * _shares(names)[bool(declared)]
    posterior /= np.add.reduce(posterior)
    return posterior


@cache
def _shares(names: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Return float32[k] twice: shares of pages of each type without and with a declared product."""
    share = np.array([_OF_SHOPS.get(name, _OF_OTHERS) for name in names], dtype=np.float32)
    return frozen(1 - share), frozen(share)


def _meta(page: Page) -> dict[str, str]:
    """Return the content of the first meta with each of the names; a property counts more."""
    rows = np.concatenate([search.candidates(page) for search in _NAMED])
    rows = rows[page.tag.take(rows) == _META]
    if not len(rows):
        return {}
    rows.sort()
    said = page.own_attributes.values_of(rows, "property", "name", "content")
    found = {(given or name or "").lower(): content or "" for given, name, content in said[::-1]}
    return {key: found[key] for key in _NAMES & found.keys()}


def _body(source: str) -> str:
    """Return the first ``articleBody`` of a JSON-LD source; the string alone is decoded."""
    at = source.find('"articleBody"')
    start = source.find('"', source.find(":", at + 13)) if at >= 0 else -1
    if start < 0:
        return ""
    try:
        body, _ = _DECODER.raw_decode(source, start)
    except ValueError:
        return ""
    return body if isinstance(body, str) else ""
