"""What the fields of metadata read of a page, each source once: head, JSON-LD, headings.

A rule of a site model selects an element that has the last word over all of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, compress, islice, pairwise
from typing import Any, Final, TypeVar
from urllib.parse import urljoin, urlsplit

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.elements import words_found
from chaffinch.elements.aids import reading_aids
from chaffinch.elements.dates_in_text import locale_of_page
from chaffinch.kernels.arrays import marked
from chaffinch.metadata.json_ld import (
    ARTICLE,
    LEAST_TEXT,
    MOST_VALUES,
    PAGE,
    WORK,
    JsonLdNode,
    first_string,
    nodes_of_states,
)
from chaffinch.metadata.places import Places
from chaffinch.metadata.values import (
    HOST,
    SOFT,
    WORDS,
    FieldValue,
    clean,
    cuts,
    fold,
    named_like_site,
    one_line,
    path_of,
    split_title,
    words_of,
)
from chaffinch.page import Page, tags
from chaffinch.page.selectors import Selected
from chaffinch.page.urls import host_name, place_of
from chaffinch.verdict import Content, RoleRule

_MOST_NODES: Final = 200
_REFERENCE: Final = 2  # keys of an object that only refers to another: id and type
_MOST_SHOWN: Final = 1500  # characters outside links of a page whose content may be in its state
Made = TypeVar("Made")
Named = tuple[str, str, int, float]
"""(text, source, row, weight) of what a source gives."""

_SHARED: Final = 5  # of the letters of a heading's words, one in so many may be the title's, too
OF_LISTS: Final = frozenset(("collection", "listing"))
"""Types of pages whose entries have titles, authors and dates of their own."""
_COMMON_LABELS: Final = frozenset("www m mobile amp news blog blogs co com org net gov edu".split())
_SHORT_LABEL: Final = 2
_BUTTON: Final = tags.CODES["button"]
_READINGS: Final = frozenset(tags.CODES[name] for name in ("rt", "rp", "rtc"))
"""What stands above the letters of a heading, and the brackets for browsers that can't set it."""
_KICKER: Final = re.compile(
    rf"(?<![a-z])(?:{WORDS['class names of kickers']})(?![a-z])", re.IGNORECASE
)
"""Class names of what stands above a headline, within its heading."""
_ANY_LABEL: Final = frozenset(("label", "prefix", "tag", "badge"))  # the headline itself may be one
_LONG_HEADING: Final = 400  # rows of a heading whose parts aren't looked at one by one
_SHORT_LINK: Final = 24  # characters of a link in a heading that may be an aid of reading
_MOST_COPIES, _WORDS_OF_COPY = 4, 3  # copies of a headline's words, and words of each
_HEADINGS: Final = 8  # first h1s that are read, and headings below one that are compared with it
_REPEATED: Final = 0.6  # share of a heading's letters that the first part of the title has
_LEAST_PIECE: Final = 12  # bytes of a part of a title that begins a heading

