"""Scores of each labelled page by the whole trip, saved, and compared with those saved before.

    python -m bench.quality.pages --save build/now.json                    score all corpora
    python -m bench.quality.pages --against build/before.json --show 5   the same, compared
    python -m bench.quality.pages --of build/now.json --against build/before.json

Pages of training corpora are read with the weights of the fold that has not seen their domain
(``training/folds``), the others with the shipped ones. Word F1; 4-gram shingles' F1 of the page on
scrapinghub; on corpora of snippets the share of snippets that are right. Characters that show
nothing don't count.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from pathlib import Path
from zlib import crc32

import chaffinch
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.scoring import Score, tokenize, word_score
from chaffinch.methods.learned import Learned
from chaffinch.page.visibility import visible
from training.dataset import TRAINING_CORPORA, registrable

VISIBLE = ("cleaneval", "readability", "scrapinghub", "trafilatura_eval", "recipes")
FOLDS = 5

Scores = dict[str, dict[str, float]]


def score(page: LabelledPage, method: Learned) -> float:
    """Return how right the text of a page is, in 0..1."""
    try:
        found = chaffinch.extract(page.html, url=page.url, method=method).text
    except chaffinch.PageError:
        found = ""
    if page.gold_text is None:
        folded = _folded(found)
        right = sum(_folded(one) in folded for one in page.wanted)
        right += sum(_folded(one) not in folded for one in page.unwanted)
        return right / max(1, len(page.wanted) + len(page.unwanted))
    words, gold = tokenize(visible(found)), tokenize(visible(page.gold_text))
    if page.corpus == "scrapinghub":
        words, gold = (
            ["\n".join(some[at : at + 4]) for at in range(max(1, len(some) - 3))]
            for some in (words, gold)
        )
        shared: Score = word_score(words, gold)
        return shared.f1
    return word_score(words, gold).f1


def _folded(text: str) -> str:
    return " ".join(visible(text).split())


def scored_corpus(job: tuple[str, int]) -> tuple[str, dict[str, float]]:
    """Return the score of each page of a corpus (each ``every``-th), by its id."""
    corpus, every = job
    trained = corpus in TRAINING_CORPORA
    names = [f"training/folds/fold{fold}.npz" for fold in range(FOLDS)] if trained else [None]
    methods = [Learned(weights=name) if name else Learned() for name in names]
    found = {}
    for at, page in enumerate(read_corpus(corpus)):
        if at % every == 0 and (page.gold_text or page.wanted or page.unwanted):
            fold = crc32(registrable(page).encode()) % FOLDS if trained else 0
            found[f"{at:04d}"] = round(score(page, methods[fold]), 5)
    return corpus, found


def compared(before: Scores, now: Scores, show: int) -> str:
    """Return the means of each corpus before and now, and the pages that changed most."""
    lines = [
        "| corpus | pages | before | now | change | better | worse |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    listed = []
    for corpus, pages in now.items():
        both = [key for key in pages if key in before.get(corpus, {})]
        changes = {key: pages[key] - before[corpus][key] for key in both}
        old, new = (
            sum(some[key] for key in both) / max(1, len(both))
            for some in (before.get(corpus, {}), pages)
        )
        better, worse = (sum(sign * one > 0.002 for one in changes.values()) for sign in (1, -1))
        lines.append(
            f"| {corpus} | {len(both)} | {old:.4f} | {new:.4f} | {new - old:+.4f} "
            f"| {better} | {worse} |"
        )
        order = sorted(changes, key=lambda key: changes[key])
        listed += [
            f"{corpus} {key} {changes[key]:+.3f}"
            for key in order[:show] + order[::-1][:show]
            if abs(changes[key]) > 0.002
        ]
    return "\n".join([*lines, "", *listed])


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.pages", description=__doc__)
    parser.add_argument("corpora", nargs="*", default=[*TRAINING_CORPORA, *VISIBLE])
    parser.add_argument("--every", type=int, default=1, help="score each N-th page only")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--of", type=Path, help="saved scores in place of new ones")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument(
        "--show", type=int, default=0, help="list N pages of each corpus at either end"
    )
    options = parser.parse_args()
    if options.of:
        now: Scores = json.loads(options.of.read_text("utf-8"))
    else:
        jobs = [(corpus, options.every) for corpus in options.corpora]
        with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
            now = dict(pool.imap(scored_corpus, jobs, chunksize=1))
    if options.save:
        options.save.parent.mkdir(parents=True, exist_ok=True)
        options.save.write_text(json.dumps(now), "utf-8")
    before = json.loads(options.against.read_text("utf-8")) if options.against else now
    sys.stdout.write(compared(before, now, options.show) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
