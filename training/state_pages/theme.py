"""Pages of a blog's theme: ids and widgets, a sidebar, comments, body classes that say the kind."""

from __future__ import annotations

from training.state_pages.kit import Kit, links

BANK = "second"


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "empty":
            return "<html><body class='blank'>  <!-- nothing --> </body></html>"
        case "content":
            return _frame(kit, headline, _content(kit, headline), "single single-post")
        case "shell":
            main = '<div id="posts" class="infinite-scroll"></div>'
            return _frame(kit, headline, main, "home", widgets=False, script=True)
        case "paywall":
            body = "".join(f"<p>{one}</p>" for one in kit.paragraphs(1, 3))
            wall = (
                f'<div class="members-only-notice"><h3>{text}</h3><a class="btn">{action}</a></div>'
            )
            main = f'<div class="post"><h2 class="entry-title">{headline}</h2>{body}{wall}</div>'
            return _frame(kit, headline, main, "single members")
        case "login":
            form = (
                f'<form id="loginform"><p><label>{kit.words(1)}<input type="text" name="log"></label></p>'
                '<p><input type="password" name="pwd"></p>'
                f'<p class="submit"><input type="submit" value="{action}"></p></form><p id="nav">{text}</p>'
            )
            if kit.chance(0.5):
                return f"<html><head><title>{title}</title></head><body class='login'><div id='login'>{form}</div></body></html>"
            return _frame(kit, title, f"<h2>{title}</h2>{form}", "page")
        case "block_page":
            return (
                f"<html><head><title>{title}</title><meta name='robots' content='noindex'></head>"
                f"<body><div id='wrapper'><h1>{title}</h1><p>{text}</p><p>{kit.rng.randrange(256)}."
                f"{kit.rng.randrange(256)}.0.1</p><small>{kit.words(3)}</small></div></body></html>"
            )
        case "consent_wall":
            return (
                f"<html><head><title>{kit.words(2)}</title></head><body><div id='privacy-wall'><h1>{title}</h1>"
                f"<p>{text}</p><p>{kit.sentence()}</p><form><button name='ok'>{action}</button></form>"
                f"{links([kit.words(2)])}</div></body></html>"
            )
        case "parked":
            host = kit.host()
            boxes = "".join(
                f"<div class='box'><h3><a href='/s'>{kit.words(2)}</a></h3></div>" for _ in range(8)
            )
            return (
                f"<html><head><title>{host} - {action}</title></head><body><div id='top'>{host}</div>"
                f"<div id='domain-sale'>{text}</div>{boxes if kit.chance(0.7) else ''}"
                f"<div id='bottom'>{kit.sentence()}</div></body></html>"
            )
    main = f'<div class="post no-results"><h2 class="entry-title">{title}</h2><p>{text}</p>'
    search = f'<form role="search"><input type="search"><button>{action}</button></form></div>'
    return _frame(kit, title, main + search, "error404" if kit.chance(0.5) else "page")


def _content(kit: Kit, headline: str) -> str:
    if kit.chance(0.25):  # the blog's list of posts
        return "".join(
            f'<div class="post"><h2><a href="/p{n}">{kit.headline()}</a></h2><p>{kit.sentence()}</p></div>'
            for n in range(kit.rng.randint(3, 12))
        )
    body = "".join(f"<p>{one}</p>" for one in kit.paragraphs(1, 14))
    said = "".join(
        f"<li class='comment'><b>{kit.words(1)}</b><p>{kit.sentence()}</p></li>"
        for _ in range(kit.rng.randint(0, 9))
    )
    reply = "<form id='respond'><textarea></textarea><img class='captcha' src='/c.png'></form>"
    return (
        f'<div class="post"><h2 class="entry-title">{headline}</h2><div class="entry">{body}</div></div>'
        f"<ol id='comments'>{said}</ol>{reply if kit.chance(0.5) else ''}"
    )


def _frame(
    kit: Kit, title: str, main: str, kind: str, *, widgets: bool = True, script: bool = False
) -> str:
    side = ""
    if widgets:
        recent = links([kit.headline() for _ in range(kit.rng.randint(3, 8))], around="<li>{}</li>")
        side = (
            f'<div id="sidebar"><div class="widget"><h4>{kit.words(2)}</h4><ul>{recent}</ul></div>'
        )
        if kit.chance(0.4):
            side += (
                f'<div class="widget login"><form><input type="text"><input type="password">'
                f"<button>{kit.said('login')[2]}</button></form></div>"
            )
        if kit.chance(0.4):
            side += f'<div class="widget subscribe"><p>{kit.said("paywall")[2]}</p><input type="email"></div>'
        side += "</div>"
    loaded = "<script src='/wait.js'></script>" if script or kit.chance(0.6) else ""
    return (
        f"<html lang='{kit.lang}'><head><title>{title} | {kit.words(2)}</title>{loaded}</head>"
        f"<body class='{kind}'><div id='header'><h1><a href='/'>{kit.words(2)}</a></h1>"
        f"<ul id='menu'>{links(kit.nav(), around='<li>{}</li>')}</ul></div>"
        f"<div id='content'>{main}</div>{side}<div id='footer'>{kit.sentence()}</div></body></html>"
    )
