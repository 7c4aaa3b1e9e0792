"""Things to read by number: articles, products, threads, manuals, made of the example site's words.

Sentences are those of the example site, put together anew for each number, so that no two pages
share a paragraph; frames, noise and gold are the example site's own.
"""

import datetime as dt
import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

from site_maker.blocks import Block, plain
from site_maker.dice import Dice
from site_maker.site import Entry, Site, sites

SECTIONS = ("birds", "fields", "mills", "towns")
COUNTS = {"article": {"en": 2400, "zh": 1600}, "product": {"en": 500}, "thread": {"en": 300}}
COUNTS["docs"] = {"en": 120}
BLOCK = 48
"""Entries by number that know of each other: related links and neighbours come from these."""

LAST_DAY = dt.date(2025, 11, 20)
WORDS = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


@cache
def base(lang: str) -> Site:
    """The example site of a language."""
    return next(site for site in sites() if site.lang == lang)


@cache
def _sentences(lang: str) -> tuple[str, ...]:
    ends = r"(?<=[.!?])\s+" if lang == "en" else r"(?<=[。！？])"
    paragraphs = [
        plain(block.text)
        for entry in base(lang).entries
        for block in entry.blocks()
        if type(block) is Block
    ]
    found = (part.strip() for text in paragraphs for part in re.split(ends, text))
    return tuple(dict.fromkeys(one for one in found if len(one) > 8))  # noqa: PLR2004 whole ones


def paragraph(lang: str, seed: str) -> str:
    """Two to five sentences, chosen by the seed."""
    dice = Dice(f"web/{lang}/{seed}")
    chosen = dice.sample(_sentences(lang), 2 + dice.below(4))
    return (" " if lang == "en" else "").join(chosen)


def title(lang: str, kind: str, number: int) -> str:
    """A title that no other number has."""
    one, two, three = (WORDS[lang][name] for name in ("who", "what", "where"))
    place = (number * 7919 + len(kind)) % (len(one) * len(two) * len(three))
    place, first = divmod(place, len(one))
    third, second = divmod(place, len(two))
    gap = " " if lang == "en" else ""
    joint = ", " if lang == "en" else "："
    return f"{three[third]}{joint}{one[first].lower() if gap else one[first]}{gap}{two[second]}"


def day(number: int, step: int = 2) -> str:
    """The date of an entry; ``step`` entries a day, the first one the youngest."""
    return (LAST_DAY - dt.timedelta(days=number // step)).isoformat()


def _slug(lang: str, kind: str, number: int) -> str:
    if lang == "zh":
        return f"{day(number).replace('-', '')[2:]}{number:05}"
    words = re.findall(r"[a-z]+", title(lang, kind, number).lower())
    return "-".join([*words[:4], str(number)])


def entry(kind: str, lang: str, number: int) -> Entry:
    """The entry of a kind with a number."""
    return _MAKERS[kind](lang, number)


def _article(lang: str, number: int) -> Entry:
    seed = f"article/{number}"
    dice = Dice(f"web/{lang}/{seed}")
    parts = [paragraph(lang, f"{seed}/{k}") for k in range(5 + dice.below(6))]
    if dice.below(2):
        parts.insert(2, f"## {title(lang, 'heading', number * 3)}")
    if number % 12 == 0:
        parts.insert(len(parts) // 2, "===")
    labels = base(lang).labels
    return Entry(
        kind="article",
        slug=_slug(lang, "article", number),
        title=title(lang, "article", number),
        date=day(number),
        section=SECTIONS[number % 4],
        author=dice.choice(labels["people"]),
        body="\n\n".join(parts),
        tags=(SECTIONS[number % 4],),
        comments=tuple(dice.sample(labels["replies"], dice.below(3))),
        encoding="gbk" if lang == "zh" and number % 3 == 0 else "utf-8",
        declared="gb2312" if lang == "zh" and number % 7 == 1 else "",
        parts=2 if number % 12 == 0 else 1,
    )


def _product(lang: str, number: int) -> Entry:
    seed = f"product/{number}"
    dice = Dice(f"web/{lang}/{seed}")
    return Entry(
        kind="product",
        slug=f"thing-{number}",
        title=f"{title(lang, 'product', number)}, no. {number}",
        date=day(number),
        section="shop",
        price=f"{1 + dice.below(400)}.50",
        body="\n\n".join(paragraph(lang, f"{seed}/{k}") for k in range(2 + dice.below(2))),
        specs=(
            ("Number", str(number)),
            ("Weight", f"{1 + dice.below(90)} kg"),
            ("Height", f"{10 + dice.below(190)} cm"),
        ),
        reviews=tuple(dice.sample(base(lang).labels["replies"], dice.below(3))),
    )


def _thread(lang: str, number: int) -> Entry:
    seed = f"thread/{number}"
    dice = Dice(f"web/{lang}/{seed}")
    users = base(lang).labels["people"]
    posts = [(dice.choice(users), paragraph(lang, f"{seed}/{k}")) for k in range(3 + dice.below(6))]
    return Entry(
        kind="thread",
        slug=f"question-{number}",
        title=title(lang, "thread", number),
        date=day(number),
        posts=tuple(posts),
    )


def _docs(lang: str, number: int) -> Entry:
    seed = f"docs/{number}"
    parts: list[str] = []
    for k in range(3):
        parts += [f"## {title(lang, 'step', number * 3 + k)}", paragraph(lang, f"{seed}/{k}")]
    parts.append(f"```sh\ngrind --stone {number} --grain rye\n```")
    return Entry(
        kind="docs",
        slug=f"chapter-{number}",
        title=title(lang, "docs", number),
        date=day(number),
        section="manual",
        body="\n\n".join([paragraph(lang, f"{seed}/first"), *parts]),
    )


_MAKERS = {"article": _article, "product": _product, "thread": _thread, "docs": _docs}


@cache
def _neighbours(kind: str, lang: str, first: int, stop: int) -> tuple[Entry, ...]:
    return tuple(entry(kind, lang, number) for number in range(first, stop))


def site_around(host: str, kind: str, lang: str, number: int) -> Site:
    """The site as entry ``number`` sees it: the entries of its block."""
    first = number // BLOCK * BLOCK
    stop = min(first + BLOCK, COUNTS[kind][lang])
    return replace(base(lang), host=host, entries=_neighbours(kind, lang, first, stop))


def part(whole: Entry, number: int) -> Entry:
    """Part 1 or 2 of an entry, as `site_maker` wants it; the entry itself where it has one."""
    if whole.parts == 1:
        return whole
    bodies = whole.body.split("\n===\n")
    return replace(whole, body=bodies[number - 1], part=number)
