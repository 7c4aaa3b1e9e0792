"""The head of page types: ``python -m training.page_types FOLDS [--out WEIGHTS]``.

Pages of wcxb, which alone has seven types, with the network of the fold that has not seen their
domain, and copies of them in other scripts (`training.transcribed`) without their address, for all
of them are in English; pages of the corpora of articles and of threads; and the made-up pages of
the part of `bench.quality.kinds` that isn't reported, half of them without address. The head is
fitted to four folds and asked on the fifth, so that neither has seen a page's site. Printed are
precision and recall of each type, by the network and by the head, of the pages of wcxb and of the
copies, and the share of right ones of the others. With ``--out`` the weights of each fold get its
head, and that file, the package's own, the head fitted to all.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.lib.made_sites import made_kind
from bench.quality.kinds import LANGUAGES, MADE
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.model.block_scores import stored, with_head
from chaffinch.model.features import features
from chaffinch.model.head_signals import page_type_posterior
from chaffinch.model.network import USUAL_FLAGS
from chaffinch.model.page_types import head_inputs
from chaffinch.page import Page, parse
from chaffinch.segment.text_blocks import text_blocks
from training.dataset import registrable
from training.held_out import fold_of
from training.transcribed import transcribed

FOLDS: Final = 5
_RIDGE: Final = 0.03
_RARE: Final = 0.25
"""Power of a type's frequency by which rare types weigh more; of 0, ¼ and ½ that with the best mean
F1 of the types and no loss of accuracy."""
_COPY: Final = 0.5
"""Weight of a copy beside the page that it was made of, and of a page of another corpus."""
_COPIES: Final = "copies"
_MADE: Final = "made-up"
_OTHERS: Final = {
    "magic_html_article": ("article", 1), "daniel": ("article", 4), "zh_news": ("article", 6),
    "fundus": ("article", 1), "magic_html_forum": ("forum", 1), "harvest_forum": ("forum", 1),
}  # fmt: skip
"""The type of another corpus's pages, and of how many pages one is taken."""
_MADE_UP: Final = 0.2
"""Weight of a made-up page."""
_EACH: Final = 12
"""Made-up pages of a kind and language."""
_STEPS: Final = 250
_RATE: Final = 0.03


@dataclass(frozen=True, eq=False)
class TypedPages:
    """Pages with their types.

    Attributes:
        kinds: names of the types.
        inputs: float64[p, k], as `head_inputs`.
        true, network: int[p], labelled type, and the network's.
        fold: int[p], of the domain.
        corpus: str[p]; `_COPIES` for copies in other scripts, `_MADE` for made-up pages.
    """

    kinds: tuple[str, ...]
    inputs: NDArray[np.float64]
    true: NDArray[np.int64]
    network: NDArray[np.int64]
    fold: NDArray[np.int64]
    corpus: NDArray[np.str_]

    def where(self, rows: NDArray[np.bool_]) -> TypedPages:
        """Return some of the pages, bool[p]."""
        columns = (self.inputs, self.true, self.network, self.fold, self.corpus)
        return TypedPages(self.kinds, *(column[rows] for column in columns))


def typed_pages(folder: Path) -> TypedPages:
    """Return the pages by the weights of each page's fold."""
    models = [stored(str(folder / f"fold{fold}.npz")) for fold in range(FOLDS)]
    kinds, rows = models[0].kinds, []
    for corpus, page, kind, fold in (*_labelled(), *_made_up()):
        if kind not in kinds or not len(text_blocks(page)):
            continue
        found = features(page)
        raw = models[fold].network(found, USUAL_FLAGS)
        posterior = page_type_posterior(raw.kinds, kinds, found.facts)
        inputs = head_inputs(posterior, found, raw.score)
        rows.append((inputs, kinds.index(kind), int(posterior.argmax()), fold, corpus))
    columns = [np.array([row[at] for row in rows]) for at in range(5)]
    return TypedPages(kinds, columns[0].astype(float), *columns[1:])


def _labelled() -> Iterator[tuple[str, Page, str, int]]:
    """Yield corpus, page, page type and fold of labelled pages and of copies."""
    for one in read_corpus("wcxb"):
        fold = fold_of(registrable(one), FOLDS)
        yield "wcxb", parse(one.html, url=one.url), one.page_type, fold
        if copy := transcribed(one):
            yield _COPIES, parse(copy.html), one.page_type, fold
    for corpus, (kind, every) in _OTHERS.items():
        for one in islice(read_corpus(corpus), 0, None, every):
            page = parse(one.html, url=one.url)
            yield corpus, page, kind, fold_of(registrable(one), FOLDS)


