"""What the content holds beside its text, listed: blocks of code, formulas, images, embeds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np

from chaffinch.caching import kept_with_page
from chaffinch.elements import WORDS
from chaffinch.elements.formulas import left_in_text
from chaffinch.elements.image_sources import (
    SUFFIX,
    ImageSource,
    image_elements,
    image_size,
    is_placeholder,
    larger_version,
)
from chaffinch.elements.images import MOST_IMAGES, ImageRules, caption_of
from chaffinch.elements.shown_content import shown_content
from chaffinch.kernels.arrays import Mask
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.urls import FETCHED
from chaffinch.page_work import checked
from chaffinch.verdict import Content

# Blocks of code of the content: exact text, language, row.


@dataclass(frozen=True)
class CodeBlock:
    """A block of code, or of other preformatted text.

    Attributes:
        text: exact, without line numbers, copy buttons and empty lines at its ends.
        language: in lower case as the page names it; "" if unknown.
        row: its row on the page.
    """

    text: str
    language: str
    row: int


def code_blocks(content: Content) -> list[CodeBlock]:
    shown = shown_content(content)
    blocks = (row for row in checked(shown.code.blocks, every=16) if shown.rows[row])
    found = (CodeBlock(*shown.code_block(row), row) for row in blocks)
    return [one for one in found if one.text]


# Formulas of the content, as the TeX that the page carries, or as converted from its MathML.


@dataclass(frozen=True)
class Formula:
    """A formula.

    Attributes:
        tex: its TeX, without delimiters.
        display: whether it stands on a line of its own.
        kind: where the TeX came from: "mathml" (carried by it), "converted" (made from it),
            "mathjax" (a script), "data" (an attribute), "image" (alternative text or address) or
            "text" (delimiters left to a script).
        row: its row on the page.
    """

    tex: str
    display: bool
    kind: str
    row: int


def formulas(content: Content) -> list[Formula]:
    """Return the formulas that are kept, in the order of the page, each once."""
    page, shown = content.page, shown_content(content)
    found = [Formula(f.tex, f.display, f.kind, f.row) for f in shown.formulas.values()]
    outside = ~page.inside(tags.PREFORMATTED[page.tag] | page.is_tag("code", "kbd", "samp"))
    texts = (shown.kept & outside & (page.tag == tags.TEXT) & page.written).nonzero()[0]
    for row in checked(texts.tolist(), every=64):
        raw = page.text[page.text_at[row] : page.text_at[row + 1]]
        for _, _, tex, display in left_in_text(raw):
            found.append(Formula(tex, display, "text", row))
    return sorted(found, key=lambda one: one.row)


# The images that belong to the content, in document order, with caption, credit and size.
#
# What an image is: img, amp-img, the poster of a video, the background of a box without text that
# is named as a figure. Which of them is content: `chaffinch.elements.images`.

_BACKGROUND: Final = re.compile(
    r"background(?:-image)?\s*+:(?>[^;]{0,300}?url\()\s*+"
    r"(?:\"([^\"\n]++)\"|'([^'\n]++)'|([^()\s\"']++))\s*+\)",
    re.IGNORECASE,
)
_WITH_ADDRESS: Final = Search("style", "url(")
_BACKGROUNDS: Final = (
    "data-background-image", "data-background", "data-bg", "data-bgset", "data-src",
)  # fmt: skip
_FIGURE: Final = re.compile(
    r"figure|\bimg\b|image|photo|picture|hero|poster|cover|lead|media", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the content.

    Attributes:
        url: absolute address; relative where the page's own address isn't known.
        row: where it stands.
        width: pixels; None where neither the page nor the file's name gives it.
        height: pixels or None, likewise.
        alt: alternative text; "" if there is none.
        caption: text under it; "" if there is none.
        credit: who made it or owns it, as far as caption or markup name it; "" if they don't.
        link: its own larger version: where a link around it or ``srcset`` leads; "" if nowhere.
        source: the attribute that gave the address, such as "src", "data-original" or "style".
    """

    url: str
    row: int
    width: int | None
    height: int | None
    alt: str
    caption: str
    credit: str
    link: str
    source: str


def images(content: Content) -> list[Image]:
    """Return the images that belong to ``content``, in document order.

    An image that stands several times is listed once. Where nothing is kept there are none.
    """
    if not content.verdict.keep.any():
        return []
    page, shown, rules = content.page, shown_content(content), ImageRules(content)
    out: dict[str, Image] = {}
    for row, found in sorted({**_others(page, rules), **shown.images}.items()):
        if found.url not in out:
            out[found.url] = _image(page, rules, row, found)
    return list(out.values())


@kept_with_page
def pictures(page: Page) -> Mask:
    """Return bool[n]: images and videos, whether they are shown or not."""
    return image_elements(page) | page.is_tag("video")


