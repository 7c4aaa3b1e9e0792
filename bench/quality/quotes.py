"""Whether `extract.verify` tells quotes that are exact, changed and absent.

Quotes are lines of the text of labelled pages in several languages, up to 60 words. Kept as they
are but for white space, width of characters and Markdown's marks they are exact; with up to 15 % of
their words replaced, left out or put in, changed; with 40 % to 70 % of them replaced, or from
another page of the same language, absent. Scripts without spaces are altered by characters.

    python -m bench.quality.quotes
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import NamedTuple

import click

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.extraction.extract import extract
from chaffinch.extraction.extracted import Extract
from chaffinch.reading.words import folded, words

CORPORA = ("wcxb", "daniel", "zh_news", "fundus", "readability")
LEAST, MOST = 8, 60  # words of a quote
SMALL, LARGE = (0.0, 0.15), (0.4, 0.7)  # shares of words that are altered


class Page(NamedTuple):
    """An extracted page and one of its quotes, as words and what parts them."""

    language: str
    found: Extract
    quote: str


def pages(limit: int, dice: random.Random) -> list[Page]:
    """Return pages of all corpora with a quote each."""
    out = []
    for corpus in CORPORA:
        for page in read_corpus(corpus, limit=limit):
            try:
                found = extract(page.html, url=page.url)
            except PageError:
                continue
            lines = [one for one in found.text.split("\n") if len(words(folded(one))) >= LEAST]
            if lines:
                out.append(Page(page.lang or "?", found, shortened(dice.choice(lines))))
    return out


def shortened(line: str) -> str:
    """Return the first words of a line."""
    found = words(folded(line))
    return folded(line)[: found[min(MOST, len(found)) - 1].end()]


def altered(quote: str, share: float, others: list[str], dice: random.Random) -> str:
    """Return a quote with a share of its words, at least one, replaced, left out or added."""
    places = [found.span() for found in words(quote)]
    count = max(1, round(share * len(places)))
    for begin, end in sorted(dice.sample(places, count), reverse=True):
        word = dice.choice(others)
        joint = "" if len(quote.split()) < len(places) // 2 else " "
        kind = "replace" if share >= LARGE[0] else dice.choice(["replace", "remove", "add"])
        new = {"replace": word, "remove": "", "add": f"{quote[begin:end]}{joint}{word}"}[kind]
        quote = quote[:begin] + new + quote[end:]
    return quote


def reformatted(quote: str, dice: random.Random) -> str:
    """Return the same text in another form."""
    match dice.randrange(4):
        case 0:
            return quote.replace(" ", "\n  ")
        case 1:
            return quote.replace(" ", "\u00a0")
        case 2:
            return "".join(chr(ord(c) + 0xFEE0) if "0" <= c <= "9" else c for c in quote)
        case _:
            return f"> **{quote}**"


@click.command(help=__doc__)
@click.option("--limit", default=70, show_default=True, help="Pages of each corpus.")
@click.option("--quotes", default=500, show_default=True, help="Altered quotes.")
@click.option("--seed", default=1, show_default=True, help="Of the draw.")
def main(*, limit: int, quotes: int, seed: int) -> None:
    """Print what quotes are taken for."""
    dice = random.Random(seed)  # noqa: S311  no secret
    every = pages(limit, dice)
    vocabulary: dict[str, list[str]] = defaultdict(list)
    for page in every:
        vocabulary[page.language] += [found[0] for found in words(page.quote)]
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(quotes):
        page = every[number % len(every)]
        others = vocabulary[page.language]
        told["exact"][page.found.verify(reformatted(page.quote, dice))] += 1
        if number % 2:
            quote = altered(page.quote, dice.uniform(*SMALL), others, dice)
            told["changed"][page.found.verify(quote)] += 1
        elif number % 4:
            quote = altered(page.quote, dice.uniform(*LARGE), others, dice)
            told["absent: much altered"][page.found.verify(quote)] += 1
        else:
            same = [one for one in every if one.language == page.language and one is not page]
            quote = dice.choice(same).quote if same else "No page of the corpora says this at all."
            told["absent: of another page"][page.found.verify(quote)] += 1
    states = ("exact", "changed", "contradicted", "absent")
    print(f"| quotes | n | {' | '.join(states)} | right |\n|---|---:|---:|---:|---:|---:|---:|")
    for name, found in told.items():
        counts = " | ".join(str(found[state]) for state in states)
        wanted = name.partition(":")[0]
        also = found["contradicted"] if wanted == "changed" else 0
        right = (found[wanted] + also) / found.total()
        print(f"| {name} | {found.total()} | {counts} | {right:.3f} |")


if __name__ == "__main__":
    main()
