"""A magazine: long footers, related stories and offers around articles, walls in many layouts.

Each kind of error, form or wall stands in the frame of the site, among stories that are as long as
what is missing; and full articles have offers, letters to subscribe to and boxes about cookies.
"""

from __future__ import annotations

import json
from typing import Final

from training.state_pages.kit import Kit, links

BANK = "third"
_HOLDERS: Final = ("story", "longread", "entry-body", "text", "c-article", "piece")


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "empty":
            return "<!doctype html><html><head><title>-</title></head><body><div class='page-wrap'><div></div></div></body></html>"
        case "content":
            return _frame(kit, headline, _content(kit, headline), article=kit.chance(0.7))
        case "paywall":
            return _frame(
                kit,
                headline,
                _walled(kit, headline, text, action),
                article=True,
                paid=kit.chance(0.4),
            )
        case "shell":
            return _shell(kit)
        case "parked":
            return _parked(kit, text, action)
        case "consent_wall":
            return _consent(kit, title, text, action)
        case "login":
            inner = _login(kit, title, text, action)
        case "block_page":
            inner = (
                f"<div class='pause'><h1>{title}</h1><p>{text}</p><form method='post'><div class='g-box' data-key='x'></div>"
                f"<input type='hidden' name='back'><button>{action}</button></form><p>{kit.rng.randrange(16**10):010x}</p></div>"
            )
            return (
                _bare(kit, title, inner)
                if kit.chance(0.7)
                else _frame(kit, title, inner, related=0)
            )
        case _:
            inner = _error(kit, state, title, text, action)
    return _frame(
        kit, title if kit.chance(0.8) else kit.words(2), inner, related=kit.rng.choice((0, 3, 9))
    )


def _shell(kit: Kit) -> str:
    """Return the frame of the site around what its scripts would fill."""
    waiting = kit.rng.choice((
        '<main id="content"></main>', '<div id="story-root" data-id="77"></div>', "<story-view></story-view>",
        '<main><div class="skeleton skeleton-title"></div><div class="skeleton"></div><div class="skeleton"></div></main>',
        '<section class="loading"><img src="/wait.gif" alt=""></section>',
    ))  # fmt: skip
    warning = f"<noscript><p>{kit.sentence()} JavaScript.</p></noscript>" if kit.chance(0.4) else ""
    byline = f"<h1>{kit.headline()}</h1><p class='by'>{kit.words(2)}</p>" if kit.chance(0.3) else ""
    return _frame(
        kit,
        kit.headline(),
        byline + waiting + warning,
        related=kit.rng.choice((0, 0, 4)),
        scripts=kit.rng.randint(2, 9),
    )


def _login(kit: Kit, title: str, text: str, action: str) -> str:
    form = (
        f"<form action='/konto' method='post'><p><label for='m'>{kit.words(1)}</label><input id='m' name='mail' type='email'></p>"
        f"<p><label for='k'>{kit.words(1)}</label><input id='k' name='key' type='password'></p>"
        f"<label><input type='checkbox'>{kit.words(3)}</label><input type='submit' value='{action}'></form>"
    )
    aside = ""
    if kit.chance(0.5):  # the other column: make an account
        aside = f"<div class='col'><h2>{kit.words(3)}</h2><p>{kit.sentence()}</p><ul>{''.join(f'<li>{kit.words(5)}</li>' for _ in range(3))}</ul><a class='btn' href='/new'>{kit.words(2)}</a></div>"
    return f"<div class='col'><h1>{title}</h1><p>{text}</p>{form}<p>{links([kit.words(2), kit.words(3)])}</p></div>{aside}"


def _error(kit: Kit, state: str, title: str, text: str, action: str) -> str:
    search = f"<form class='search' action='/s'><input name='q' type='text'><button>{kit.words(1)}</button></form>"
    popular = "".join(
        f"<li><a href='/{n}'>{kit.headline()}</a><p>{kit.sentence()}</p></li>"
        for n in range(kit.rng.randint(3, 8))
    )
    more = (
        f"<h2>{kit.words(2)}</h2><ol>{popular}</ol>"
        if kit.chance(0.5) and state == "missing"
        else ""
    )
    wrong = "".join(f"<li>{kit.sentence()}</li>" for _ in range(kit.rng.choice((0, 0, 3))))
    number = (
        kit.rng.choice(("404", "", ""))
        if state == "missing"
        else kit.rng.choice(("500", "503", ""))
    )
    return (
        f"<div class='oops'><span>{number}</span><h1>{title}</h1><p>{text}</p><ul>{wrong}</ul>"
        f"{search if kit.chance(0.5) else ''}<a href='/'>{action}</a></div>{more}"
    )


def _consent(kit: Kit, title: str, text: str, action: str) -> str:
    reasons = "".join(
        f"<details><summary>{kit.words(3)}</summary><p>{kit.paragraph()}</p></details>"
        for _ in range(kit.rng.choice((0, 3, 7)))
    )
    pay = (
        f"<div class='tile'><h3>{kit.words(3)}</h3><p>{kit.sentence()}</p><a href='/pure'>{kit.words(2)} 3,99 €</a></div>"
        if kit.chance(0.4)
        else ""
    )
    inner = (
        f"<div class='tile'><h3>{title}</h3><p>{text}</p><p>{kit.paragraph()}</p><button>{action}</button><a href='/set'>{kit.words(2)}</a></div>"
        f"{pay}{reasons}<p class='legal'>{links([kit.words(1), kit.words(2)])}</p>"
    )
    return _bare(kit, kit.rng.choice((title, kit.words(2))), inner)