def _others(page: Page, rules: ImageRules) -> dict[int, ImageSource]:
    """Return row → source of posters of videos and of backgrounds."""
    rows = set(_WITH_ADDRESS.rows(page))
    rows.update(row for name in _BACKGROUNDS for row, _ in page.having(name))
    shown = pictures(page)
    rows = {row for row in rows if not shown[row]}
    rows.update(page.is_tag("video").nonzero()[0].tolist())
    if not rows:
        return {}
    found = np.array(sorted(rows)[:MOST_IMAGES], dtype=np.intp)
    found = found[page.shown[found]]
    out = {}
    for row in rules.in_content(found):
        source = (_poster if page.name(row) == "video" else _background)(page, row)
        if source is not None and rules.belongs(row, source):
            out[row] = source
    return out


def _image(page: Page, rules: ImageRules, row: int, source: ImageSource) -> Image:
    pairs, link, larger = page.attributes(row), rules.link_around(row), larger_version(page, source)
    width, height = image_size(page, row, source.url)
    caption, credit = caption_of(page, row, pictures(page))
    alt = " ".join((pairs.get("alt") or pairs.get("aria-label") or "").split())
    if link >= 0 and rules.is_own(link, source.url, (width, height)):
        href = page.addresses.find(page.attribute(link, "href"), FETCHED)
        if SUFFIX.search(href):
            larger = href if href != source.url else ""
    return Image(source.url, row, width, height, alt, caption, credit, larger, source.attribute)


def _background(page: Page, row: int) -> ImageSource | None:
    """Return the background of a box that is a figure: named so or in one, and without text."""
    pairs = page.attributes(row)
    style = pairs.get("style") or ""
    names = f"{pairs.get('class') or ''} {pairs.get('role') or ''} {page.name(row)}"
    names += f" {page.name(page.parent.item(row))}"
    has_text = page.length[row] and page.name(row) != "figure"  # whose text is a caption
    if has_text or "background-position" in style.lower():
        return None
    if not _FIGURE.search(names) or pictures(page)[row + 1 : int(page.end[row])].any():
        return None
    found = _BACKGROUND.search(style)
    values = [("style", found[found.lastindex or 0])] if found else []
    values += [(name, value) for name in _BACKGROUNDS if (value := pairs.get(name))]
    for name, value in values:
        url = page.addresses.find("".join(value.split()[:1]), FETCHED)
        if SUFFIX.search(url) and not is_placeholder(url):
            return ImageSource(url, name)
    return None


def _poster(page: Page, row: int) -> ImageSource | None:
    pairs = page.attributes(row)
    for name in ("poster", "data-poster"):
        url = page.addresses.find(pairs.get(name), FETCHED)
        if url and not is_placeholder(url):
            return ImageSource(url, name)
    return None


# Videos, sounds and frames of the content: what a page plays or embeds from elsewhere.
#
# Elements are video, audio, iframe, embed and object that stand in the content, by the rule for
# images (`chaffinch.elements.images`). A frame is a video or a sound where the page
# declares one at its address (JSON-LD ``VideoObject`` and ``AudioObject``, ``og:video``,
# ``og:audio``), where its type is one, or where it may go full screen. One that is declared alone,
# as of a player that a script builds, is listed where it is the only one of its kind, or belongs to
# the article.

MOST_EMBEDS: Final = 500  # embeds of a page that are considered, and as many that it declares
_SMALL: Final = 50  # pixels of both sides below which a frame counts visits and shows nothing
_ELEMENTS: Final = ("video", "audio", "iframe", "embed", "object")
_ADDRESSES: Final = ("src", "data", "data-src", "data-lazy-src", "data-original", "data-url")
_KINDS: Final = {"VideoObject": "video", "AudioObject": "audio", "Clip": "video"}
_METAS: Final[dict[str, str]] = WORDS["metas of what is played"]
_PLAYERS: Final = ("picture-in-picture", "encrypted-media", "autoplay", "fullscreen")


@dataclass(frozen=True, slots=True)
class Embed:
    """A video, a sound or a frame of the content.

    Attributes:
        kind: "video", "audio", or "frame" for what is neither as far as the page declares.
        url: absolute address of what is played or embedded.
        row: where it stands; of one that is only declared, the row that declares it.
        title: its title, as the element or the declaration names it; "" for none.
        poster: absolute address of a picture of it; "" for none.
        width: pixels; None where it isn't given.
        height: pixels or None, likewise.
        duration: ISO 8601, as declared, such as ``PT3M20S``; "" for unknown.
        source: the element or the declaration that gave the address, such as ``iframe:src``.
    """

    kind: str
    url: str
    row: int
    title: str
    poster: str
    width: int | None
    height: int | None
    duration: str
    source: str


