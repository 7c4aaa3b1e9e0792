"""The confidence of methods that give none: ``python -m training.method_confidence [--out FILE]``.

Methods that need no other page are run on pages of the corpora that may be trained on; methods that
compare with siblings, and site models, on the labelled sites, learned on a half of each site's
pages and scored on the other. Of each method a ridge regression from `verdict_signals` to word F1
is fitted to all folds but one and asked on that one; folds are drawn by domain, of sites by site.
What comes out there is calibrated, and printed: mean confidence and mean F1 by fifths of the
confidence, and the correlation of both. ``--out`` writes what is fitted to all. ``--sites`` fits
site models alone, on the whole sites, on the corpora's domains, each domain read by the page-level
model that hasn't seen it, and on a part of the pages of the made-up sites; it leaves the other
methods as the package has them.
Site models in full have an expected F1, of which only the calibration is fitted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bench.lib.sites import (
    Sample,
    domain_sites,
    halves,
    learned,
    made_up_sites,
    remember_readings,
    sites,
)
from chaffinch.decision.scores import expected_f1
from chaffinch.errors import ChaffinchError, PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.extraction.plan import prepare_method
from chaffinch.methods import METHODS
from chaffinch.model.method_confidence import SIGNALS, MethodConfidence, columns, verdict_signals
from chaffinch.output import text
from chaffinch.page import Page, parse
from chaffinch.site import apply
from chaffinch.site.model import SiteNotes
from chaffinch.verdict import Content, Verdict
from training.page_states import CORPORA, FOLDS, fold_of

EVERY: Final = 3
"""Of so many pages of a corpus one is taken."""
SCORED: Final = 8
SIBLINGS: Final = 6
"""Pages of a site that are scored, and siblings that they are compared with."""
FULL: Final = "site full"
"""What has an expected F1 of its own."""
SOURCES: Final = {"whole sites": sites, "domains": domain_sites, "made-up sites": made_up_sites}
MADE_UP: Final = 3
"""Of so many pages of made-up sites one is taken, so that no source has most of them."""
_RIDGE: Final = 3.0
_POINTS: Final = 10
"""Points of a calibration."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A verdict of a method on a labelled page.

    Attributes:
        method: its name, or `FULL`.
        fold: of the page's domain or site.
        signals: as `verdict_signals`.
        f1: word F1, 0..1.
        expected: of site models, the expected F1 of what they keep; else 0.
        source: of `SOURCES`; "" where the method isn't a site model.
    """

    method: str
    fold: int
    signals: NDArray[np.float64]
    f1: float
    expected: float = 0.0
    source: str = ""


def trials() -> Iterator[Trial]:
    """Yield the trials of all methods but the default, whose weights have a confidence."""
    alone = {name: kind() for name, kind in METHODS.items() if not kind.needs_siblings}
    alone.pop("learned")
    for corpus in CORPORA:
        for number, labelled in enumerate(read_corpus(corpus)):
            if number % EVERY or not labelled.gold_text:
                continue
            try:
                page = parse(labelled.html, url=labelled.url)
            except PageError:
                continue
            for name, method in alone.items():
                fold = fold_of(labelled.domain)
                yield _trial(name, fold, page, method(page), labelled.gold_text)
    for name, samples in sites(""):
        yield from _of_site(crc32(name.encode()) % FOLDS, samples)


def site_trials() -> Iterator[Trial]:
    """Yield the trials of site models on the sites of all sources."""
    remember_readings()
    for source, given in SOURCES.items():
        for name, samples in given(""):
            fold = crc32(name.rpartition(": ")[2].encode()) % FOLDS
            for learning, scored in halves(samples):
                labelled = [one for one in scored if one.gold]
                some = labelled[:: MADE_UP if given is made_up_sites else 1]
                for one in _by_models(fold, learning, some):
                    yield replace(one, source=source)


def _by_models(fold: int, learning: list[Sample], scored: list[Sample]) -> Iterator[Trial]:
    """Yield the trials of the site's model, but of pages that it leaves to the default."""
    site = learned(learning)
    for one in scored:
        verdict = site(one.page)
        if isinstance(verdict.notes, SiteNotes) and verdict.notes.template is not None:
            trial = _trial(FULL, fold, one.page, verdict, one.gold or "")
            yield replace(trial, expected=_expected(one, verdict))


def _expected(one: Sample, verdict: Verdict) -> float:
    """Return the expected F1 of a verdict by its own scores."""
    found = apply.score_blocks(one.page).features
    first = found.blocks.first
    return expected_f1(verdict.score[first], found.units, verdict.keep[first])


