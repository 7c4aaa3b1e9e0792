"""Random hostile pages by the rules of ``hostile_rules.txt``, which says how they are written.

They are made of the words below and of short strings of the source (names of tags, attributes,
fields, classes and keys that it reads), so that whatever begins to be read is also attacked. Who
asks with the same random numbers gets the same page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import chaffinch

TAGS: Final = tuple(
    """
    a abbr address annotation annotation-xml applet area article aside audio b base bdi bdo big
    blockquote body br button caption center cite code col colgroup data datalist dd del desc
    details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer
    foreignObject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe
    image img input ins kbd keygen label legend li link listing main maglinks malignmark map
    mark marquee math menu menuitem meta meter mfrac mglyph mi mmultiscripts mn mo mover
    mprescripts mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder nav
    nobr noembed noframes noscript object ol optgroup option output p param path picture
    plaintext pre progress q rb rp rt rtc ruby s samp script search section select semantics
    slot small source span strike strong style sub summary sup svg table tbody td template
    textarea tfoot th thead time title tr track tt u ul use var video wbr xmp x-a
    """.split()
)
"""Names of elements."""
FORMATTING: Final = tuple(
    """
    a b big code em font i nobr s small strike strong tt u
    """.split()
)
"""Those that the parser opens again."""
TEXTS: Final = (
    "The mill by the river ground oats and rye all night, and the miller slept by day.", "oats",
    "Ann Miller", "By Ann Miller and Ben Baker", "12 March 2026", "2026-03-12T10:00:00+02:00",
    "3 hours ago", "€ 3.50", "$1,299.00", "1 234,50 zł", "Comments (3)", "Read more",
    "Accept all cookies", "© 2026 The Mill", "燕麦磨坊整夜磨面，磨坊主白天睡觉。",
    "作者：王小明", "2026年3月12日",
    "الطاحونة تطحن الشوفان", "טחנה", "โรงสี", "мельница", "\u202eabc\u202c", "\u2066a\u2069",
    "e\u0301\u0302\u0323" * 8, "\u200b\u200d\ufeff", "\u00ad", "👩‍👩‍👧", "𝒳", "\ud7ff\uffff",
    "\u0085\u2028\u2029", "a\u00a0b\u3000c", "\\(x^2\\)", "$$\\frac{a}{b}$$", "\\[ a", "$x$",
    "*_`[]()#>|~", "1. oats", "```", "---", "| a | b |", "=1+1", "@@@", "&lt;script&gt;",
    "&amp;amp;", "&#0;", "&#xD800;", "&#x110000;", "&notit;", "&NotEqualTilde;", "&lt", "<", ">",
    "\x00", "\r", "\x0c", "\x1b[31m", " " * 40, "\n\n", "\t", "W" * 300, "-" * 60,
)  # fmt: skip
"""Texts of each kind that is read, of many scripts, and characters that mean something."""
VALUES: Final = (
    "", "0", "1", "-1", "999999999999", "1e309", "NaN", "50%", "true", "/a/b?c=d#e",
    "//host.example/x", "../..", "https://farm.example/mill/oats-1.html", "http://[::1",
    "javascript:x", "data:text/html,x", "mailto:a@b.example", "#a", "#", "?", "http://\x00/",
    "a b c", "display:none", "width:3px;visibility:hidden", "color:red;;:", "ltr", "2026-03-12",
    "2026-13-45T99:99", "P1D", "0000", "12/03/26", "de", "x-klingon-latn", "zh-Hant-TW",
    "a.jpg 2x, b.jpg 640w", "a,b,c", ", ,", "a.jpg 1x 2w 3h", "noindex, max-snippet:0",
    "text/html; charset=utf-16", "0; url=/x", "[", "{", '"', "'", "`", "table", "row", "cell",
    "main", "presentation", "tabpanel", "https://schema.org/Article", "\u202e", "é", "燕",
)  # fmt: skip
"""Values of attributes and fields."""
TYPES: Final = (
    "Article", "NewsArticle", "Comment", "Person", "Organization", "Product", "Offer", "Recipe",
    "BreadcrumbList", "DiscussionForumPosting", "QAPage", "ItemList", "WebSite", "VideoObject",
    "ImageObject", "HowToStep", "Review",
)  # fmt: skip
"""Types of schema.org."""
PIECES: Final = {
    "open": 30, "close": 16, "text": 26, "table": 6, "meta": 6, "link": 3, "json_ld": 4, "state": 2,
    "microdata": 4, "formula": 5, "image": 4, "post": 4, "entries": 4, "role_part+8": 2, "form": 3,
    "foreign": 4, "raw": 4, "broken": 6, "note": 2, "code": 3, "heading": 4, "select": 1, "list": 3,
    "definitions": 3, "quote": 2, "byline": 3, "tabs": 1, "frame": 1, "marks": 8, "nest": 6,
    "again": 4,
}  # fmt: skip
"""Rule of a piece → how often it is taken."""
NESTS: Final = (
    ("<div>", "</div>"), ("<ul><li>", "</ul>"), ("<ol><li>", "</ol>"), ("<font>", ""),
    ("<table><tr><td>", "</table>"), ("<blockquote>", "</blockquote>"), ("<q>", "</q>"),
    ("<dl><dt>a<dd>", "</dl>"), ("<section>", "</section>"), ("<b>", "</b>"), ("<h2>", "</h2>"),
    ("<span>", "</span>"), ("<a href=x>", "</a>"), ("<svg><g>", "</svg>"), ("<p>", "</p>"),
    ("<math><mrow>", "</mrow></math>"), ("<details><summary>a</summary>", "</details>"),
    ("<figure>", "</figure>"), ("<template>", "</template>"), ("<ruby>a<rt>", "</ruby>"),
    ("<svg><foreignObject>", "</foreignObject></svg>"), ("<pre>", "</pre>"),
    ("<code>", "</code>"), ("<object>", "</object>"), ("<article>", "</article>"),
    ("<fieldset><legend>a</legend>", "</fieldset>"), ("<div class=comment>", "</div>"),
    ("<div role=table><div role=row>", "</div></div>"),
)  # fmt: skip
"""(what opens, what closes): repeated within one another."""
PACKAGE: Final = Path(chaffinch.__file__).parent
_NO_READERS: Final = frozenset(
    ["cli", "corpus", "evaluate", "plugins", "reports", "service", "web", "workers"]
)
"""Rooms that read no page's markup."""
_STRING: Final = re.compile('"([^"\\\n]*)"')
_WORD: Final = re.compile(r"[A-Za-z@][\w:.@/-]{0,38}\Z|[^\x00-\x7f]{1,12}\Z")


