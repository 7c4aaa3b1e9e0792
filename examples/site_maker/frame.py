"""The frame of a page: what stands above and below on every page of a host."""

from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from string import Template

from site_maker.noise import Noise

TEMPLATES = Path(__file__).parent / "templates"


@dataclass
class Made:
    """A page before it is encoded; `gold` includes the headline, `posts` only a thread's."""

    html: str
    gold: list[str]
    snippets: list[str]
    posts: list[dict[str, str]] = field(default_factory=list)


@cache
def _template(name: str) -> Template:
    return Template((TEMPLATES / f"{name}.html").read_text(encoding="utf-8"))


def fill(template: str, /, **values: object) -> str:
    """A file of `templates` with its $names filled in; a name without a value is an error."""
    return _template(template).substitute(values)


def safe(text: str) -> str:
    """Text as it may stand between tags."""
    return escape(text, quote=False)


def framed(noise: Noise, main: str, *, head: str = "", og_type: str = "website") -> str:
    """A whole page around `main`, in the frame of the page's host."""
    site, entry, labels = noise.site, noise.entry, noise.labels
    frame = ("top", "login", "newsletter", "cookie", "rights")
    noise.snippets += [labels[key] for key in frame]
    nav = "".join(
        f"<li{' class=active' if slug == entry.section else ''}>"
        f'<a href="/{slug}/index.html">{name}</a></li>'
        for slug, name in labels["nav"]
    )
    values = {key: labels[key] for key in frame}
    return fill(
        f"frame.{site.lang}",
        **values,
        declared=entry.label,
        title=safe(entry.title),
        description=escape(_description(noise)),
        url=f"https://{site.host}{entry.link}",
        og_type=og_type,
        template=entry.kind,
        slug=entry.slug or "home",
        head=head,
        nav=nav,
        main=main,
        edition=4000 + noise.dice.below(900),
        weather=noise.dice.below(25),
    )


def _description(noise: Noise) -> str:
    entry = noise.entry
    return entry.title if entry.kind == "list" else entry.teaser()
