"""What each rule of the decision is worth: ``python -m training.decoding FOLDS --only 0 1``.

Pages of the training corpora are read with the weights of the fold that has not seen their domain,
and word F1 is given after each step of `chaffinch.decision.rules`, the steps added one by one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from chaffinch.decision.policy import Policy
from chaffinch.decision.rules import RULES, Draft, Rule, run
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.scoring import tokenize
from chaffinch.model.block_scores import BlockScores, score_blocks, stored
from chaffinch.page import parse
from chaffinch.page.arrays import Mask
from training.dataset import TRAINING_CORPORA, registrable
from training.held_out import fold_of

_STEPS: Final = (
    ("expected F1", ("expected F measure",)),
    ("similar blocks", ("similar blocks",)),
    ("atomic elements", ("atomic elements",)),
    ("headings, widgets, code", ("expandable widgets", "tables and code", "headings")),
    ("page chrome", ("page chrome",)),
    ("repeated, lone links", ("repeated passages", "repeated products", "lone links")),
    ("tables", ("policy", "attached media")),
)
"""The steps: the name of each and the rules that it adds to those above it. Data tables are kept
by a policy alone, so that the last step is the whole decision."""


def _rules() -> Iterator[tuple[str, tuple[Rule, ...]]]:
    """Yield the name of each step and the rules that run in it, in their order."""
    added: set[str] = set()
    for step, names in _STEPS:
        added.update(names)
        yield step, tuple(rule for rule in RULES if rule.name in added)


STEPS: Final = ("a half", *(step for step, _ in _STEPS))


def kept_by_step(scores: BlockScores, kind: str) -> Iterator[Mask]:
    """Yield bool[m] for each of `STEPS`: the blocks that it keeps of a page of type ``kind``."""
    yield scores.score > 1 / 2
    for step, rules in _rules():
        policy = Policy() if step == _STEPS[-1][0] else None
        draft = Draft(scores.features, scores.score, kind=kind, policy=policy)
        run(rules, draft)
        yield draft.keep


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
    scores = score_blocks(table, model=model)
    words = [Counter(tokenize(text)) for text in scores.features.blocks.texts()]
    gold = Counter(tokenize(page.gold_text or ""))
    kind = model.kinds[int(np.argmax(scores.kinds))]
    for keep in kept_by_step(scores, kind):
        kept: Counter[str] = Counter()
        for block in np.flatnonzero(keep).tolist():
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
