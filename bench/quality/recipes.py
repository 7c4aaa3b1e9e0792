"""Recipes: whether ingredients and steps are in the output, by language, beside baselines.

A snippet of the corpus ``recipes`` (an ingredient, a paragraph of the instructions) is found when
its letters and digits stand in those of the output, in order and without a gap. Snippets that the
saved page doesn't show in that way count for nobody, nor do pages that show none of one kind. A
page is whole when at least nine tenths of its ingredients and of its instructions are found.
«Without the rule» is the default without `chaffinch.decision.declared`.

    python -m bench.quality.recipes
    python -m bench.quality.recipes --missed       # with what is missed, page by page
    python -m bench.quality.recipes --left-out     # the rule's thresholds, languages left out

Baselines that aren't installed are left out with a line; one that fails on a page gives no text.
"""

from __future__ import annotations

import itertools
import json
import lzma
import sys
import unicodedata
from collections import Counter
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from bench.lib.rules_left_out import rule_left_out
from chaffinch.decision import declared
from chaffinch.errors import MissingExtraError
from chaffinch.evaluate.corpora import corpus_path
from chaffinch.evaluate.runner import baseline_system
from chaffinch.extraction.extract import extract
from chaffinch.page import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reader = Callable[[bytes, str | None], str]

BASELINES = ("trafilatura", "resiliparse", "readability-lxml")
LEAST = 0.9
RULE = "recipe parts"
THRESHOLDS = {
    "_ENOUGH": (0.8, 0.9, 0.97),
    "_MOST": (0.6, 0.8),
    "_OWN": (0.3, 0.5, 0.7),
    "_LEAST": (0.1, 0.3),
}
"""The values of the rule's constants that are tried."""


class Recipe(NamedTuple):
    """A page and the snippets of its recipe."""

    url: str
    language: str
    html: bytes
    ingredients: list[str]
    instructions: list[str]


class Found(NamedTuple):
    """What one system gives of one page: shares of the snippets in 0..1, and its words."""

    language: str
    ingredients: float
    instructions: float
    words: int

    @property
    def whole(self) -> bool:
        """Whether nearly all of both is there."""
        return min(self.ingredients, self.instructions) >= LEAST


class Given(NamedTuple):
    """A page as it is read: its recipe, and the snippets that it shows, folded."""

    recipe: Recipe
    ingredients: list[str]
    instructions: list[str]


