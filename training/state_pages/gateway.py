"""Walls that stand alone: a card in the middle of an empty page, utility classes, no frame at all.

Purposes and partners with toggles, buttons of other accounts, shells of several frameworks with the
warning below them, an offer with plans under a teaser; in languages that the model has no phrase of.
"""

from __future__ import annotations

import json
from typing import Final

from training.state_pages.kit import Kit, links

BANK = "fourth"
_LOOKS: Final = (
    "flex items-center",
    "mx-auto max-w-md",
    "p-4 rounded",
    "text-sm mt-2",
    "grid gap-4",
    "w-full",
)
_SHELLS: Final = (
    '<div id="root"></div>', '<div id="app" data-v-app></div>', "<app-root></app-root>",
    '<div id="__next"><div class="p-4"></div></div>', '<div id="___root"><div tabindex="-1"></div></div>',
    '<div id="svelte"></div>', '<ui-shell theme="light"></ui-shell>', '<div id="main-view" role="main"></div>',
)  # fmt: skip
_WAITING: Final = (
    "", "", '<div class="spinner"></div>', '<div class="animate-pulse"><div></div><div></div></div>',
    '<svg viewBox="0 0 9 9"><circle r="4"/></svg>', '<div role="status" aria-busy="true">…</div>',
)  # fmt: skip
_ACCOUNTS: Final = ("Passport", "Letterbox", "Keyring", "Badge", "Postcard")


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "empty":
            return f'<!doctype html><html lang="{kit.lang}"><head><meta charset="utf-8"></head><body class="m-0"></body></html>'
        case "shell":
            return _shell(kit)
        case "content":
            return _page(kit, headline, _content(kit, headline))
        case "paywall":
            return _page(kit, headline, _walled(kit, headline, text, action))
        case "login":
            inner = _login(kit, title, text, action)
        case "block_page":
            inner = _challenge(kit, title, text, action)
        case "consent_wall":
            inner = _consent(kit, title, text, action)
        case "parked":
            title = kit.host()
            field = '<input type="number" name="sum"><input type="email" name="from">'
            offer = f"<form>{field if kit.chance(0.5) else ''}<button>{action}</button></form>"
            found = links(
                [kit.words(2) for _ in range(kit.rng.choice((0, 0, 6, 9)))],
                around=_around(kit, "{}"),
            )
            inner = f"<h1>{title}</h1><p>{text}</p>{offer}{found}"
        case _:
            inner = _error(kit, state, title, text, action)
    named = title if kit.chance(0.7) else kit.words(2)
    return _page(kit, named, _around(kit, _around(kit, inner)), script=kit.chance(0.6))


def _around(kit: Kit, inner: str) -> str:
    return f'<div class="{kit.rng.choice(_LOOKS)}">{inner}</div>'


def _shell(kit: Kit) -> str:
    root = kit.rng.choice(_SHELLS)
    close = root.rindex("</")
    body = root[:close] + kit.rng.choice(_WAITING) + root[close:]
    if kit.chance(0.6):
        words = kit.rng.choice(
            ("JavaScript", f"{kit.sentence()} JavaScript {kit.sentence()}", "JS!")
        )
        body += f"<noscript>{words}</noscript>"
    if kit.chance(0.3):
        links_ = f"<header>{kit.words(2)}{links(kit.nav())}</header>"
        body = links_ + body + f"<footer><small>{kit.words(4)}</small></footer>"
    held = json.dumps({"route": "/", "locale": kit.lang, "flags": {"a": True}})
    state = f"<script>window.__BOOT={held}</script>" if kit.chance(0.5) else ""
    return _page(kit, kit.words(2), body + state, script=True)


def _login(kit: Kit, title: str, text: str, action: str) -> str:
    accounts = [
        f'<button type="button" class="w-full"><svg></svg>{action} · {one}</button>'
        for one in kit.rng.sample(_ACCOUNTS, k=kit.rng.randint(0, 4))
    ]
    if kit.chance(0.4):
        accounts = [
            one.replace('<button type="button"', '<a href="/oauth"').replace("</button>", "</a>")
            for one in accounts
        ]
    hidden = '<input type="password" autocomplete="current-password">'
    mail = kit.rng.choice(
        (
            '<input type="email" autocomplete="username">',
            '<input name="user" autocomplete="username">',
        )
    )
    fields = mail + (hidden if kit.chance(0.7) or not accounts else "")
    more = links([kit.words(2), kit.words(3)]) if kit.chance(0.7) else ""
    rule = f"<hr><span>{kit.words(1)}</span>" if accounts else ""
    form = f"<form>{fields}<button>{action}</button></form>"
    parts = [form, rule, *accounts] if kit.chance(0.5) else [*accounts, rule, form]
    said = f"<p>{text}</p>" if kit.chance(0.7) else ""
    return f"<h1>{title}</h1>{said}{''.join(parts)}<p>{more}</p>"


def _challenge(kit: Kit, title: str, text: str, action: str) -> str:
    kinds = (
        '<iframe src="/widget/frame" width="300" height="74"></iframe>',
        f'<img src="/image?{kit.rng.randrange(10**6)}"><input type="text" autocomplete="off"><button>{action}</button>',
        f'<label><input type="checkbox"> {action}</label>',
        '<div class="spinner"></div><noscript>JavaScript</noscript>',
        "",
    )
    mark = f"{kit.rng.randrange(16**16):016x}" if kit.chance(0.6) else ""
    address = (
        f"{kit.rng.randrange(1, 255)}.{kit.rng.randrange(255)}.{kit.rng.randrange(255)}.7"
        if kit.chance(0.4)
        else ""
    )
    foot = f"<footer><small>{kit.words(1)} {mark} {address}</small></footer>"
    hidden = '<input type="hidden" name="t" value="x">' if kit.chance(0.5) else ""
    return f"<h1>{title}</h1><p>{text}</p><form>{kit.rng.choice(kinds)}{hidden}</form>{foot}"