@cache
def source_words() -> tuple[str, ...]:
    """Return the words in strings of rooms that read pages, sorted; docstrings left out."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] not in _NO_READERS:
            parts = path.read_text(encoding="utf-8").split('"""')
            words = [one for text in parts[::2] for one in _STRING.findall(text)]
            is_list = [after.startswith(".split()") for after in parts[2::2]]
            words += [text for text, own in zip(parts[1::2], is_list, strict=False) if own]
            found.update(one for text in words for one in text.split() if _WORD.match(one))
    return tuple(sorted(found))


_PLACE: Final = re.compile("«(@?)([^»*+]+)([*+]?)(\\d*)»")
_DEPTH: Final = 12
"""Rules within one another, from where on pieces are texts."""
_HEADS: Final = (
    "",
    "<!doctype html>",
    "<!doctype html><title>Oats</title>",
    "\ufeff",
    "<?xml version='1.0'?>",
)
_ENCODINGS: Final = {
    "utf-8": 40, "utf-16": 1, "gb18030": 1, "cp1252": 1, "shift_jis": 1, "utf-16-be": 1,
}  # fmt: skip
_KEYS: Final = (
    "author", "headline", "datePublished", "articleBody", "comment", "@id", "offers", "image",
    "recipeIngredient", "recipeInstructions", "itemListElement", "text", "mainEntity", "publisher",
    "name", "inLanguage", "@graph",
)  # fmt: skip
_JSON_DEPTH: Final = 6
_WHOLE: Final = 0.9
"""Share of pages that aren't cut short."""


