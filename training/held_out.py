"""Held-out pages: ``python -m training.held_out FOLDS --json FILE``.

Every page of a training corpus goes through the method with the weights of the fold that has not
seen its domain, from bytes to text, scored as ``chaffinch evaluate`` does, which has figures of
baselines on the same pages.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from zlib import crc32

from chaffinch.evaluate import run
from chaffinch.evaluate.baselines import Extractor
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.evaluation import main_figure
from chaffinch.extraction.extract import extract
from training.dataset import TRAINING_CORPORA, registrable

OURS: Final = "chaffinch:learned"


def fold_of(domain: str, folds: int) -> int:
    """Return the fold of a registrable domain, as `training.dataset.Dataset.folds` draws it."""
    return crc32(domain.encode()) % folds


def held_out(
    folder: Path,
    corpora: Iterable[str],
    *,
    folds: int = 5,
    policy: dict[str, bool] | None = None,
) -> Extractor:
    """Return the default as an extractor that has not seen the page's domain.

    Args:
        folder: holds ``fold0.npz`` and so on, as ``training.train --fold-weights`` writes them.
        corpora: the corpora whose pages it will be requested; an extractor is told only a page's
            bytes, from which it knows the fold.
        folds: number of folds.
        policy: what counts as content, as of `chaffinch.extract`.
    """
    fold = {
        crc32(page.html): fold_of(registrable(page), folds)
        for corpus in corpora
        for page in read_corpus(corpus)
    }

    def found(html: bytes, url: str | None) -> str:
        weights = str(folder / f"fold{fold[crc32(html)]}.npz")
        return extract(html, url=url, settings={"weights": weights}, policy=policy).text

    return found


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.held_out", description=__doc__)
    parser.add_argument("folder", type=Path, help="weights of the folds")
    parser.add_argument("--corpora", nargs="+", default=list(TRAINING_CORPORA))
    parser.add_argument(
        "--asked", nargs="+", default=[], help="fields of the policy to set, such as headline"
    )
    parser.add_argument("--limit", type=int, help="so many pages a corpus, drawn with a seed")
    parser.add_argument("--json", type=Path, help="write the report, as chaffinch evaluate does")
    options = parser.parse_args()
    policy = dict.fromkeys(options.asked, True) or None
    done = run(
        options.corpora,
        extractors={OURS: held_out(options.folder, options.corpora, policy=policy)},
        limit=options.limit,
        command=" ".join(["python -m training.held_out", *sys.argv[1:]]),
    )
    if options.json:
        options.json.write_text(done.to_json(), encoding="utf-8")
    for one in done.summaries:
        figure = one.figures[main_figure(one.corpus)]
        interval = f"{figure.low:.3f}\t{figure.high:.3f}" if figure.low is not None else "\t"
        place = one.group or "all"
        sys.stdout.write(
            f"{one.corpus}\t{place}\t{one.system}\t{one.pages}\t{figure.value:.4f}\t{interval}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
