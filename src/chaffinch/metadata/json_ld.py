"""JSON-LD of a page: its nodes, and which of them describe the page itself.

Pages use schema.org's vocabulary loosely: any value may be a string, an object, a reference to
another node or a list of these, and may be of a wrong type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from chaffinch.metadata.text_cleaning import clean, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.page import Page

ARTICLES: Final = frozenset(
    "Article NewsArticle BlogPosting ReportageNewsArticle OpinionNewsArticle AnalysisNewsArticle"
    " BackgroundNewsArticle ReviewNewsArticle AdvertiserContentArticle SatiricalArticle TechArticle"
    " ScholarlyArticle MedicalScholarlyArticle LiveBlogPosting Report SocialMediaPosting"
    " DiscussionForumPosting Question Review CriticReview Recipe HowTo".split()
)
WORKS: Final = frozenset(
    "Product ProductGroup IndividualProduct Book Movie VideoObject AudioObject PodcastEpisode"
    " MusicRecording Event JobPosting Course SoftwareApplication Dataset CreativeWork".split()
)
PAGES: Final = frozenset(
    "WebPage QAPage ItemPage AboutPage ContactPage CollectionPage ProfilePage FAQPage CheckoutPage"
    " MedicalWebPage RealEstateListing SearchResultsPage".split()
)
MOST_NODES: Final = 200
MOST_VALUES: Final = 50


@dataclass(frozen=True, slots=True)
class JsonLdNode:
    """A JSON-LD object.

    Attributes:
        row: row of the script that holds it.
        type: its schema.org type; of several the one of the highest rank.
        rank: 3 article, 2 other creative work or product, 1 page, 0 anything else.
        properties: the object.
    """

    row: int
    type: str
    rank: int
    properties: dict[str, Any]

    def source(self, name: str) -> str:
        """Return the provenance of a property, such as ``json-ld:Article.author``."""
        return f"json-ld:{self.type}.{name}"


@dataclass(frozen=True)
class JsonLdGraph:
    """The JSON-LD nodes of a page, and its objects by ``@id``."""

    nodes: tuple[JsonLdNode, ...]
    by_id: dict[str, dict[str, Any]]

    def of_rank(self, *ranks: int) -> list[JsonLdNode]:
        """Return the nodes of the given ranks, in order of the page."""
        return [node for node in self.nodes if node.rank in ranks]

    def values(self, value: Any) -> Iterator[Any]:
        """Yield the members of a value: lists flattened, references resolved; 50 at most."""
        stack, count = [value], 0
        while stack and count < MOST_VALUES:
            count += 1
            one = stack.pop()
            if isinstance(one, list):
                stack.extend(reversed(one[:MOST_VALUES]))
            elif isinstance(one, dict):
                yield self._resolved(one)
            elif one is not None:
                yield one

    def text(self, value: Any, *keys: str) -> str:
        """Return the first text of a value: a string, or the first of ``keys`` of an object."""
        for one in self.values(value):
            found = clean(one)
            if isinstance(one, dict):
                found = next((t for k in (*keys, "@value") if (t := _string(one.get(k)))), "")
            if found:
                return found
        return ""

    def _resolved(self, one: dict[str, Any]) -> dict[str, Any]:
        name = one.get("@id")
        if isinstance(name, str) and "name" not in one and "url" not in one:
            return self.by_id.get(name, one)
        return one


def read_graph(page: Page) -> JsonLdGraph:
    """Return the `JsonLdGraph` of ``page``, with main entities as nodes of their own."""
    nodes: list[JsonLdNode] = []
    by_id: dict[str, dict[str, Any]] = {}
    for row, own in page.head.json_ld[:MOST_NODES]:
        name = own.get("@id")
        if isinstance(name, str) and len(own) > 1:
            by_id.setdefault(name, own)
        nodes.append(_node(row, own))
        for key in ("mainEntity", "mainEntityOfPage"):
            inner = own.get(key)
            if isinstance(inner, dict) and "@type" in inner and len(inner) > 2:  # noqa: PLR2004  more than a reference
                nodes.append(_node(row, inner))
    return JsonLdGraph(tuple(nodes), by_id)


def types_of(own: dict[str, Any]) -> list[str]:
    """Return the types of an object, without the vocabulary's address."""
    value = own.get("@type")
    named = value if isinstance(value, list) else [value]
    return [k.rpartition("/")[2].rpartition(":")[2] for k in named if isinstance(k, str)]


def main_nodes(
    graph: JsonLdGraph, address: Callable[[], str], titles: Callable[[], frozenset[str]]
) -> list[JsonLdNode]:
    """Return the nodes that describe the page itself: articles, else other works; three at most.

    Of several, those with the page's address or one of its titles (folded) are taken; the others
    describe pages that this one links to. Both are made where there are several.
    """
    for rank in (3, 2):
        nodes = graph.of_rank(rank)
        if len(nodes) > 1:
            known = address(), titles()
            named = [n for n in nodes if _is_page_itself(graph, n, *known)]
            nodes = named or ([] if len({t for n in nodes if (t := _title(n))}) > 1 else nodes)
        if nodes:
            return nodes[:3]
    return []


def _node(row: int, own: dict[str, Any]) -> JsonLdNode:
    best, chosen = 0, ""
    for name in types_of(own):
        rank = 3 if name in ARTICLES else 2 if name in WORKS else 1 if name in PAGES else 0
        if rank > best or not chosen:
            best, chosen = rank, name
    return JsonLdNode(row, clean(chosen)[:60], best, own)


def _title(node: JsonLdNode) -> str:
    return fold(_string(node.properties.get("headline")) or _string(node.properties.get("name")))


def _is_page_itself(
    graph: JsonLdGraph, node: JsonLdNode, address: str, titles: frozenset[str]
) -> bool:
    if _title(node) in titles:
        return True
    pages = (node.properties.get("mainEntityOfPage"), node.properties.get("url"))
    return any(_address(graph.text(page, "@id", "url")) == address != "" for page in pages)


def _address(url: str) -> str:
    return url.partition("//")[2].partition("#")[0].rstrip("/")


def _string(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    return clean(value)
