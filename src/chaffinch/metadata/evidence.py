"""Sources that several fields of metadata read, each computed once, on first use.

Metas, JSON-LD, names of the site, headings, and where the headline is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.aids import reading_aids, without_edit_links
from chaffinch.fetch.url_parts import host_name, join_urls
from chaffinch.metadata.banners import is_banner, names_other_page
from chaffinch.metadata.class_words import named_rows
from chaffinch.metadata.headline_window import HeadlineWindow
from chaffinch.metadata.json_ld import JsonLdGraph, JsonLdNode, main_nodes, read_graph
from chaffinch.metadata.text_cleaning import clean, fold, one_line
from chaffinch.metadata.title_parts import HOST, split_title, words_of
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.page import Page
    from chaffinch.result import Content, RoleRule

Made = TypeVar("Made")

_COMMON_LABELS: Final = frozenset("www m mobile amp news blog blogs co com org net gov edu".split())
_SHORT_LABEL: Final = 2

_AIDS: Final = frozenset({tags.CODES["a"], tags.CODES["button"]})
_READINGS: Final = frozenset(tags.CODES[name] for name in ("rt", "rp", "rtc"))
"""What stands above the letters of a heading, and the brackets for browsers that can't set it."""
_WHOLE: Final = re.compile(r"https?://[a-z0-9.-]++(?:/[\w/%.&=+~!*'(),$@-]*+)?+", re.ASCII)
"""Web addresses that joining leaves as they are: without query, fragment and parameters."""
_HOME_LINKS: Final = 4
_ROWS_OF_LINK: Final = 12
"""Links to the site's start whose texts are its name, and rows of one that are looked at."""
_NOTICE: Final = 60  # characters of a notice of copyright with its holder
_LONG_HEADING: Final = 400
"""Rows of a heading from which its parts aren't looked at one by one."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A page and its main content (or None), as the fields of metadata read them.

    Attributes:
        page: the page.
        content: its main content.
        headers: of the HTTP response that had the page, as far as they are known.
        roles: rules of a site model for fields.
        author_blacklist: names that are no author's.
        title_boilerplate: parts of title elements that return on the site's pages, those of most
            titles first.
    """

    page: Page
    content: Content | None = None
    headers: tuple[tuple[str, str], ...] = ()
    roles: tuple[RoleRule, ...] = ()
    author_blacklist: tuple[str, ...] = ()
    title_boilerplate: tuple[str, ...] = ()

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

    def metas(self, *names: str) -> list[tuple[int, str, str]]:
        """Return (row, source, content) of the metas with the given names, name by name."""
        return [one for name in names if name in self.meta for one in self._cleaned(name)]

    def _cleaned(self, name: str) -> list[tuple[int, str, str]]:
        """Return the metas with a name that the page has; several fields read the same ones."""
        if name not in self._metas:
            texts = [(row, clean(content)) for row, content in self.meta[name]]
            self._metas[name] = [(row, f"meta:{name}", text) for row, text in texts if text]
        return self._metas[name]

    @cached_property
    def _metas(self) -> dict[str, list[tuple[int, str, str]]]:
        """Cache of `metas` by name."""
        return {}

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
        href = href.strip()
        try:
            if _WHOLE.fullmatch(href) and (not (base := self.page.base) or urlsplit(base)):
                return clean(href)  # joined to a base that isn't broken it stays what it is
            url = join_urls(self.page.base, href)
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
        if not key or key in self.site_names or HOST.fullmatch(text):
            return bool(key)
        labels = self.host_labels
        longest = 2 * max(map(len, labels)) if labels else 0
        for label in labels:
            if key == label or (label in key and len(key) <= max(longest, len(label) + 6)):
                return True
            if len(key) > _SHORT_LABEL and key in label and 2 * len(key) > len(label):
                return True
        return False

    def names_owner(self, text: str) -> bool:
        """Return whether ``text`` is that of a link to the site's start, or a notice's holder."""
        key = fold(text)
        if key in self._home_links:
            return True
        at = self.page.text.rfind("©")
        notice = fold(self.page.text[at : at + _NOTICE]).lstrip("0123456789") if at >= 0 else ""
        return len(key) > _SHORT_LABEL and notice.startswith(key)

    @cached_property
    def _home_links(self) -> frozenset[str]:
        """The folded texts of the first links to the site's own start, and of images in them."""
        page = self.page
        names: set[str] = set()
        host = self.address.partition("/")[0]
        roots = (f"{scheme}://{host}" for scheme in ("http", "https"))
        addresses = {"/", *(root + end for root in roots for end in ("", "/"))}
        values = page.values("href")
        rows = values.rows_of(one for one in addresses if one in values.rows)
        for row in sorted(rows)[:_HOME_LINKS]:
            stop = min(int(page.end[row]), row + _ROWS_OF_LINK)
            alts = (page.attribute(at, "alt") or "" for at in range(row + 1, stop))
            names.update(map(fold, (one_line(page.text_of(row)), *alts)))
        return frozenset(name for name in names if len(name) > _SHORT_LABEL)

    def is_title_boilerplate(self, text: str) -> bool:
        """Return whether ``text`` names the site, or returns in the titles of its pages."""
        return self.names_site(text) or fold(text) in self._of_other_titles

    @cached_property
    def _of_other_titles(self) -> frozenset[str]:
        """What returns in titles, folded; where all of this page's does, but its rarest part."""
        rank = {fold(part): at for at, part in enumerate(self.title_boilerplate)}
        own = [fold(part) for part in self.title_parts] if rank else []
        if own and all(part in rank for part in own):
            del rank[max(own, key=rank.__getitem__)]
        return frozenset(rank)

    def names_publisher(self, text: str) -> bool:
        """Return whether ``text`` names the site, or is contained in the last part of the title."""
        if self.names_site(text):
            return True
        key = fold(text)
        return len(key) >= _SHORT_LABEL and key in self._title_end

    @cached_property
    def _title_end(self) -> str:
        return fold(self.title_parts[-1]) if len(self.title_parts) > 1 else ""

    @cached_property
    def title_parts(self) -> list[str]:
        """The parts of the title element; the whole of one that has none."""
        return split_title(self.page.head.title)

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The words of the title element; each heading is compared with them."""
        return words_of(self.page.head.title)

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """(row, text) of those of the first eight h1 elements that aren't empty."""
        rows = self.page.is_tag("h1").nonzero()[0][:8].tolist()
        texts = ((row, self.heading(row)) for row in rows)
        return [(row, text) for row, text in texts if text]

    @cached_property
    def banners(self) -> frozenset[int]:
        """Rows of those of `headings` that are banners of the site or of a section of it."""
        return frozenset(row for row, text in self.headings if is_banner(self, row, text))

    @cached_property
    def other_headings(self) -> frozenset[int]:
        """Rows of those of `headings` that are no headline: banners, and entries of a list."""
        rest = [(row, text) for row, text in self.headings if row not in self.banners]
        return self.banners.union(row for row, text in rest if names_other_page(self, row, text))

    def heading(self, row: int) -> str:
        """Return the text of a heading as one line, with spaces for its line breaks."""
        page, stop = self.page, int(self.page.end[row])
        if stop - row > _LONG_HEADING:
            return without_edit_links(one_line(page.text_of(row)).rstrip("¶# "))
        codes = page.tag[row:stop].tolist()
        texts = [at for at, code in enumerate(codes, row) if code == tags.TEXT]
        if not _AIDS.isdisjoint(codes):
            inner = np.zeros(len(page), dtype=bool)
            inner[row:stop] = True
            aids = [(aid, int(page.end[aid])) for aid in reading_aids(page, inner)]
            texts = [at for at in texts if not any(aid <= at < end for aid, end in aids)]
        if not _READINGS.isdisjoint(codes):
            above = page.inside(np.isin(page.tag, list(_READINGS)))
            texts = [at for at in texts if not above[at]]
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
        rows = [row for row, _ in self.headings if row not in self.other_headings]
        if not rows:
            return self.content_start
        if self.content_start < 0:
            return rows[0]
        at = self.page.text_at
        return min(rows, key=lambda row: abs(int(at[row]) - int(at[self.content_start])))

    @cached_property
    def window(self) -> HeadlineWindow:
        """The rows around the headline."""
        return HeadlineWindow(self.page, self.headline_row, self.derived(named_rows))

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

    def words_in_text(self, words: tuple[str, ...]) -> list[str]:
        """Return those of some words, 32 at most, that stand in the page's text; in one pass."""
        found = kernels.words_in(self._encoded_text, _encoded(words))
        return [word for at, word in enumerate(words) if found >> at & 1]

    @cached_property
    def _encoded_text(self) -> bytes:
        return self.page.text.encode("utf-8", "surrogatepass")


@lru_cache(maxsize=16)
def _encoded(words: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return words as a kernel takes them."""
    return tuple(word.encode() for word in words)
