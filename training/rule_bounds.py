"""Chooses the bounds of the decision's rules: ``python -m training.rule_bounds FOLDS``.

Each bound takes other values, one at a time; each labelled page of the training corpora is
extracted with them by the weights of the fold that has not seen its domain. A bound is then chosen
anew for each corpus and each fifth of the domains by what is best on all the others, and judged
where it wasn't chosen: the table has that gain, and the value that is best on all. Corpora count
alike. ``--policy headline=true`` and the like sets a policy for all pages, for rules that only
policies call.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.decision.policy import Policy
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.extraction.extract import extract
from chaffinch.methods.learned import Learned
from chaffinch.page import Page, parse
from training.dataset import TRAINING_CORPORA, registrable
from training.held_out import fold_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

CORPORA: Final = tuple(name for name in TRAINING_CORPORA if name != "fundus")
FOLDS: Final = 5
BOUNDS: Final[dict[str, tuple[float, ...]]] = {
    "announced_lists._LINKED": (0.3, 0.7),
    "announced_lists._MOST": (60, 240),
    "rules.SURE": (0.5, 0.6, 0.8, 0.9),
    "entry_columns._LEAST": (3, 6, 8),
    "entry_columns._MAJORITY": (0.3, 0.4, 0.6, 0.7),
    "headings._SHARE": (0.6, 0.7, 0.9),
    "lone_links._MOST_WORDS": (4, 8, 10),
    "lone_links._SHARE_LEFT": (0.2, 0.5),
    "product_facts._NEAR": (30, 120),
    "reader_comments._LEAST_BEFORE": (20, 80, 160),
    "reader_comments._LEAST_LENGTH": (100, 400, 800),
    "recipe_parts._MOST": (0.6, 0.9),
    "repeated_passages._FEWEST": (2, 4, 5),
    "repeated_passages._LEAST": (60, 200),
    "repeated_passages._LINE": (40, 120),
    "thread_posts._LEAST": (3, 4),
    "thread_posts._SHARE_KEPT": (0.2, 0.4, 0.5),
    "title_blocks._FIRST": (2, 8),
    "title_blocks._LEAST_LETTERS": (4, 10),
    "title_blocks._LEAST_SHARE": (0.25, 0.6, 0.8),
}
"""Bound, as file of `chaffinch.decision` and its name there → values beside the one it has."""


class Scores(NamedTuple):
    """Word F1 of some pages, with a bound as it is and with other values of it.

    Attributes:
        groups: str[n], the corpus and the fifth of the domains that each page is of.
        values: the values, the present one first.
        f1: float64[values, n] in 0..1.
    """

    groups: list[tuple[str, int]]
    values: tuple[float, ...]
    f1: np.ndarray[tuple[int, int], np.dtype[np.float64]]


@contextmanager
def bound(name: str, value: float) -> Iterator[None]:
    """Set a bound while the context lasts, in the file that reads it."""
    file, own = name.split(".")
    module = import_module(f"chaffinch.decision.{file}")
    before = getattr(module, own)
    setattr(module, own, type(before)(value))
    try:
        yield
    finally:
        setattr(module, own, before)


def values_of(name: str) -> tuple[float, ...]:
    """Return the values of a bound, the present one first."""
    file, own = name.split(".")
    now = getattr(import_module(f"chaffinch.decision.{file}"), own)
    return (float(now), *(value for value in BOUNDS[name] if value != now))


def page_scores(
    page: Page, method: Learned, gold: str, names: Iterable[str], policy: Policy
) -> dict[str, list[float]]:
    """Return the word F1 of a page with each value of each bound."""
    wanted, known = tokenize(gold), dict[str, float]()

    def score() -> float:
        text = extract(page, method=method, policy=policy).text
        if text not in known:
            known[text] = word_score(tokenize(text), wanted).f1
        return known[text]

    now = score()
    out = {}
    for name in names:
        out[name] = [now]
        for value in values_of(name)[1:]:
            with bound(name, value):
                out[name].append(score())
    return out


def scores(folder: Path, names: list[str], policy: Policy, limit: int) -> dict[str, Scores]:
    """Return the scores of all pages by bound; at most ``limit`` pages of a corpus, 0 for all."""
    methods = [Learned(weights=str(folder / f"fold{fold}.npz")) for fold in range(FOLDS)]
    groups: list[tuple[str, int]] = []
    columns: defaultdict[str, list[list[float]]] = defaultdict(list)
    for corpus in CORPORA:
        for number, one in enumerate(read_corpus(corpus)):
            if not one.gold_text or (limit and number >= limit):
                continue
            fold = fold_of(registrable(one), FOLDS)
            try:
                page = parse(one.html, url=one.url)
                found = page_scores(page, methods[fold], one.gold_text, names, policy)
            except PageError:
                continue
            groups.append((corpus, fold))
            for name, row in found.items():
                columns[name].append(row)
        sys.stderr.write(f"{corpus}: read\n")
    return {name: Scores(groups, values_of(name), np.array(columns[name]).T) for name in names}


def corpus_mean(found: Scores, pages: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> np.ndarray:
    """Return float64[values]: word F1 of some pages, in the mean over their corpora."""
    corpora = np.array([corpus for corpus, _ in found.groups])
    means = [found.f1[:, pages & (corpora == name)] for name in np.unique(corpora[pages])]
    mean: np.ndarray = np.mean([part.mean(axis=1) for part in means], axis=0)
    return mean


def left_out_gain(found: Scores, parts: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    """Return the gain in word F1 where each part's value is the best of all other parts."""
    gains = np.zeros(len(parts))
    for part in np.unique(parts):
        inside = parts == part
        best = int(np.argmax(np.round(corpus_mean(found, ~inside), 6)))
        gains[inside] = (found.f1[best] - found.f1[0])[inside]
    judged = Scores(found.groups, found.values[:1], gains[np.newaxis])
    return float(corpus_mean(judged, np.ones(len(parts), dtype=bool))[0])


def table(found: Mapping[str, Scores]) -> str:
    """Return the table of all bounds."""
    lines = [
        "| bound | now | pages moved | best on all | gain | domains left out | corpora left out |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, one in sorted(found.items()):
        whole = corpus_mean(one, np.ones(len(one.groups), dtype=bool))
        best = int(np.argmax(np.round(whole, 6)))
        domains = np.array([fold for _, fold in one.groups])
        _, corpora = np.unique([corpus for corpus, _ in one.groups], return_inverse=True)
        moved = int((one.f1 != one.f1[0]).any(axis=0).sum())
        lines.append(
            f"| `{name}` | {one.values[0]:g} | {moved} | {one.values[best]:g} | "
            f"{whole[best] - whole[0]:+.4f} | {left_out_gain(one, domains):+.4f} | "
            f"{left_out_gain(one, corpora):+.4f} |"
        )
    return "\n".join(lines)


def policy_of(texts: Iterable[str]) -> Policy:
    """Return the policy of options such as ``headline=true``."""
    pairs = (text.split("=") for text in texts)
    return Policy(**{name: value == "true" for name, value in pairs})


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.rule_bounds", description=__doc__)
    parser.add_argument("folder", type=Path, help="weights by fold, such as training/folds")
    parser.add_argument("--bounds", nargs="+", choices=[*BOUNDS], default=[*BOUNDS])
    parser.add_argument("--policy", nargs="+", default=[])
    parser.add_argument("--limit", type=int, default=0, help="pages of a corpus; 0: all")
    options = parser.parse_args()
    policy = policy_of(options.policy)
    found = scores(options.folder, options.bounds, policy, options.limit)
    sys.stdout.write(f"{table(found)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
