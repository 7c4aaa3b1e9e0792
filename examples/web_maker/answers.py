"""What is asked, what is answered, and which host answers what."""

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request: host without port, port, path with query, headers in lower case.

    ``times`` says how often the address was asked before; it is all that a server remembers.
    """

    host: str
    port: int
    target: str = "/"
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 0

    @property
    def path(self) -> str:
        """The path without its query."""
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        """The query's keys and values; the last of equal keys."""
        return dict(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    def url(self, host: str, target: str = "/") -> str:
        """The address of something on a host of this web."""
        return f"http://{host}:{self.port}{target}"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What is sent: status, headers and body; ``manner`` is how, see `server.py`.

    ``gold`` is the content of the page, blocks on lines of their own; "" where it has none.
    """

    body: bytes = b""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    manner: str = "plain"
    gold: str = ""


def page(
    title: str, body: str, *, head: str = "", headers: tuple[tuple[str, str], ...] = ()
) -> Answer:
    """A plain page of a few lines."""
    html = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}'
        f"</head><body>{body}</body></html>"
    )
    return Answer(body=html.encode(), headers=headers)


def links(targets: list[str]) -> str:
    """A list of links."""
    return "<ul>" + "".join(f'<li><a href="{one}">{one}</a></li>' for one in targets) + "</ul>"


def text(body: str, kind: str = "text/plain; charset=utf-8") -> Answer:
    """An answer that is no page."""
    return Answer(body=body.encode(), kind=kind)


def moved(target: str, status: int = 301) -> Answer:
    """A redirect."""
    return Answer(status=status, headers=(("Location", target),))


def missing() -> Answer:
    """The page for what isn't there."""
    html = b"<!doctype html><title>Not found</title><p>There is no such page."
    return Answer(body=html, status=404)


def answer(asked: Asked) -> Answer:
    """What a host of this web answers; a page of its own for names it doesn't know."""
    from web_maker import apps, faults, opted, sites, traps  # noqa: PLC0415  they need this module

    hosts = {
        "post.test": sites.post,
        "zh.post.test": sites.post,
        "shop.test": sites.shop,
        "forum.test": sites.forum,
        "docs.test": sites.docs,
        "slow.test": sites.slow,
        "faulty.test": faults.faulty,
        "trap.test": traps.trap,
        "opted.test": opted.opted,
        "app.test": apps.app,
        "frame.test": apps.frame,
        "tracker.test": apps.tracker,
        "inner.test": apps.inner,
    }
    return hosts[asked.host](asked) if asked.host in hosts else missing()
