"""Public offices, courses and collections of documents: landmarks, fieldsets, definition lists.

Text stands in sections, lists and cells as often as in paragraphs, forms are labelled, pictures have
captions. What only members may read is a lesson among closed ones, a document after its first page,
a text that fades; in languages that the model has no phrase of.
"""

from __future__ import annotations

from training.state_pages.kit import Kit, links

BANK = "fifth"


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    headline = kit.headline()
    match state:
        case "empty":
            return kit.rng.choice((
                "<!doctype html><html><head><title></title><meta name=generator content=x></head><body><div id=top></div></body></html>",
                "<!doctype html><title></title><main></main>",
            ))  # fmt: skip
        case "content":
            return _site(kit, headline, _content(kit, headline))
        case "paywall":
            return _site(kit, headline, _closed(kit, headline, text, action))
        case "shell":
            return _shell(kit)
        case "parked":
            host = kit.host()
            ads = "".join(
                f"<dt><a href='/s?{n}'>{kit.words(2)}</a><dd>{kit.words(5)}"
                for n in range(kit.rng.choice((0, 3, 8)))
            )
            return _alone(
                kit,
                host,
                f"<hgroup><h1>{host}</h1><p>{text}</p></hgroup><form><button>{action}</button></form><dl>{ads}</dl>",
            )
        case "consent_wall":
            return _alone(
                kit, kit.rng.choice((title, kit.words(2))), _consent(kit, title, text, action)
            )
        case "block_page":
            inner = _challenge(kit, title, text, action)
            return _alone(kit, title, inner) if kit.chance(0.8) else _site(kit, title, inner)
        case "login":
            inner = _login(kit, title, text, action)
        case _:
            inner = _error(kit, state, title, text, action)
    return _site(kit, title, inner) if kit.chance(0.65) else _alone(kit, title, inner)


def _login(kit: Kit, title: str, text: str, action: str) -> str:
    kind = kit.rng.randrange(3)
    if kind == 0:  # a list of other accounts above the form
        ways = "".join(
            f"<li><a href='/sso/{n}'><img src='/i/{n}.svg' alt=''>{kit.words(2)}</a></li>"
            for n in range(kit.rng.randint(2, 5))
        )
        other = f"<fieldset><legend>{kit.words(2)}</legend><ul>{ways}</ul></fieldset>"
    else:
        other = f"<p role='note'>{kit.sentence()}</p>" if kit.chance(0.4) else ""
    fields = (
        f"<div><label for='u'>{kit.words(1)}</label> <input id='u' name='u' required></div>"
        f"<div><label for='v'>{kit.words(1)}</label> <input id='v' name='v' type='password' required></div>"
    )
    return (
        f"<h1>{title}</h1>{other}<form method='post'><fieldset><legend>{text}</legend>{fields}"
        f"<button type='submit'>{action}</button></fieldset></form><p>{links([kit.words(3), kit.words(2)])}</p>"
    )


def _error(kit: Kit, state: str, title: str, text: str, action: str) -> str:
    detail = kit.rng.choice(
        (
            "",
            "",
            f"<pre>{kit.words(1)}: {kit.rng.randrange(10**8)}</pre>",
            f"<p><small>{kit.words(2)} {kit.rng.randrange(10**6)}</small></p>",
        )
    )
    search = (
        f"<form role='search'><label>{kit.words(1)} <input name='q'></label><button>{kit.words(1)}</button></form>"
        if kit.chance(0.4) and state == "missing"
        else ""
    )
    topics = ""
    if kit.chance(0.4):
        topics = f"<nav><h2>{kit.words(2)}</h2><ul>{links([kit.words(3) for _ in range(kit.rng.randint(4, 14))], around='<li>{}</li>')}</ul></nav>"
    role = " role='alert'" if kit.chance(0.4) else ""
    tag = kit.rng.choice(("h1", "h1", "h2", "strong"))
    return f"<section{role}><{tag}>{title}</{tag}><div>{text}</div>{detail}</section>{search}<p><a href='/'>{action}</a></p>{topics}"


