"""Videos, sounds and frames of the content: what a page plays or embeds from elsewhere.

Elements are video, audio, iframe, embed and object that stand in the content, by the rule for
images (`chaffinch.elements.images.content_rules`). A frame is a video or a sound where the page
declares one at its address (JSON-LD ``VideoObject`` and ``AudioObject``, ``og:video``,
``og:audio``), where its type is one, or where it may go full screen. One that is declared alone,
as of a player that a script builds, is listed where it is the only one of its kind, or belongs to
the article.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.elements.images.content_rules import ImageRules
from chaffinch.elements.images.sizes import image_size
from chaffinch.page.urls import FETCHED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.result import Content

MOST_EMBEDS: Final = 500
"""Embeds of a page that are considered, and as many that it declares."""
_SMALL: Final = 50
"""Pixels of both sides below which a frame counts visits and shows nothing."""
_ELEMENTS: Final = ("video", "audio", "iframe", "embed", "object")
_ADDRESSES: Final = ("src", "data", "data-src", "data-lazy-src", "data-original", "data-url")
_KINDS: Final = {"VideoObject": "video", "AudioObject": "audio", "Clip": "video"}
_METAS: Final = {
    "og:video": "video", "og:video:url": "video", "og:video:secure_url": "video",
    "twitter:player": "video", "og:audio": "audio", "og:audio:url": "audio",
}  # fmt: skip
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


@dataclass(frozen=True, slots=True)
class _Declared:
    """What the page declares to play: addresses it is known by, the first its own."""

    kind: str
    urls: tuple[str, ...]
    row: int
    title: str
    poster: str
    duration: str
    source: str
    of_article: bool


def embeds(content: Content) -> list[Embed]:
    """Return the embeds that belong to ``content``, those on the page first, in document order.

    One that stands several times is listed once. Where nothing is kept there are none.
    """
    if not content.verdict.keep.any():
        return []
    page, rules = content.page, ImageRules(content)
    declared = list(islice(_declared(page), MOST_EMBEDS))
    by_url = {_bare(url): one for one in declared for url in one.urls}
    rows = np.flatnonzero(page.is_tag(*_ELEMENTS) & page.shown)[:MOST_EMBEDS]
    out: dict[str, Embed] = {}
    rows = rows[~rules.hidden[rows]]
    for row in rules.in_content(rows, captions=False):
        if (found := _element(page, row, by_url)) is not None:
            out.setdefault(_bare(found.url), found)
    shown = {id(by_url[key]) for key in out if key in by_url}
    counts = Counter(one.kind for one in declared)
    for one in declared:
        if id(one) not in shown and (one.of_article or counts[one.kind] == 1):
            made = Embed(one.kind, one.urls[0], one.row, one.title, one.poster, None, None,
                         one.duration, one.source)  # fmt: skip
            out.setdefault(_bare(made.url), made)
    return list(out.values())


def _element(page: Page, row: int, declared: dict[str, _Declared]) -> Embed | None:
    """Return what an element embeds; None where it has no address or is too small to be seen."""
    pairs = page.attributes(row)
    url, source = _address(page, row)
    width, height = image_size(page, row, "")
    if not url or max(width or _SMALL, height or _SMALL) < _SMALL:
        return None
    known = declared.get(_bare(url))
    title = " ".join((pairs.get("title") or pairs.get("aria-label") or "").split())
    return Embed(
        kind=known.kind if known is not None else _kind(page, row),
        url=url,
        row=row,
        title=(known.title if known is not None else "") or title,
        poster=page.addresses.find(pairs.get("poster"), FETCHED)
        or (known.poster if known is not None else ""),
        width=width,
        height=height,
        duration=known.duration if known is not None else "",
        source=source,
    )


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


def _declared(page: Page) -> Iterator[_Declared]:
    """Yield what JSON-LD and metas declare to be played."""
    for row, node in page.head.json_ld:
        yield from _of_node(page, row, node, of_article=False)
        for name in ("video", "audio"):
            inner = node.get(name)
            for one in inner if isinstance(inner, list) else [inner]:
                if isinstance(one, dict):
                    yield from _of_node(page, row, one, of_article=True)
    urls: dict[str, tuple[list[str], int, str]] = {}
    for row, name, value in page.head.meta:
        if name in _METAS and (url := page.addresses.find(value, FETCHED)):
            urls.setdefault(_METAS[name], ([], row, name))[0].append(url)
    for kind, (found, row, name) in urls.items():
        yield _Declared(kind, tuple(found), row, "", "", "", f"meta:{name}", of_article=False)


def _of_node(
    page: Page, row: int, node: dict[str, Any], *, of_article: bool
) -> Iterator[_Declared]:
    types = node.get("@type")
    kinds = [_KINDS[one] for one in (types if isinstance(types, list) else [types])
             if isinstance(one, str) and one in _KINDS]  # fmt: skip
    named = (_text(node.get(name)) for name in ("embedUrl", "contentUrl", "url"))
    urls = tuple(url for one in named if (url := page.addresses.find(one, FETCHED)))
    if kinds and urls:
        poster = page.addresses.find(_text(node.get("thumbnailUrl")), FETCHED)
        title, duration = _text(node.get("name")), _text(node.get("duration"))
        source = f"json-ld:{types if isinstance(types, str) else kinds[0]}"
        yield _Declared(kinds[0], urls, row, title, poster, duration, source, of_article)


def _text(value: Any) -> str:
    one = value[0] if isinstance(value, list) and value else value
    return " ".join(one.split()) if isinstance(one, str) else ""


def _bare(url: str) -> str:
    """Return the key by which addresses are compared: no scheme, no query."""
    return url.partition("//")[2].partition("?")[0].rstrip("/") or url