@cache
def rules() -> dict[str, list[str]]:
    """Return name → alternatives."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in Path(__file__).with_name("hostile_rules.txt").read_text("utf-8").splitlines():
        if line.startswith("  "):
            escaped = line[2:].encode("latin-1", "backslashreplace")
            found[name].append(escaped.decode("unicode_escape"))
        elif line and not line.startswith("#"):
            name, _, short = line.partition(": ")
            found[name] = short.split()
    return found


class Grammar:
    """Makes pieces and pages of random numbers."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._depth = 0
        self._names = source_words()
        self._made: dict[str, Callable[[], str]] = {
            "piece": self.piece,
            "nothing": str,
            "word": lambda: random.choice(self._names),
            "value": self._value,
            "text": lambda: " ".join(random.choices(TEXTS, k=random.choice([1, 1, 1, 2, 6]))),
            "tag": lambda: random.choice(TAGS),
            "type": lambda: random.choice(TYPES),
            "marks": self._marks,
            "nest": self._nest,
            "again": lambda: self.piece() * random.choice([2, 3, 8]),
            "json": self._data,
        }

    def page(self, pieces: int) -> bytes:
        """Return a page of so many pieces, in one of several encodings, sometimes cut short."""
        random = self.random
        html = random.choice(_HEADS) + "".join(self.piece() for _ in range(pieces))
        encoding = random.choices(list(_ENCODINGS), list(_ENCODINGS.values()))[0]
        data = html.encode(encoding, "surrogatepass" if encoding == "utf-8" else "replace")
        return data if random.random() < _WHOLE else data[: random.randrange(len(data) + 1)]

    def piece(self) -> str:
        """Return a piece of markup."""
        if self._depth > _DEPTH:
            return "oats"
        rule = self.random.choices(list(PIECES), list(PIECES.values()))[0]
        return _PLACE.sub(self._filled, f"«{rule}»")

    def opening(self) -> str:
        """Return tags that stay open: where a piece may stand."""
        made = [self.random.choice(NESTS)[0], "<table><tr>", self._one("open")]
        return "".join(self.random.choices(made, k=self.random.randint(0, 3)))

    def _filled(self, place: re.Match[str]) -> str:
        is_attribute, name, repeated, most = place.groups()
        if is_attribute:
            quote = self.random.choice("\"'\"'")
            return f" {name}={quote}{self._value().replace(quote, '')}{quote}"
        count = self.random.randint(repeated == "+", int(most)) if repeated else 1
        return "".join(self._one(name) for _ in range(count))

    def _one(self, name: str) -> str:
        if name in self._made:
            return self._made[name]()
        self._depth += 1
        try:
            alternative = self.random.choice(rules()[name]) if self._depth < 2 * _DEPTH else ""
            return _PLACE.sub(self._filled, alternative)
        finally:
            self._depth -= 1

    def _value(self) -> str:
        random = self.random
        if random.random() < 0.4:
            return " ".join(random.choices(self._names, k=random.choice([1, 1, 2, 3])))
        return random.choice(VALUES if random.random() < 0.7 else TEXTS)

    def _marks(self) -> str:
        """Return formatting elements that are closed in another order."""
        tags = self.random.choices(FORMATTING, k=self.random.randint(1, 5))
        opened = "".join(f"<{tag}>" for tag in tags)
        self.random.shuffle(tags)
        between = self.random.choice(["", "<p>", "<table>", self._value()])
        return f"{opened}oats{between}" + "".join(f"</{tag}>" for tag in tags)

    def _nest(self) -> str:
        random = self.random
        units = random.choices(NESTS, k=random.randint(1, 2))
        depth = random.choice([2, 3, 10, 40])
        opened = "".join(one for one, _ in units) + random.choice(["", "", self._value()])
        closed = "".join(one for _, one in reversed(units))
        return opened * depth + "rye" + closed * random.choice([depth, depth, 0, depth // 2])

    def _json(self, depth: int = 0) -> Any:
        random = self.random
        kind = random.random()
        if depth > _JSON_DEPTH or kind < 0.45:
            return random.choice([None, True, 0, -1.5, 10**30, self._value(), "\ud800"])
        if kind < 0.6:
            return [self._json(depth + 1) for _ in range(random.randint(0, 3))]
        names = random.choices(self._names, k=random.randint(0, 4))
        names += random.sample(_KEYS, random.randint(0, 4))
        made = {name: self._json(depth + 1) for name in names}
        if random.random() < 0.8:
            made["@type"] = random.choice([random.choice(TYPES), list(TYPES[:3]), 3, None])
        return made

    def _data(self) -> str:
        """Return JSON, or what looks like it."""
        random = self.random
        text = json.dumps(self._json(), ensure_ascii=bool(random.getrandbits(1)))
        if random.random() < 0.8:
            return text
        return random.choice(
            [text[: len(text) // 2], "[" * 600, '{"a":' * 300, text + text, f"<!--{text}-->",
             f"<![CDATA[{text}]]>", f"{text};", "{'a':1,}", f"\ufeff{text}"]
        )  # fmt: skip


_LENGTHS: Final = (1, 3, 30, 300, 3000)
_MOST: Final = 12


def mutated(pages: Sequence[bytes], piece: Callable[[], bytes], random: Random) -> bytes:
    """Return one of some pages after up to twelve changes: cut, doubled, spliced, pieces put in."""
    page = bytearray(random.choice(pages))
    for _ in range(random.randint(1, _MOST)):
        at = random.randrange(len(page) + 1)
        length = random.choice(_LENGTHS)
        match random.randrange(6):
            case 0:
                del page[at : at + length]
            case 1:
                page[at:at] = page[at : at + length]
            case 2 | 5:
                page[at:at] = piece()
            case 3:
                other = random.choice(pages)
                start = random.randrange(len(other) + 1)
                page[at:at] = other[start : start + length]
            case 4 if page:
                page[random.randrange(len(page))] = random.randrange(256)
    return bytes(page)


def cut(page: bytes, random: Random, most: int) -> bytes:
    """Return a stretch of a page, of up to ``most`` bytes and mostly far less."""
    length = min(int(random.paretovariate(0.8) * 300), most, len(page))
    start = random.choice([0, random.randrange(len(page) - length + 1)])
    return page[start : start + length]
