"""Precision and recall of `chaffinch.assess`, and its false alarms on the labelled pages.

«Generators left out»: made-up pages by a model that has seen no page of their generator; the last
column is of real pages with their content replaced, none of which the model has seen. «Domains left
out»: the same grafted pages, by a model that has seen such pages of other domains. «False alarms»:
labelled pages that are called something else than content, by domains left out in the corpora that
are trained on, by the model of all of them in the others. «Real pages»: those that are in another
state indeed, found by eye (``training/real_states.json`` names them by their hash), apart.

    python -m bench.quality.assessment [--keep FILE]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.assessment.assessment import STATES
from training.page_states import (
    CORPORA,
    FOLDS,
    ON_REAL,
    SOURCES,
    StatePages,
    fit,
    kept,
    measured,
)

HELD_OUT: Final = (
    "cleaneval",
    "readability",
    "scrapinghub",
    "trafilatura_eval",
    "recipes",
    "structure",
)
"""Corpora that nothing is trained on here."""
Predicted = tuple[StatePages, "NDArray[np.int64]"]


def generators_left_out(pages: StatePages) -> dict[str, Predicted]:
    """Return generator → its pages and the states that a model without it gives them.

    Of generators that change real pages, a fold of domains at a time, which the model hasn't seen,
    either, in whatever form.
    """
    return {name: without(pages, name) for name in SOURCES}


def without(pages: StatePages, name: str) -> Predicted:
    """Return the pages of a generator, and the states by models without it and their domains."""
    own, parts, found = pages.source == name, [], []
    for fold in range(FOLDS) if name in ON_REAL else (-1,):
        parts.append(pages.where(own & (pages.fold == fold)))
        model = fit(pages.where(~own & ((pages.fold != fold) | (fold < 0))))
        found.append(model.probabilities(parts[-1].values).argmax(axis=1))
    return joined(parts), np.concatenate(found)


def domains_left_out(pages: StatePages) -> Predicted:
    """Return the pages of domains, and the states that models without their folds give them."""
    parts, found = [], []
    for fold in range(FOLDS):
        own = pages.fold == fold
        parts.append(pages.where(own))
        found.append(fit(pages.where(~own)).probabilities(parts[-1].values).argmax(axis=1))
    return joined(parts), np.concatenate(found)


def joined(parts: list[StatePages]) -> StatePages:
    """Return the pages of several sets."""
    names = [field.name for field in fields(StatePages)]
    return StatePages(*(np.concatenate([getattr(one, name) for one in parts]) for name in names))


def scores(pages: StatePages, found: NDArray[np.int64], state: int) -> str:
    """Return precision and recall of a state; a dash where there is nothing to measure."""
    right = int(((pages.state == state) & (found == state)).sum())
    called, there = int((found == state).sum()), int((pages.state == state).sum())
    if not there:
        return "–"
    return f"{right / max(called, 1):.2f} / {right / there:.2f}"


def by_state(left_out: dict[str, Predicted], grafted: Predicted) -> Iterator[str]:
    """Yield the lines of the table of made-up pages."""
    every = joined([pages for pages, _ in left_out.values()])
    all_found = np.concatenate([found for _, found in left_out.values()])
    yield f"| state | pages | all | {' | '.join(left_out)} | made of real ones, domains left out |"
    yield "|---|---:" + "|---:" * (len(left_out) + 2) + "|"
    for number, state in enumerate(STATES):
        cells = [scores(every, all_found, number)]
        cells += [scores(pages, found, number) for pages, found in left_out.values()]
        cells.append(scores(*grafted, number))
        yield f"| `{state}` | {int((every.state == number).sum())} | {' | '.join(cells)} |"


def by_language(left_out: dict[str, Predicted]) -> Iterator[str]:
    """Yield the lines of the table of languages, of pages that generators made in whole."""
    yield "| language | pages | called what they are |"
    yield "|---|---:|---:|"
    made = [one for name, one in left_out.items() if name not in ON_REAL]
    pages, found = joined([one for one, _ in made]), np.concatenate([one for _, one in made])
    for lang in sorted(set(pages.lang.tolist())):
        own = pages.lang == lang
        yield f"| {lang} | {int(own.sum())} | {(found[own] == pages.state[own]).mean():.2f} |"


def alarms(folds: Predicted, held_out: Predicted) -> Iterator[str]:
    """Yield the lines of the table of false alarms."""
    yield "| corpus | pages of content | called something else | share | as what |"
    yield "|---|---:|---:|---:|---|"
    sums: Counter[str] = Counter()
    for (pages, found), names in ((folds, CORPORA), (held_out, HELD_OUT)):
        for name in names:
            own = (pages.source == name) & (pages.state == 0)
            wrong = found[own & (found != 0)]
            sums.update({"pages": int(own.sum()), "wrong": len(wrong)})
            kinds = Counter(STATES[one] for one in wrong.tolist()).most_common()
            words = ", ".join(f"{state} {count}" for state, count in kinds)
            share = len(wrong) / max(int(own.sum()), 1)
            yield f"| {name} | {int(own.sum())} | {len(wrong)} | {share:.1%} | {words} |"
    share = sums["wrong"] / max(sums["pages"], 1)
    yield f"| all | {sums['pages']} | {sums['wrong']} | {share:.2%} | |"


def real(folds: Predicted, held_out: Predicted) -> Iterator[str]:
    """Yield the lines of the table of real pages in other states than content."""
    yield "| state | real pages | called so | called |"
    yield "|---|---:|---:|---|"
    pages = joined([folds[0], held_out[0]])
    found = np.concatenate([folds[1], held_out[1]])
    true = (pages.state != 0) & np.isin(pages.source, (*CORPORA, *HELD_OUT))
    for number in sorted(set(pages.state[true].tolist())):
        own = true & (pages.state == number)
        called = Counter(STATES[one] for one in found[own].tolist()).most_common()
        words = ", ".join(f"{state} {count}" for state, count in called)
        right = int((found[own] == number).sum())
        yield f"| `{STATES[number]}` | {int(own.sum())} | {right} | {words} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="file (.npz) of what is measured")
    others_of = partial(measured, HELD_OUT, with_grafts=False)
    pages, others = kept(parser.parse_args().keep, measured, others_of)
    left_out = generators_left_out(pages)
    folds = domains_left_out(pages)
    grafted = np.isin(folds[0].source, tuple(ON_REAL))
    of_grafts = folds[0].where(grafted), folds[1][grafted]
    held_out = others, fit(pages).probabilities(others.values).argmax(axis=1)
    for title, lines in (
        ("Generators left out: precision / recall", by_state(left_out, of_grafts)),
        ("By language, generators left out", by_language(left_out)),
        ("False alarms", alarms(folds, held_out)),
        ("Real pages", real(folds, held_out)),
    ):
        print(f"{title}\n")
        print("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