def _challenge(kit: Kit, title: str, text: str, action: str) -> str:
    kind = kit.rng.choice((
        f"<figure><img src='/p?{kit.rng.randrange(9**9)}' alt=''><figcaption>{kit.words(3)}</figcaption></figure><label>{kit.words(1)} <input name='a' size='8'></label><button>{action}</button>",
        "<iframe title='x' src='/w'></iframe>",
        f"<meter value='0.3'></meter><p>{kit.words(4)}</p>",
        f"<label><input type='checkbox' required> {action}</label>",
    ))  # fmt: skip
    mark = (
        f"<dl><dt>{kit.words(1)}<dd>{kit.rng.randrange(16**12):012x}</dl>"
        if kit.chance(0.7)
        else ""
    )
    return f"<h1>{title}</h1><div>{text}</div><form method='post'>{kind}</form>{mark}"


def _consent(kit: Kit, title: str, text: str, action: str) -> str:
    purposes = "".join(
        f"<fieldset><legend>{kit.words(3)}</legend><div>{kit.sentence()}</div><label><input type='radio' name='r{n}'>{kit.words(1)}</label><label><input type='radio' name='r{n}'>{kit.words(1)}</label></fieldset>"
        for n in range(kit.rng.choice((0, 0, 3, 6)))
    )
    table = ""
    if kit.chance(0.3):
        rows = "".join(
            f"<tr><td>{kit.words(1)}</td><td>{kit.words(5)}</td><td>{n} {kit.words(1)}</td></tr>"
            for n in range(6)
        )
        table = f"<table>{rows}</table>"
    refuse = f"<button type='submit' name='no'>{kit.words(2)}</button>" if kit.chance(0.6) else ""
    box = kit.rng.choice(("section", "dialog open", "form"))
    return f"<{box}><h1>{title}</h1><div>{text} {kit.sentence()}</div>{purposes}{table}<button type='submit'>{action}</button>{refuse}<p>{links([kit.words(2)])}</p></{box.split()[0]}>"


def _shell(kit: Kit) -> str:
    headers = "".join(f"<th>{kit.words(1)}</th>" for _ in range(4))
    waiting = kit.rng.choice((
        f"<table aria-busy='true'><thead><tr>{headers}</tr></thead><tbody></tbody></table>",
        "<reading-room></reading-room>", "<section id='viewer' data-doc='771'></section>",
        "<article aria-busy='true'><div></div><div></div><div></div></article>",
        f"<div id='course'><progress></progress><span>{kit.words(1)}</span></div>",
        "<template id='row'><p></p></template><div role='list'></div>",
    ))  # fmt: skip
    warning = f"<noscript><p>{kit.sentence()}</p></noscript>" if kit.chance(0.5) else ""
    heading = f"<h1>{kit.words(2)}</h1>" if kit.chance(0.3) else ""
    body = heading + waiting + warning
    scripts = "".join(
        f"<script defer src='/lib/{n}.js'></script>" for n in range(kit.rng.randint(1, 5))
    )
    made = _site(kit, kit.headline(), body) if kit.chance(0.55) else _alone(kit, kit.words(2), body)
    return made.replace("</head>", scripts + "</head>")


def _prose(kit: Kit, least: int, most: int) -> list[str]:
    """Return paragraphs, each as this kind of site may write one."""
    form = kit.rng.choice(
        ("<p>{}</p>", "<div class='t'>{}</div>", "{}<br><br>", "<li>{}</li>", "<p>{}</p>")
    )
    return [form.format(one) for one in kit.paragraphs(least, most)]


def _closed(kit: Kit, headline: str, text: str, action: str) -> str:
    """Return the beginning of what only members may read, and the offer."""
    price = f"<dd>{kit.rng.randrange(3, 90)} €</dd>" if kit.chance(0.4) else ""
    start = "".join(_prose(kit, 1, 3))
    match kit.rng.randrange(4):
        case 0:  # a document after its first page
            pages = "<div class='sheet' aria-hidden='true'></div>" * kit.rng.randint(1, 5)
            inner = f"<div class='sheet'>{start}</div>{pages}<div>{text} <a href='/get'>{action}</a></div>"
        case 1:  # a lesson among closed ones
            lessons = "".join(
                f"<li>{kit.words(3)} <svg aria-label='x'></svg></li>"
                for _ in range(kit.rng.randint(3, 9))
            )
            inner = f"<section>{start}</section><section><h2>{text}</h2><ol>{lessons}</ol><button>{action}</button></section>"
        case 2:  # a text that fades
            inner = f"<div class='body'>{start}<p aria-hidden='true'>{kit.words(24)}…</p></div><section><b>{text}</b><dl><dt>{kit.words(2)}</dt>{price}</dl><a role='button' href='/get'>{action}</a></section>"
        case _:  # a form at the end
            inner = f"{start}<form><fieldset><legend>{text}</legend><label>{kit.words(1)} <input type='email'></label><button>{action}</button></fieldset></form>"
    return f"<h1>{headline}</h1>{inner}"


