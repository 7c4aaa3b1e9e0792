"""Shops, forums and members' areas: lists, tables and toolbars around whatever stands in the middle.

Nothing here is an article: content is a product, a thread, a table of files, a list of offers. So
walls and errors stand among prices, forms and numbers that have nothing to do with them.
"""

from __future__ import annotations

from training.state_pages.kit import Kit, links

BANK = "fourth"


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "empty":
            return kit.rng.choice(
                (
                    "<!DOCTYPE html><html><head></head><body><script src='/t.js'></script></body></html>",
                    "<html><body><br></body></html>",
                )
            )
        case "content":
            return _frame(kit, headline, _content(kit, headline))
        case "shell":
            return _shell(kit)
        case "paywall":
            return _frame(kit, headline, _walled(kit, headline, text, action))
        case "parked":
            host = kit.host()
            table = "".join(
                f"<tr><td><a href='/{n}'>{kit.words(2)}</a></td></tr>"
                for n in range(kit.rng.choice((0, 5, 10)))
            )
            return _alone(
                host,
                f"<div class='msg'><b>{host}</b><br>{text} <a href='/b'>{action}</a></div><table>{table}</table><div>{kit.words(5)}</div>",
            )
        case "consent_wall":
            rows = "".join(
                f"<tr><td>{kit.words(3)}</td><td>{kit.words(6)}</td><td><input type='checkbox' checked></td></tr>"
                for _ in range(kit.rng.choice((0, 3, 5)))
            )
            buttons = f"<input type='submit' value='{action}'><input type='submit' value='{kit.words(2)}'>"
            inner = f"<form><h1>{title}</h1><p>{text}</p><p>{kit.paragraph()}</p><table>{rows}</table>{buttons}</form>"
            return _alone(title, inner) if kit.chance(0.8) else _frame(kit, title, inner, offers=0)
        case "block_page":
            kind = kit.rng.choice((
                f"<p>{kit.rng.randrange(256)}.{kit.rng.randrange(256)}.{kit.rng.randrange(256)}.3</p>",
                f"<form><img src='/c.jpg'><input name='c' size='6'><input type='submit' value='{action}'></form>",
                "<div id='widget'></div><script src='/api.js'></script>",
            ))  # fmt: skip
            return _alone(
                title,
                f"<h2>{title}</h2><p>{text}</p>{kind}<p>{kit.words(2)} #{kit.rng.randrange(10**9)}</p>",
            )
        case "login":
            return (
                _frame(kit, title, _login(kit, title, text, action))
                if kit.chance(0.6)
                else _alone(title, _login(kit, title, text, action))
            )
        case _:
            inner = _error(kit, state, title, text, action)
    return (
        _frame(kit, title, inner, offers=kit.rng.choice((0, 4, 12)))
        if kit.chance(0.7)
        else _alone(title, inner)
    )


def _login(kit: Kit, title: str, text: str, action: str) -> str:
    rows = (
        f"<tr><td>{kit.words(1)}</td><td><input type='text' name='login_name'></td></tr>"
        f"<tr><td>{kit.words(1)}</td><td><input type='password' name='login_key'></td></tr>"
    )
    other = (
        f"<div><a href='/fed'>{action} · {kit.words(1)}</a> <a href='/fed2'>{kit.words(2)}</a></div>"
        if kit.chance(0.4)
        else ""
    )
    return f"<div class='panel'><div class='head'>{title}</div><p>{text}</p><form method='post'><table>{rows}</table><input type='submit' value='{action}'></form>{other}{links([kit.words(2), kit.words(2)])}</div>"


def _error(kit: Kit, state: str, title: str, text: str, action: str) -> str:
    search = (
        "<form><input type='text' name='find'><input type='submit' value='&gt;'></form>"
        if kit.chance(0.4)
        else ""
    )
    goods = (
        "".join(_offer(kit, n) for n in range(kit.rng.choice((0, 0, 4, 8))))
        if state == "missing"
        else ""
    )
    heading = kit.rng.choice(("<h1>{}</h1>", "<h2>{}</h2>", "<div class='head'>{}</div>")).format(
        title
    )
    return f"<div class='panel'>{heading}<p>{text}</p>{search}<a href='/'>{action}</a></div>{goods}"


