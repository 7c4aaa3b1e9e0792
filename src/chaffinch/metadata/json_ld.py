"""JSON-LD of a page: which node speaks of the page itself, and what it says.

schema.org's vocabulary, written by many hands: any value may be a string, an object, a reference
to another node or a list of these, and may have any wrong type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from chaffinch.metadata.strings import clean, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page

ARTICLES: Final = frozenset(
    "Article NewsArticle BlogPosting ReportageNewsArticle OpinionNewsArticle AnalysisNewsArticle"
    " BackgroundNewsArticle ReviewNewsArticle AdvertiserContentArticle SatiricalArticle TechArticle"
    " ScholarlyArticle MedicalScholarlyArticle LiveBlogPosting Report SocialMediaPosting"
    " DiscussionForumPosting Question Review CriticReview Recipe HowTo".split()
)
THINGS: Final = frozenset(
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
class Node:
    """A JSON-LD object with its row and its type; ``rank`` 3 article, 2 thing, 1 page, 0 other."""

    row: int
    kind: str
    rank: int
    own: dict[str, Any]

    def source(self, name: str) -> str:
        """Return the name of a field as a source."""
        return f"json-ld:{self.kind}.{name}"


@dataclass(frozen=True)
class Graph:
    """The nodes of a page and what their references name."""

    nodes: tuple[Node, ...]
    by_id: dict[str, dict[str, Any]]

    def of_rank(self, *ranks: int) -> list[Node]:
        """Return the nodes of the given ranks, in order of the page."""
        return [node for node in self.nodes if node.rank in ranks]

    def values(self, value: Any) -> Iterator[Any]:
        """Yield what a value holds: members of lists, references followed; 50 at most."""
        waiting, count = [value], 0
        while waiting and count < MOST_VALUES:
            count += 1
            one = waiting.pop()
            if isinstance(one, list):
                waiting.extend(reversed(one[:MOST_VALUES]))
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


def read_graph(page: Page) -> Graph:
    """Return the `Graph` of ``page``, main entities of pages and questions taken out of them."""
    nodes: list[Node] = []
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
    return Graph(tuple(nodes), by_id)


def kinds_of(own: dict[str, Any]) -> list[str]:
    """Return the types of an object, without the vocabulary's address."""
    value = own.get("@type")
    named = value if isinstance(value, list) else [value]
    return [k.rpartition("/")[2].rpartition(":")[2] for k in named if isinstance(k, str)]


def main_nodes(graph: Graph, address: str, titles: frozenset[str]) -> list[Node]:
    """Return the nodes that speak of the page itself, the most telling first.

    Of several articles or things the ones that bear the page's address or one of its titles
    (folded) are meant; the others are what the page links to.
    """
    for rank in (3, 2):
        nodes = graph.of_rank(rank)
        if len(nodes) > 1:
            named = [n for n in nodes if _names_page(graph, n, address, titles)]
            nodes = named or ([] if len({t for n in nodes if (t := _title(n))}) > 1 else nodes)
        if nodes:
            return nodes[:3]
    return []


def _node(row: int, own: dict[str, Any]) -> Node:
    best, chosen = 0, ""
    for kind in kinds_of(own):
        rank = 3 if kind in ARTICLES else 2 if kind in THINGS else 1 if kind in PAGES else 0
        if rank > best or not chosen:
            best, chosen = rank, kind
    return Node(row, clean(chosen)[:60], best, own)


def _title(node: Node) -> str:
    return fold(_string(node.own.get("headline")) or _string(node.own.get("name")))


def _names_page(graph: Graph, node: Node, address: str, titles: frozenset[str]) -> bool:
    if _title(node) in titles:
        return True
    pages = (node.own.get("mainEntityOfPage"), node.own.get("url"))
    return any(_address(graph.text(page, "@id", "url")) == address != "" for page in pages)


def _address(url: str) -> str:
    return url.partition("//")[2].partition("#")[0].rstrip("/")


def _string(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    return clean(value)
