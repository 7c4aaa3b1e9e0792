"""Held-out pages side by side with baselines: ``python -m training.held_out FOLDS --json FILE``.

Every page of a training corpus goes through the method with the weights of the fold that has not
seen its domain, from bytes to text, scored as ``chaffinch evaluate`` does. Figures of baselines
don't depend on weights: they come from its reports of the same pages (``--reports``).
``--methods`` runs methods as they are shipped, for pages that nothing was fitted to.
"""

from __future__ import annotations

import argparse
import json
import operator
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from chaffinch.errors import OptionError
from chaffinch.evaluate import BASELINES, run
from chaffinch.evaluate.baselines import Extractor
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.report import main_figure
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
    options = _parser().parse_args()
    policy = dict.fromkeys(options.asked, True) or None
    folder, corpora = options.folder, options.corpora
    done = run(
        corpora,
        methods=options.methods,
        policy=policy if options.methods else None,
        extractors={OURS: held_out(folder, corpora, policy=policy)} if folder else {},
        limit=options.limit,
        command=" ".join(["python -m training.held_out", *sys.argv[1:]]),
    )
    if options.json:
        text = done.to_json()
        for path in options.reports:
            text = _joined(text, json.loads(path.read_text(encoding="utf-8")))
        options.json.write_text(text, encoding="utf-8")
    for one in done.summaries:
        figure = one.figures[main_figure(one.corpus)]
        interval = f"{figure.low:.3f}\t{figure.high:.3f}" if figure.low is not None else "\t"
        place = one.group or "all"
        sys.stdout.write(
            f"{one.corpus}\t{place}\t{one.system}\t{one.pages}\t{figure.value:.4f}\t{interval}\n"
        )
    return 0


def _joined(text: str, known: dict[str, Any]) -> str:
    """Return a report with the systems and rows of baselines of another one of the same pages.

    Raises:
        OptionError: the other report is of other pages.
    """
    columns, rows = json.loads(text)["columns"], json.loads(text)["summaries"]
    group = operator.itemgetter(*map(columns.index, ("corpus", "kind", "group")))
    count = columns.index("pages")
    pages = {group(row): row[count] for row in rows}
    more = []
    for values in known["summaries"]:
        named = dict(zip(known["columns"], values, strict=True))
        row = [named.get(name) for name in columns]
        if row[0] in BASELINES and group(row) in pages:
            if pages[group(row)] != row[count]:
                raise OptionError(f"the report has other pages of {group(row)}: same --limit?")
            more.append(row)
    own = json.loads(text)
    own["systems"] += [one for one in known["systems"] if one["name"] in BASELINES]
    own["summaries"] += more
    return json.dumps(own, ensure_ascii=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.held_out", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="weights of the folds")
    parser.add_argument("--corpora", nargs="+", default=list(TRAINING_CORPORA))
    parser.add_argument(
        "--methods", nargs="+", default=[], help="of Chaffinch, as they are shipped, not by folds"
    )
    parser.add_argument(
        "--asked", nargs="+", default=[], help="fields of the policy to set, such as headline"
    )
    parser.add_argument(
        "--reports",
        type=Path,
        nargs="+",
        default=[],
        help="reports of chaffinch evaluate with the same --limit, for the baselines",
    )
    parser.add_argument("--limit", type=int, help="so many pages a corpus, drawn with a seed")
    parser.add_argument("--json", type=Path, help="write the report, as chaffinch evaluate does")
    return parser


if __name__ == "__main__":
    sys.exit(main())
