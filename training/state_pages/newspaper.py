"""A newspaper's site: header, menus, teasers, footer; class names by block, element and modifier."""

from __future__ import annotations

import json

from training.state_pages.kit import Kit, links

BANK = "first"


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    if state == "empty":
        return (
            f'<html lang="{kit.lang}"><head><title></title></head><body class="page"></body></html>'
        )
    if state == "parked":
        return _parked(kit)
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "content":
            return _frame(kit, headline, _content(kit, headline), article=True)
        case "paywall":
            return _frame(
                kit, headline, _walled(kit, headline, text, action), article=True, paid=True
            )
        case "shell":
            main = '<main class="main" id="main"></main><script src="/static/bundle.js"></script>'
            return _frame(kit, headline, main, teasers=False)
        case "login":
            main = (
                f'<section class="account"><h1 class="account__title">{title}</h1><p>{text}</p>'
                '<form class="account__form" action="/login"><label>E-mail<input type="email"></label>'
                '<label><input type="password" autocomplete="current-password"></label>'
                f'<button class="button button--primary">{action}</button></form></section>'
            )
        case "block_page":
            main = (
                f'<section class="challenge"><h1>{title}</h1><p class="challenge__text">{text}</p>'
                '<iframe class="challenge__widget" src="/captcha/frame"></iframe>'
                f'<button class="button">{action}</button></section>'
            )
        case "consent_wall":
            return _consent(kit, title, text, action)
        case _:
            main = (
                f'<section class="error"><h1 class="error__title">{title}</h1><p>{text}</p>'
                f'<a class="button" href="/">{action}</a></section>'
            )
    return _frame(kit, title, main, teasers=kit.chance(0.4), framed=kit.chance(0.7))


def _consent(kit: Kit, title: str, text: str, action: str) -> str:
    more = "".join(
        f"<li><b>{kit.words(3)}</b> {kit.sentence()}</li>" for _ in range(kit.rng.randint(0, 6))
    )
    return (
        f'<html lang="{kit.lang}"><head><title>{title}</title><meta name="robots" content="noindex"></head>'
        f'<body class="consent"><div class="consent__box" role="dialog"><h2>{title}</h2><p>{text}</p>'
        f"<ul>{more}</ul>"
        f'<button class="consent__accept">{action}</button><button class="consent__more">{kit.words(2)}</button>'
        '</div><script src="/consent.js"></script></body></html>'
    )


def _parked(kit: Kit) -> str:
    _, text, action = kit.said("parked")
    host = kit.host()
    ads = links(
        [kit.words(2) for _ in range(kit.rng.randint(4, 12))],
        around='<li class="ads__item">{}</li>',
    )
    return (
        f"<html><head><title>{host}</title></head><body class='parking'><header><h1>{host}</h1></header>"
        f'<p class="sale">{text} <a href="/offer">{action}</a></p><ul class="ads">{ads}</ul>'
        f"<footer>© {host}</footer></body></html>"
    )


def _content(kit: Kit, headline: str) -> str:
    body = "".join(f'<p class="article__text">{one}</p>' for one in kit.paragraphs(2, 18))
    banner, box = "", ""
    if kit.chance(0.4):
        _, text, action = kit.said("consent_wall")
        banner = f'<div class="cookie-banner"><p>{text}</p><button>{action}</button></div>'
    if kit.chance(0.4):
        box = (
            f'<div class="subscribe-box"><p>{kit.sentence()}</p><input type="email">'
            f"<button>{kit.said('paywall')[2]}</button></div>"
        )
    sign = '<form class="comment"><textarea></textarea><div class="captcha"></div></form>'
    return (
        f'{banner}<article class="article"><h1 class="article__title">{headline}</h1>'
        f"{body}</article>{box}{sign if kit.chance(0.3) else ''}"
    )


def _walled(kit: Kit, headline: str, text: str, action: str) -> str:
    body = "".join(f'<p class="article__text">{one}</p>' for one in kit.paragraphs(1, 4))
    wall = f'<div class="paywall"><p class="paywall__text">{text}</p><a class="button" href="/abo">{action}</a></div>'
    cut = f'<p class="article__text article__text--fade">{kit.words(30)} …</p>'
    return f'<article class="article"><h1 class="article__title">{headline}</h1>{body}{cut}{wall}</article>'


def _frame(
    kit: Kit,
    title: str,
    main: str,
    *,
    article: bool = False,
    paid: bool = False,
    teasers: bool = True,
    framed: bool = True,
) -> str:
    name = kit.words(2)
    data = ""
    if article and kit.chance(0.7):
        node: dict[str, object] = {"@type": "NewsArticle", "headline": title}
        if paid or kit.chance(0.1):
            node |= {"isAccessibleForFree": not paid}
        data = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    kind = '<meta property="og:type" content="article">' if article else ""
    head = (
        f"<head><title>{title} - {name}</title>{kind}{data}"
        f'<meta name="description" content="{kit.sentence()}">'
        '<script src="/static/ads.js"></script></head>'
    )
    if not framed:
        return f'<html lang="{kit.lang}">{head}<body class="page"><main>{main}</main></body></html>'
    more = ""
    if teasers:
        more = "".join(
            f'<div class="teaser"><a href="/t{n}"><h3>{kit.headline()}</h3></a><p>{kit.sentence()}</p></div>'
            for n in range(kit.rng.randint(2, 8))
        )
    menu = links(kit.nav(), around='<li class="menu__item">{}</li>')
    sign = ""
    if kit.chance(0.25):
        sign = '<form class="signin"><input type="text"><input type="password"></form>'
    return (
        f'<html lang="{kit.lang}">{head}<body class="page"><header class="header"><b>{name}</b>'
        f'<nav><ul class="menu">{menu}</ul></nav><a class="header__login" href="/login">'
        f'{kit.said("login")[2]}</a>{sign}</header><main class="content">{main}</main>'
        f'<aside class="teasers">{more}</aside><footer class="footer"><p>{kit.sentence()}</p>'
        f"{links(kit.nav())}</footer></body></html>"
    )
