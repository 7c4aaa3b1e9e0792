"""Pages of web applications: hashed class names, scripts, dialogs, custom elements, little markup."""

from __future__ import annotations

import json

from training.state_pages.kit import Kit, links

BANK = "second"


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "empty":
            return _page(kit, "", "<div></div>" if kit.chance(0.5) else "", scripts=0)
        case "shell":
            waiting = f'<div class="{_name(kit)}">{kit.words(1)}…</div>' if kit.chance(0.3) else ""
            warning = "<noscript>JavaScript</noscript>" if kit.chance(0.5) else ""
            body = f'<{kit.rng.choice(["div", "my-app"])} id="root">{waiting}</div>{warning}'
            return _page(kit, kit.words(2), body, state=kit.chance(0.3))
        case "content":
            return _page(kit, headline, _content(kit, headline), state=kit.chance(0.3))
        case "paywall":
            parts = "".join(_div(kit, one) for one in kit.paragraphs(1, 4))
            wall = _div(kit, _div(kit, text) + f'<button class="{_name(kit)}">{action}</button>')
            fade = f'<div class="{_name(kit)} gradient"></div>' if kit.chance(0.5) else ""
            node = {"@type": "Article", "isAccessibleForFree": "False"}
            declared = f'<script type="application/ld+json">{json.dumps(node)}</script>'
            return _page(
                kit, headline,
                f"<h1>{headline}</h1>{parts}{_div(kit, kit.words(20) + '...')}{fade}{wall}",
                head=declared if kit.chance(0.6) else "",
            )  # fmt: skip
        case "login":
            fields = '<input placeholder="@" type="text"><input type="password">'
            if kit.chance(0.3):
                fields = '<input type="email">'
            inner = (
                f"<h2>{title}</h2>{_div(kit, text)}<form>{fields}<button>{action}</button></form>"
            )
        case "block_page":
            box = f'<div class="{_name(kit)}" id="captcha-box"></div>' if kit.chance(0.5) else ""
            inner = (
                f"<h2>{title}</h2>{_div(kit, text)}{box}<code>{kit.rng.randrange(10**16):x}</code>"
            )
        case "consent_wall":
            inner = (
                f'<div role="dialog" aria-modal="true"><h2>{title}</h2>{_div(kit, text)}'
                f"<button>{action}</button><button>{kit.words(2)}</button></div>"
            )
        case "parked":
            host = kit.host()
            found = links(
                [kit.words(2) for _ in range(kit.rng.randint(3, 9))], around="<div>{}</div>"
            )
            inner = f"<h1>{host}</h1>{_div(kit, text)}<button>{action}</button>{found}"
            return _page(kit, host, _div(kit, inner), scripts=1)
        case _:
            number = kit.rng.choice(["404"] if state == "missing" else ["500", "503"])
            big = _div(kit, number) if kit.chance(0.6) else ""
            inner = f'{big}<h1>{title}</h1>{_div(kit, text)}<a href="/">{action}</a>'
    return _page(kit, title, (_menu(kit) if kit.chance(0.4) else "") + _div(kit, inner))


def _name(kit: Kit) -> str:
    return f"css-{kit.rng.randrange(16**6):06x}"


def _div(kit: Kit, inner: str) -> str:
    return f'<div class="{_name(kit)}">{inner}</div>'


def _menu(kit: Kit) -> str:
    sign = '<form><input type="password"></form>' if kit.chance(0.2) else ""
    return f'<nav class="{_name(kit)}">{links(kit.nav())}</nav>{sign}'


def _content(kit: Kit, headline: str) -> str:
    if kit.chance(0.25):
        cards = "".join(
            _div(kit, f"<h3>{kit.words(3)}</h3><span>{kit.rng.randrange(5, 900)}.00</span>")
            for _ in range(kit.rng.randint(6, 30))
        )
        return _menu(kit) + f"<h1>{headline}</h1>{cards}"
    parts = "".join(_div(kit, one) for one in kit.paragraphs(2, 16))
    banner = ""
    if kit.chance(0.4):
        _, text, action = kit.said("consent_wall")
        banner = f'<div role="dialog" id="consent"><div>{text}</div><button>{action}</button></div>'
    sign = '<form><input type="email"><input type="password"></form>' if kit.chance(0.2) else ""
    return f"{_menu(kit)}{sign}<main><h1>{headline}</h1>{parts}</main>{banner}"


def _page(
    kit: Kit, title: str, body: str, *, scripts: int = 3, state: bool = False, head: str = ""
) -> str:
    data = ""
    if state:
        held = {"page": {"items": [kit.sentence() for _ in range(3)]}}
        data = f'<script id="__STATE__" type="application/json">{json.dumps(held)}</script>'
    loaded = "".join(
        f'<script src="/_/{kit.rng.randrange(16**6):06x}.js"></script>' for _ in range(scripts)
    )
    return (
        f'<!doctype html><html lang="{kit.lang}"><head><title>{title}</title>{head}'
        f'<meta name="viewport" content="width=device-width"></head><body>{body}{data}{loaded}</body></html>'
    )