def _made_up() -> Iterator[tuple[str, Page, str, int]]:
    """Yield the same of made-up pages."""
    for kind, (*_, page_type) in MADE.items():
        for code in LANGUAGES:
            for number in range(_EACH):
                one = made_kind(kind, code, 2 * number)
                page = parse(one.html, url=one.url if number % 2 else None)
                yield _MADE, page, page_type, number % FOLDS


def fitted(pages: TypedPages) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return weights [k, types] and bias [types] of the regression, by Adam on all pages."""
    inputs, true, count = pages.inputs, pages.true, len(pages.kinds)
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    scaled = np.clip((inputs - mean) / scale, -5, 5)
    scaled = np.concatenate([scaled, np.ones((len(scaled), 1))], axis=1)
    made = pages.corpus == _MADE
    frequency = np.maximum(np.bincount(true[~made], minlength=count), 1)
    weight = np.select([pages.corpus == "wcxb", made], [1.0, _MADE_UP], _COPY)
    weight = (weight / frequency[true] ** _RARE)[:, None]
    weight = weight / weight.mean() / len(true)
    wanted = np.eye(count)[true]
    found = np.zeros((scaled.shape[1], count))
    first, second = np.zeros_like(found), np.zeros_like(found)
    ridge = np.full((len(found), 1), _RIDGE)
    ridge[-1] = 0
    for step in range(1, _STEPS + 1):
        logits = scaled @ found
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        slope = scaled.T @ (weight * (chances - wanted)) + ridge * found
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        pace = _RATE * (1 - step / (_STEPS + 1))
        found -= pace * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    weights = found[:-1] / scale[:, None]
    return weights, found[-1] - mean @ weights


def table(pages: TypedPages, by: dict[str, NDArray[np.int64]]) -> Iterator[str]:
    """Yield the lines of the table: precision and recall by type."""
    yield f"| | pages | {' | '.join(f'{name}: precision / recall' for name in by)} |"
    yield "|---|---:" + "|---:" * len(by) + "|"
    means: dict[str, list[float]] = {name: [] for name in by}
    for number, kind in enumerate(pages.kinds):
        there, cells = pages.true == number, []
        for name, found in by.items():
            right = int((there & (found == number)).sum())
            precision, recall = right / max(int((found == number).sum()), 1), right / there.sum()
            means[name].append(2 * precision * recall / max(precision + recall, 1e-9))
            cells.append(f"{precision:.2f} / {recall:.2f}")
        yield f"| {kind} | {int(there.sum())} | {' | '.join(cells)} |"
    accuracy = " | ".join(f"{(found == pages.true).mean():.3f}" for found in by.values())
    yield f"| accuracy | {len(pages.true)} | {accuracy} |"
    yield f"| mean F1 of types | | {' | '.join(f'{np.mean(one):.3f}' for one in means.values())} |"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.page_types", description=__doc__)
    parser.add_argument("folder", type=Path, help="weights by fold, as training/folds has them")
    parser.add_argument("--out", type=Path, help="the file of weights that gets the head of all")
    options = parser.parse_args()
    pages = typed_pages(options.folder)
    said = np.zeros(len(pages.true), dtype=np.int64)
    for fold in range(FOLDS):
        own = pages.fold == fold
        weights, bias = fitted(pages.where(~own))
        said[own] = (pages.inputs[own] @ weights + bias).argmax(axis=1)
        if options.out:
            with_head(options.folder / f"fold{fold}.npz", weights, bias)
    if options.out:
        with_head(options.out, *fitted(pages))
    by = {"network": pages.network, "head": said}
    for corpus in ("wcxb", _COPIES):
        rows = pages.corpus == corpus
        some = {name: found[rows] for name, found in by.items()}
        sys.stdout.write("\n".join(table(pages.where(rows), some)) + "\n\n")
    for corpus in (*_OTHERS, _MADE):
        rows = pages.corpus == corpus
        right = [f"{(found == pages.true)[rows].mean():.3f}" for found in by.values()]
        sys.stdout.write(f"| {corpus} | {rows.sum()} | {' | '.join(right)} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
