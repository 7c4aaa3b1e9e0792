"""Fidelity of Markdown: how much of a page's structure is right, side by side with other tools.

``python -m bench.quality.fidelity readability --limit 40`` extracts pages and compares with their
gold HTML; ``--container`` hands each tool the gold container instead, so that rendering alone is
measured; ``site`` is the example site. Systems that aren't installed are named and left out.

Words, tables and bags of items are compared. Tables are compared by tree-edit-distance similarity
(TEDS): Zhong et al., 2020, «Image-based table recognition», section 5; text by Levenshtein's
distance of words; all else item by item. Of gold without structure the part of the page that it
speaks of stands for it.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import re
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urljoin, urlsplit
from zlib import crc32

import numpy as np
from apted import APTED, Config
from apted.helpers import Tree
from markdown_it import MarkdownIt
from rapidfuzz.distance import Levenshtein
from selectolax.lexbor import LexborHTMLParser

import chaffinch
from chaffinch.decision.policy import Policy
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.kernels.arrays import Mask
from chaffinch.page import Page, tags
from chaffinch.page.decoding import decode
from chaffinch.segment.text_blocks import TextBlocks, text_blocks
from chaffinch.verdict import Content, Verdict
from training.labels import label_blocks

Lines: TypeAlias = list[list[str]]
"""The texts of a table's cells by lines."""
BAGS = ("heading", "heading text", "item", "code", "code language", "formula", "link", "image")
"""What is compared as bags: an item is right when it is there with all that is said of it."""
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯]|\w+")
_TEX = re.compile(
    r"\$\$(.+?)\$\$|(?<![\\$])\$(?!\s)([^$\n]+?)(?<![\s\\])\$|\\\((.+?)\\\)|\\\[(.+?)\\\]",
    re.DOTALL,
)
_TEX_IMAGE = re.compile(
    r"latex\.php\?|\.latex\?|/equation\?tex=|mimetex\.cgi\?|mathtex\.cgi\?|/math/render/"
)
_DRAWN = ".katex, math, mjx-container, .MathJax, .MathJax_Display, .MathJax_Preview"
"""Formulas as drawn; what they say is in their TeX, and their text is nobody's to write."""
_UNSAID = re.compile(r"\s|\\displaystyle|[{}]|\\(?=[^\w\s])")
"""What is left out of TeX: a reader of CommonMark takes backslashes before signs away."""
_SOURCES = ("src", "data-src", "data-original", "srcset", "data-srcset")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-)([\w+#.-]+)")
_MOST_CELLS = 150  # of a table; the distance takes the cube of it


@dataclass
class Structure:
    """What is on a page: words, bags of items by kind, and tables as lines of cells' texts.

    ``definitions`` are the texts of groups of definition lists: terms and what belongs to them;
    ``untold`` counts the MathML that says no TeX.
    """

    words: list[str] = field(default_factory=list)
    bags: dict[str, Counter[Any]] = field(default_factory=dict)
    tables: list[list[Lines]] = field(default_factory=list)
    definitions: frozenset[str] = frozenset()
    untold: int = 0


def squeezed(text: str) -> str:
    """Return a text's letters and digits in lower case."""
    return "".join(_WORD.findall(text.lower()))


def structure(html: str, *, url: str) -> Structure:
    """Read the structure of HTML: a gold fragment, or Markdown that a reader made HTML of."""
    root = LexborHTMLParser(html).body
    found = Structure(bags={name: Counter() for name in BAGS})
    if root is None:
        return found
    for node in root.css("script:not([type^='math/tex']), style, noscript, template"):
        node.decompose()
    found.untold = sum(not node.css("annotation") for node in root.css("math:not([alttext])"))
    for tex in _formulas(root):
        found.bags["formula"][tex] += 1
    for node in root.css(_DRAWN):
        node.decompose()
    _read_blocks(root, found.bags)
    _read_code(root, found.bags)
    found.definitions = _definitions(root)
    _read_addresses(root, found.bags, url)
    found.tables = [lines for lines in map(_table, root.css("table")) if lines]
    text = _TEX.sub(" ", root.text(separator=" "))
    found.words = _WORD.findall(text.lower())
    return found


def _read_blocks(root: Any, bags: dict[str, Counter[Any]]) -> None:
    for node in root.css("h1, h2, h3, h4, h5, h6"):
        if text := squeezed(node.text()):
            bags["heading"][node.tag, text] += 1
            bags["heading text"][text] += 1
    for node in root.css("li"):
        depth = sum(parent.tag in ("ul", "ol") for parent in _above(node))
        own = "".join(c.text() for c in node.iter(include_text=True) if c.tag not in ("ul", "ol"))
        if text := squeezed(_TEX.sub(" ", own)):
            bags["item"][depth, node.parent.tag if node.parent else "", text] += 1


def _read_code(root: Any, bags: dict[str, Counter[Any]]) -> None:
    """Read preformatted text and code with breaks, without empty lines, with its language."""
    for node in root.css("code:has(br)"):
        node.attrs["class"] = f"{node.attributes.get('class') or ''} broken"
    for node in root.css("pre br, code br"):
        node.replace_with("\n")
    for node in root.css("pre div, pre p"):
        node.insert_before("\n")
    for node in root.css("pre, code.broken, code[class*='lang']"):
        inner = node.tag == "code" and any(parent.tag == "pre" for parent in _above(node))
        text = node.text().replace("\xa0", " ").strip()
        if text and not inner and (node.tag == "pre" or "\n" in text):
            lines = tuple(line.rstrip() for line in text.split("\n") if line.strip())
            bags["code"][lines] += 1
            if name := _language(node):
                bags["code language"][lines, name] += 1


def _definitions(root: Any) -> frozenset[str]:
    """Return the texts of the groups of definition lists: terms, then definitions."""
    texts = set()
    for one in root.css("dl"):
        group: list[str] = []
        before = ""
        for node in one.css("dt, dd"):
            if next(_above(node)).mem_id != one.mem_id and next(_above(node)).tag != "div":
                continue
            if node.tag == "dt" and before == "dd":
                texts.add("".join(group))
                group = []
            group.append(squeezed(_TEX.sub(" ", node.text())))
            before = node.tag
        texts.add("".join(group))
    return frozenset(texts)


def _read_addresses(root: Any, bags: dict[str, Counter[Any]], url: str) -> None:
    """Read links that lead away with their text, and images by the name of their file.

    A file that is shown again (a tick, a star) is no further image.
    """
    for node in root.css("a[href]"):
        text, address = squeezed(node.text()), _address(node.attributes["href"], url)
        if text and address.startswith("http") and address != url.partition("#")[0]:
            bags["link"][address, text] += 1
    for node in root.css("img"):
        given = next(filter(None, (node.attributes.get(name) for name in _SOURCES)), "")
        address = _address(given.split()[0], url) if given.strip() else ""
        name = urlsplit(address).path.rpartition("/")[2] if address.startswith("http") else ""
        if name:
            bags["image"][name] = 1


def _above(node: Any) -> Iterator[Any]:
    while (node := node.parent) is not None:
        yield node


def _address(raw: str | None, url: str) -> str:
    try:
        return urljoin(url, (raw or "").strip()).partition("#")[0]
    except ValueError:
        return raw or ""


def _language(node: Any) -> str:
    for one in [node, *node.css("code"), *list(_above(node))[:2]]:
        found = _LANGUAGE.search(one.attributes.get("class") or "")
        if found:
            return found[1].lower()
    return ""


def _formulas(root: Any) -> list[str]:
    """Return bare TeX: annotations, MathJax scripts, delimiters in text, images of formulas."""
    found = []
    for node in root.css("annotation, script[type^='math/tex']"):
        kind = node.attributes.get("encoding") or node.attributes.get("type") or ""
        if "tex" in kind.lower():
            found.append(node.text())
    for node in root.css("annotation, script"):
        node.decompose()
    copy = LexborHTMLParser(root.html).body
    for node in copy.css("pre, code") if copy else []:
        node.decompose()
    matches = _TEX.finditer(copy.text() if copy else "")
    found += [next(filter(None, match.groups()), "") for match in matches]
    for node in root.css("img[src]"):
        address = node.attributes["src"] or ""
        if _TEX_IMAGE.search(address):
            found.append(node.attributes.get("alt") or unquote(address.partition("?")[2]))
            node.decompose()
    return [_UNSAID.sub("", tex) for tex in found if tex.strip()]


def _table(table: Any) -> list[Lines]:
    """Return a data table's lines twice: as written, and with a cell in each place it spans.

    Nothing is returned of layout tables, nor of those with a table in them.
    """
    if table.css("td table, th table"):
        return []
    written: Lines = []
    spanned: Lines = []
    below: dict[int, tuple[int, str]] = {}
    for line in table.css("tr"):
        own = line.css("td, th")
        texts = [_cell_text(cell) for cell in own]
        places: list[str] = []
        for cell, text in zip(own, texts, strict=True):
            _fill(places, below)
            for _ in range(_span(cell, "colspan")):
                if _span(cell, "rowspan") > 1:
                    below[len(places)] = (_span(cell, "rowspan"), text)
                places.append(text)
        _fill(places, below)
        below = {at: (count - 1, text) for at, (count, text) in below.items() if count > 1}
        written.append(texts)
        spanned.append(places)
    full = [sum(map(bool, line)) for line in written]
    is_data = sum(count > 1 for count in full) > 1 or bool(table.css("th"))
    is_data = is_data and max(full, default=0) > 1 and sum(map(len, spanned)) <= _MOST_CELLS
    return [_trimmed(written), _trimmed(spanned)] if is_data else []


def _cell_text(cell: Any) -> str:
    return " ".join(_TEX.sub(" ", cell.text(separator=" ")).split())


def _fill(places: list[str], below: dict[int, tuple[int, str]]) -> None:
    while len(places) in below:
        places.append(below[len(places)][1])


def _span(cell: Any, name: str) -> int:
    value = cell.attributes.get(name) or ""
    return min(max(int(value), 1), 20) if value.isdecimal() else 1


def _trimmed(lines: Lines) -> Lines:
    """Return lines without empty ones and without empty cells at their ends, which GFM may need."""
    out = []
    for line in lines:
        end = len(line)
        while end and not line[end - 1]:
            end -= 1
        if end:
            out.append(line[:end])
    return out


class _Costs(Config):  # type: ignore[misc]
    def rename(self, one: Any, other: Any) -> float:
        if one.name[:1] != other.name[:1]:
            return 1.0
        return 1 - Levenshtein.normalized_similarity(one.name, other.name)


def teds(one: Lines, other: Lines) -> float:
    """Return 1 − edit distance / size of the larger table, in 0..1."""
    trees = [_tree(lines) for lines in (one, other)]
    size = max(1 + len(lines) + sum(map(len, lines)) for lines in (one, other))
    return float(1 - APTED(*trees, _Costs()).compute_edit_distance() / size)


def _tree(lines: Lines) -> Any:
    return Tree("t", *(Tree("r", *(Tree(f"c{squeezed(text)}") for text in line)) for line in lines))


def table_score(gold: list[list[Lines]], found: list[list[Lines]]) -> list[float]:
    """Return TEDS of each gold table with the found one that fits it best; 0 where none is left.

    A format without spans may write a spanning cell once or in each place: the better counts.
    """
    pairs = [
        (max(teds(form, found[b][0]) for form in gold[a]), a, b)
        for a, b in product(range(len(gold)), range(len(found)))
    ]
    scores = [0.0] * len(gold)
    left, used = set(range(len(gold))), set[int]()
    for score, a, b in sorted(pairs, reverse=True):
        if a in left and b not in used:
            scores[a] = score
            left.discard(a)
            used.add(b)
    return scores


def text_score(gold: list[str], found: list[str]) -> float:
    """Return Levenshtein's similarity of two lists of words, in 0..1."""
    return float(Levenshtein.normalized_similarity(gold, found))


def comparable(gold: Structure, found: Structure) -> Structure:
    """Return what was found without that of which the gold says nothing.

    That is the languages of code of which the gold names none (a gold made by another tool has lost
    them with its classes); list items that are groups of the gold's definition lists, which
    CommonMark has no form for: a list of them is as good as paragraphs; as many more formulas as
    the gold has MathML without TeX. A heading of level 1 is right where the gold has it on level 2
    and nothing on level 1, for Readability makes it so.
    """
    named = {lines for lines, _ in gold.bags["code language"]}
    unnamed = gold.bags["code"].keys() - named
    codes, items = found.bags["code language"], found.bags["item"]
    codes = Counter({item: n for item, n in codes.items() if item[0] not in unnamed})
    items = Counter({item: n for item, n in items.items() if item[2] not in gold.definitions})
    headings = _as_in(gold.bags["heading"], found.bags["heading"])
    formulas = found.bags["formula"].copy()
    more = (formulas - gold.bags["formula"]).elements()
    formulas.subtract(Counter(islice(more, gold.untold)))
    bags = {"code language": codes, "item": items, "heading": headings, "formula": +formulas}
    return replace(found, bags=found.bags | bags)


def _as_in(gold: Counter[Any], found: Counter[Any]) -> Counter[Any]:
    if any(level == "h1" for level, _ in gold):
        return found
    lowered: Counter[Any] = Counter()
    for (level, text), count in found.items():
        lowered["h2" if ("h2", text) in gold and level == "h1" else level, text] += count
    return lowered


def bag_counts(gold: Counter[Any], found: Counter[Any]) -> tuple[int, int, int]:
    """Return how many items are right, wanted and found."""
    return (gold & found).total(), gold.total(), found.total()


def f1(counts: Iterable[tuple[int, int, int]]) -> tuple[float, float, float, int]:
    """Return precision, recall, F1 over all pages, and how many items were wanted."""
    right, wanted, found = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = right / found if found else 1.0, right / wanted if wanted else 1.0
    mean = 2 * precision * recall / (precision + recall) if right else 0.0
    return precision, recall, mean, wanted


_MOST = 0.9
"""Share of the gold's characters that the element around them holds: a note may stand outside."""
_CAPTION = 300
"""Characters that a part with images may have: captions and credits."""


def gold_part(html: bytes, gold_text: str) -> str:
    """Return the HTML of the blocks that the gold has, and of their images; "" where none is."""
    page = chaffinch.parse(html)
    blocks = text_blocks(page)
    if not len(blocks):
        return ""
    wanted = label_blocks(blocks, gold_text).share > 1 / 2
    keep = blocks.spread(wanted) | _images(page, blocks, wanted)
    verdict = replace(Verdict.empty(len(page)), keep=keep, judges_images=True)
    return chaffinch.Extract(Content(page, verdict), "").clean()


def _images(page: Page, blocks: TextBlocks, wanted: Mask) -> Mask:
    """Return bool[n]: images in the element around the gold, apart from other text."""
    mask = np.zeros(len(page), dtype=bool)
    if not wanted.any():
        return mask
    gold = page.total(page.own_length * blocks.spread(wanted))
    around = np.flatnonzero(gold >= _MOST * gold[0])[-1]
    linked = np.where(page.inside(page.is_tag("figure")), 0, page.link_length)
    for row in np.flatnonzero(tags.VOID[page.tag] & page.shown).tolist():
        part = row
        while part != around and not gold[page.parent[part]] and page.parent[part] > 0:
            part = int(page.parent[part])
        mask[row] = around < row < page.end[around] and not linked[part]
        mask[row] &= page.length[part] <= _CAPTION
    return mask


System = Callable[[bytes, str], str]


_READER = MarkdownIt("commonmark", {"maxNesting": 500}).enable(["table", "strikethrough"])
_NO_URL = "http://fakehost/test/page.html"
_TABLES = 6  # of a page that are compared; the distance of trees takes its time


@dataclass
class GoldPage:
    """A page with its gold: the HTML of the container."""

    html: bytes
    url: str
    gold: str


_ASKED = Policy(notes=True, tables=True, captions=True)
_weights: dict[int, str] = {}
"""Of each page, by checksum, the weights that have not seen its domain; see --folds."""


def _ours(html: bytes, url: str, policy: Policy | None = None) -> str:
    settings = {"policy": policy or Policy(), "weights": _weights.get(crc32(html))}
    return chaffinch.extract(html, url=url, settings=settings).markdown()


def hold_out(corpus: str, folds: Path) -> None:
    """Have each page of a corpus read with the weights of the fold that has not seen its domain."""
    module = importlib.import_module("training.held_out")
    count = len(list(folds.glob("fold*.npz")))
    for page in read_corpus(corpus):
        fold = module.fold_of(module.registrable(page), count)
        _weights[crc32(page.html)] = str(folds / f"fold{fold}.npz")


def _ours_all(html: bytes, url: str) -> str:
    page = chaffinch.parse(html, url=url)
    every = np.ones(len(page), dtype=bool)
    verdict = replace(Verdict.empty(len(page)), keep=every, judges_images=True)
    return chaffinch.Extract(Content(page, verdict), "all").markdown()


def _trafilatura() -> System:
    module = importlib.import_module("trafilatura")
    kept = {"include_links": True, "include_images": True, "include_formatting": True}
    return lambda html, url: (
        module.extract(html, url=url, output_format="markdown", include_comments=False, **kept)
        or ""
    )


def _summary(html: bytes, url: str) -> str:
    document = importlib.import_module("readability").Document
    return str(document(decode(html).text, url=url).summary(html_partial=True))


def _markdownify() -> System:
    module = importlib.import_module("markdownify")
    return lambda html, _: module.markdownify(decode(html).text, heading_style="ATX")


def _html_to_markdown() -> System:
    module = importlib.import_module("html_to_markdown")
    return lambda html, _: (
        module.convert(decode(html).text, module.ConversionOptions(extract_metadata=False)).content
        or ""
    )


def _after_readability(make: Callable[[], System]) -> System:
    convert = make()
    importlib.import_module("readability")
    return lambda html, url: convert(_summary(html, url).encode(), url)


EXTRACTORS: dict[str, Callable[[], System]] = {
    "chaffinch": lambda: _ours,
    "chaffinch, notes, tables, captions": lambda: partial(_ours, policy=_ASKED),
    "trafilatura": _trafilatura,
    "readability-lxml, markdownify": lambda: _after_readability(_markdownify),
    "readability-lxml, html-to-markdown": lambda: _after_readability(_html_to_markdown),
}
RENDERERS: dict[str, Callable[[], System]] = {
    "chaffinch": lambda: _ours_all,
    "markdownify": _markdownify,
    "html-to-markdown": _html_to_markdown,
}


def read(name: str, limit: int | None) -> Iterator[GoldPage]:
    """Yield the pages of a corpus, or of the example site, with gold HTML."""
    if name == "site":
        rows = importlib.import_module("site_maker").pages()[:limit]
        given: list[tuple[bytes, str | None, str | None, str | None]] = [
            (r["html"].encode("latin-1"), r["url"], None, r["gold_text"]) for r in rows
        ]
    else:
        given = [(p.html, p.url, p.gold_html, p.gold_text) for p in read_corpus(name, limit=limit)]
    for html, url, gold_html, gold_text in given:
        if gold_html or gold_text:
            yield GoldPage(html, url or _NO_URL, gold_html or gold_part(html, gold_text or ""))


def measure(
    pages: list[GoldPage], systems: dict[str, System], *, in_container: bool
) -> dict[str, Any]:
    """Return name → measure → figures of all pages."""
    figures: dict[str, Any] = {name: defaultdict(list) for name in systems}
    for page in pages:
        gold = structure(page.gold, url=page.url)
        for name, system in systems.items():
            begin = time.process_time()
            try:
                markdown = system(page.gold.encode() if in_container else page.html, page.url)
            except Exception as error:  # noqa: BLE001  a baseline that fails on a page gets nothing for it
                print(f"{name}: {type(error).__name__}: {error}"[:120], file=sys.stderr)
                markdown = ""
            own = figures[name]
            own["seconds"].append(time.process_time() - begin)
            found = comparable(gold, structure(_READER.render(markdown), url=page.url))
            own["text"].append(text_score(gold.words, found.words))
            for bag in BAGS:
                own[bag].append(bag_counts(gold.bags[bag], found.bags[bag]))
            own["table"] += table_score(gold.tables[:_TABLES], found.tables[: 2 * _TABLES])
    return figures


def report(figures: dict[str, Any], count: int) -> str:
    """Return the figures as a Markdown table: text and tables 0..1, the rest F1 (P/R)."""
    heads = ["system", "text", "TEDS", *BAGS, "ms"]
    lines = [f"{count} pages", "", f"| {' | '.join(heads)} |", "|" + " --- |" * len(heads)]
    for name, own in figures.items():
        cells = [name, f"{np.mean(own['text']):.3f}"]
        cells.append(f"{np.mean(own['table']):.3f}" if own["table"] else "–")
        for bag in BAGS:
            precision, recall, mean, count = f1(own[bag])
            cells.append(f"{mean:.3f} ({precision:.2f}/{recall:.2f})" if count else "–")
        cells.append(f"{np.median(own['seconds']) * 1000:.1f}")
        lines.append(f"| {' | '.join(cells)} |")
    first = next(iter(figures.values()))
    wanted = ", ".join(f"{f1(first[bag])[3]} {bag}" for bag in BAGS)
    return "\n".join([*lines, "", f"Wanted: {wanted}; {len(first['table'])} tables."])


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", help="a corpus, sites/NAME, or site: the example site")
    parser.add_argument("--limit", type=int, help="so many pages, drawn with a seed")
    parser.add_argument("--container", action="store_true", help="rendering alone")
    parser.add_argument("--folds", type=Path, help="weights by fold, for a corpus trained on")
    given = parser.parse_args()
    if given.folds:
        hold_out(given.corpus, given.folds)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    systems = {}
    for name, make in (RENDERERS if given.container else EXTRACTORS).items():
        try:
            systems[name] = make()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    pages = list(read(given.corpus, given.limit))
    print(report(measure(pages, systems, in_container=given.container), len(pages)))


if __name__ == "__main__":
    main()
