"""The weights of the assessment: ``python -m training.page_states [--out FILE]``.

Pages are those that generators of made-up pages wrote, kept in ``training/state_pages``, real ones
of the corpora that may be trained on, and what `training.state_pages.changed` makes of these;
signals are measured on each, and a small network is fitted (`training.state_fit`). Folds are drawn
by domain (its last two labels, so that no site is on both sides).
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chaffinch.assessment.assessment import ARRAYS, STATES, StateModel
from chaffinch.assessment.page_signals import signals_of
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.model.block_scores import Model, stored_model
from chaffinch.page import parse
from training import held_out
from training.dataset import TRAINING_CORPORA, registrable
from training.state_fit import fitted
from training.state_pages.changed import boxes, grafts, share, splices

CORPORA: Final = (
    "wcxb",
    "magic_html_article",
    "magic_html_forum",
    "harvest_forum",
    "daniel",
    "zh_news",
    "fundus",
)
ON_REAL: Final = {"grafted": grafts, "boxed": boxes, "spliced": splices}
"""Makers of pages that change real ones."""
FOLDS: Final = 5
_FOLD_WEIGHTS: Final = Path(__file__).with_name("folds")
_REAL: Final = 3.0
"""Weight of a real page of content against a made-up one."""
_CONTENT: Final = 22.0
"""Weight of all content against that of each other state."""
_FAVOURED: Final = {
    "content": -0.45,
    "shell": 0.6,
    "paywall": 0.6,
    "block_page": -0.3,
    "login": -0.5,
}
"""State → what its log-odds are moved by, so that with generators left out each has the precision
and recall that it is to have, and false alarms stay below 2 %."""
_LEFT: Final = dict.fromkeys(("shell", "missing", "server", "login"), 0.15) | {"paywall": 0.5}
"""Kind of a page made of a real one → share of the labelled content that may be left in it."""
_OF_SO_MANY: Final = 4
"""Of so many labelled pages one is made another of, by each of `ON_REAL`."""


class StatePages(NamedTuple):
    """Pages: signals, float64[p, k]; states, int[p], of `STATES`; and by generator or corpus."""

    values: NDArray[np.float64]
    state: NDArray[np.int64]
    source: NDArray[Any]


@dataclass(frozen=True)
class MadePage:
    """A made-up page.

    Attributes:
        html: its source.
        state: what it is.
        generator: what made it.
        lang: code of its language.
        status: HTTP status; None if it isn't known.
    """

    html: str
    state: str
    generator: str
    lang: str
    status: int | None


def made_up() -> Iterator[MadePage]:
    """Yield the pages of nine generators, a hundred of each state by each, and of made-up sites."""
    path = Path(__file__).parent / "state_pages" / "made_pages.jsonl.xz"
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from (MadePage(*json.loads(line)) for line in lines)


def fold_of(domain: str) -> int:
    """Return the fold of a domain, by its last two labels."""
    return crc32(".".join(domain.lower().split(".")[-2:]).encode()) % FOLDS


def page_digest(data: bytes) -> str:
    """Return the hash by which a page is named where its text isn't kept."""
    return blake2b(data, digest_size=8).hexdigest()


@cache
def known_states() -> dict[str, str]:
    """Return digest → state of the real pages that were looked at."""
    text = Path(__file__).with_name("real_states.json").read_text(encoding="utf-8")
    return dict(json.loads(text)["states"])


def measured() -> StatePages:
    """Return the made-up pages, those of corpora, and what is made of these."""
    rows: list[tuple[list[float], int, str]] = []

    def add(data: bytes, state: str, source: str, **known: Any) -> None:
        try:
            page = parse(data, url=known.get("url"))
        except PageError:
            return
        found = signals_of(page, known.get("status"), model=known.get("model"))
        rows.append(([value for _, value, _ in found], STATES.index(state), source))

    for made in made_up():
        add(made.html.encode(), made.state, made.generator, status=made.status)
    for corpus in CORPORA:
        for number, labelled in enumerate(read_corpus(corpus)):
            state = known_states().get(page_digest(labelled.html), "content")
            model = _unseeing(labelled) if corpus in TRAINING_CORPORA else None
            add(labelled.html, state, corpus, url=labelled.url, model=model)
            for made in _made_of(labelled, number) if state == "content" else ():
                data = made.html.encode("utf-8", "replace")
                add(data, made.state, made.generator, model=model)
    return StatePages(*map(np.array, zip(*rows, strict=True)))


def _made_of(labelled: LabelledPage, number: int) -> Iterator[MadePage]:
    """Yield what the generators that change real pages make of one, if its number is theirs."""
    gold = "".join((labelled.gold_text or "").split())
    for source, make in ON_REAL.items():
        if number % _OF_SO_MANY == list(ON_REAL).index(source):
            for html, kind, lang in make(labelled):
                if is_emptied(html, kind, gold):
                    state = "error_page" if kind in {"missing", "server"} else kind
                    yield MadePage(html, state, source, lang, None)


def is_emptied(html: str, kind: str, gold: str) -> bool:
    """Return whether no more of the labelled content is left in a made page than its kind allows.

    What the default method or the element around the labels leaves out stays behind: with half of
    an article there, it isn't a shell.
    """
    most = _LEFT.get(kind)
    return most is None or share(parse(html), gold) <= most


def _unseeing(labelled: LabelledPage) -> Model:
    """Return the page-level model of the fold that has not seen a page's domain."""
    fold = held_out.fold_of(registrable(labelled), FOLDS)
    return stored_model(str(_FOLD_WEIGHTS / f"fold{fold}.npz"))


def fit(pages: StatePages) -> StateModel:
    """Return the model of pages."""
    names = tuple(name for name, _, _ in signals_of(parse("")))
    model = fitted(names, pages.values, pages.state, _weights(pages))
    return replace(model, bias=model.bias + [_FAVOURED.get(state, 0.0) for state in STATES])


def _weights(pages: StatePages) -> NDArray[np.float32]:
    """Return float32[p], 1 in the mean: states weigh alike, content more, real content most.

    In the other states a source weighs as the square root of its pages, so that the few hundred of
    a generator count beside the thousands that are made of real ones.
    """
    real = np.isin(pages.source, CORPORA)
    own = np.where((pages.state == 0) & real, _REAL, 1.0)
    for state in range(1, len(STATES)):
        rows = np.flatnonzero(pages.state == state)
        _, source, counts = np.unique(pages.source[rows], return_inverse=True, return_counts=True)
        own[rows] = 1 / np.sqrt(counts[source])
    sums = np.maximum(np.bincount(pages.state, weights=own, minlength=len(STATES)), 1)
    share = np.where(np.arange(len(STATES)) == 0, _CONTENT, 1.0) / sums
    weight = own * share[pages.state]
    return np.asarray(weight / weight.mean(), dtype=np.float32)


def saved(model: StateModel, pages: StatePages) -> dict[str, Any]:
    """Return a model as plain values, with what it was made from."""
    counts = {
        name: int((pages.source == name).sum()) for name in sorted(set(pages.source.tolist()))
    }
    return {
        "about": {"made by": "python -m training.page_states", "pages": counts},
        "states": list(STATES),
        "signals": list(model.signals),
        **{one: np.round(getattr(model, one), 4).tolist() for one in ARRAYS},
    }


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.page_states", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("src/chaffinch/assessment/weights.json"))
    options = parser.parse_args()
    pages = measured()
    values = saved(fit(pages), pages)
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()]
    options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    sys.stdout.write(f"{len(pages.state)} pages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
