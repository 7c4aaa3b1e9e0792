"""Held-out pages side by side with peers: ``python -m training.held_out FOLDS --json FILE``.

Every page of a training corpus goes through the method with the weights of the fold that has not
seen its domain, and through every peer, from bytes to text, scored as ``chaffinch evaluate`` does.
What peers do doesn't depend on weights, so that their results are kept in a folder between runs, or
taken from a report of the same pages by the same versions (``--reports``). ``--methods`` runs
methods as they are shipped instead of folds, for pages that nothing was fitted to.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zlib import crc32

from chaffinch.errors import OptionError
from chaffinch.evaluate import PEERS, EvaluateOptions, EvaluationReport, peer_names, run
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.report import main_figure
from chaffinch.evaluate.summaries import summarize
from chaffinch.extraction.extract import extract
from training.dataset import TRAINING_CORPORA, registrable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.evaluate import Evaluation
    from chaffinch.evaluate.adapters import Extractor

OURS: Final = "chaffinch:learned"
CORPORA: Final = tuple(name for name in TRAINING_CORPORA if name != "fundus")
"""Fundus is left out: its gold is made by parsers, and no one's claim."""


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
    known = [
        EvaluationReport.from_json(path.read_text(encoding="utf-8")) for path in options.reports
    ]
    reported = {corpus for report in known for corpus in report.corpora}
    names = tuple(peer_names(options.peers))
    runs = [
        _peers(corpus, names, options.kept, options.limit)
        for corpus in options.corpora
        if names and corpus not in reported
    ]
    if options.folder or options.methods:
        policy = dict.fromkeys(options.asked, True) or None
        folder, corpora = options.folder, options.corpora
        ours = EvaluateOptions(
            corpora=tuple(corpora),
            methods=tuple(options.methods),
            policy=policy if options.methods else None,
            extractors={OURS: held_out(folder, corpora, policy=policy)} if folder else {},
            limit=options.limit,
            draws=0,
            worst=0,
        )
        runs.append(run(ours))
    report = _joined(runs, known, set(options.corpora))
    if options.json:
        options.json.write_text(report.to_json(), encoding="utf-8")
    for one in report.summaries:
        figure = one.figures[main_figure(one.corpus)]
        interval = f"{figure.low:.3f}\t{figure.high:.3f}" if figure.low is not None else "\t"
        place = one.group or "all"
        sys.stdout.write(
            f"{one.corpus}\t{place}\t{one.system}\t{one.pages}\t{figure.value:.4f}\t{interval}\n"
        )
    return 0


def _no_text(_html: bytes, _url: str | None) -> str:
    return ""


def _peers(corpus: str, names: tuple[str, ...], folder: Path, limit: int | None) -> Evaluation:
    """Return the run of the peers on a corpus, from the folder where it was kept before."""
    path = folder / f"{corpus}-{crc32(repr((names, limit)).encode()):08x}.pickle"
    if path.is_file():
        found: Evaluation = pickle.loads(path.read_bytes())  # noqa: S301  written below
        return found
    done = run(EvaluateOptions(corpora=(corpus,), peers=names, limit=limit, draws=0, worst=0))
    kept = replace(
        done, summaries=(), systems=tuple(replace(one, extract=_no_text) for one in done.systems)
    )
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(kept))
    sys.stderr.write(f"peers on {corpus}: kept in {path}\n")
    return kept


def _joined(
    runs: list[Evaluation], known: list[EvaluationReport], corpora: set[str]
) -> EvaluationReport:
    """Return one report of several runs, ours first, and of the peers of known reports.

    Raises:
        OptionError: a known report is of other pages.
    """
    last = runs[-1]
    results = [one for evaluation in (last, *runs[:-1]) for one in evaluation.results]
    systems = {one.name: one for evaluation in (last, *runs[:-1]) for one in evaluation.systems}
    about = replace(last.about, command=" ".join(["python -m training.held_out", *sys.argv[1:]]))
    report = EvaluationReport.of(
        replace(
            last,
            about=about,
            systems=tuple(systems.values()),
            results=tuple(results),
            summaries=tuple(summarize(results, draws=1000)),
        )
    )
    pages = {(one.corpus, one.kind, one.group): one.pages for one in report.summaries}
    more = [
        one
        for other in known
        for one in other.summaries
        if one.system in PEERS and one.corpus in corpora
    ]
    for one in more:
        if pages.get((one.corpus, one.kind, one.group), one.pages) != one.pages:
            raise OptionError(f"the report has {one.pages} pages of {one.corpus}: same --limit?")
    infos = {one.name: one for other in known for one in other.systems if one.name in PEERS}
    own = [one for one in report.systems if one.name not in PEERS]
    infos |= {one.name: one for one in report.systems}
    order = [*own, *(infos[name] for name in PEERS if name in infos)]
    return replace(report, systems=tuple(order), summaries=(*report.summaries, *more))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.held_out", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", help="weights of the folds; without it, peers alone"
    )
    parser.add_argument("--corpora", nargs="+", default=list(CORPORA))
    parser.add_argument(
        "--methods", nargs="+", default=[], help="of Chaffinch, as they are shipped, not by folds"
    )
    parser.add_argument(
        "--asked", nargs="+", default=[], help="fields of the policy to set, such as headline"
    )
    parser.add_argument("--peers", default="all", help="names with commas between, all, or nothing")
    parser.add_argument(
        "--kept", type=Path, default=Path("build/peers"), help="folder for the peers' results"
    )
    parser.add_argument(
        "--reports",
        type=Path,
        nargs="+",
        default=[],
        help="reports of chaffinch evaluate with the same --limit, for the peers on their corpora",
    )
    parser.add_argument("--limit", type=int, help="so many pages a corpus, drawn with a seed")
    parser.add_argument("--json", type=Path, help="write the report, as chaffinch evaluate does")
    return parser


if __name__ == "__main__":
    sys.exit(main())