def _of_site(fold: int, samples: list[Sample]) -> Iterator[Trial]:
    compared = [name for name, kind in METHODS.items() if kind.needs_siblings]
    for learning, scored in halves(samples):
        chosen = [one for one in scored if one.gold][:: max(len(scored) // SCORED, 1)][:SCORED]
        yield from _by_models(fold, learning, chosen)
        others = [one.page for one in learning[:SIBLINGS]]
        for name in compared:
            for one in chosen[: SCORED // 2]:
                try:
                    method = prepare_method(name, siblings=others)
                    verdict = method(one.page)
                except ChaffinchError:
                    continue
                yield _trial(name, fold, one.page, verdict, one.gold or "")


def _trial(method: str, fold: int, page: Page, verdict: Verdict, gold: str) -> Trial:
    content = Content(page, verdict)
    f1 = word_score(tokenize(text.render(content)), tokenize(gold)).f1
    return Trial(method, fold, verdict_signals(content), f1)


def fitted(some: Sequence[Trial]) -> NDArray[np.float64]:
    """Return the weights of the ridge regression of trials that keep anything."""
    inputs, f1 = (
        columns(np.array([one.signals for one in some])),
        np.array([one.f1 for one in some]),
    )
    scale = inputs.std(axis=0)
    scale[scale < 1e-6] = 1.0  # noqa: PLR2004
    inputs = inputs / scale
    ridge = np.full(inputs.shape[1], _RIDGE)
    ridge[-1] = 0
    return np.linalg.solve(inputs.T @ inputs + np.diag(ridge), inputs.T @ f1) / scale


def curve_of(raw: NDArray[np.float64], f1: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[2, k]: means of both over pages of like ``raw``, made to ascend together."""
    order = np.argsort(raw)
    parts = [one for one in np.array_split(order, _POINTS) if len(one)]
    points = [[float(raw[one].mean()), float(f1[one].mean()), len(one)] for one in parts]
    merged: list[list[float]] = []
    for point in points:  # neighbours that descend are joined
        merged.append(point)
        while len(merged) > 1 and merged[-2][1] >= merged[-1][1]:
            last, before = merged.pop(), merged.pop()
            size = last[2] + before[2]
            joined = [(last[at] * last[2] + before[at] * before[2]) / size for at in (0, 1)]
            merged.append([*joined, size])
    return np.array(merged)[:, :2].T


def raw_by(known: Sequence[Trial], asked: Sequence[Trial]) -> NDArray[np.float64]:
    """Return float64[t]: what is expected of trials of one method before calibration.

    By the regression that is fitted to those that are known, but for `FULL`.
    """
    if asked[0].method == FULL:
        return np.array([one.expected for one in asked])
    signals = np.array([one.signals for one in asked])
    return np.asarray(columns(signals) @ fitted(known))


def left_out(some: Sequence[Trial]) -> NDArray[np.float64]:
    """Return float64[t]: what is expected of each trial by the other folds, not calibrated."""
    folds = np.array([one.fold for one in some])
    raw = np.zeros(len(some))
    for fold in np.unique(folds):
        own, others = _parted(some, folds == fold)
        raw[folds == fold] = raw_by(others, own)
    return raw


def calibrated(some: Sequence[Trial]) -> NDArray[np.float64]:
    """Return float64[t]: the confidence of each trial, fold and calibration without its own."""
    raw, f1 = left_out(some), np.array([one.f1 for one in some])
    folds = np.array([one.fold for one in some])
    found = np.zeros(len(some))
    for fold in np.unique(folds):
        own = folds == fold
        found[own] = np.interp(raw[own], *curve_of(raw[~own], f1[~own]))
    return found


def _parted(some: Sequence[Trial], mask: NDArray[np.bool_]) -> tuple[list[Trial], list[Trial]]:
    """Return the trials that a mask, bool[t], has, and the others."""
    pairs = [*zip(some, mask.tolist(), strict=True)]
    return [one for one, own in pairs if own], [one for one, own in pairs if not own]


def table(found: dict[str, list[Trial]]) -> Iterator[str]:
    """Yield the lines of the reliability table, one a method."""
    yield "| method | pages | mean F1 | confidence | by fifths: confidence → F1 | correlation |"
    yield "|---|---:|---:|---:|---|---:|"
    for name, some in found.items():
        confidence, f1 = calibrated(some), np.array([one.f1 for one in some])
        fifths = np.array_split(np.argsort(confidence), 5)
        cells = ", ".join(f"{confidence[one].mean():.2f} → {f1[one].mean():.2f}" for one in fifths)
        tied = float(np.corrcoef(confidence, f1)[0, 1])
        yield (
            f"| {name} | {len(some)} | {f1.mean():.3f} | {confidence.mean():.3f} | {cells} "
            f"| {tied:.2f} |"
        )


def saved(found: dict[str, list[Trial]]) -> dict[str, Any]:
    """Return the regressions of all methods, fitted to all folds, as plain values."""
    out, of_full = {}, []
    for name, some in found.items():
        curve = curve_of(left_out(some), np.array([one.f1 for one in some]))
        if name == FULL:
            of_full = np.round(curve, 4).tolist()
            continue
        made = MethodConfidence(fitted(some), curve)
        out[name] = {
            "weights": [float(f"{one:.6g}") for one in made.weights],
            "curve": np.round(made.curve, 4).tolist(),
        }
    about = "python -m training.method_confidence"
    return {"about": about, "signals": SIGNALS, FULL: of_full, "methods": out}


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.method_confidence", description=__doc__
    )
    parser.add_argument("--out", type=Path)
    parser.add_argument("--sites", action="store_true", help="site models alone")
    options = parser.parse_args()
    found: defaultdict[str, list[Trial]] = defaultdict(list)
    for one in site_trials() if options.sites else trials():
        if one.signals[0]:  # where nothing is kept, there is nothing to expect
            found[one.method].append(one)
    for line in table(found):
        sys.stdout.write(line + "\n")
    if options.out:
        values = saved(found)
        if options.sites:
            shipped = resources.files("chaffinch.model").joinpath("method_confidence.json")
            values["methods"] = json.loads(shipped.read_text(encoding="utf-8"))["methods"]
        made = values["methods"].items()
        lines = [f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in made]
        head = {name: one for name, one in values.items() if name != "methods"}
        text_of = json.dumps(head)[:-1] + ', "methods": {\n' + ",\n".join(lines) + "\n}}\n"
        options.out.write_text(text_of, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
