"""Made-up sites by a grammar: layout, nesting, habits of naming, boxes, comments, languages.

A site is made from its number alone, the same on every machine and in every run: its language and
design, the kinds of its pages and how many of each, and each page with its content. A redesign
changes the frame of all pages, or the story's own elements, and leaves the stories' texts as they
are. All words are made up; nothing is taken from any site.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from bench.lib.made_sites.design import Design, Language, languages
from bench.lib.made_sites.facts import COMBINATIONS, Facts, middle
from bench.lib.made_sites.pages import KINDS, Furniture, Story

__all__ = ["COUNT", "MadePage", "made_facts", "made_kind", "made_site"]

COUNT: Final = 200
"""Sites that the benches and the search for weights make."""
PAGES: Final = 20
"""Pages of a site."""
STORIES: Final = 5
"""Stories of a site for each of its pages that is made: lists and boxes show others, too."""
_MIXES: Final = (
    {"article": 12, "listing": 2, "missing": 1},
    {"article": 8, "listing": 3, "product": 2},
    {"thread": 10, "listing": 3},
    {"manual": 10, "listing": 1, "missing": 1},
    {"product": 10, "listing": 4},
    {"article": 6, "thread": 5, "listing": 2},
    {"article": 1},
)
"""Kinds of the pages of a site and their weights; a mix is drawn for each site."""


@dataclass(frozen=True)
class MadePage:
    """A page of a made-up site.

    Attributes:
        html: its source, UTF-8.
        url: its address.
        kind: one of `KINDS`.
        gold: its content, a block a line.
        lang: code of its language.
    """

    html: bytes
    url: str
    kind: str
    gold: str
    lang: str


def made_site(
    number: int, pages: int = PAGES, *, frame: int = 0, story: int = 0
) -> Iterator[MadePage]:
    """Yield the pages of a made-up site, in an order that mixes their kinds.

    Args:
        number: of the site.
        pages: how many.
        frame: release of what stands around the stories.
        story: release of the stories' own elements.
    """
    seed = f"made site {number}"
    dice = Random(seed)  # noqa: S311  a draw, not a secret
    lang = Language(dice.choice(languages()))
    mix = dice.choice(_MIXES)
    kinds = dice.choices(list(mix), list(mix.values()), k=STORIES * pages)
    stories = tuple(_story(lang, Random(f"{seed}/{at}"), at, kind) for at, kind in enumerate(kinds))  # noqa: S311
    design = Design(seed, frame, story)
    for one in stories[:pages]:
        on = Furniture(design, lang, one, stories, Random(f"{seed}/{one.number}/page"))  # noqa: S311
        yield _page(on, f"https://site{number}.example{one.path}")


def made_kind(kind: str, code: str, number: int) -> MadePage:
    """Return a page of a kind in a language, of a site of its own; nothing in it declares a type.

    Args:
        kind: one of `KINDS`.
        code: of the language, among them "ar" and "ja", which made-up sites don't have.
        number: of the page; its design is that of no page of another kind or language.
    """
    seed, lang = f"made {kind} {code} {number}", Language(code)
    stories = tuple(_story(lang, Random(f"{seed}/{at}"), at, kind) for at in range(40))  # noqa: S311
    on = Furniture(Design(seed), lang, stories[0], stories, Random(f"{seed}/page"))  # noqa: S311
    return _page(on, f"https://{kind}{number}.example{on.own.path}")


def made_facts(code: str, number: int, page: int = 0) -> tuple[MadePage, Facts]:
    """Return a page of a shop, of a product with its parameters.

    Args:
        code: of the language.
        number: of the shop; forms and places of the parameters take turns.
        page: its number in the shop, whose design and form all of its pages share.
    """
    seed, lang = f"made facts {code} {number}", Language(code)
    stories = tuple(_story(lang, Random(f"{seed}/{at}"), at, "shop") for at in range(40))  # noqa: S311
    dice = Random(f"{seed}/page {page}")  # noqa: S311
    on = Furniture(Design(seed), lang, stories[page], stories, dice)
    form, place, declared = COMBINATIONS[number // 2 % len(COMBINATIONS)]
    inner, facts = middle(on, form, place, declared=declared)
    return _page(on, f"https://facts{number}.example{on.own.path}", (inner, facts)), facts


def _story(lang: Language, dice: Random, number: int, kind: str) -> Story:
    author = dice.choice(lang.labels("names"))
    return Story(number, kind, lang.title(dice), lang.sentence(dice), author)


def _page(on: Furniture, url: str, made: tuple[str, Facts] | None = None) -> MadePage:
    inner, gold = KINDS[on.own.kind](on) if made is None else (made[0], made[1].texts)
    main = on.design.element("main", inner, on.design.pick("tag of the middle", "div", "main"))
    columns = [main, on.side()]
    if on.design.has("side first", 0.3, "frame"):
        columns.reverse()
    body = on.design.element("page", on.header() + "".join(columns) + on.footer())
    head = f"<title>{on.own.title}</title>"
    if on.own.kind == "article" and on.design.has("declared type", 0.5):
        head += '<meta property="og:type" content="article">'
    if made is not None and made[1].declared:
        head += made[1].head
    html = (
        f'<!doctype html><html lang="{on.lang.code}"><head>{head}</head><body>{body}</body></html>'
    )
    return MadePage(html.encode(), url, on.own.kind, "\n".join(gold), on.lang.code)
