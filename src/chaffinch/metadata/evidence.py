"""What a page offers to all fields, read once and when asked for: metas, JSON-LD, marks, places."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

import numpy as np

from chaffinch.metadata.json_ld import Graph, Node, main_nodes, read_graph
from chaffinch.metadata.strings import clean, fold, joined, one_line, path_of
from chaffinch.metadata.title_parts import split_title
from chaffinch.page.attribute_values import Values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Content

_COMMON_LABELS: Final = frozenset("www m mobile amp news blog blogs co com org net gov edu".split())
_SHORT_LABEL: Final = 2

# The window around the title in which bylines and dates are looked for.
TEXT_BEFORE: Final = 1_500
TEXT_AFTER: Final = 6_000
ROWS_BEFORE: Final = 120
ROWS_AFTER: Final = 400


@dataclass(frozen=True, eq=False)
class Evidence:
    """A page, the content found on it (or None), and what several fields need of them.

    Attributes:
        page: the page.
        content: the content.
        headers: of the answer that brought the page, as far as they are known.
    """

    page: Page
    content: Content | None = None
    headers: tuple[tuple[str, str], ...] = ()

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

    def names_publisher(self, text: str) -> bool:
        """Tell whether ``text`` names the site, or is part of the last part of the title."""
        if self.names_site(text):
            return True
        key = fold(text)
        return len(key) >= _SHORT_LABEL and key in self._title_end

    @cached_property
    def _title_end(self) -> str:
        parts = split_title(self.page.head.title)
        return fold(parts[-1]) if len(parts) > 1 else ""

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """(row, text) of the first h1 elements that aren't empty."""
        rows = np.flatnonzero(self.page.is_tag("h1"))[:8].tolist()
        texts = ((row, self.heading(row)) for row in rows)
        return [(row, text) for row, text in texts if text]

    def heading(self, row: int) -> str:
        """Return the text of a heading as one line, with spaces for its line breaks."""
        page, stop = self.page, int(self.page.end[row])
        lines = page.line[row:stop].tolist()
        if lines[0] == lines[-1] or len(lines) > ROWS_BEFORE:
            return one_line(page.text_of(row)).rstrip("¶# ")
        places = page.text_at[row : stop + 1].tolist()
        breaks = [at for at in range(1, len(lines)) if lines[at] != lines[at - 1]]
        cuts = [places[at] for at in (0, *breaks, len(lines))]
        pieces = (page.text[a:b] for a, b in pairwise(cuts))
        return one_line(" ".join(pieces)).rstrip("¶# ")

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
        rows = [row for row, text in self.headings if not self.is_banner(row, text)]
        if not rows:
            return self.start
        if self.start < 0:
            return rows[0]
        return min(rows, key=lambda row: abs(self.distance(row, self.start)))

    def is_banner(self, row: int, text: str) -> bool:
        """Tell whether a heading names the site rather than what the page is about."""
        if self.names_site(text):
            return True
        page = self.page
        for child in range(row + 1, min(int(page.end[row]), row + 4)):
            href = page.attribute(child, "href")
            if href is not None:
                return path_of(self.absolute(href)) == "/" != path_of(page.url or "")
        return False

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
    def window(self) -> tuple[int, int]:
        """Half-open range of rows around the anchor in which visible values are looked for."""
        page = self.page
        if self.anchor < 0:
            first = max(page.body, 0)
            return first, min(len(page), first + ROWS_BEFORE + ROWS_AFTER)
        at = int(page.text_at[self.anchor])
        first, last = np.searchsorted(page.text_at, [at - TEXT_BEFORE, at + TEXT_AFTER]).tolist()
        first = max(first, self.anchor - ROWS_BEFORE, 0)
        return first, min(max(last, self.anchor), self.anchor + ROWS_AFTER, len(page))

    @cached_property
    def _spots(self) -> Mask:
        """bool[n]: the elements in the window, metas left out."""
        first, last = self.window
        spots: Mask = (self.page.tag > 1) & ~self.page.is_tag("meta")
        spots[:first] = False
        spots[last:] = False
        return spots

    def having(self, name: str) -> list[tuple[int, str]]:
        """Return (row, value in lower case) of the elements in the window that have ``name``."""
        known = self._having.get(name)
        if known is None:
            found = self.page.having(name, self._spots)
            known = [(row, value.lower()) for row, value in found]
            self._having[name] = known
        return known

    @cached_property
    def _having(self) -> dict[str, list[tuple[int, str]]]:
        """Name of an attribute → what `having` returns: bylines ask for the same one each."""
        return {}

    @cached_property
    def _marks(self) -> Values:
        """Class and id of the elements in the window, as values of one attribute."""
        classes, ids = (dict(self.page.having(name, self._spots)) for name in ("class", "id"))
        rows: defaultdict[str, list[int]] = defaultdict(list)
        for row in classes | ids:
            rows[f"{classes.get(row, '')} {ids.get(row, '')}"].append(row)
        return Values(dict(rows))

    def marked(self, *words: str) -> list[int]:
        """Return the rows in the window whose class or id holds one of ``words``, in order."""
        return self._marks.of(self._marks.holding(*words))

    @cached_property
    def _texts(self) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Rows of shown text in the window, and the line, start and end of each one's text."""
        page = self.page
        first, last = self.window
        shown = page.shown[first:last] & page.written[first:last]
        rows = np.flatnonzero((page.tag[first:last] == 0) & shown) + first
        places = zip(
            page.line[rows].tolist(),
            page.text_at[rows].tolist(),
            page.text_at[rows + 1].tolist(),
            strict=True,
        )
        return rows.tolist(), list(places)

    def lines(self, first: int, last: int) -> Iterator[tuple[int, str]]:
        """Yield (first row, text) of the lines of shown text in a range of rows of the window."""
        rows, places = self._texts
        at, stop = bisect_left(rows, first), bisect_left(rows, last)
        while at < stop:
            row, line, start = rows[at], places[at][0], at
            while at < stop and places[at][0] == line:
                at += 1
            yield row, joined(self.page.text[a:b] for _, a, b in places[start:at])

    @cached_property
    def near_lines(self) -> list[tuple[int, str]]:
        """(first row, text) of the lines around the title; without an anchor none."""
        if self.anchor < 0:
            return []
        at = int(self.page.text_at[self.anchor])
        first, last = np.searchsorted(self.page.text_at, [at - 400, at + 1200]).tolist()
        return list(self.lines(first, last))
