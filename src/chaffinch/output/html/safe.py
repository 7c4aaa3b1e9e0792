"""What clean HTML may hold: elements, attributes, addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch.elements.image_sources import is_template
from chaffinch.page import tags
from chaffinch.page.urls import FETCHED, LINKS, candidates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chaffinch.elements.image_sources import ImageSources
    from chaffinch.output.options import OutputOptions
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

SAME: Final = frozenset(
    "article section nav aside h1 h2 h3 h4 h5 h6 hgroup header footer address main p hr pre"
    " blockquote ol ul menu li dl dt dd figure figcaption div a em strong small s cite q dfn abbr"
    " ruby rb rt rtc rp data time code var samp kbd sub sup i b u mark bdi bdo br wbr ins del img"
    " table caption tbody thead tfoot tr td th details summary".split()
)
"""Elements that are written as they are."""

_BOXES: Final = (
    "form fieldset legend center dialog search multicol marquee optgroup option select textarea"
    " isindex video audio canvas".split()
)

RENAMED: Final = {
    **dict.fromkeys("xmp plaintext listing".split(), "pre"),
    **dict.fromkeys(_BOXES, "div"),
    **dict.fromkeys("acronym".split(), "abbr"),
    **dict.fromkeys("strike".split(), "s"),
    **dict.fromkeys("tt".split(), "code"),
    **dict.fromkeys("dir".split(), "ul"),
    **dict.fromkeys("image".split(), "img"),
}
"""Elements that are written under another name; all others only as what they hold."""

NAME_OF: Final[dict[int, str]] = {
    tags.CODES[name]: new for name, new in [*zip(SAME, SAME, strict=True), *RENAMED.items()]
}
"""Code of each tag that is written → its name."""

_LINKS: Final = frozenset(["a"])
_TABLES: Final = frozenset("table tbody thead tfoot tr".split())
_CELLS: Final = frozenset("caption td th".split())
_EMPHASIS: Final = frozenset("b strong i em s del u mark".split())


def names(options: OutputOptions) -> Mapping[int, str]:
    """Return the code of each tag that is written with these options → its name."""
    dropped = (
        (frozenset() if options.links else _LINKS)
        | (frozenset() if options.tables else _TABLES)
        | (frozenset() if options.emphasis else _EMPHASIS)
    )
    if not dropped:
        return NAME_OF
    boxed = frozenset() if options.tables else _CELLS
    return {
        tag: "div" if name in boxed else name
        for tag, name in NAME_OF.items()
        if name not in dropped
    }


_EVERYWHERE: Final = ("title", "lang", "dir")
_OWN: Final[dict[str, tuple[str, ...]]] = {
    "img": ("alt", "width", "height"),
    "td": ("colspan", "rowspan", "headers"),
    "th": ("colspan", "rowspan", "headers", "scope"),
    "ol": ("start", "reversed", "type"),
    "li": ("value",),
    "time": ("datetime",),
    "ins": ("datetime",),
    "del": ("datetime",),
    "data": ("value",),
    "details": ("open",),
}
_SPANS: Final = frozenset(["colspan", "rowspan"])
_ADDRESSES: Final[dict[str, tuple[tuple[str, frozenset[str]], ...]]] = {
    "a": (("href", LINKS),),
    **dict.fromkeys(("blockquote", "q", "ins", "del"), (("cite", FETCHED),)),
}
_LANGUAGE: Final = re.compile(r"(?:^|\s)(language-[A-Za-z0-9_+#.-]+)(?=\s|$)")


def attributes(
    page: Page, row: int, name: str, targets: frozenset[str], images: ImageSources
) -> Iterator[tuple[str, str]]:
    """Yield the safe attributes of an element that is written as ``name``.

    ``targets`` are the ids that links within the content lead to: these ids, and the links to
    them, stay as they are. Of images the resolved source is written.
    """
    given = page.attributes(row)
    if not given:
        return
    for key, schemes in _ADDRESSES.get(name, ()):
        url = _address(page, given.get(key), schemes, targets)
        if url:
            yield key, url
    if name == "img":
        source = images.of(row)
        if source is None:
            return
        yield "src", source.url
        found = candidates(given.get("srcset"), page.base)
        sizes = [f"{url} {size}".strip() for url, size in found if not is_template(url)]
        if sizes:
            yield "srcset", ", ".join(sizes)
    yield from _plain(given, name, targets)


def _plain(
    given: Mapping[str, str | None], name: str, targets: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield the safe attributes that are no addresses."""
    if given.get("id") in targets:
        yield "id", given["id"] or ""
    for key in (*_OWN.get(name, ()), *_EVERYWHERE):
        if key in given:
            yield key, given[key] or ""
        elif key in _SPANS and f"aria-{key}" in given:
            yield key, given[f"aria-{key}"] or ""
    if name == "code":
        language = _LANGUAGE.search(given.get("class") or "")
        if language is not None:
            yield "class", language[1]


def _address(page: Page, url: str | None, schemes: frozenset[str], targets: frozenset[str]) -> str:
    url = (url or "").strip()
    if url[:1] == "#" and url[1:] in targets:
        return url
    return page.addresses.find(url, schemes)


def escaped(text: str) -> str:
    """Return ``text`` for use between tags."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\xa0", "&nbsp;").replace("\r", "&#13;")


def pair(name: str, value: str) -> str:
    """Return an attribute with a space before it."""
    quoted = escaped(value).replace('"', "&quot;")
    return f' {name}="{quoted}"'


def targets(page: Page, kept: Mask) -> frozenset[str]:
    """Return the ids of kept elements that kept links within the page lead to."""
    wanted = {
        href.strip()[1:] for row, href in page.having("href") if kept[row] and "#" in href[:9]
    }
    ids = (value for row, value in page.having("id") if kept[row])
    return frozenset(identity for identity in ids if identity in wanted and identity)
