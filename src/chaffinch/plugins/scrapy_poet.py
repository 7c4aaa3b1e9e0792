"""scrapy-poet: a provider that fills the classes of zyte-common-items from pages.

A callback that asks for one of the classes in `MAKERS` gets it, made of the response's metadata,
content, records and posts. What a page doesn't give is None.
"""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import MissingExtraError
from chaffinch.lazy import lazy_module

try:
    import zyte_common_items as items
    from scrapy.http import Response  # noqa: TC002  scrapy-poet reads the annotation
    from scrapy_poet import PageObjectInputProvider

    from chaffinch.plugins.scrapy import extract_response, options_of
except ImportError as error:
    raise MissingExtraError.of(error.name or "scrapy_poet", "scrapy-poet") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date

    from chaffinch.extraction.extract import Extract
    from chaffinch.metadata import prices
    from chaffinch.metadata.field_value import FieldValue
    from chaffinch.records.entry import Entry
else:
    prices = lazy_module("chaffinch.metadata.prices")

_GTINS: Final = {8: "gtin8", 12: "upc", 13: "gtin13", 14: "gtin14"}
"""Digits of a Global Trade Item Number → the name of its type."""


def article(found: Extract, url: str) -> items.Article:
    """Return the article of a page."""
    about = found.metadata
    return items.Article(
        url=url,
        headline=found.title or None,
        datePublished=_moment(about.published),
        dateModified=_moment(about.modified),
        authors=_named(*found.authors),
        inLanguage=found.language or None,
        description=about.value("description"),
        articleBody=found.text or None,
        articleBodyHtml=found.html() or None,
        **_shared(found),
    )


def product(found: Extract, url: str) -> items.Product:
    """Return the product that a page is about."""
    about = found.metadata
    known: dict[str, Any] = dict(about.product.value.values()) if about.product else {}
    gtin = known.get("gtin")
    return items.Product(
        url=url,
        name=known.get("name") or found.title or None,
        price=known.get("price"),
        currency=known.get("currency"),
        brand=items.Brand(name=known["brand"]) if "brand" in known else None,
        sku=known.get("sku"),
        gtin=[items.Gtin(type=_GTINS[len(gtin)], value=gtin)] if gtin else None,
        availability=known.get("availability"),
        aggregateRating=_rating(known),
        description=about.value("description"),
        **_shared(found),
    )


def article_list(found: Extract, url: str) -> items.ArticleList:
    """Return the articles that a page lists."""
    listed = [
        items.ArticleFromList(
            url=one.value("link") or None,
            headline=one.value("title") or None,
            datePublished=_iso(one.value("date")),
            datePublishedRaw=one.value("date") or None,
            authors=_named(one.value("author")),
            mainImage=_image(one.value("image")),
            articleBody=one.value("summary") or None,
        )
        for one in found.records
        if one.value("title")
    ]
    return items.ArticleList(url=url, canonicalUrl=_canonical(found), articles=listed)


def product_list(found: Extract, url: str) -> items.ProductList:
    """Return the products that a page lists: entries with a price."""
    listed = [_listed_product(one, found.language) for one in found.records if one.value("price")]
    return items.ProductList(
        url=url, canonicalUrl=_canonical(found), categoryName=found.title or None, products=listed
    )


def navigation(kind: type, wanted: str) -> Callable[[Extract, str], Any]:
    """Return what makes the navigation of a kind: requests of the entries that have a field."""

    def make(found: Extract, url: str) -> Any:
        links = [
            items.ProbabilityRequest(url=one.value("link"), name=one.value("title") or None)
            for one in found.records
            if one.value("link") and one.value(wanted)
        ]
        return kind(url=url, categoryName=found.title or None, items=links)

    return make


def forum_thread(found: Extract, url: str) -> items.ForumThread:
    """Return the thread of a page, each post with its text and date."""
    posts = [
        items.SocialMediaPost(
            url=url, postId=str(one.number), text=one.text, datePublished=_iso(one.date)
        )
        for one in found.posts
    ]
    topic = items.Topic(name=found.title) if found.title else None
    return items.ForumThread(url=url, topic=topic, posts=posts)


def page_content(found: Extract, url: str) -> items.PageContent:
    """Return the content of a page of any kind."""
    return items.PageContent(
        url=url,
        canonicalUrl=_canonical(found),
        headline=found.title or None,
        itemMain=found.text or None,
    )


MAKERS: Final[Mapping[type, Callable[[Extract, str], Any]]] = {
    items.Article: article,
    items.ArticleList: article_list,
    items.ArticleNavigation: navigation(items.ArticleNavigation, "title"),
    items.ForumThread: forum_thread,
    items.PageContent: page_content,
    items.Product: product,
    items.ProductList: product_list,
    items.ProductNavigation: navigation(items.ProductNavigation, "price"),
}
"""Class → what makes it of an extract and the page's address."""


class Provider(PageObjectInputProvider):
    """Provides the classes of `MAKERS`, by the setting ``CHAFFINCH_OPTIONS``."""

    provided_classes = frozenset(MAKERS)
    name = "chaffinch"

    def __call__(self, to_provide: set[type], response: Response) -> list[Any]:
        """Return the objects of a response.

        Raises:
            PageError: the page can't be processed; the request's errback gets it.
        """
        found = extract_response(response, options_of(self.injector.crawler.settings))
        return [MAKERS[kind](found, response.url) for kind in to_provide]


def _shared(found: Extract) -> dict[str, Any]:
    """Return the fields that articles and products share."""
    return {
        "canonicalUrl": _canonical(found),
        "mainImage": _image(found.metadata.value("lead_image")),
        "images": [items.Image(url=one.url) for one in found.images if one.url] or None,
    }


def _listed_product(one: Entry, language: str) -> items.ProductFromList:
    price = prices.read_price(one.value("price"), places=(language,))
    return items.ProductFromList(
        url=one.value("link") or None,
        name=one.value("title") or None,
        price=price.lowest if price else None,
        currency=(price.currency or None) if price else None,
        mainImage=_image(one.value("image")),
    )


def _rating(known: Mapping[str, Any]) -> items.AggregateRating | None:
    if "rating" not in known:
        return None
    best = known.get("best_rating")
    return items.AggregateRating(
        ratingValue=float(known["rating"]),
        bestRating=float(best) if best else None,
        reviewCount=known.get("rating_count"),
    )


def _canonical(found: Extract) -> str | None:
    canonical: str | None = found.metadata.value("canonical")
    return canonical


def _named(*names: str) -> list[items.Author] | None:
    return [items.Author(name=name, nameRaw=name) for name in names if name] or None


def _image(url: str | None) -> items.Image | None:
    return items.Image(url=url) if url else None


def _moment(field: FieldValue[date] | None) -> str | None:
    """Return a date as the classes want it, with a time; midnight where none is given."""
    if field is None:
        return None
    value = field.value
    return (value if isinstance(value, datetime) else datetime.combine(value, time())).isoformat()


def _iso(written: str) -> str | None:
    """Return a date that stands in ISO 8601 with a time; None for one as people write it."""
    try:
        return datetime.fromisoformat(written).isoformat()
    except ValueError:
        return None
