"""Advertisements that are kept, by form, for the default, site models and each method.

    python -m bench.quality.ads [--sites 12] [--pages 12]

Pages are articles of made-up sites (`bench.lib.made_sites`), Chinese and English ones in turns; in
each page adverts of some forms stand between paragraphs: a sentence with a link to another host, a
card, a labelled box, a picture alone, a link in a line of its own, a frame filled by a script, a
promotion in a paragraph like those of the text. A site has one way to name the others: as adverts,
neutrally, by hashes or not at all. Of six texts of each form one is drawn a page, so that each is
on part of the pages. Methods that compare get five other pages; site models are learned from the
other pages. An advert is kept where its text, picture or frame is; «text» is the share of the
article's words that is kept.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from html import escape
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

import chaffinch
from bench.lib.made_sites import MadePage, made_site
from bench.lib.made_sites.design import Language
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods import METHODS, build, settings_of
from chaffinch.page import Page
from chaffinch.site import Site

FORMS: Final = ("sentence", "card", "labelled", "picture", "link", "script", "promotion")
NAMES: Final = ("advert sponsored", "box-{}", "css-{}", "")
TEXTS: Final = 6
SIBLINGS: Final = 5
_PARAGRAPH_END: Final = re.compile("</p>|</div>|<br><br>|</li>")
LANGUAGES: Final = ("zh", "en")


class Given(NamedTuple):
    """A page with adverts: form → what marks the advert in the page, and the article's text."""

    page: Page
    adverts: dict[str, str]
    gold: str


def advert(form: str, lang: Language, dice: Random, name: str) -> tuple[str, str]:
    """Return the source of an advert and what marks it: a text, an address or an element's id."""
    text, number = lang.sentence(dice), dice.randint(10**6, 10**7)
    to = f"https://shop{number % 7}.example/offer/{number // 7}"
    shown, image = escape(text), f"https://img.example/{number}.jpg"
    inner = {
        "sentence": f'{shown} <a href="{to}">{escape(lang.title(dice))}</a>',
        "card": f'<a href="{to}"><img src="{image}"><b>{escape(lang.title(dice))}</b></a>'
        f"<span>{shown}</span>",
        "labelled": f"<small>{lang.label('advert')}</small><p>{shown}</p>",
        "picture": f'<a href="{to}"><img src="{image}" width=600 height=120></a>',
        "link": f'<a href="{to}">{shown}</a>',
        "script": f'<ins data-slot={number}></ins><iframe id="f{number}"></iframe>'
        f"<script>push({number})</script>",
        "promotion": shown,
    }[form]
    if form == "promotion":
        return f"<p>{inner}</p>", text
    marks = {"picture": image, "script": f"f{number}"}
    names = f' class="{name.format(form)}"' if name else ""
    return f"<div{names}>{inner}</div>", marks.get(form, text)


def with_adverts(made: MadePage, site: int, dice: Random) -> Given:
    """Return a page with adverts behind some of its paragraphs."""
    source, found = made.html.decode(), dict[str, str]()
    name = NAMES[site % len(NAMES)]
    for form in dice.sample(FORMS, 3):
        paragraph = escape(dice.choice(made.gold.split("\n")[1:]))
        end = _PARAGRAPH_END.search(source, source.find(paragraph))
        if paragraph not in source or end is None:
            continue
        drawn = Random(f"{site}/{form}/{dice.randrange(TEXTS)}")  # noqa: S311  a draw
        inner, mark = advert(form, Language(made.lang), drawn, name)
        source, found[form] = source[: end.end()] + inner + source[end.end() :], mark
    return Given(chaffinch.parse(source.encode(), url=made.url), found, made.gold)


def given_sites(count: int, pages: int) -> Iterator[list[Given]]:
    """Yield the pages of sites whose articles are in one of the languages, these in turns."""
    number, left = 0, count
    while left:
        number += 1
        made = [one for one in made_site(number, 3 * pages) if one.kind == "article"][:pages]
        if len(made) == pages and made[0].lang == LANGUAGES[left % len(LANGUAGES)]:
            dice = Random(number)  # noqa: S311
            yield [with_adverts(one, number, dice) for one in made]
            left -= 1


def is_kept(found: chaffinch.Extract, mark: str) -> bool:
    """Return whether the text, picture or frame of an advert is in what outputs show."""
    if mark.startswith("https:"):
        return any(one.url == mark for one in found.images)
    page = found.page
    rows = [row for row, value in page.having("id") if value == mark]
    return mark in found.text or any(found.keep[row] for row in rows)


def systems(others: list[Given]) -> dict[str, Any]:
    """Return name → what gives a verdict on a page, beside other pages of its site."""
    pages = [one.page for one in others]
    found: dict[str, Any] = {"default": build("learned")}
    found["site model"] = Site.learn(pages)
    for name in METHODS:
        if name not in {"learned", "auto"}:
            beside = (
                {"siblings": tuple(pages[:SIBLINGS])} if "siblings" in settings_of(name) else {}
            )
            found[name] = build(name, **beside)
    return found


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(prog="python -m bench.quality.ads", description=__doc__)
    options.add_argument("--sites", type=int, default=12)
    options.add_argument("--pages", type=int, default=12)
    chosen = options.parse_args()
    kept, there, text = Counter[tuple[str, str]](), Counter[str](), dict[str, list[float]]()
    for site in given_sites(chosen.sites, chosen.pages):
        half = len(site) // 2
        for own, others in ((site[:half], site[half:]), (site[half:], site[:half])):
            for name, method in systems(others).items():
                for one in own:
                    extract = chaffinch.extract(one.page, method=method)
                    share = word_score(tokenize(extract.text), tokenize(one.gold)).recall
                    text.setdefault(name, []).append(share)
                    for form, mark in one.adverts.items():
                        kept[name, form] += is_kept(extract, mark)
            for one in own:
                there.update(list(one.adverts))
    print("| share kept of | text |", " | ".join(FORMS), "|")
    print("|---|" + "---:|" * (1 + len(FORMS)))
    print("| adverts | – |", " | ".join(str(there[form]) for form in FORMS), "|")
    for name, shares in text.items():
        row = [kept[name, form] / max(there[form], 1) for form in FORMS]
        print(f"| {name} | {np.mean(shares):.2f} |", " | ".join(f"{one:.2f}" for one in row), "|")


if __name__ == "__main__":
    main()
