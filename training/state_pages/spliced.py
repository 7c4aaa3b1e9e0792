"""Real pages whose content is taken out block by block, with something else where it began.

Unlike `training.state_pages.grafted`, which empties the element that holds the labels, what goes is
what the default method keeps, each block for itself: containers, bylines, boxes and lists around it
stay. Walls are dialogs, forms have labels, messages have searches and lists; and a full article that
ends with an offer, or has a box to sign in, is still content.
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
from chaffinch.methods.learned import Learned
from chaffinch.page import Page, parse
from chaffinch.segment.text_blocks import text_blocks
from training.state_pages.kit import Kit, links

_LEAST: Final = 1200  # characters of content
_MARK: Final = "splice-71b0e"
_TITLE: Final = re.compile(r"<title[^>]{0,200}>[^<]{0,2000}</title>")
_DECLARED: Final = re.compile(
    r"<script[^>]{0,200}ld\+json[^>]{0,200}>[^<]{0,200000}</script>|<meta[^>]{0,100}og:[^>]{0,400}>"
)
_STATES: Final = ("shell", "shell", "missing", "missing", "server", "login", "login", "paywall",
                  "paywall", "content")  # fmt: skip
_WAITING: Final = (
    '<div class="skeleton"></div><div class="skeleton"></div>',
    '<div aria-busy="true"><span class="loader"></span></div>',
    "<main></main>",
    '<section data-view="item"></section>',
    "<item-view></item-view>",
    '<div id="mount"></div><noscript>JavaScript</noscript>',
)


def splices(labelled: LabelledPage, count: int = 4) -> Iterator[tuple[str, str, str]]:
    """Yield (html, state, language of what was put in) of pages made of a labelled one."""
    rng = Random(f"spliced {labelled.id}")
    try:
        page = parse(labelled.html, url=labelled.url)
        data = labelled.html.decode(page.encoding or "utf-8", "replace").encode("utf-8", "replace")
        page = parse(data, encoding="utf-8")
    except PageError:
        return
    blocks = text_blocks(page)
    if not len(blocks):
        return
    kept = Learned()(page).keep[blocks.first]
    if int(blocks.length[kept].sum()) < _LEAST:
        return
    rows = list(dict.fromkeys(blocks.owner[kept].tolist()))
    outer = [row for row in rows if row > page.body]
    for state in rng.sample(_STATES, k=count):
        kit = Kit.of(rng, rng.choice(("first", "second")))
        share = rng.uniform(0.05, 0.3) if state == "paywall" else 0.0
        share = 1.0 if state == "content" else share
        made = _spliced(data, page, outer, share, _inner(kit, state))
        if made:
            yield _headed(kit, made, state), state, kit.lang


def _spliced(data: bytes, page: Page, rows: list[int], share: float, inner: str) -> str:
    """Return the page with all but the first ``share`` of some elements' text taken out."""
    tree = LexborHTMLParser(data)
    nodes = [tree.css_first(page.selector(row)) for row in rows]
    ends = np.cumsum([int(page.length[row]) for row in rows])
    stay = int((ends <= share * ends[-1]).sum())
    last = nodes[min(stay, len(nodes) - 1)]
    if last is None:
        return ""
    if stay >= len(nodes):
        last.insert_after(_MARK)
    else:
        last.insert_before(_MARK)
    for node in reversed(nodes[stay:]):
        if node is not None:
            node.decompose()
    html = tree.html or ""
    return html.replace(_MARK, inner, 1) if _MARK in html else ""


def _headed(kit: Kit, html: str, state: str) -> str:
    """Return a page with a title and declarations as pages in its state have them."""
    if state == "shell":
        return html.replace("</body>", '<script src="/bundle.js"></script></body>')
    if state == "content":
        return html
    if state == "paywall":
        if kit.chance(0.4):
            free = '<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>'
            return html.replace("</head>", free + "</head>", 1)
        return html
    if kit.chance(0.85):
        html = _DECLARED.sub("", html)
    return (
        _TITLE.sub(f"<title>{kit.said(state)[0]}</title>", html, count=1)
        if kit.chance(0.85)
        else html
    )


def _inner(kit: Kit, state: str) -> str:
    """Return what stands in place of the content, or behind it."""
    title, words, action = kit.said(state)
    rng = kit.rng
    tag = rng.choice(("h1", "h1", "h2", "h3"))
    match state:
        case "shell":
            return rng.choice(_WAITING)
        case "login":
            more = (
                f'<label><input type="checkbox"> {kit.words(2)}</label>' if kit.chance(0.5) else ""
            )
            return (
                f'<section><{tag}>{title}</{tag}><p>{words}</p><form method="post" action="/session">'
                f'<label>{kit.words(1)}<input type="email" name="e"></label><label>{kit.words(1)}'
                f'<input type="password" name="p"></label>{more}<button type="submit">{action}</button>'
                f"</form>{links([kit.words(2), kit.words(3)])}</section>"
            )
        case "paywall":
            plans = (
                f"<ul><li>{kit.words(4)}</li><li>{kit.words(5)}</li></ul>"
                if kit.chance(0.4)
                else ""
            )
            mail = '<input type="email">' if kit.chance(0.3) else ""
            role = ' role="dialog" aria-modal="true"' if kit.chance(0.3) else ""
            name = rng.choice(("offer", "gate", "piano", "barrier", "c-12", ""))
            return (
                f'<div class="{name}"{role}><{tag}>{words}</{tag}>{plans}{mail}'
                f'<a href="/join" class="button">{action}</a></div>'
            )
        case "content":
            said = rng.choice(("paywall", "login", "consent_wall"))
            title, words, action = kit.said(said)
            words = kit.sentence() if said == "paywall" else words  # «for subscribers» is a wall
            field = rng.choice(('<input type="email">', '<input type="password">', ""))
            return f'<div class="box"><h3>{title}</h3><p>{words}</p>{field}<button>{action}</button></div>'
        case _:
            search = '<form role="search"><input type="search"></form>' if kit.chance(0.4) else ""
            more = f"<ul>{links([kit.words(3) for _ in range(4)], around='<li>{}</li>')}</ul>"
            image = '<img src="/lost.svg" alt="">' if kit.chance(0.3) else ""
            return (
                f"<{tag}>{title}</{tag}>{image}<p>{words}</p>{search}{more if kit.chance(0.4) else ''}"
                f'<a href="/">{action}</a>'
            )
