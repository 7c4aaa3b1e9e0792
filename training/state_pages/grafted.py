"""Real pages with their content taken out and something else put in: the frame is the site's own.

Pages of the corpora that may be trained on. Soft errors, login forms, walls behind the first
paragraphs and emptied elements stand among the navigation, teasers and footers of real sites; and a
real page under a banner of cookies is still content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.page import Page, parse
from training.state_pages.kit import Kit

GRAM: Final = 16
APP: Final = '<div id="root"></div><script src="/static/app.js"></script>'
_MARK: Final = "graft-9d1c7"


def share(page: Page, gold: str) -> float:
    """Return the share of the labelled content that stands in the page."""
    text = "".join(page.text.split())
    grams = [gold[at : at + GRAM] for at in range(0, max(len(gold) - GRAM, 1), GRAM)]
    return sum(gram in text for gram in grams) / len(grams)


def container(page: Page, gold: str) -> int:
    """Return the smallest element that holds nine tenths of the labelled content in the page."""
    own = np.zeros(len(page), dtype=np.int64)
    for row in np.flatnonzero(page.written & page.shown).tolist():
        text = "".join(page.text[page.text_at[row] : page.text_at[row + 1]].split())
        own[row] = len(text) if text[:GRAM] in gold else 0
    sums = page.total(own)
    rows = np.flatnonzero(sums >= 0.9 * own.sum())
    return int(rows[np.argmin(page.size[rows])])


def bare(data: bytes) -> str:
    """Return the page with an empty element and its scripts for a body."""
    tree = LexborHTMLParser(data)
    scripts = "".join(node.html or "" for node in tree.css("body script"))
    head = tree.head.html if tree.head is not None else ""
    return f"<!doctype html><html>{head}<body>{APP}{scripts}</body></html>"


def hollow(page: Page, row: int, data: bytes) -> str:
    """Return the page with one element emptied, and a script that would fill it."""
    emptied = replaced(page, row, data, "")
    return emptied.replace("</body>", '<script src="/static/app.js"></script></body>')


def replaced(page: Page, row: int, data: bytes, inner: str, *, kept: float = 0.0) -> str:
    """Return the page with the inside of one element replaced, but for its first part.

    Args:
        page: the page, by whose rows the element is found.
        row: of the element.
        data: the page's source in UTF-8.
        inner: what comes in place of what is taken out, as HTML.
        kept: share of the element's text that stays, from its beginning.
    """
    tree = LexborHTMLParser(data)
    node = tree.css_first(page.selector(row))
    children = list(node.iter(include_text=True)) if node else []
    left = kept * sum(len(child.text() or "") for child in children)
    for child in children:
        left -= len(child.text() or "")
        if left <= 0:
            child.decompose()
    if node is not None:
        node.insert_child(_MARK)
    return (tree.html or "").replace(_MARK, inner, 1)


_THERE: Final = 0.7  # share of the labelled content that must stand in the page
_DECLARED: Final = re.compile(
    r"<script[^>]{0,200}ld\+json[^>]{0,200}>[^<]{0,200000}</script>|<meta[^>]{0,100}og:type[^>]{0,200}>"
)
_TITLE: Final = re.compile(r"<title[^>]{0,200}>[^<]{0,2000}</title>")
_NAMES: Final = ("box", "notice", "message", "wall", "main-col", "panel", "inner")


def grafts(labelled: LabelledPage) -> Iterator[tuple[str, str, str]]:
    """Yield (html, state, language of what was put in) of pages made of a labelled one."""
    rng = Random(labelled.id)
    gold = "".join((labelled.gold_text or "").split())
    try:
        page = parse(labelled.html, url=labelled.url)
    except PageError:
        return
    if len(gold) < 1000 or share(page, gold) < _THERE:
        return
    text = labelled.html.decode(page.encoding or "utf-8", "replace")
    data, row = text.encode("utf-8", "replace"), container(page, gold)
    page = parse(data, encoding="utf-8")
    yield bare(data), "shell", labelled.lang
    if rng.random() < 0.7:
        waiting = rng.choice(
            ('<div id="root"></div>', '<div id="app" class="x"></div>', "<x-app></x-app>")
        )
        yield replaced(page, row, data, waiting), "shell", labelled.lang
    else:
        yield hollow(page, row, data), "shell", labelled.lang
    for state in rng.sample(("missing", "missing", "login", "paywall", "paywall", "server"), k=3):
        kit = Kit.of(rng, rng.choice(("first", "second")))
        if state == "paywall":
            share_kept = rng.uniform(0.08, 0.3)
            made = replaced(page, row, data, _wall(kit), kept=share_kept)
            if len(parse(made.encode()).text) < 0.9 * len(page.text):  # else nothing was cut
                yield made, state, kit.lang
            continue
        inner = _message(kit, state)
        made = replaced(page, row, data, inner)
        if kit.chance(0.9):
            made = _DECLARED.sub("", made)
        if kit.chance(0.9):
            made = _TITLE.sub(f"<title>{kit.said(state)[0]}</title>", made, count=1)
        yield made, state, kit.lang
    kit = Kit.of(rng, rng.choice(("first", "second")))
    _, words, action = kit.said("consent_wall")
    banner = f'<div class="{rng.choice(_NAMES)}" role="dialog"><p>{words}</p><button>{action}</button></div>'
    if kit.chance(0.5):
        yield text.replace("</body>", banner + "</body>"), "content", labelled.lang


def _wall(kit: Kit) -> str:
    _, words, action = kit.said("paywall")
    name = kit.rng.choice((*_NAMES, "paywall", "subscription-offer", "regwall"))
    fade = f'<div class="{kit.rng.choice(("fade", "x"))}"></div>' if kit.chance(0.4) else ""
    return f'{fade}<div class="{name}"><p>{words}</p><a href="/plans">{action}</a></div>'


def _message(kit: Kit, state: str) -> str:
    title, words, action = kit.said(state)
    name = kit.rng.choice(_NAMES)
    if state == "login":
        form = '<form><input type="text"><input type="password">'
        return f'<div class="{name}"><h1>{title}</h1><p>{words}</p>{form}<button>{action}</button></form></div>'
    heading = f"<h1>{title}</h1>" if kit.chance(0.8) else f"<p><b>{title}</b></p>"
    if kit.chance(0.15):
        heading = '<form><input type="text"><input type="password"></form>' + heading
    return f'<div class="{name}">{heading}<p>{words}</p><a href="/">{action}</a></div>'