def _consent(kit: Kit, title: str, text: str, action: str) -> str:
    toggle = kit.rng.choice((
        '<input type="checkbox">', '<button role="switch" aria-checked="false"></button>', '<input type="radio" name="{}"><input type="radio" name="{}">',
    ))  # fmt: skip
    purposes = "".join(
        f"<li><h3>{kit.words(3)}</h3>{toggle}{f'<p>{kit.sentence()}</p>' if kit.chance(0.6) else ''}</li>"
        for _ in range(kit.rng.choice((0, 0, 4, 8, 11)))
    )
    partners = "".join(
        f"<li>{kit.words(2)} <a href='/policy'>{kit.words(1)}</a></li>"
        for _ in range(kit.rng.choice((0, 0, 20, 60)))
    )
    extra = "".join(f"<p>{one}</p>" for one in kit.paragraphs(0, 3))
    buttons = (
        f"<button>{kit.words(2)}</button>" * kit.rng.randint(0, 2) + f"<button>{action}</button>"
    )
    policies = links([kit.words(2), kit.words(1)]) if kit.chance(0.6) else ""
    role = ' role="dialog" aria-modal="true"' if kit.chance(0.4) else ""
    return (
        f"<section{role}><h2>{title}</h2><p>{text}</p>{extra}<ul>{purposes}</ul><ul>{partners}</ul>"
        f"<div>{buttons}</div>{policies}</section>"
    )


def _error(kit: Kit, state: str, title: str, text: str, action: str) -> str:
    number = kit.rng.choice(("404", "404", "410") if state == "missing" else ("500", "502", "503"))
    big = f"<p class='text-sm'>{number}</p>" if kit.chance(0.5) else ""
    search = (
        '<form action="/find"><input type="search"><button></button></form>'
        if kit.chance(0.35)
        else ""
    )
    popular = f"<h2>{kit.words(2)}</h2><ul>{links([kit.headline() for _ in range(5)], around='<li>{}</li>')}</ul>"
    picture = "<svg></svg>" if kit.chance(0.3) else ""
    back = f'<a href="/">{action}</a>' if state == "missing" else f"<button>{action}</button>"
    return f"{picture}{big}<h1>{title}</h1><p>{text}</p>{search}{back}{popular if kit.chance(0.3) and state == 'missing' else ''}"


def _walled(kit: Kit, headline: str, text: str, action: str) -> str:
    parts = "".join(f"<p>{one}</p>" for one in kit.paragraphs(1, 3))
    price = f"<b>{kit.rng.randrange(1, 30)},90 €</b>"
    plans = "".join(
        f"<li>{kit.words(2)} {price}<a href='/plan'>{action}</a></li>"
        for _ in range(kit.rng.choice((0, 1, 3)))
    )
    sign = (
        f"<p>{kit.words(3)} <a href='/in'>{kit.said('login')[2]}</a></p>" if kit.chance(0.6) else ""
    )
    cut = f"<p>{kit.words(18)}{kit.rng.choice(('…', '...', ''))}</p>" if kit.chance(0.6) else ""
    wall = f"<section><h2>{text}</h2><ul>{plans}</ul><a href='/join'>{action}</a>{sign}</section>"
    return f"<article><h1>{headline}</h1>{parts}{cut}</article>{_around(kit, wall)}"


def _content(kit: Kit, headline: str) -> str:
    kind = kit.rng.randrange(5)
    if kind == 0:  # a sentence or two, no more
        return f"<h1>{headline}</h1><p>{' '.join(kit.sentence() for _ in range(kit.rng.randint(1, 3)))}</p>"
    if kind == 1:  # a handful of links
        return f"<h1>{headline}</h1><ul>{links([kit.words(kit.rng.randint(1, 4)) for _ in range(kit.rng.randint(4, 9))], around='<li>{}</li>')}</ul>"
    if kind == 2:  # a form that is the page: a search, a contact form
        fields = "".join(
            f"<label>{kit.words(2)}<input type='text'></label>"
            for _ in range(kit.rng.randint(2, 7))
        )
        return f"<h1>{headline}</h1><p>{kit.paragraph()}</p><form>{fields}<textarea></textarea><button>{kit.words(1)}</button></form>"
    parts = "".join(f"<p>{one}</p>" for one in kit.paragraphs(2, 14))
    offer = f"<section><p>{kit.said('paywall')[2]}</p><input type='email'><button>{kit.words(1)}</button></section>"
    return f"<article><h1>{headline}</h1>{parts}</article>{offer if kit.chance(0.4) else ''}"


def _page(kit: Kit, title: str, body: str, *, script: bool = False) -> str:
    loaded = '<script type="module" src="/assets/index.js"></script>' if script else ""
    return (
        f'<!doctype html><html lang="{kit.lang}"><head><meta charset="utf-8"><title>{title}</title>'
        f'<link rel="stylesheet" href="/assets/index.css">{loaded}</head><body class="min-h-screen">{body}</body></html>'
    )