def embeds(content: Content) -> list[Embed]:
    """Return the embeds that belong to ``content``, those on the page first, in document order.

    One that stands several times is listed once. Where nothing is kept there are none.
    """
    if not content.verdict.keep.any():
        return []
    page, rules = content.page, ImageRules(content)
    declared = list(islice(_declared(page), MOST_EMBEDS))
    by_url = {_bare(url): one for one, urls, _ in declared for url in urls}
    rows = (page.is_tag(*_ELEMENTS) & page.shown).nonzero()[0][:MOST_EMBEDS]
    out: dict[str, Embed] = {}
    for row in rules.in_content(rows, captions=False):
        if (found := _element(page, row, by_url)) is not None:
            out.setdefault(_bare(found.url), found)
    shown = {id(by_url[key]) for key in out if key in by_url}
    counts = Counter(one.kind for one, _, _ in declared)
    for one, _, of_article in declared:
        if id(one) not in shown and (of_article or counts[one.kind] == 1):
            out.setdefault(_bare(one.url), one)
    return list(out.values())


def _element(page: Page, row: int, declared: dict[str, Embed]) -> Embed | None:
    """Return what an element embeds; None where it has no address or is too small to be seen."""
    pairs = page.attributes(row)
    url, source = _address(page, row)
    width, height = image_size(page, row, "")
    if not url or max(width or _SMALL, height or _SMALL) < _SMALL:
        return None
    own = Embed(
        kind=_kind(page, row),
        url=url,
        row=row,
        title=" ".join((pairs.get("title") or pairs.get("aria-label") or "").split()),
        poster=page.addresses.find(pairs.get("poster"), FETCHED),
        width=width,
        height=height,
        duration="",
        source=source,
    )
    if (known := declared.get(_bare(url))) is None:
        return own
    title, poster = known.title or own.title, own.poster or known.poster
    return replace(own, kind=known.kind, title=title, poster=poster, duration=known.duration)


def _address(page: Page, row: int) -> tuple[str, str]:
    """Return the address of an element, or of its first source, and what gave it; "" for none."""
    inner = [at for at in page.children(row) if page.name(at) == "source"][:1]
    for at in (row, *inner):
        pairs = page.attributes(at)
        for name in _ADDRESSES:
            if url := page.addresses.find(pairs.get(name), FETCHED):
                return url, f"{page.name(at)}:{name}"
    return "", ""


def _kind(page: Page, row: int) -> str:
    name, pairs = page.name(row), page.attributes(row)
    if name in {"video", "audio"}:
        return name
    kind = (pairs.get("type") or "").partition("/")[0].strip().lower()
    if kind in {"video", "audio"}:
        return kind
    allowed = (pairs.get("allow") or "").lower()
    is_player = "allowfullscreen" in pairs or any(one in allowed for one in _PLAYERS)
    return "video" if is_player else "frame"


def _declared(page: Page) -> Iterator[tuple[Embed, tuple[str, ...], bool]]:
    """Yield what JSON-LD and metas declare to be played.

    With all addresses that it is known by, the first its own, and whether it is the article's.
    """
    for row, node in page.head.json_ld:
        yield from _of_node(page, row, node, of_article=False)
        for name in ("video", "audio"):
            inner = node.get(name)
            for one in inner if isinstance(inner, list) else [inner]:
                if isinstance(one, dict):
                    yield from _of_node(page, row, one, of_article=True)
    urls: dict[str, tuple[list[str], int, str]] = {}
    known = page.head.meta
    metas = [(row, name, text) for name in _METAS if name in known for row, text in known[name]]
    for row, name, value in sorted(metas):
        if url := page.addresses.find(value, FETCHED):
            urls.setdefault(_METAS[name], ([], row, name))[0].append(url)
    for kind, (found, row, name) in urls.items():
        one = Embed(kind, found[0], row, "", "", None, None, "", f"meta:{name}")
        yield one, tuple(found), False


def _of_node(
    page: Page, row: int, node: dict[str, Any], *, of_article: bool
) -> Iterator[tuple[Embed, tuple[str, ...], bool]]:
    types = node.get("@type")
    kinds = [_KINDS[one] for one in (types if isinstance(types, list) else [types])
             if isinstance(one, str) and one in _KINDS]  # fmt: skip
    named = (_text(node.get(name)) for name in ("embedUrl", "contentUrl", "url"))
    urls = tuple(url for one in named if (url := page.addresses.find(one, FETCHED)))
    if kinds and urls:
        poster = page.addresses.find(_text(node.get("thumbnailUrl")), FETCHED)
        title, duration = _text(node.get("name")), _text(node.get("duration"))
        source = f"json-ld:{types if isinstance(types, str) else kinds[0]}"
        one = Embed(kinds[0], urls[0], row, title, poster, None, None, duration, source)
        yield one, urls, of_article


def _text(value: Any) -> str:
    one = value[0] if isinstance(value, list) and value else value
    return " ".join(one.split()) if isinstance(one, str) else ""


def _bare(url: str) -> str:
    """Return the key by which addresses are compared: no scheme, no query."""
    return url.partition("//")[2].partition("?")[0].rstrip("/") or url
