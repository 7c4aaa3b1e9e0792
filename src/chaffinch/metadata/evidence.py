"""Sources that several fields of metadata read, each computed once, on first use.

Metas, JSON-LD, names of the site, headings, and the window of rows around the headline.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.elements.edit_links import without_edit_links
from chaffinch.elements.shown_content import reading_aids
from chaffinch.fetch.url_parts import host_name, join_urls
from chaffinch.metadata.json_ld import JsonLdGraph, JsonLdNode, main_nodes, read_graph
from chaffinch.metadata.text_cleaning import clean, fold, joined, one_line, path_of
from chaffinch.metadata.title_parts import named_like_site, split_title
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Content, RoleRule

Made = TypeVar("Made")

_COMMON_LABELS: Final = frozenset("www m mobile amp news blog blogs co com org net gov edu".split())
_SHORT_LABEL: Final = 2

# The window around the headline in which bylines and dates are searched for: characters, rows.
TEXT_BEFORE: Final = 1_500
TEXT_AFTER: Final = 6_000
_AIDS: Final = tags.table(["a", "button"])
ROWS_BEFORE: Final = 120
ROWS_AFTER: Final = 400


@dataclass(frozen=True, eq=False)
class Evidence:
    """A page and its main content (or None), as the fields of metadata read them.

    Attributes:
        page: the page.
        content: its main content.
        headers: of the HTTP response that had the page, as far as they are known.
        roles: rules of a site model for fields.
        author_blacklist: names that are no author's.
    """

    page: Page
    content: Content | None = None
    headers: tuple[tuple[str, str], ...] = ()
    roles: tuple[RoleRule, ...] = ()
    author_blacklist: tuple[str, ...] = ()

    @cached_property
    def _nobodies(self) -> frozenset[str]:
        return frozenset(map(fold, self.author_blacklist))

    def people(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return names without those of the blacklist."""
        if not self._nobodies:
            return names
        return tuple(name for name in names if fold(name) not in self._nobodies)

    @cached_property
    def meta(self) -> dict[str, list[tuple[int, str]]]:
        """Name in lower case → (row, content as one line) of each meta that isn't empty."""
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

    def among(self, weights: Mapping[str, float]) -> list[tuple[str, float]]:
        """Return (name, weight) of those metas that the page has, in the order of the weights."""
        own = self.meta
        if own.keys().isdisjoint(weights):
            return []
        return [(name, weight) for name, weight in weights.items() if name in own]

    @cached_property
    def graph(self) -> JsonLdGraph:
        """The JSON-LD of the page."""
        return read_graph(self.page)

    @cached_property
    def main_nodes(self) -> list[JsonLdNode]:
        """The JSON-LD nodes that describe the page itself."""
        return self.main_of(self.graph)

    def main_of(self, graph: JsonLdGraph) -> list[JsonLdNode]:
        """Return those nodes of a graph of the page that describe the page itself."""
        return main_nodes(graph, lambda: self.address, lambda: self.titles)

    @cached_property
    def titles(self) -> frozenset[str]:
        """The titles of the page, folded: of its title element, its metas and its headings."""
        titles = {fold(self.page.head.title)}
        titles.update(fold(t) for _, _, t in self.metas("og:title", "twitter:title"))
        titles.update(fold(text) for _, text in self.headings)
        return frozenset(titles - {""})

    @cached_property
    def address(self) -> str:
        """The page's own address without scheme, fragment and final slash; "" if unknown."""
        named = [href for _, rel, href in self.page.head.links if rel == "canonical"]
        url = self.absolute(named[0]) if named else self.page.url or ""
        return url.partition("//")[2].partition("#")[0].rstrip("/")

    def absolute(self, href: str) -> str:
        """Return an http(s) address, absolute if the page's is known; "" for other schemes."""
        try:
            url = join_urls(self.page.base, href.strip())
            scheme = urlsplit(url).scheme
        except ValueError:
            return ""
        return clean(url) if scheme in {"http", "https", ""} and " " not in url else ""

    @cached_property
    def host_labels(self) -> tuple[str, ...]:
        """The distinctive labels of the host's name, folded, such as ``spiegel``."""
        labels = host_name(self.page.url or self.absolute("")).split(".")[:-1]
        kept = [fold(x) for x in labels if x not in _COMMON_LABELS and len(x) > _SHORT_LABEL]
        return tuple(label for label in kept if label)

    @cached_property
    def site_names(self) -> dict[str, str]:
        """Folded name → name of the site as declared, best source first."""
        names = [text for _, _, text in self.metas("og:site_name", "application-name")]
        for node in self.graph.nodes:
            if node.rank == 3:  # noqa: PLR2004  an article
                names.append(self.graph.text(node.properties.get("publisher"), "name"))
            elif node.type == "WebSite":
                names.append(self.graph.text(node.properties.get("name")))
        return {key: name for name in names if (key := fold(name))}

    def names_site(self, text: str) -> bool:
        """Return whether ``text`` is the site's name, as declared or as in its host name."""
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

    def names_publisher(self, text: str) -> bool:
        """Return whether ``text`` names the site, or is contained in the last part of the title."""
        if self.names_site(text):
            return True
        key = fold(text)
        return len(key) >= _SHORT_LABEL and key in self._title_end

    @cached_property
    def _title_end(self) -> str:
        parts = split_title(self.page.head.title)
        return fold(parts[-1]) if len(parts) > 1 else ""

    @cached_property
    def _later_parts(self) -> list[str]:
        return split_title(self.page.head.title)[1:]

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """(row, text) of those of the first eight h1 elements that aren't empty."""
        rows = self.page.is_tag("h1").nonzero()[0][:8].tolist()
        texts = ((row, self.heading(row)) for row in rows)
        return [(row, text) for row, text in texts if text]

    def heading(self, row: int) -> str:
        """Return the text of a heading as one line, with spaces for its line breaks."""
        page, stop = self.page, int(self.page.end[row])
        if stop - row > ROWS_BEFORE:
            return without_edit_links(one_line(page.text_of(row)).rstrip("¶# "))
        texts = [at for at in range(row, stop) if page.tag[at] == tags.TEXT]
        if _AIDS[page.tag[row:stop]].any():
            inner = np.zeros(len(page), dtype=bool)
            inner[row:stop] = True
            aids = [(aid, int(page.end[aid])) for aid in reading_aids(page, inner)]
            texts = [at for at in texts if not any(aid <= at < end for aid, end in aids)]
        line = page.line
        breaks = ["", *(" " * bool(line[at] != line[after]) for at, after in pairwise(texts))]
        pieces = (gap + page.text_of(at) for gap, at in zip(breaks, texts, strict=False))
        return without_edit_links(one_line("".join(pieces)).rstrip("¶# "))

    @cached_property
    def content_start(self) -> int:
        """First text row of the main content; -1 where there is none."""
        if self.content is None:
            return -1
        kept = self.content.kept & self.page.written
        first = int(kept.argmax()) if len(kept) else 0
        return first if len(kept) and kept[first] else -1

    @cached_property
    def headline_row(self) -> int:
        """Row of the h1 nearest to the content, else the content's first row; -1 for neither."""
        rows = [row for row, text in self.headings if not self.is_banner(row, text)]
        if not rows:
            return self.content_start
        if self.content_start < 0:
            return rows[0]
        return min(rows, key=lambda row: abs(self.distance(row, self.content_start)))

    def is_banner(self, row: int, text: str) -> bool:
        """Return whether a heading is the site's banner, not the headline."""
        if self.names_site(text) or (named_like_site(text) and text in self._later_parts):
            return True
        page = self.page
        for child in range(row + 1, min(int(page.end[row]), row + 4)):
            href = page.attribute(child, "href")
            if href is not None:
                return path_of(self.absolute(href)) == "/" != path_of(page.url or "")
        return False

    def distance(self, row: int, other: int) -> int:
        """Return the characters of text between two rows; negative if ``row`` comes first."""
        at = self.page.text_at
        return int(at[row]) - int(at[other])

    def nearness(self, row: int) -> float:
        """Return 0..1: how near a row is to the headline; 0.5 where there is none."""
        if self.headline_row < 0:
            return 0.5
        away = self.distance(row, self.headline_row)
        return 1.0 / (1.0 + (away / 1500 if away >= 0 else -away / 500))

    @cached_property
    def window(self) -> tuple[int, int]:
        """Half-open range of rows around the headline in which visible values are searched for."""
        page = self.page
        if self.headline_row < 0:
            first = max(page.body, 0)
            return first, min(len(page), first + ROWS_BEFORE + ROWS_AFTER)
        at = int(page.text_at[self.headline_row])
        first, last = np.searchsorted(page.text_at, [at - TEXT_BEFORE, at + TEXT_AFTER]).tolist()
        first = max(first, self.headline_row - ROWS_BEFORE, 0)
        return first, min(max(last, self.headline_row), self.headline_row + ROWS_AFTER, len(page))

    @cached_property
    def _window_elements(self) -> Mask:
        """bool[n]: the elements in the window, without metas."""
        first, last = self.window
        elements: Mask = (self.page.tag > 1) & ~self.page.is_tag("meta")
        elements[:first] = False
        elements[last:] = False
        return elements

    def having(self, name: str) -> list[tuple[int, str]]:
        """Return (row, value in lower case) of the elements in the window that have ``name``."""
        known = self._having.get(name)
        if known is None:
            known = []
            if name in self.page.attribute_names:
                found = self.page.having(name, self._window_elements)
                known = [(row, value.lower()) for row, value in found]
            self._having[name] = known
        return known

    @cached_property
    def _having(self) -> dict[str, list[tuple[int, str]]]:
        """Cache of `having` by the attribute's name: each byline candidate reads the same ones."""
        return {}

    def derived(self, make: Callable[[Evidence], Made]) -> Made:
        """Return what several fields read of this evidence: made once, kept by its function."""
        if make not in self._derived:
            self._derived[make] = make(self)
        found: Made = self._derived[make]
        return found

    @cached_property
    def _derived(self) -> dict[Callable[[Evidence], Any], Any]:
        """Cache of `derived`."""
        return {}

    def with_class_or_id(self, *words: str) -> list[int]:
        """Return the rows in the window whose class or id contains one of ``words``, in order."""
        (first, last), elements = self.window, self._window_elements
        marked = np.zeros(len(self.page), dtype=bool)
        for name in ("class", "id"):
            marked[self.page.rows_holding(name, *words)] = True
        return ((marked & elements)[first:last].nonzero()[0] + first).tolist()

    @cached_property
    def _texts(self) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Rows of shown text in the window, and (line, start, end) of each one's text."""
        page = self.page
        first, last = self.window
        shown = page.shown[first:last] & page.written[first:last]
        rows = ((page.tag[first:last] == 0) & shown).nonzero()[0] + first
        spans = zip(
            page.line[rows].tolist(),
            page.text_at[rows].tolist(),
            page.text_at[rows + 1].tolist(),
            strict=True,
        )
        return rows.tolist(), list(spans)

    def lines(self, first: int, last: int) -> Iterator[tuple[int, str]]:
        """Yield (first row, text) of the lines of shown text in a range of rows of the window."""
        rows, spans = self._texts
        at, stop = bisect_left(rows, first), bisect_left(rows, last)
        while at < stop:
            row, line, start = rows[at], spans[at][0], at
            while at < stop and spans[at][0] == line:
                at += 1
            if at - start == 1:
                yield row, one_line(self.page.text[spans[start][1] : spans[start][2]])
            else:
                yield row, joined(self.page.text[a:b] for _, a, b in spans[start:at])

    @cached_property
    def near_lines(self) -> list[tuple[int, str]]:
        """(first row, text) of the lines around the headline; empty where there is none."""
        if self.headline_row < 0:
            return []
        at = int(self.page.text_at[self.headline_row])
        first, last = np.searchsorted(self.page.text_at, [at - 400, at + 1200]).tolist()
        return list(self.lines(first, last))
