"""The worst pages of a corpus, and what went wrong on each, in figures a person can sort by.

``python -m bench.quality.worst wcxb --folds FOLDER`` reads every page with the weights of the fold
that has not seen its domain (what ``training.train --fold-weights`` wrote, as ``training/folds``;
needs tldextract of the group ``training``); without it, with the shipped ones.
``--show N`` prints the gold and the output of the N-th page side by side, block by block.

Pages whose labels were found wrong by eye are listed in ``bad_labels.json`` by hash, with the
reason, and are counted apart. Nothing is fitted to that list.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import chaffinch
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.scoring import tokenize
from chaffinch.segment.text_blocks import text_blocks

LITTLE = 0.3
POOR = 0.6
BAD_LABELS = Path(__file__).parent / "bad_labels.json"


@dataclass
class Bad:
    """One page: word F1, precision, recall, words of gold, output and page, share of gold on it."""

    page: LabelledPage
    found: chaffinch.Extract
    f1: float
    precision: float
    recall: float
    gold: int
    kept: int
    shown: int
    there: float
    label: str

    @property
    def sign(self) -> str:
        """What is wrong with the label, where it is; else what the figures say of the cause."""
        if self.label:
            return f"label: {self.label}"
        if self.there < 0.75:
            return "gold not on the page"
        if self.recall < LITTLE:
            return "missed" if self.precision >= LITTLE else "another part taken"
        if self.precision < 0.6 and self.recall >= 0.8:
            return "gold is a part" if self.kept > 2 * self.gold else "too much"
        return "too much" if self.precision < self.recall else "too little"


def read(corpus: str, folds: Path | None, limit: int | None) -> list[Bad]:
    """Return all pages of a corpus, the worst first."""
    out = []
    labels = bad_labels(corpus)
    for page in read_corpus(corpus, limit=limit):
        if not page.gold_text:
            continue
        settings = {}
        if folds:
            from training.dataset import registrable  # noqa: PLC0415  needs the training group
            from training.held_out import fold_of  # noqa: PLC0415  the same

            settings = {"weights": str(folds / f"fold{fold_of(registrable(page), 5)}.npz")}
        try:
            found = chaffinch.extract(page.html, url=page.url, settings=settings)
        except PageError:
            continue
        out.append(judge(page, found, labels.get(page_hash(page.html), "")))
    return sorted(out, key=lambda one: one.f1)


def bad_labels(corpus: str) -> dict[str, str]:
    """Return what is wrong with the labels of a corpus, by `page_hash`."""
    listed = json.loads(BAD_LABELS.read_text(encoding="utf-8")).get(corpus, {})
    return {page: reason for reason, pages in listed.items() for page in pages}


def page_hash(html: bytes) -> str:
    """Return the first twelve hexadecimal digits of the SHA-256 of a page."""
    return hashlib.sha256(html).hexdigest()[:12]


def judge(page: LabelledPage, found: chaffinch.Extract, label: str = "") -> Bad:
    """Return the figures of one page; ``label``: what is wrong with its label."""
    gold, kept = Counter(tokenize(page.gold_text or "")), Counter(tokenize(found.text))
    shown = kept + Counter(tokenize(found.noise))
    right = (gold & kept).total()
    count, total = gold.total(), kept.total()
    return Bad(
        page,
        found,
        2 * right / max(count + total, 1),
        right / max(total, 1),
        right / max(count, 1),
        count,
        total,
        shown.total(),
        (gold & shown).total() / max(count, 1),
        label,
    )


def show(one: Bad) -> None:
    """Print the blocks of a page: + right, - missed, ! noise, by the words of each."""
    gold = " ".join(tokenize(one.page.gold_text or ""))
    print(one.page.url or one.page.id, f"F1 {one.f1:.3f}")
    blocks = text_blocks(one.found.page)
    for text, keep in zip(blocks.texts(), one.found.keep[blocks.first].tolist(), strict=True):
        wanted = " ".join(tokenize(text)[:12]) in gold
        sign = {(True, True): "+", (False, True): "-", (True, False): "!"}.get((keep, wanted), " ")
        print(sign, text[:150])


def main() -> None:
    """Print the worst pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--folds", type=Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", type=int, metavar="N")
    given = parser.parse_args()
    pages = read(given.corpus, given.folds, given.limit)
    if given.show is not None:
        show(pages[given.show])
        return
    worst = pages[: given.count]
    for number, one in enumerate(worst):
        cells = (f"{number:3}", f"{one.f1:.3f}", f"{one.precision:.2f}", f"{one.recall:.2f}")
        words = f"{one.gold:6} {one.kept:6} {one.shown:6} {one.there:.2f}"
        where = f"{one.page.page_type:13} {one.sign:21} {one.page.id} {one.page.url or ''}"
        print(*cells, words, where[:120])
    for sign, count in Counter(one.sign for one in worst).most_common():
        print(f"{sign:22} {count}")
    poor = [one for one in pages if one.f1 < POOR]
    listed = sum(bool(one.label) for one in poor)
    print(f"below {POOR}: {len(poor)} of {len(pages)}, {listed} of them by their labels")


if __name__ == "__main__":
    main()
