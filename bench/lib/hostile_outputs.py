"""All that is made of a page, by name: what the growth of time and memory is measured of.

What comes after a method is made of a verdict that keeps all rows, so that nothing of a page is
spared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

import chaffinch
from chaffinch.assessment.shell import is_shell
from chaffinch.extraction.extracted import Extract
from chaffinch.methods import METHODS
from chaffinch.output.options import PARTS
from chaffinch.page import Page
from chaffinch.siblings.sibling_links import sibling_links
from chaffinch.verdict import Verdict

_URL: Final = "https://farm.example/mill/oats-{}.html"
_SELECTORS: Final = "p, .a1 > b, div ~ div, li:nth-child(2n+1), [href^='/'] + a, :has(> a), #a"
_SIBLINGS: Final = 2


class Subject:
    """A page, and other pages of its site that are like it, parsed when they are wanted.

    Args:
        html: its source.
        parsed: whether it is parsed now.
    """

    def __init__(self, html: str | bytes, *, parsed: bool = True) -> None:
        self.html = html.encode() if isinstance(html, str) else html
        if parsed:
            self.page  # noqa: B018  parsed now, for parsing is another output's

    @cached_property
    def page(self) -> Page:
        """The page."""
        return chaffinch.parse(self.html, url=_URL.format(0))

    @property
    def whole(self) -> Extract:
        """What is made of the page by a verdict that keeps all rows, made anew for each output."""
        return chaffinch.extract(self.page, method=_keep_all)

    @cached_property
    def siblings(self) -> list[Page]:
        """Pages that differ from this one by a paragraph and the address."""
        return [
            chaffinch.parse(self.html + f"<p>Rye {number}".encode(), url=_URL.format(number))
            for number in range(1, 1 + _SIBLINGS)
        ]


def _keep_all(page: Page) -> Verdict:
    rows = len(page)
    return Verdict(np.ones(rows, bool), np.ones(rows, np.float32), np.zeros(rows, np.int8))


def _keep_none(page: Page) -> Verdict:
    return Verdict.empty(len(page))


def _of_whole(make: Callable[[Extract], Any]) -> Callable[[Subject], Any]:
    return lambda subject: make(subject.whole)


def _section(extract: Extract) -> list[Any]:
    """Return the first and the last section, each found by its number."""
    outline = extract.outline()
    return [extract.markdown(section=one.number) for one in (*outline[:1], *outline[-1:])]


def _quote(extract: Extract) -> str:
    """Return words from the middle of the text, one of them changed."""
    words = extract.text.split()
    middle = len(words) // 2
    return " ".join([*words[middle : middle + 12], "unlike"])


def _difference(subject: Subject) -> Any:
    old, new = (chaffinch.extract(one, method=_keep_all) for one in _versions(subject))
    return old.difference(new)


def _versions(subject: Subject) -> tuple[Page, Page]:
    """Return a page, and the page with one of its words changed throughout."""
    changed = subject.html.replace(b"oats", b"spelt")
    return subject.page, chaffinch.parse(changed, url=subject.page.url)


def _by_method(name: str, subject: Subject) -> str:
    compares = getattr(METHODS[name], "needs_siblings", False)
    siblings = subject.siblings if compares else []
    return chaffinch.extract(subject.page, method=name, siblings=siblings).text


def _by_site(subject: Subject) -> str:
    site = chaffinch.Site.learn([*subject.siblings, subject.page])
    return site.extract(subject.page).text


OUTPUTS: Final[dict[str, Callable[[Subject], Any]]] = {
    "parse": lambda subject: Subject(subject.html),
    "text": _of_whole(lambda extract: extract.text),
    "noise": lambda subject: chaffinch.extract(subject.page, method=_keep_none).noise,
    "blocks": _of_whole(lambda extract: extract.blocks),
    "markdown": _of_whole(lambda extract: extract.markdown()),
    "markdown, plain": _of_whole(
        lambda extract: extract.markdown(links=False, images=False, tables=False, emphasis=False)
    ),
    "markdown, rows": _of_whole(lambda extract: extract.markdown(rows=True)),
    "markdown, 500 tokens": _of_whole(lambda extract: extract.markdown(max_tokens=500)),
    "outline": _of_whole(lambda extract: extract.outline()),
    "section": _of_whole(_section),
    "locate": _of_whole(lambda extract: extract.locate(_quote(extract))),
    "verify": _of_whole(lambda extract: extract.verify(_quote(extract))),
    "difference": _difference,
    "assessment": lambda subject: chaffinch.assess(subject.page),
    "html": _of_whole(lambda extract: extract.html()),
    "tei": _of_whole(lambda extract: extract.tei()),
    "json": _of_whole(lambda extract: extract.to_json()),
    "records": _of_whole(lambda extract: extract.records),
    "fields": _of_whole(lambda extract: extract.fields(["oats", "rye=a,b"])),
    "json, all parts": _of_whole(lambda extract: extract.to_json(parts=PARTS)),
    "chunks": _of_whole(lambda extract: extract.chunks()),
    "tables": _of_whole(lambda extract: [one.records() for one in extract.tables]),
    "tables, CSV": _of_whole(lambda extract: [one.csv() for one in extract.tables]),
    "tables, Markdown": _of_whole(lambda extract: [one.markdown() for one in extract.tables]),
    "tables, HTML": _of_whole(lambda extract: [one.html() for one in extract.tables]),
    "images": _of_whole(lambda extract: extract.images),
    "code blocks": _of_whole(lambda extract: extract.code_blocks),
    "formulas": _of_whole(lambda extract: extract.formulas),
    "posts": _of_whole(lambda extract: extract.posts),
    "metadata": _of_whole(lambda extract: extract.metadata),
    "front matter": _of_whole(lambda extract: extract.front_matter()),
    "explain": _of_whole(lambda extract: extract.explain()),
    "clean": _of_whole(lambda extract: extract.clean()),
    "selectors": lambda subject: subject.page.select(_SELECTORS),
    "readable": lambda subject: chaffinch.is_readable(subject.page),
    "shell": lambda subject: is_shell(subject.page),
    "sibling links": lambda subject: sibling_links(_URL.format(0), [subject.page]),
    "compare": lambda subject: chaffinch.compare(subject.page, methods=[_keep_all]).table(),
    **{f"method {name}": partial(_by_method, name) for name in METHODS},
    "site": _by_site,
}
"""Name → what is made of a page."""

PARSING: Final = "parse"
"""The output that needs no page. What it takes of memory is less where one was parsed before."""

COMPARED: Final = frozenset(
    ["site", *(f"method {name}" for name in METHODS if METHODS[name].needs_siblings)]
)
"""Outputs that read other pages of the site, too."""
