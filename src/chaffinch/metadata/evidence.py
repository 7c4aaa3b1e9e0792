"""What a page offers to all fields, read once and when asked for: metas, JSON-LD, marks, places."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

import numpy as np

from chaffinch.metadata.json_ld import Graph, Node, main_nodes, read_graph
from chaffinch.metadata.strings import clean, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.result import Content

_COMMON_LABELS: Final = frozenset("www m mobile amp news blog blogs co com org net gov edu".split())
_SHORT_LABEL: Final = 2


@dataclass(frozen=True, eq=False)
class Evidence:
    """A page, the content found on it (or None), and what several fields need of them."""

    page: Page
    content: Content | None = None

    @cached_property
    def meta(self) -> dict[str, list[tuple[int, str]]]:
        """Name in lower case → (row, content as one clean line), empty contents left out."""
        out: dict[str, list[tuple[int, str]]] = {}
        for row, name, content in self.page.head.meta:
            if content:
                out.setdefault(name, []).append((row, content))
        return out

    def metas(self, *names: str) -> Iterator[tuple[int, str, str]]:
        """Yield (row, source, content) of the metas with the given names."""
        for name in names:
            for row, content in self.meta.get(name, ()):
                if text := clean(content):
                    yield row, f"meta:{name}", text

    @cached_property
    def graph(self) -> Graph:
        """The JSON-LD of the page."""
        return read_graph(self.page)

    @cached_property
    def main(self) -> list[Node]:
        """The JSON-LD nodes that speak of the page itself."""
        titles = {fold(self.page.head.title)}
        titles.update(fold(t) for _, _, t in self.metas("og:title", "twitter:title"))
        titles.update(fold(text) for _, text in self.headings)
        titles.discard("")
        return main_nodes(self.graph, self.address, frozenset(titles))

    @cached_property
    def address(self) -> str:
        """The page's own address without scheme, fragment and final slash; "" if unknown."""
        named = [href for _, rel, href in self.page.head.links if rel == "canonical"]
        url = self.absolute(named[0]) if named else self.page.url or ""
        return url.partition("//")[2].partition("#")[0].rstrip("/")

    def absolute(self, href: str) -> str:
        """Return an http address, absolute if the page's own is known; "" for any other scheme."""
        try:
            url = urljoin(self.page.base, href.strip())
            scheme = urlsplit(url).scheme
        except ValueError:
            return ""
        return clean(url) if scheme in {"http", "https", ""} and " " not in url else ""

    @cached_property
    def host_labels(self) -> tuple[str, ...]:
        """The telling parts of the host's name, folded, such as ``spiegel``."""
        try:
            host = urlsplit(self.page.url or self.absolute("")).hostname or ""
        except ValueError:
            return ()
        labels = host.split(".")[:-1]
        kept = [fold(x) for x in labels if x not in _COMMON_LABELS and len(x) > _SHORT_LABEL]
        return tuple(label for label in kept if label)

    @cached_property
    def site_names(self) -> dict[str, str]:
        """Folded → written names of the site that the page declares, best source first."""
        names = [text for _, _, text in self.metas("og:site_name", "application-name")]
        for node in self.graph.nodes:
            if node.rank == 3:  # noqa: PLR2004  an article
                names.append(self.graph.text(node.own.get("publisher"), "name"))
            elif node.kind == "WebSite":
                names.append(self.graph.text(node.own.get("name")))
        return {key: name for name in names if (key := fold(name))}

    def names_site(self, text: str) -> bool:
        """Tell whether ``text`` is the site's name, as declared or as its host has it."""
        key = fold(text)
        if not key or key in self.site_names:
            return bool(key)
        longest = 2 * max(map(len, self.host_labels), default=0)
        for label in self.host_labels:
            if key == label or (label in key and len(key) <= max(longest, len(label) + 6)):
                return True
            if len(key) > _SHORT_LABEL and key in label and 2 * len(key) > len(label):
                return True
        return False

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """(row, text) of the first h1 elements that aren't empty."""
        rows = np.flatnonzero(self.page.is_tag("h1"))[:8].tolist()
        texts = ((row, clean(self.page.text_of(row))) for row in rows)
        return [(row, text) for row, text in texts if text]

    @cached_property
    def start(self) -> int:
        """First row of the content; -1 where none is given or found."""
        if self.content is None:
            return -1
        kept = self.content.kept & self.page.written
        first = int(kept.argmax()) if len(kept) else 0
        return first if len(kept) and kept[first] else -1

    @cached_property
    def anchor(self) -> int:
        """The row near which a byline and a date stand: the h1 by the content, or its start."""
        rows = [row for row, text in self.headings if not self.names_site(text)]
        if not rows:
            return self.start
        if self.start < 0:
            return rows[0]
        return min(rows, key=lambda row: abs(self.distance(row, self.start)))

    def distance(self, row: int, other: int) -> int:
        """Return how many characters of text lie between two rows; negative if row is first."""
        at = self.page.text_at
        return int(at[row]) - int(at[other])

    def nearness(self, row: int) -> float:
        """Return 0..1: how near a row stands to the anchor; 0.5 where there is none."""
        if self.anchor < 0:
            return 0.5
        away = self.distance(row, self.anchor)
        return 1.0 / (1.0 + (away / 1500 if away >= 0 else -away / 500))

    @cached_property
    def properties(self) -> list[tuple[int, str]]:
        """(row, itemprop in lower case) of all rows that have one, metas left out."""
        return [(row, value.lower()) for row, value in self.page.having("itemprop")]

    @cached_property
    def _marks(self) -> tuple[str, list[int], list[int]]:
        named = self.page.having("class") + self.page.having("id")
        starts, at = [], 0
        for _, value in named:
            starts.append(at)
            at += len(value) + 1
        return "\n".join([v for _, v in named]).lower(), starts, [row for row, _ in named]

    def marked(self, *words: str) -> list[int]:
        """Return the rows whose class or id holds one of ``words``, in order."""
        text, starts, rows = self._marks
        found = set()
        for word in words:
            at = text.find(word)
            while at >= 0:
                place = bisect_right(starts, at) - 1
                found.add(rows[place])
                at = starts[place + 1] if place + 1 < len(starts) else len(text)
                at = text.find(word, at)
        return sorted(found)

    @cached_property
    def asides(self) -> list[tuple[int, int]]:
        """Half-open ranges of rows of comments, lists of related pages, navigation and footers."""
        words = (
            "comment",
            "related",
            "sidebar",
            "recommend",
            "reply",
            "widget",
            "teaser",
            "footer",
        )
        rows = [r for r in self.marked(*words) if self.page.name(r) not in {"body", "html"}]
        rows += np.flatnonzero(self.page.is_tag("aside", "nav", "footer")).tolist()
        start = max(self.anchor, self.start)
        spans = [(row, int(self.page.end[row])) for row in rows]
        return [(a, b) for a, b in spans if not a <= start < b]

    def aside(self, row: int) -> bool:
        """Tell whether a row lies in one of `asides`."""
        return any(a <= row < b for a, b in self.asides)