Opener = tuple[str, int, str]
"""Who opened a thread, the row of that post, and its date, "" for what isn't known."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """A page and its main content (or None), as the fields of metadata read them."""

    page: Page
    content: Content | None = None
    # of the HTTP response that had the page, as far as they are known.
    headers: tuple[tuple[str, str], ...] = ()
    roles: tuple[RoleRule, ...] = ()  # rules of a site model for fields.
    author_blacklist: tuple[str, ...] = ()  # names that are no author's.
    # parts of title elements that return on the site's pages, those of most titles first.
    title_boilerplate: tuple[str, ...] = ()
    # gives who opened the thread that a forum's page shows, the row of that post, and its date.
    find_opener: Callable[[], Opener | None] | None = None
    _derived: dict[tuple[Any, ...], Any] = field(default_factory=dict, init=False)

    def derived(self, make: Callable[..., Made], *of: str | int) -> Made:
        """Return what several rules make of this evidence, and of texts or rows: made once."""
        key = make, of
        if key not in self._derived:
            self._derived[key] = make(self, *of)
        made: Made = self._derived[key]
        return made

    def people(self, names: tuple[str, ...]) -> tuple[str, ...]:
        if not self.author_blacklist:
            return names
        nobodies = frozenset(map(fold, self.author_blacklist))
        return tuple(name for name in names if fold(name) not in nobodies)

    # What is declared.

    def metas(self, *names: str) -> list[tuple[int, str, str]]:
        """Return (row, source, content as one line) of the metas with names, name by name."""
        return [
            (row, f"meta:{name}", text)
            for name in self.among(names)
            for row, content in self.page.head.meta[name]
            if (text := clean(content))
        ]

    def weighed_metas(self, weights: Mapping[str, float]) -> list[Named]:
        """Return (text, source, row, weight) of the metas that have one, in the weights' order."""
        found = self.metas(*weights)
        return [(text, source, row, weights[source[5:]]) for row, source, text in found]

    def among(self, names: Iterable[str]) -> list[str]:
        return [*filter(self.page.head.meta.__contains__, names)]

    # JSON-LD.

    @cached_property
    def nodes(self) -> list[JsonLdNode]:
        """The JSON-LD nodes of the page, main entities among them."""
        nodes: list[JsonLdNode] = []
        for row, own in self.page.head.json_ld[:_MOST_NODES]:
            nodes.append(JsonLdNode.of(row, own))
            for key in ("mainEntity", "mainEntityOfPage"):
                inner = own.get(key)
                if isinstance(inner, dict) and "@type" in inner and len(inner) > _REFERENCE:
                    nodes.append(JsonLdNode.of(row, inner))
        if self._shows_nothing and not any(node.rank >= WORK for node in nodes):
            nodes += nodes_of_states(self.page)
        return nodes

    @property
    def _shows_nothing(self) -> bool:
        """Whether scripts with data stand in place of the content's text."""
        page = self.page
        if not page.sources:
            return False
        if self.content is None:
            return int(page.own_length[~page.in_link].sum()) < _MOST_SHOWN
        return int(page.own_length[self.content.verdict.keep].sum()) < LEAST_TEXT

    @cached_property
    def _by_id(self) -> dict[str, dict[str, Any]]:
        """Objects by their ``@id``, the first of each."""
        known: dict[str, dict[str, Any]] = {}
        for _, own in self.page.head.json_ld[:_MOST_NODES]:
            if isinstance(name := own.get("@id"), str) and len(own) > 1:
                known.setdefault(name, own)
        return known

    def values(self, value: Any) -> Iterator[Any]:
        """Yield the members of a value: lists flattened, references resolved; 50 at most."""
        stack, count = [value], 0
        while stack and count < MOST_VALUES:
            count += 1
            one = stack.pop()
            if isinstance(one, list):
                stack.extend(reversed(one[:MOST_VALUES]))
            elif isinstance(one, dict) and not {"name", "url"}.intersection(one):
                name = one.get("@id")
                yield self._by_id.get(name, one) if isinstance(name, str) else one
            elif one is not None:
                yield one

    def text(self, value: Any, *keys: str) -> str:
        """Return the first text of a value: a string, or the first of ``keys`` of an object."""
        if value is None or isinstance(value, str):
            return clean(value)
        for one in self.values(value):
            found = clean(one)
            if isinstance(one, dict):
                found = next((t for k in (*keys, "@value") if (t := first_string(one.get(k)))), "")
            if found:
                return found
        return ""

    def of_nodes(self, name: str, weight: float, *keys: str) -> list[Named]:
        """Return (text, source, row, weight) of a property of the nodes that describe the page."""
        return [
            (self.text(node.properties.get(name), *keys), node.source(name), node.row, weight)
            for node in self.main_nodes
        ]

    @cached_property
    def main_nodes(self) -> list[JsonLdNode]:
        """The JSON-LD nodes that describe the page itself."""
        return self.main_of(self.nodes)

    @cached_property
    def own_nodes(self) -> list[JsonLdNode]:
        """The `main_nodes`; where there are none, those of type WebPage and the like."""
        return self.main_nodes or [node for node in self.nodes if node.rank == PAGE]

    def main_of(self, nodes: Iterable[JsonLdNode]) -> list[JsonLdNode]:
        """Return those of some nodes that describe the page: articles, else works; three at most.

        Of several, those with the page's address or one of its titles are taken; the others
        describe pages that this one links to.
        """
        known = list(nodes)
        for rank in (ARTICLE, WORK):
            found = [node for node in known if node.rank == rank]
            if len(found) > 1:
                named = [node for node in found if self._is_of_page(node)]
                many = len({node.title for node in found} - {""}) > 1
                found = named or ([] if many else found)
            if found:
                return found[:3]
        return []

    def _is_of_page(self, node: JsonLdNode) -> bool:
        if node.title in self.titles:
            return True
        pages = (node.properties.get("mainEntityOfPage"), node.properties.get("url"))
        return any(place_of(self.text(one, "@id", "url")) == self.address != "" for one in pages)

    @cached_property
    def titles(self) -> frozenset[str]:
        """The titles of the page, folded: of its title element, its metas and its headings."""
        metas = (text for _, _, text in self.metas("og:title", "twitter:title"))
        texts = (self.page.head.title, *metas, *(text for _, text in self.headings))
        return frozenset(map(fold, texts)) - {""}

    # The page's address and its site.

    @cached_property
    def address(self) -> str:
        """The page's own address as `place_of` gives it; "" if unknown."""
        links = self.page.head.links
        named = next((href for _, rel, href in links if rel == "canonical"), None)
        return place_of(self.page.url if named is None else self.absolute(named))

    def absolute(self, href: str) -> str:
        """Return an http(s) address, absolute if the page's is known; "" for other schemes."""
        href = href.strip()
        try:
            url = urljoin(self.page.base, href)
            scheme = urlsplit(url).scheme
        except ValueError:
            return ""
        return clean(url) if scheme in {"http", "https", ""} and " " not in url else ""

    @cached_property
    def locale(self) -> str:
        return locale_of_page(self.page, self.address.partition("/")[0])

    @cached_property
    def host_labels(self) -> tuple[str, ...]:
        """The distinctive labels of the host's name, folded, such as ``spiegel``."""
        labels = host_name(self.page.url or self.absolute("")).split(".")[:-1]
        kept = [fold(x) for x in labels if x not in _COMMON_LABELS and len(x) > _SHORT_LABEL]
        return tuple(filter(None, kept))

    @cached_property
    def _site_names(self) -> frozenset[str]:
        """The folded names of the site, as declared; not the page's own title."""
        own = {*self.title_parts[:-1][:1]} & {text for _, _, text in self.metas("og:title")}
        named = (text for _, _, text in self.metas("og:site_name", "application-name"))
        names = {*named, *(text for text, _, _, _ in self.sites_in_nodes)}
        return frozenset(map(fold, names - own)) - {""}

    @cached_property
    def sites_in_nodes(self) -> list[Named]:
        """(name, source, row, weight) of the publishers and sites in JSON-LD."""
        out = []
        for node in self.nodes:
            key = "publisher" if node.rank == ARTICLE else "name" if node.type == "WebSite" else ""
            if key:
                text = self.text(node.properties.get(key), "name")
                out.append((text, node.source(key), node.row, 0.6))
        return out

    def names_site(self, text: str) -> bool:
        """Return whether ``text`` is the site's name, as declared or as in its host name."""
        return self.derived(Evidence._names_site, text)

    def _names_site(self, text: str) -> bool:
        key = fold(text)
        if not key or key in self._site_names or HOST.fullmatch(text):
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
        notice = fold(self.page.text[at : at + 60]).lstrip("0123456789") if at >= 0 else ""
        return len(key) > _SHORT_LABEL and notice.startswith(key)

    @cached_property
    def _home_links(self) -> frozenset[str]:
        """The folded texts of the first links to the site's own start, and of images in them."""
        page = self.page
        names: set[str] = set()
        host = self.address.partition("/")[0]
        starts = f"http://{host}", f"https://{host}"
        addresses = {"/", *starts, *map("{}/".format, starts)}
        rows, values = page.own_attributes.having("href")
        home = compress(rows, map(addresses.__contains__, values))
        for row in islice(home, 4):
            stop = min(int(page.end[row]), row + 12)  # rows
            inner = np.arange(row + 1, stop, dtype=np.int32)
            alts = filter(None, chain.from_iterable(page.own_attributes.values_of(inner, "alt")))
            names.update(map(fold, (one_line(page.text_of(row)), *alts)))
        return frozenset(name for name in names if len(name) > _SHORT_LABEL)

    def names_publisher(self, text: str) -> bool:
        """Return whether ``text`` names the site, or is contained in the last part of the title."""
        if self.names_site(text):
            return True
        key, parts = fold(text), self.title_parts
        return len(key) >= _SHORT_LABEL and len(parts) > 1 and key in fold(parts[-1])

    # The title element.

    @cached_property
    def title_parts(self) -> tuple[str, ...]:
        return split_title(self.page.head.title)

    def is_unlike_title(self, text: str) -> bool:
        """Return whether a text shares at most words such as «to the» with the title element."""
        words = words_of(text)
        both = words & words_of(self.page.head.title)
        return _SHARED * sum(map(len, both)) <= sum(map(len, words))

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

    # The headings.

    @cached_property
    def headings(self) -> list[tuple[int, str]]:
        """(row, text) of those of the first eight h1 elements that aren't empty."""
        rows = self.page.is_tag("h1").nonzero()[0][:_HEADINGS].tolist()
        return [(row, text) for row in rows if (text := self.heading(row))]

    def heading(self, row: int) -> str:
        """Return the text of a heading as one line, with spaces for its line breaks.

        Copies of it, for other widths or for a movement, are left out.
        """
        page, stop = self.page, int(self.page.end[row])
        if stop - row > _LONG_HEADING:
            return one_line(page.text_of(row)).rstrip("¶# ")
        codes = page.tag[row:stop].tolist()
        texts = [at for at, code in enumerate(codes, row) if code == tags.TEXT]
        if any(
            code == _BUTTON or (code == tags.LINK and page.length[at] <= _SHORT_LINK)
            for at, code in enumerate(codes, row)
        ):
            inner = marked(len(page), slice(row, stop))
            aids = [(aid, int(page.end[aid])) for aid in reading_aids(page, inner)]
            texts = [at for at in texts if not any(aid <= at < end for aid, end in aids)]
        texts = self._behind_kicker(row, texts)
        if not _READINGS.isdisjoint(codes):
            above = page.inside(np.isin(page.tag, list(_READINGS)))
            texts = [at for at in texts if not above[at]]
        line = page.line
        breaks = ["", *(" " * bool(line[at] != line[after]) for at, after in pairwise(texts))]
        pieces = (gap + page.text_of(at) for gap, at in zip(breaks, texts, strict=False))
        words = one_line("".join(pieces)).rstrip("¶# ").split(" ")
        for times in range(2, min(_MOST_COPIES, len(words) // _WORDS_OF_COPY) + 1):
            if words == words[: len(words) // times] * times:
                words = words[: len(words) // times]
                break
        return " ".join(words)

    def _behind_kicker(self, row: int, texts: list[int]) -> list[int]:
        """Return the texts of a heading without those of a label or a day that begins it."""
        page = self.page
        first = next((at for at in texts if page.written[at]), row)
        for above in page.ancestors(first) if len(texts) > 1 else ():
            if above <= row:
                break
            names = "date" if page.name(above) == "time" else page.attribute(above, "class")
            if named := _KICKER.search(names or ""):
                behind = [at for at in texts if at >= page.end[above]]
                rest = "".join(map(page.text_of, behind)).lstrip()
                label = page.text_of(above).strip()
                is_part = (
                    label.endswith(":")
                    or rest[:1] in {"", ":"}
                    or (named[0].lower() in _ANY_LABEL and len(label) > len(rest))
                )
                return texts if is_part else behind
        return texts

    def in_heading(self, row: int) -> bool:
        return any(at < row < self.page.end[at] for at, _ in self.headings)

    @cached_property
    def banners(self) -> frozenset[int]:
        """Rows of those of `headings` that are banners of the site or of a section of it."""
        return frozenset(row for row, text in self.headings if self._is_banner(row, text))

    @cached_property
    def other_headings(self) -> frozenset[int]:
        """Rows of those of `headings` that are no headline: banners, and entries of a list."""
        rest = [(row, text) for row, text in self.headings if row not in self.banners]
        return self.banners.union(row for row, text in rest if self.names_other_page(row, text))

    def _is_banner(self, row: int, text: str) -> bool:
        """Return whether a heading names the site, leads to its start, or isn't the page's title.

        That is where it has other words than the title element, or its last part, and a heading
        below says the first part, or a little more where that is longer than this heading, or
        begins as a title that was cut off; and where the link to the site's start says the same.
        """
        link = self._link_of_heading(row) or "#"  # to itself, on a page without an address
        is_home = link[:1] != "#" and path_of(link) == "/" != path_of(self.page.url or "")
        first, *later = self.title_parts
        is_site = self.is_title_boilerplate(text) or (text in later and named_like_site(text))
        if is_home or is_site:
            return True
        key, own, whole = fold(first), fold(text), fold(self.page.head.title)
        if own in self._home_links:
            below = (fold(self.page.text_of(other)) for other in self._headings_below(row))
            names_all = own == whole and self.page_type not in OF_LISTS
            if names_all or any(one in whole for one in below if one):
                return True
        is_end = bool(later) and (own in fold(later[-1]) or own == whole)
        is_longest = len(first) >= max(map(len, later), default=0)
        if not (is_end or (is_longest and self.is_unlike_title(text))):
            return False
        share = _REPEATED if len(key) > len(own) else 1
        others = (fold(self.page.text_of(other)) for other in self._headings_below(row))
        is_headed = any(key in one and len(key) >= share * len(one) for one in others if one)
        return is_headed or self.heading_beginning_as_title(row) is not None

    def _headings_below(self, row: int) -> list[int]:
        rows = tags.HEADING.take(self.page.tag[row + 1 :]).nonzero()[0][:_HEADINGS] + row + 1
        return list(map(int, rows))

    def heading_beginning_as_title(self, row: int) -> int | None:
        """Return the first lower heading below a row that begins as the title's longest part does.

        It says more: the title was cut off, and a label may stand before it there.
        """
        part, whole = max(self.title_parts, key=len), fold(self.page.head.title)
        starts = (0, *(start for _, start in cuts(part, SOFT)))
        pieces = [key for at in starts if len((key := fold(part[at:])).encode()) >= _LEAST_PIECE]
        for other in self._headings_below(row) if pieces else ():
            text = one_line(self.page.text_of(other))
            is_more = (key := fold(text)).startswith(tuple(pieces)) and key not in whole
            if is_more and len(split_title(text)) == 1 and self.page.name(other) != "h1":
                return other
        return None

    def names_other_page(self, row: int, text: str) -> bool:
        """Return whether a heading is an entry of a list, and is nothing of the title element.

        On a list, or like another heading of its level, it is a link to another page.
        """
        if not self.page.head.title or not self.leads_away(row):
            return False
        if not self.is_unlike_title(text):
            return False
        alike = (self.page.tag == self.page.tag[row]).nonzero()[0][:4].tolist()
        return self.page_type in OF_LISTS or any(
            other != row and self.leads_away(other) for other in alike
        )

    def leads_away(self, row: int) -> bool:
        """Return whether a heading is a link to another page."""
        link = self._link_of_heading(row)
        return bool(link and self.address) and place_of(link) != self.address

    def _link_of_heading(self, row: int) -> str | None:
        """Return where a heading or link leads, "" for nowhere on the web; None without a link."""
        page = self.page
        own = page.tag[row : min(int(page.end[row]), row + 4)].tolist()  # it consists of the link
        for child, tag in enumerate(own, row):
            if tag == tags.LINK and (href := page.attribute(child, "href")) is not None:
                return self.absolute(href)
        return None

    # Places on the page.

    @property
    def page_type(self) -> str:
        """The page type by the method that found the content; "" where it tells none."""
        return (self.content.verdict.page_type if self.content is not None else None) or ""

    @cached_property
    def opener(self) -> Opener:
        """Who opened the thread that a forum's page shows from its beginning on; ("", -1, "") else.

        Posts below a text don't open it.
        """
        found = None
        if self.page_type == "forum" and self.find_opener is not None:
            begins = all(rel != "prev" for _, rel, _ in self.page.head.links)
            found = self.find_opener() if begins else None
        if found is None or self.places.is_behind_content(found[1]):
            return "", -1, ""
        return found

    @cached_property
    def content_start(self) -> int:
        """First text row of the main content; -1 where there is none."""
        if self.content is None:
            return -1
        rows = (self.content.kept & self.page.written).nonzero()[0]
        return int(rows[0]) if len(rows) else -1

    @cached_property
    def headline_row(self) -> int:
        """Row of the h1 nearest to the content, else the content's first row; -1 for neither.

        Where no content is known, that of the first heading that the page's title has.
        """
        rows = [row for row, _ in self.headings if row not in self.other_headings]
        if not rows and self.content is None:
            lower = self._headings_below(-1)
            rows = [row for row in lower if not self.is_unlike_title(self.page.text_of(row))][:1]
        if not rows:
            return self.content_start
        if self.content_start < 0:
            return rows[0]
        at = self.page.text_at
        return min(rows, key=lambda row: abs(int(at[row]) - int(at[self.content_start])))

    @cached_property
    def places(self) -> Places:
        """The window around the headline, and the regions that a row may be in."""
        kept = None if self.content is None else self.content.kept
        return Places(self.page, self.headline_row, kept)

    def row_at(self, place: int) -> int:
        """Return the row whose text holds a place of the page's text."""
        return int(self.page.text_at.searchsorted(np.int32(place), "right")) - 1

    def words_in_text(self, words: tuple[str, ...]) -> list[str]:
        return words_found(self._encoded_text, words)

    @cached_property
    def _encoded_text(self) -> bytes:
        return self.page.text.encode("utf-8", "surrogatepass")


# Rules of a site model.
def value_by_rule(
    evidence: Evidence,
    role: str,
    read: Callable[[Selected], Any],
    general: FieldValue[Any] | None = None,
    is_better: Callable[[Any, FieldValue[Any]], bool] = lambda *_: True,
) -> FieldValue[Any] | None:
    """Return the first value that ``read`` makes of what a rule for a field selects.

    Where there is none, it is that of the general finder; and where that ``is_better`` than the
    rule's, unless a person wrote the rule. An element within an entry of a list is a field of that
    entry and not of the page.
    """
    rules = [rule for rule in evidence.roles if rule.role == role]
    if not rules:
        return general
    page = evidence.page
    within = page.inside(marked(len(page), selected_rows(page, evidence.roles, "record")))
    for rule in rules:
        found = [one for one in page.selected(rule.select) if one.row < 0 or not within[one.row]]
        for one in found[:10]:  # until one has a value
            if value := read(one):
                ruled = FieldValue(value, f"rule:{rule.select}", one.row, rule.confidence)
                if general is None or rule.by_hand or not is_better(general.value, ruled):
                    return ruled
                return general
    return general


def selected_rows(page: Page, roles: tuple[RoleRule, ...], role: str) -> list[int]:
    """Return the rows that the first rule for ``role`` selects which selects any; [] for none."""
    return next(filter(None, (rows_of_rule(page, rule) for rule in roles if rule.role == role)), [])


def rows_of_rule(page: Page, rule: RoleRule) -> list[int]:
    """Return the rows that a rule selects, in order; a text that it computes has none."""
    return sorted({one.row for one in page.selected(rule.select) if one.row >= 0})


def written(page: Page, one: Selected) -> str:
    """Return the value of what is selected: the attribute that holds its value, else its text."""
    if one.value is not None:
        return one.value
    row = one.row
    name = {"meta": "content", "time": "datetime", "img": "alt"}.get(page.name(row))
    return (page.attribute(row, name) if name else "") or page.folded(row)
