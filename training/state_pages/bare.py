"""Bare pages: what servers and gateways write by themselves, without style, frame or class names."""

from __future__ import annotations

from training.state_pages.kit import Kit, links

BANK = "first"


def make(kit: Kit, state: str) -> str:
    """Return a page of a state; ``missing`` and ``server`` are the two kinds of error page."""
    title, text, action = kit.said(state)
    match state:
        case "empty":
            return kit.rng.choice(
                ["<html><head></head><body></body></html>", "<!doctype html>", "\n"]
            )
        case "shell":
            return (
                f"<!doctype html><html><head><title>{kit.words(2)}</title></head><body>"
                '<div id="app"></div><script src="/main.js"></script></body></html>'
            )
        case "content":
            return _content(kit)
        case "paywall":
            body = "".join(f"<p>{one}</p>" for one in kit.paragraphs(1, 3))
            last = f"<p>{kit.words(25)}…</p>"
            wall = f'<hr><p><b>{text}</b></p><p><a href="/buy">{action}</a></p>'
            return _page(kit.headline(), f"<h1>{kit.headline()}</h1>{body}{last}{wall}")
        case "login":
            form = (
                f'<form method="post"><input type="text" name="u"><input type="password" name="p">'
                f'<input type="submit" value="{action}"></form>'
            )
            return _page(title, f"<h2>{title}</h2><p>{text}</p>{form}")
        case "block_page":
            puzzle = '<form method="post"><img src="/puzzle.png"><input type="text"></form>'
            number = f"<hr><p>ID {kit.rng.randrange(10**12):x}</p>"
            return _page(
                title, f"<h1>{title}</h1><p>{text}</p>{puzzle if kit.chance(0.5) else number}"
            )
        case "consent_wall":
            form = f'<form method="post"><button>{action}</button><button>{kit.words(1)}</button></form>'
            return _page(title, f"<h1>{title}</h1><p>{text}</p>{form}")
        case "parked":
            host = kit.host()
            found = links([kit.words(2) for _ in range(kit.rng.randint(0, 10))], around="<p>{}</p>")
            return _page(
                host, f'<h1>{host}</h1><p>{text}</p><p><a href="/offer">{action}</a></p>{found}'
            )
    return _page(
        title, f"<center><h1>{title}</h1></center><hr><p>{text if kit.chance(0.7) else ''}</p>"
    )


def _page(title: str, body: str) -> str:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>"


def _content(kit: Kit) -> str:
    """Return a page of content: an article, a notice or a list; some are fragments."""
    page = _whole(kit)
    if kit.chance(0.3):
        page = page.replace(page[: page.index("<body>") + 6], "").replace("</body></html>", "")
    return page


def _whole(kit: Kit) -> str:
    if kit.chance(0.2):  # a short notice
        return _page(kit.headline(), f"<h1>{kit.headline()}</h1><p>{kit.paragraph()}</p>")
    if kit.chance(0.2):
        entries = links(
            [kit.headline() for _ in range(kit.rng.randint(10, 60))], around="<li>{}</li>"
        )
        return _page(kit.headline(), f"<h1>{kit.headline()}</h1><ul>{entries}</ul>")
    body = "".join(f"<p>{one}</p>" for one in kit.paragraphs(2, 20))
    return _page(kit.headline(), f"<h1>{kit.headline()}</h1>{body}")