def _content(kit: Kit, headline: str) -> str:
    match kit.rng.randrange(5):
        case 0:  # a glossary or a timetable
            parts = "".join(
                f"<dt>{kit.words(1)}<dd>{kit.sentence()}" for _ in range(kit.rng.randint(3, 20))
            )
            return f"<h1>{headline}</h1><dl>{parts}</dl>"
        case 1:  # a service: what it is, what it costs, a form to apply by
            form = f"<form><fieldset><legend>{kit.words(2)}</legend><label>{kit.words(1)} <input></label><label>{kit.words(1)} <input type='email'></label><select><option>{kit.words(1)}</select><button>{kit.words(1)}</button></fieldset></form>"
            return f"<h1>{headline}</h1>{''.join(_prose(kit, 1, 4))}<dl><dt>{kit.words(2)}<dd>{kit.rng.randrange(9, 90)} €</dl>{form}"
        case 2:  # a list of documents
            rows = "".join(
                f"<tr><td><a href='/d/{n}'>{kit.headline()}</a></td><td>{kit.rng.randrange(1, 29)}.4.</td></tr>"
                for n in range(kit.rng.randint(4, 30))
            )
            return f"<h1>{headline}</h1><p>{kit.sentence()}</p><table>{rows}</table>"
        case _:
            offer = ""
            if kit.chance(0.5):
                offer = f"<section><h2>{kit.words(3)}</h2><p>{kit.sentence()}</p><label>{kit.words(1)} <input type='email'></label><button>{kit.said('paywall')[2]}</button></section>"
            figure = (
                f"<figure><img src='/f.jpg' alt=''><figcaption>{kit.words(6)}</figcaption></figure>"
                if kit.chance(0.4)
                else ""
            )
            return f"<h1>{headline}</h1>{figure}{''.join(_prose(kit, 2, 15))}{offer}"


def _alone(kit: Kit, title: str, inner: str) -> str:
    return f"<!doctype html><html lang='{kit.lang}'><head><title>{title}</title><style>main{{margin:auto}}</style></head><body><main>{inner}</main></body></html>"


def _site(kit: Kit, title: str, inner: str) -> str:
    enter = f"<a href='/my'>{kit.said('login')[2]}</a>"
    panel = ""
    if kit.chance(0.2):
        panel = f"<form class='mini'><label>{kit.words(1)} <input name='u2'></label><label>{kit.words(1)} <input type='password' name='v2'></label><button>{kit.said('login')[2]}</button></form>"
    note = ""
    if kit.chance(0.3):
        _, text, action = kit.said("consent_wall")
        note = f"<aside aria-label='x'>{text} <button>{action}</button></aside>"
    side = (
        f"<div class='side'><h2>{kit.words(2)}</h2><ul>{links([kit.headline() for _ in range(kit.rng.randint(2, 7))], around='<li>{}</li>')}</ul></div>"
        if kit.chance(0.5)
        else ""
    )
    address = f"<footer><address>{kit.words(2)}<br>{kit.words(3)}<br>+00 {kit.rng.randrange(10**7)}</address>{links([kit.words(2) for _ in range(4)])}</footer>"
    return (
        f"<!doctype html><html lang='{kit.lang}'><head><meta charset='utf-8'><title>{title} – {kit.words(2)}</title></head><body>{note}"
        f"<header role='banner'><a href='#m'>{kit.words(3)}</a><a href='/'>{kit.words(2)}</a>{enter}{panel}</header><nav><ul>{links(kit.nav(), around='<li>{}</li>')}</ul></nav>"
        f"<main id='m'>{inner}</main>{side}{address}</body></html>"
    )