def _parked(kit: Kit, text: str, action: str) -> str:
    host = kit.host()
    groups = "".join(
        f"<section><a href='/k{n}'>{kit.words(2)}</a></section>"
        for n in range(kit.rng.choice((0, 4, 12)))
    )
    return _bare(
        kit,
        host,
        f"<h2>{host}</h2><p>{text}</p><a class='btn' href='/o'>{action}</a>{groups}<small>© {host}</small>",
    )


def _walled(kit: Kit, headline: str, text: str, action: str) -> str:
    """Return the beginning of an article and an offer, in one of several layouts."""
    holder = kit.rng.choice(_HOLDERS)
    start = f"<h1>{headline}</h1><p class='lead'>{kit.sentence()}</p><p class='by'>{kit.words(2)}, <time>12.3.</time></p>"
    parts = "".join(f"<p>{one}</p>" for one in kit.paragraphs(0, 3))
    cut = (
        f"<p>{kit.words(22)}{kit.rng.choice(('…', ' …', '...', ''))}</p>" if kit.chance(0.7) else ""
    )
    price = f"{kit.rng.randrange(1, 40)},99 €"
    sign = (
        f"<p>{kit.words(3)}? <a href='/konto'>{kit.said('login')[2]}</a></p>"
        if kit.chance(0.6)
        else ""
    )
    match kit.rng.randrange(5):
        case 0:  # plans side by side
            plans = "".join(
                f"<div class='plan'><h3>{kit.words(2)}</h3><b>{price}</b><p>{kit.words(6)}</p><a href='/p{n}'>{action}</a></div>"
                for n in range(2)
            )
            wall = f"<div class='plans'><h2>{text}</h2>{plans}{sign}</div>"
        case 1:  # an account for nothing, by mail
            wall = f"<form class='reg'><h2>{text}</h2><p>{kit.sentence()}</p><input type='email'><button>{action}</button>{sign}</form>"
        case 2:  # a line and a button
            wall = f"<p><b>{text}</b></p><p><a class='btn' href='/abo'>{action}</a></p>"
        case 3:  # advantages
            points = "".join(f"<li>{kit.words(5)}</li>" for _ in range(4))
            wall = f"<aside class='box'><h2>{kit.words(4)}</h2><p>{text}</p><ul>{points}</ul><p>{price}</p><a href='/abo'>{action}</a>{sign}</aside>"
        case _:  # a dialog above the rest
            wall = f"<div role='dialog'><h2>{text}</h2><button>{action}</button>{sign}</div>"
    if kit.chance(0.6):
        return f"<article class='{holder}'>{start}{parts}{cut}{wall}</article>"
    return f"<article class='{holder}'>{start}{parts}{cut}</article>{wall}"


def _content(kit: Kit, headline: str) -> str:
    if kit.chance(0.2):  # an author's or a section's list
        stories = "".join(
            f"<div class='item'><h2><a href='/{n}'>{kit.headline()}</a></h2><p>{kit.sentence()}</p></div>"
            for n in range(kit.rng.randint(3, 20))
        )
        return f"<h1>{headline}</h1>{stories}"
    parts = "".join(f"<p>{one}</p>" for one in kit.paragraphs(1, 16))
    sign = ""
    if kit.chance(0.5):
        said = kit.rng.choice(("paywall", "login", "consent_wall"))
        _, text, action = kit.said(said)
        text = kit.sentence() if said == "paywall" else text
        sign = f"<div class='box'><h2>{kit.words(3)}</h2><p>{text}</p><input type='email'><button>{action}</button></div>"
    ending = kit.rng.choice(("", "", f"<p>{kit.words(12)} …</p>"))
    return f"<article class='{kit.rng.choice(_HOLDERS)}'><h1>{headline}</h1><p class='lead'>{kit.sentence()}</p>{parts}{ending}</article>{sign}"


def _bare(kit: Kit, title: str, inner: str) -> str:
    return (
        f'<!doctype html><html lang="{kit.lang}"><head><title>{title}</title><meta name="viewport" content="width=device-width">'
        f'<script src="/gate.js"></script></head><body><div class="page-wrap">{inner}</div></body></html>'
    )


def _frame(
    kit: Kit,
    title: str,
    main: str,
    *,
    article: bool = False,
    paid: bool = False,
    related: int = 6,
    scripts: int = 2,
) -> str:
    node: dict[str, object] = {"@type": "Article", "headline": title}
    if paid:
        node["isAccessibleForFree"] = False
    data = (
        f'<script type="application/ld+json">{json.dumps(node)}</script>'
        if article and kit.chance(0.6)
        else ""
    )
    stories = "".join(
        f"<li><a href='/r{n}'><img src='/r{n}.jpg' alt=''>{kit.headline()}</a><p>{kit.sentence()}</p></li>"
        for n in range(related)
    )
    account = f"<a href='/konto'>{kit.said('login')[2]}</a><a class='abo' href='/abo'>{kit.said('paywall')[2]}</a>"
    letter = (
        f"<form class='letter'><p>{kit.sentence()}</p><input type='email'><button>{kit.words(1)}</button></form>"
        if kit.chance(0.5)
        else ""
    )
    loaded = "".join(f"<script src='/js/{n}.js' async></script>" for n in range(scripts))
    about = "".join(f"<p>{one}</p>" for one in kit.paragraphs(0, 2))
    return (
        f'<!doctype html><html lang="{kit.lang}"><head><title>{title} | {kit.words(2)}</title>{data}'
        f"<meta property='og:title' content='{title}'></head><body><div class='page-wrap'>"
        f"<div class='bar'>{links(kit.nav())}{account}</div>{main}<div class='related'><h2>{kit.words(2)}</h2><ul>{stories}</ul></div>"
        f"{letter}<div class='foot'>{about}{links([kit.words(2) for _ in range(9)], around='<li>{}</li>')}</div></div>{loaded}</body></html>"
    )
