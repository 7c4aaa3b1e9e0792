"""What each policy and each favour does: word F1 by corpus, and how much is kept.

``python -m bench.quality.policies wcxb daniel --folds FOLDER --limit 100`` reads each page with the
weights of the fold that has not seen its domain; without ``--folds``, with the shipped ones.
``--moves`` shows what each policy moves: on how many pages it acts, and precision and recall of the
words that it adds or drops. ``--favor`` sweeps beta, the weight of recall against precision,
instead; ``--picture FILE`` draws it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chaffinch.decision.policy import Policy
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import Score, word_score
from chaffinch.methods import learned
from chaffinch.methods.learned import Learned
from chaffinch.output import text
from chaffinch.page import Page, parse
from chaffinch.result import Content

if TYPE_CHECKING:
    from collections.abc import Iterator

BETAS = (0.25, 0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0, 4.0)


class Given(NamedTuple):
    """A page, its gold and the weights to read it with."""

    corpus: str
    page: Page
    gold: list[str]
    weights: str | None


def read(corpora: list[str], folds: Path | None, limit: int | None) -> Iterator[Given]:
    """Yield the labelled pages."""
    for corpus in corpora:
        for one in read_corpus(corpus, limit=limit):
            if not one.gold_text:
                continue
            weights = None
            if folds:
                from training.dataset import registrable  # noqa: PLC0415  needs the training group
                from training.held_out import fold_of  # noqa: PLC0415  the same

                weights = str(folds / f"fold{fold_of(registrable(one), 5)}.npz")
            try:
                yield Given(corpus, parse(one.html, url=one.url), tokenize(one.gold_text), weights)
            except PageError:
                continue


def moves(pages: list[Given]) -> None:
    """Print what each policy moves, by corpus.

    Acts on: share of the pages whose kept words change. Precision: of the words added those that
    are in the gold, of the words dropped those that aren't. Recall: of the gold's words missing
    before those that were added, of the kept words that aren't in the gold those that were dropped.
    """
    corpora = list(dict.fromkeys(one.corpus for one in pages))
    print("| policy | " + " | ".join(f"{corpus}: acts on, P, R, word F1" for corpus in corpora))
    print("|---" * (len(corpora) + 1) + "|")
    usual = [_kept(one, Policy()) for one in pages]
    for name in (field.name for field in fields(Policy)):
        for value in (True, False):
            cells = []
            for corpus in corpora:
                moved = [
                    (one, before, _kept(one, Policy(**{name: value})))
                    for one, before in zip(pages, usual, strict=True)
                    if one.corpus == corpus
                ]
                cells.append(_moved_cell(moved, added=value))
            print(f"| `{name}={value}` | {' | '.join(cells)} |", flush=True)


def _kept(one: Given, policy: Policy) -> Counter[str]:
    verdict = Learned(weights=one.weights, policy=policy)(one.page)
    return Counter(tokenize(text.render(Content(one.page, verdict))))


def _moved_cell(moved: list[tuple[Given, Counter[str], Counter[str]]], *, added: bool) -> str:
    """Return share of pages, precision, recall and change of F1 for one corpus."""
    acts = right = all_moved = wanted = 0
    change = 0.0
    for one, before, after in moved:
        gold = Counter(one.gold)
        acts += before != after
        difference = after - before if added else before - after
        aim = gold - before if added else before - gold
        right += (difference & aim).total()
        all_moved += difference.total()
        wanted += aim.total()
        change += word_score([*after.elements()], one.gold).f1
        change -= word_score([*before.elements()], one.gold).f1
    precision = f"{right / all_moved:.2f}" if all_moved else "–"
    recall = f"{right / wanted:.2f}" if wanted else "–"
    return f"{acts / len(moved):.0%}, {precision}, {recall}, {change / len(moved):+.4f}"


def run(pages: list[Given], **settings: Any) -> tuple[dict[str, list[Score]], dict[str, int]]:
    """Return by corpus the scores of all pages, and the words kept."""
    scores: dict[str, list[Score]] = {one.corpus: [] for one in pages}
    words = dict.fromkeys(scores, 0)
    for one in pages:
        verdict = Learned(weights=one.weights, **settings)(one.page)
        kept = tokenize(text.render(Content(one.page, verdict)))
        scores[one.corpus].append(word_score(kept, one.gold))
        words[one.corpus] += len(kept)
    return scores, words


def policies(pages: list[Given]) -> None:
    """Print word F1 for each policy, and the change of the words kept against the default."""
    corpora = list(dict.fromkeys(one.corpus for one in pages))
    print("| policy | " + " | ".join(corpora) + " |")
    print("|---" * (len(corpora) + 1) + "|")
    _, usual = run(pages)
    for name in ("default", *(field.name for field in fields(Policy))):
        values: tuple[bool | None, ...] = (None,) if name == "default" else (True, False)
        for value in values:
            policy = Policy() if name == "default" else Policy(**{name: value})
            scores, words = run(pages, policy=policy)
            cells = [
                f"{np.mean([s.f1 for s in scores[corpus]]):.4f}"
                f" ({100 * (words[corpus] / max(usual[corpus], 1) - 1):+.1f} %)"
                for corpus in corpora
            ]
            title = name if name == "default" else f"`{name}={value}`"
            print(f"| {title} | {' | '.join(cells)} |", flush=True)


def favors(pages: list[Given], picture: Path | None) -> None:
    """Print precision, recall and F1 of words over beta, mean over pages by corpus."""
    corpora = list(dict.fromkeys(one.corpus for one in pages))
    curves: dict[str, list[tuple[float, float, float]]] = {corpus: [] for corpus in corpora}
    named = {beta: name for name, beta in learned.FAVORS.items()}
    print("| beta | " + " | ".join(f"{corpus} P / R / F1" for corpus in corpora) + " |")
    print("|---:" + "|---" * len(corpora) + "|")
    for beta in BETAS:
        learned.FAVORS["swept"] = beta
        scores, _ = run(pages, favor="swept")
        for corpus in corpora:
            mean = np.mean([(s.precision, s.recall, s.f1) for s in scores[corpus]], axis=0)
            curves[corpus].append((float(mean[0]), float(mean[1]), float(mean[2])))
        cells = [" / ".join(f"{value:.3f}" for value in curves[c][-1]) for c in corpora]
        name = f"{beta} ({named[beta]})" if beta in named else str(beta)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    if picture:
        draw(picture, curves, named)


def draw(picture: Path, curves: dict[str, Any], named: dict[float, str]) -> None:
    """Draw recall over precision, a line a corpus."""
    import matplotlib as mpl  # noqa: PLC0415  of the extra «evaluate»

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(5.5, 4), layout="constrained")
    for corpus, points in curves.items():
        precision, recall, _ = zip(*points, strict=True)
        (line,) = axes.plot(precision, recall, marker=".", label=corpus)
        for beta, one, other in zip(BETAS, precision, recall, strict=True):
            if beta in named:
                axes.plot([one], [other], marker="o", color=line.get_color())
    axes.set_xlabel("precision of words, mean over pages")
    axes.set_ylabel("recall of words, mean over pages")
    axes.legend(frameon=False)
    figure.savefig(picture, dpi=110)


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--favor", action="store_true")
    parser.add_argument("--moves", action="store_true")
    parser.add_argument("--picture", type=Path)
    given = parser.parse_args()
    pages = list(read(given.corpora, given.folds, given.limit))
    if given.favor:
        favors(pages, given.picture)
    elif given.moves:
        moves(pages)
    else:
        policies(pages)


if __name__ == "__main__":
    main()
