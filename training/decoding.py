"""What each rule of the decision is worth: ``python -m training.decoding FOLDS --only 0 1``.

Pages of the training corpora are read with the weights of the fold that has not seen their domain,
and word F1 is given after each step of `chaffinch.decision.choice`, the steps added one by one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.atomic_elements import agreed, wholes
from chaffinch.decision.choice import THREAD, choose, consistent, decide
from chaffinch.decision.page_chrome import within_content
from chaffinch.decision.policy import Policy
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.model.block_scores import read_blocks
from chaffinch.model.weights import stored
from chaffinch.page import parse
from training.dataset import TRAINING_CORPORA, registrable
from training.held_out import fold_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.evaluate.corpora import LabelledPage
    from chaffinch.model.block_scores import Reading
    from chaffinch.page.arrays import Mask

STEPS: Final[dict[str, Callable[[Reading, str], Mask]]] = {
    "a half": lambda one, _: one.score > 1 / 2,
    "expected F1": lambda one, _: choose(one.score, one.found.units, one.found.group).keep,
    "like blocks": lambda one, kind: _swayed(one, apart=True, kind=kind),
    "wholes": lambda one, kind: _swayed(one, apart=False, kind=kind),
    "headings": lambda one, kind: consistent(one.score, one.found, lists=kind != THREAD).keep,
    "set apart": lambda one, kind: within_content(
        one.found, consistent(one.score, one.found, lists=kind != THREAD).keep
    ),
    "copies": lambda one, kind: decide(one.score, one.found, kind=kind).keep,
    "tables": lambda one, kind: decide(one.score, one.found, kind=kind, policy=Policy()).keep,
}
"""Each with all those above it; from a reading, and the page's type."""


def _swayed(one: Reading, *, apart: bool, kind: str) -> Mask:
    found = one.found
    whole = wholes(found.blocks, lists=kind != THREAD)
    if apart:
        whole = np.full_like(whole, -1)
    score = agreed(one.score, found.units, found.group, whole)
    return choose(score, found.units, found.group).keep


def main() -> int:
    """Run the command line."""
    options = _parser().parse_args()
    figures: defaultdict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for corpus in options.corpora:
        for page in read_corpus(corpus, limit=options.limit):
            fold = fold_of(registrable(page), options.folds)
            if not page.gold_text or fold not in options.only:
                continue
            scores = list(_scores(page, options.folder / f"fold{fold}.npz"))
            for group in (corpus, page.page_type) if corpus == "wcxb" else (corpus,):
                if scores:
                    figures[corpus, group].append(scores)
    sys.stdout.write(f"| pages | n | {' | '.join(STEPS)} |\n|---|---:{'|---:' * len(STEPS)}|\n")
    for (corpus, group), found in figures.items():
        name = corpus if group == corpus else f"{corpus} {group}"
        cells = " | ".join(f"{mean:.4f}" for mean in np.mean(found, axis=0))
        sys.stdout.write(f"| {name} | {len(found)} | {cells} |\n")
    return 0


def _scores(page: LabelledPage, weights: Path) -> Iterator[float]:
    """Yield the word F1 after each step; nothing for a page without text."""
    try:
        table = parse(page.html, url=page.url)
    except PageError:
        return
    if not table.own_length.any():
        return
    model = stored(str(weights))
    one = read_blocks(table, Policy().signs(), model=model)
    words = [Counter(tokenize(text)) for text in one.found.blocks.texts()]
    gold = Counter(tokenize(page.gold_text or ""))
    kind = model.kinds[int(np.argmax(one.kinds))]
    for step in STEPS.values():
        kept: Counter[str] = Counter()
        for block in np.flatnonzero(step(one, kind)).tolist():
            kept.update(words[block])
        yield 2 * (kept & gold).total() / max(kept.total() + gold.total(), 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.decoding", description=__doc__)
    parser.add_argument("folder", type=Path, help="what --fold-weights of training.train wrote")
    parser.add_argument("--corpora", nargs="+", default=list(TRAINING_CORPORA))
    parser.add_argument("--folds", type=int, default=5, help="how many there are")
    parser.add_argument(
        "--only", type=int, nargs="+", default=[0, 1, 2, 3, 4], help="folds that are looked at"
    )
    parser.add_argument("--limit", type=int, help="pages a corpus, drawn with a seed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
