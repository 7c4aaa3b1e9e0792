"""Real pages made others: a box to sign in put beside their content, or something in its place.

Pages of the corpora that may be trained on; what surrounds what is put in is the site's own.

- boxed: many sites have a box to sign in on every page (in the header, a sidebar, the footer, a
  window that a button opens), and are content still;
- grafted: the element that holds the labels is emptied. Soft errors, login forms, walls behind the
  first paragraphs and emptied elements stand among the navigation, teasers and footers of real
  sites; and a real page under a banner of cookies is still content;
- spliced: what the default method keeps goes, each block for itself: containers, bylines, boxes and
  lists around it stay. Walls are dialogs, forms have labels, messages have searches and lists; and
  a full article that ends with an offer, or has a box to sign in, is still content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.methods.learned import Learned
from chaffinch.page import Page, parse
from chaffinch.segment.text_blocks import text_blocks

_JOINED: Final = frozenset({"zh", "ja"})
"""Languages that part words by nothing."""
_FULL_STOP: Final = {"zh": "。", "ja": "。"}


@cache
def phrase_bank(name: str) -> dict[str, dict[str, Any]]:
    """Return language → phrases, of ``phrases_NAME.json``."""
    text = Path(__file__).with_name(f"phrases_{name}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@dataclass(frozen=True)
class Kit:
    """Chance and phrases for one page.

    Attributes:
        rng: the source of chance.
        lang: code of the language.
        phrases: of the language.
    """

    rng: Random
    lang: str
    phrases: dict[str, Any]

    @classmethod
    def of(cls, rng: Random, bank: str) -> Kit:
        """Return a kit in one of the bank's languages."""
        lang = rng.choice(sorted(phrase_bank(bank)))
        return cls(rng, lang, phrase_bank(bank)[lang])

    def words(self, count: int) -> str:
        """Return a run of filler words."""
        some = self.rng.choices(self.phrases["filler"].split(), k=count)
        return ("" if self.lang in _JOINED else " ").join(some)

    def sentence(self) -> str:
        """Return a sentence of 6 to 22 words."""
        return self.words(self.rng.randint(6, 22)).capitalize() + _FULL_STOP.get(self.lang, ".")

    def said(self, state: str) -> tuple[str, str, str]:
        """Return title, sentence and button of a state, empty for one that says nothing.

        An error is ``missing`` or the ``server``'s.
        """
        title, text, action = self.phrases.get(state, ("", "", ""))
        return title, text, action

    def chance(self, share: float) -> bool:
        """Return true in ``share`` of all calls."""
        return self.rng.random() < share


def links(texts: list[str], *, around: str = "{}") -> str:
    """Return links, each within ``around``."""
    return "".join(around.format(f'<a href="/{n}">{text}</a>') for n, text in enumerate(texts))


_BODY: Final = re.compile(r"<body[^>]{0,2000}>", re.IGNORECASE)
_END: Final = re.compile(r"</body\s{0,9}>", re.IGNORECASE)
_BANKS: Final = ("first", "second", "third")
_AROUND: Final = ("aside", "aside", "div", "div", "section", "li", "dialog")
_NAMES: Final = ("sidebar", "widget widget_login", "box", "user-panel", "login-box", "block-user",
                 "account", "members", "c-17", "")  # fmt: skip
_HEADS: Final = ("h2", "h3", "h3", "h4", "strong", "legend", "p", "")


def boxes(labelled: LabelledPage) -> Iterator[tuple[str, str, str]]:
    """Yield (html, state, language of the box) of a labelled page with a box beside its content."""
    rng = Random(f"boxed {labelled.id}")
    try:
        page = parse(labelled.html, url=labelled.url)
    except PageError:
        return
    kit = Kit.of(rng, rng.choice(_BANKS))
    html = labelled.html.decode(page.encoding or "utf-8", "replace")
    if (made := with_box(kit, html)) != html:
        yield made, "content", kit.lang


def with_box(kit: Kit, html: str) -> str:
    """Return a page with a box to sign in at the beginning or the end of its body."""
    box = _box(kit)
    if kit.chance(0.4):
        return _BODY.sub(lambda found: found[0] + box, html, count=1)
    return _END.sub(lambda found: box + found[0], html, count=1)


