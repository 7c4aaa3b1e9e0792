"""How far one structure is another: tables by TEDS, text by words, all else item by item.

TEDS is tree-edit-distance similarity: Zhong et al., 2020, «Image-based table recognition», section
5. Text is compared by Levenshtein's distance of words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice, product
from typing import Any

from apted import APTED, Config
from apted.helpers import Tree
from rapidfuzz.distance import Levenshtein

from bench.lib.structures import Lines, Structure, squeezed


class _Costs(Config):  # type: ignore[misc]
    def rename(self, one: Any, other: Any) -> float:
        if one.name[:1] != other.name[:1]:
            return 1.0
        return 1 - Levenshtein.normalized_similarity(one.name, other.name)


def teds(one: Lines, other: Lines) -> float:
    """Return 1 − edit distance / size of the larger table, in 0..1."""
    trees = [_tree(lines) for lines in (one, other)]
    size = max(1 + len(lines) + sum(map(len, lines)) for lines in (one, other))
    return float(1 - APTED(*trees, _Costs()).compute_edit_distance() / size)


def _tree(lines: Lines) -> Any:
    return Tree("t", *(Tree("r", *(Tree(f"c{squeezed(text)}") for text in line)) for line in lines))


def table_score(gold: list[list[Lines]], found: list[list[Lines]]) -> list[float]:
    """Return TEDS of each gold table with the found one that fits it best; 0 where none is left.

    A format without spans may write a spanning cell once or in each place: the better counts.
    """
    pairs = [
        (max(teds(form, found[b][0]) for form in gold[a]), a, b)
        for a, b in product(range(len(gold)), range(len(found)))
    ]
    scores = [0.0] * len(gold)
    left, used = set(range(len(gold))), set[int]()
    for score, a, b in sorted(pairs, reverse=True):
        if a in left and b not in used:
            scores[a] = score
            left.discard(a)
            used.add(b)
    return scores


def text_score(gold: list[str], found: list[str]) -> float:
    """Return Levenshtein's similarity of two lists of words, in 0..1."""
    return float(Levenshtein.normalized_similarity(gold, found))


def comparable(gold: Structure, found: Structure) -> Structure:
    """Return what was found without that of which the gold says nothing.

    That is the languages of code of which the gold names none (a gold made by another tool has lost
    them with its classes); list items that are groups of the gold's definition lists, which
    CommonMark has no form for: a list of them is as good as paragraphs; as many more formulas as
    the gold has MathML without TeX. A heading of level 1 is right where the gold has it on level 2
    and nothing on level 1, for Readability makes it so.
    """
    named = {lines for lines, _ in gold.bags["code language"]}
    unnamed = gold.bags["code"].keys() - named
    codes, items = found.bags["code language"], found.bags["item"]
    codes = Counter({item: n for item, n in codes.items() if item[0] not in unnamed})
    items = Counter({item: n for item, n in items.items() if item[2] not in gold.definitions})
    headings = _as_in(gold.bags["heading"], found.bags["heading"])
    formulas = found.bags["formula"].copy()
    more = (formulas - gold.bags["formula"]).elements()
    formulas.subtract(Counter(islice(more, gold.untold)))
    bags = {"code language": codes, "item": items, "heading": headings, "formula": +formulas}
    return replace(found, bags=found.bags | bags)


def _as_in(gold: Counter[Any], found: Counter[Any]) -> Counter[Any]:
    if any(level == "h1" for level, _ in gold):
        return found
    lowered: Counter[Any] = Counter()
    for (level, text), count in found.items():
        lowered["h2" if ("h2", text) in gold and level == "h1" else level, text] += count
    return lowered


def bag_counts(gold: Counter[Any], found: Counter[Any]) -> tuple[int, int, int]:
    """Return how many items are right, wanted and found."""
    return (gold & found).total(), gold.total(), found.total()


def f1(counts: Iterable[tuple[int, int, int]]) -> tuple[float, float, float, int]:
    """Return precision, recall, F1 over all pages, and how many items were wanted."""
    right, wanted, found = (sum(column) for column in zip(*counts, strict=True))
    precision, recall = right / found if found else 1.0, right / wanted if wanted else 1.0
    mean = 2 * precision * recall / (precision + recall) if right else 0.0
    return precision, recall, mean, wanted
