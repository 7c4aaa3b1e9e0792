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

from bench.lib.emptied_pages import bare, container, hollow, replaced, share
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.page import parse
from training.state_pages.kit import Kit

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