def _box(kit: Kit) -> str:
    """Return a box to sign in, as themes of blogs, forums and shops write it."""
    rng = kit.rng
    title, words, action = kit.said("login")
    title = rng.choice((title, action, kit.words(2).capitalize()))
    head, around = rng.choice(_HEADS), rng.choice(_AROUND)
    heading = f"<{head}>{title}</{head}>" if head else ""
    said = f"<p>{words}</p>" if kit.chance(0.3) else ""
    name = rng.choice(_NAMES)
    return f'<{around} class="{name}">{heading}{said}{sign_in_form(kit)}</{around}>'


def sign_in_form(kit: Kit) -> str:
    """Return the form of such a box, and links below it."""
    action = kit.said("login")[2]
    name = kit.rng.choice(("email", "text", "text"))
    label = ("<label>{}{}</label>" if kit.chance(0.6) else "{0}{1}").format
    more = f'<label><input type="checkbox"> {kit.words(2)}</label>' if kit.chance(0.4) else ""
    further = links([kit.words(2) for _ in range(kit.rng.randint(0, 3))])
    pressed = (
        f"<button>{action}</button>" if kit.chance(0.6) else f'<input type=submit value="{action}">'
    )
    fields = (
        label(kit.words(1), f"<input type={name} name=u>"),
        label(kit.words(1), "<input type=password name=p>"),
    )
    return f'<form method="post" action="/session">{"".join(fields)}{more}{pressed}</form>{further}'


GRAM: Final = 16
APP: Final = '<div id="root"></div><script src="/static/app.js"></script>'
_GRAFT: Final = "graft-9d1c7"


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
        node.insert_child(_GRAFT)
    return (tree.html or "").replace(_GRAFT, inner, 1)


_THERE: Final = 0.7  # share of the labelled content that must stand in the page
_DECLARED_TYPE: Final = re.compile(
    r"<script[^>]{0,200}ld\+json[^>]{0,200}>[^<]{0,200000}</script>|<meta[^>]{0,100}og:type[^>]{0,200}>"
)
_WALLS: Final = ("box", "notice", "message", "wall", "main-col", "panel", "inner")


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
            made = _DECLARED_TYPE.sub("", made)
        if kit.chance(0.9):
            made = _TITLE.sub(f"<title>{kit.said(state)[0]}</title>", made, count=1)
        yield made, state, kit.lang
    kit = Kit.of(rng, rng.choice(("first", "second")))
    _, words, action = kit.said("consent_wall")
    banner = f'<div class="{rng.choice(_WALLS)}" role="dialog"><p>{words}</p><button>{action}</button></div>'
    if kit.chance(0.5):
        yield text.replace("</body>", banner + "</body>"), "content", labelled.lang


def _wall(kit: Kit) -> str:
    _, words, action = kit.said("paywall")
    name = kit.rng.choice((*_WALLS, "paywall", "subscription-offer", "regwall"))
    fade = f'<div class="{kit.rng.choice(("fade", "x"))}"></div>' if kit.chance(0.4) else ""
    return f'{fade}<div class="{name}"><p>{words}</p><a href="/plans">{action}</a></div>'


def _message(kit: Kit, state: str) -> str:
    title, words, action = kit.said(state)
    name = kit.rng.choice(_WALLS)
    if state == "login":
        form = '<form><input type="text"><input type="password">'
        return f'<div class="{name}"><h1>{title}</h1><p>{words}</p>{form}<button>{action}</button></form></div>'
    heading = f"<h1>{title}</h1>" if kit.chance(0.8) else f"<p><b>{title}</b></p>"
    if kit.chance(0.15):
        heading = '<form><input type="text"><input type="password"></form>' + heading
    return f'<div class="{name}">{heading}<p>{words}</p><a href="/">{action}</a></div>'


_LEAST: Final = 1200  # characters of content
_SPLICE: Final = "splice-71b0e"
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
        last.insert_after(_SPLICE)
    else:
        last.insert_before(_SPLICE)
    for node in reversed(nodes[stay:]):
        if node is not None:
            node.decompose()
    html = tree.html or ""
    return html.replace(_SPLICE, inner, 1) if _SPLICE in html else ""


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