def _shell(kit: Kit) -> str:
    waiting = kit.rng.choice((
        "<div class='grid'>" + "<div class='card-ghost'></div>" * kit.rng.randint(3, 12) + "</div>",
        "<div id='list' data-source='/api/list'></div>",
        "<table id='rows'><tbody></tbody></table>",
        "<catalog-view page='1'></catalog-view>",
        f"<div id='view'><p>{kit.words(1)}…</p></div>",
    ))  # fmt: skip
    framed = kit.chance(0.5)
    body = waiting + ("<noscript>JavaScript</noscript>" if kit.chance(0.4) else "")
    scripts = "".join(f"<script src='/s{n}.js'></script>" for n in range(kit.rng.randint(1, 6)))
    made = _frame(kit, kit.words(2), body, offers=0) if framed else _alone(kit.words(2), body)
    return made.replace("</body>", scripts + "</body>")


def _walled(kit: Kit, headline: str, text: str, action: str) -> str:
    """Return the first posts or pages of what only members may read."""
    posts = "".join(
        f"<div class='msg'><b>{kit.words(1)}</b><div>{kit.paragraph()}</div></div>"
        for _ in range(kit.rng.randint(1, 3))
    )
    cut = f"<div class='msg'>{kit.words(15)}...</div>" if kit.chance(0.5) else ""
    box = f"<div class='panel'><p><b>{text}</b></p><input type='button' value='{action}'>{links([kit.words(2)])}</div>"
    return f"<h1>{headline}</h1>{posts}{cut}{box}"


def _offer(kit: Kit, number: int) -> str:
    return f"<div class='good'><a href='/g{number}'><img src='/g.jpg'>{kit.words(3)}</a><span>{kit.rng.randrange(5, 900)},00</span></div>"


def _content(kit: Kit, headline: str) -> str:
    match kit.rng.randrange(5):
        case 0:
            goods = "".join(_offer(kit, n) for n in range(kit.rng.randint(6, 40)))
            return f"<h1>{headline}</h1>{goods}"
        case 1:
            posts = "".join(
                f"<div class='msg'><b>{kit.words(1)}</b> #{n}<div>{' '.join(kit.sentence() for _ in range(kit.rng.randint(1, 4)))}</div></div>"
                for n in range(kit.rng.randint(1, 12))
            )
            answer = (
                f"<p>{kit.said('login')[1]} <a href='/l'>{kit.said('login')[2]}</a></p>"
                if kit.chance(0.6)
                else ""
            )
            return f"<h1>{headline}</h1>{posts}{answer}"
        case 2:
            rows = "".join(
                f"<tr><td><a href='/f{n}'>{kit.words(2)}</a></td><td>{kit.rng.randrange(9999)}</td><td>{kit.rng.randrange(1, 29)}.3.</td></tr>"
                for n in range(kit.rng.randint(4, 40))
            )
            return f"<h1>{headline}</h1><table>{rows}</table>"
        case 3:
            facts = "".join(
                f"<tr><td>{kit.words(1)}</td><td>{kit.words(2)}</td></tr>"
                for _ in range(kit.rng.randint(3, 9))
            )
            return f"<h1>{headline}</h1><b>{kit.rng.randrange(5, 900)},00</b><p>{kit.paragraph()}</p><form><input type='number' value='1'><button>{kit.words(2)}</button></form><table>{facts}</table>"
        case _:
            question = (
                f"<p>{kit.sentence()}</p>" if kit.chance(0.5) else f"<p>{kit.paragraph()}</p>"
            )
            return f"<h1>{headline}</h1>{question}"


def _alone(title: str, inner: str) -> str:
    return f"<!DOCTYPE html><html><head><title>{title}</title><link rel='stylesheet' href='/m.css'></head><body><div class='box'>{inner}</div></body></html>"


def _frame(kit: Kit, title: str, inner: str, *, offers: int = 5) -> str:
    sign = ""
    if kit.chance(0.3):
        sign = f"<form class='quick'><input name='login_name' size='8'><input type='password' size='8'><input type='submit' value='{kit.said('login')[2]}'></form>"
    basket = f"<div class='tools'><form><input type='search'></form>{kit.words(1)} (0) <a href='/l'>{kit.said('login')[2]}</a></div>"
    seen = "".join(_offer(kit, n) for n in range(offers))
    note = ""
    if kit.chance(0.4):
        _, text, action = kit.said("consent_wall")
        note = f"<div class='note'>{text} <input type='button' value='{action}'></div>"
    return (
        f"<!DOCTYPE html><html><head><title>{title} - {kit.words(1)}</title><link rel='stylesheet' href='/m.css'><script src='/m.js'></script></head>"
        f"<body>{note}<div class='top'>{sign}{basket}{links(kit.nav(), around='<span>{}</span>')}</div><div class='path'>{links([kit.words(1), kit.words(2)])}</div>"
        f"<div class='middle'>{inner}</div><div class='seen'>{seen}</div><div class='bottom'>{links([kit.words(2) for _ in range(8)])}<p>{kit.words(9)}</p></div></body></html>"
    )