def recipes() -> Iterator[Recipe]:
    """Yield the pages of the corpus."""
    with lzma.open(corpus_path("recipes"), "rt", encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            html = row["html"].encode("latin-1")
            snippets = row["ingredients"] or [], row["instructions"] or []
            yield Recipe(row["url"], row["lang"] or "?", html, *snippets)


def given() -> Iterator[Given]:
    """Yield the pages that show snippets of both kinds."""
    for recipe in recipes():
        page = parse(recipe.html, url=recipe.url)
        shown = bare(page.text_of(page.body))
        kinds = recipe.ingredients, recipe.instructions
        held = [[key for one in texts if (key := bare(one)) in shown and key] for texts in kinds]
        if all(held):
            yield Given(recipe, *held)


def bare(text: str) -> str:
    """Return the letters and digits of a text, case and width folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))


def found_in(text: str, page: Given) -> Found:
    """Return what of a recipe is in a text."""
    whole = bare(text)
    ingredients, instructions = (
        sum(key in whole for key in keys) / len(keys)
        for keys in (page.ingredients, page.instructions)
    )
    return Found(page.recipe.language, ingredients, instructions, len(text.split()))


def ours(html: bytes, url: str | None) -> str:
    """Return the text of the default."""
    return extract(html, url=url).text


def without_the_rule(html: bytes, url: str | None) -> str:
    """Return the text of the default without the rule for recipes."""
    with rule_left_out(RULE):
        return extract(html, url=url).text


def systems() -> dict[str, Reader]:
    """Return the systems by name; those that aren't installed are left out with a line."""
    named: dict[str, Reader] = {"chaffinch": ours, "without the rule": without_the_rule}
    for name in BASELINES:
        try:
            named[name] = baseline_system(name).prepare(())
        except MissingExtraError as error:
            sys.stdout.write(f"{name} is left out: {error}\n")
    return named


def read(reader: Reader, page: Given) -> str:
    """Return a system's text of a page; "" where it fails."""
    try:
        return reader(page.recipe.html, page.recipe.url)
    except Exception:  # noqa: BLE001  baselines raise anything
        return ""


def table(found: dict[str, list[Found]]) -> None:
    """Print the share of whole pages by language, mean recall and words."""
    first = next(iter(found.values()))
    count = Counter(page.language for page in first)
    groups = {"all": set(count), "but English": set(count) - {"en"}}
    groups |= {name: {name} for name in sorted(count, key=lambda name: (-count[name], name))}
    sys.stdout.write("| pages | n | " + " | ".join(found) + " |\n")
    sys.stdout.write("|---|---:|" + "---:|" * len(found) + "\n")
    for name, held in groups.items():
        own = [[page for page in pages if page.language in held] for pages in found.values()]
        cells = [f"{mean(page.whole for page in pages):.3f}" for pages in own]
        sys.stdout.write(f"| {name} | {len(own[0])} | {' | '.join(cells)} |\n")
    for field in ("ingredients", "instructions"):
        cells = [f"{mean(getattr(page, field) for page in own):.3f}" for own in found.values()]
        sys.stdout.write(f"| recall of {field} | {len(first)} | {' | '.join(cells)} |\n")
    cells = [f"{sum(page.words for page in own):,}" for own in found.values()]
    sys.stdout.write(f"| words | {len(first)} | {' | '.join(cells)} |\n")


def left_out(pages: list[Given]) -> None:
    """Print what thresholds chosen on all other languages give for each language."""
    grid = list(itertools.product(*THRESHOLDS.values()))
    found = {}
    for values in grid:
        for name, value in zip(THRESHOLDS, values, strict=True):
            setattr(declared, name, value)
        found[values] = [found_in(ours(one.recipe.html, one.recipe.url), one) for one in pages]
    languages = sorted({one.recipe.language for one in pages})
    whole = 0
    for language in languages:

        def elsewhere(values: tuple[float, ...], language: str = language) -> tuple[int, int]:
            others = [page for page in found[values] if page.language != language]
            return sum(page.whole for page in others), -sum(page.words for page in others)

        best = max(grid, key=elsewhere)
        own = [page for page in found[best] if page.language == language]
        whole += sum(page.whole for page in own)
        chosen = ", ".join(f"{name} {v}" for name, v in zip(THRESHOLDS, best, strict=True))
        sys.stdout.write(f"{language}\t{mean(page.whole for page in own):.3f}\t{chosen}\n")
    sys.stdout.write(f"all languages, each left out: {whole / len(pages):.3f}\n")


@click.command(help=__doc__)
@click.option("--missed", "print_missed", is_flag=True, help="Print what the default misses.")
@click.option("--left-out", "leave_out", is_flag=True, help="Choose the thresholds anew.")
def main(*, print_missed: bool, leave_out: bool) -> None:
    """Print the table."""
    pages = list(given())
    if leave_out:
        left_out(pages)
        return
    named = systems()
    found: dict[str, list[Found]] = {name: [] for name in named}
    for page in pages:
        for name, reader in named.items():
            text = read(reader, page)
            found[name].append(found_in(text, page))
            if print_missed and name == "chaffinch" and not found[name][-1].whole:
                _print_missed(page, text)
    table(found)


def _print_missed(page: Given, text: str) -> None:
    whole = bare(text)
    sys.stdout.write(f"\n{page.recipe.language} {page.recipe.url}\n")
    for field in ("ingredients", "instructions"):
        keys = getattr(page, field)
        gone = [key for key in keys if key not in whole]
        sys.stdout.write(f"  {field}: {len(gone)} of {len(keys)}: {', '.join(gone)[:200]}\n")


if __name__ == "__main__":
    main()
