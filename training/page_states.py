"""The weights of the assessment: ``python -m training.page_states [--out FILE]``.

Pages are made up by the generators of ``training/state_pages``, two of which change real pages, and
real ones taken from the corpora that may be trained on; signals are measured on each, and a small
network is fitted (`training.state_fit`). Folds are drawn by domain (its last two labels, so that
no site is on both sides), and each generator is left out in turn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chaffinch.assessment.assessment import ARRAYS, STATES, StateModel, signals_of
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.model.block_scores import Model, stored_model
from chaffinch.page import parse
from training import held_out
from training.dataset import TRAINING_CORPORA, registrable
from training.state_fit import fitted
from training.state_pages import (
    application,
    bare,
    gateway,
    magazine,
    market,
    newspaper,
    office,
    portal,
    theme,
)
from training.state_pages.boxed import boxes, with_box
from training.state_pages.grafted import grafts, share
from training.state_pages.kit import Kit, MadePage
from training.state_pages.sites import NAME as SITES
from training.state_pages.sites import site_pages
from training.state_pages.spliced import splices

CORPORA: Final = (
    "wcxb",
    "magic_html_article",
    "magic_html_forum",
    "harvest_forum",
    "daniel",
    "zh_news",
    "fundus",
)
GENERATORS: Final = {
    "bare": bare,
    "newspaper": newspaper,
    "application": application,
    "theme": theme,
    "portal": portal,
    "gateway": gateway,
    "magazine": magazine,
    "market": market,
    "office": office,
}
ON_REAL: Final = {"grafted": grafts, "boxed": boxes, "spliced": splices}
"""Generators that change real pages."""
SOURCES: Final = (*GENERATORS, SITES, *ON_REAL)
"""All generators."""
MADE: Final = 100
"""Pages of each state by each generator."""
FOLDS: Final = 5
KINDS: Final = ("content", "shell", "block_page", "login", "paywall", "consent_wall", "missing",
                 "server", "empty", "parked")  # fmt: skip
_FOLD_WEIGHTS: Final = Path(__file__).with_name("folds")
_REAL: Final = 3.0
"""Weight of a real page of content against a made-up one."""
_CONTENT: Final = 22.0
"""Weight of all content against that of each other state."""
_FAVOURED: Final = {
    "content": -0.45, "shell": 0.6, "paywall": 0.6,
    "block_page": -0.3, "login": -0.3, "error_page": -0.3,
}  # fmt: skip
"""State → what its log-odds are moved by, so that with generators left out each has the precision
and recall that it is to have, and false alarms stay below 2 %."""
_LEFT: Final = dict.fromkeys(("shell", "missing", "server", "login"), 0.15) | {"paywall": 0.5}
"""Kind of a page made of a real one → share of the labelled content that may be left in it."""
_BOXED: Final = {"content": 4, "missing": 10, "server": 10, "paywall": 10}
"""Kind of made-up pages → of so many one gets a box to sign in beside what it is."""
_OF_SO_MANY: Final = 4
"""Of so many labelled pages one is made another of, by each of `ON_REAL`."""


@dataclass(frozen=True, eq=False)
class StatePages:
    """Pages with their signals and states.

    Attributes:
        values: float64[p, k], signals.
        state: int[p], index into `STATES`.
        source: generator, ``grafted``, or the corpus of a real page.
        lang: code of the language, "" if unknown.
        fold: int[p]: of the domain of a real page or of what it was grafted on; -1 for made-up.
        digest: of the page's bytes.
    """

    values: NDArray[np.float64]
    state: NDArray[np.int64]
    source: NDArray[Any]
    lang: NDArray[Any]
    fold: NDArray[np.int64]
    digest: NDArray[Any]

    def __len__(self) -> int:
        return len(self.state)

    def where(self, rows: NDArray[Any]) -> StatePages:
        """Return some of the pages."""
        return StatePages(
            self.values[rows], self.state[rows], self.source[rows],
            self.lang[rows], self.fold[rows], self.digest[rows],
        )  # fmt: skip


def made_up(count: int = MADE) -> Iterator[MadePage]:
    """Yield pages of every generator and state."""
    for name, generator in GENERATORS.items():
        for kind in KINDS:
            for number in range(count):
                kit = Kit.of(Random(f"{name} {kind} {number}"), generator.BANK)  # noqa: S311
                html = generator.make(kit, kind)
                if kind in _BOXED and number % _BOXED[kind] == 0:
                    html = with_box(kit, html)
                state = "error_page" if kind in {"missing", "server"} else kind
                yield MadePage(html, state, name, kit.lang, kit.status(kind))
    yield from site_pages()


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


def measured(corpora: Iterable[str] = CORPORA, *, with_grafts: bool = True) -> StatePages:
    """Return the made-up pages, the grafted ones, and the pages of corpora."""
    rows: list[tuple[list[float], str, str, str, int, str]] = []

    def add(data: bytes, state: str, source: str, lang: str, fold: int, **known: Any) -> None:
        try:
            page = parse(data, url=known.get("url"))
        except PageError:
            return
        found = signals_of(page, known.get("status"), model=known.get("model"))
        values = [value for _, value, _ in found]
        rows.append((values, state, source, lang, fold, page_digest(data)))

    if with_grafts:
        for made in made_up():
            add(made.html.encode(), made.state, made.generator, made.lang, -1, status=made.status)
    for corpus in corpora:
        for number, labelled in enumerate(read_corpus(corpus)):
            fold = fold_of(labelled.domain)
            state = known_states().get(page_digest(labelled.html), "content")
            model = _unseeing(labelled) if corpus in TRAINING_CORPORA else None
            add(labelled.html, state, corpus, labelled.lang, fold, url=labelled.url, model=model)
            for made in _made_of(labelled, number) if with_grafts and state == "content" else ():
                data = made.html.encode("utf-8", "replace")
                add(data, made.state, made.generator, made.lang, fold, model=model)
    return StatePages(
        np.array([one[0] for one in rows]),
        np.array([STATES.index(one[1]) for one in rows]),
        *(np.array([one[at] for one in rows]) for at in range(2, 6)),
    )


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


def kept(path: Path | None, *sets: Callable[[], StatePages]) -> list[StatePages]:
    """Return sets of pages, from a file if there is one, else measured and kept in it."""
    names = [field.name for field in fields(StatePages)]
    if path is not None and path.is_file():
        with np.load(path) as file:
            return [StatePages(*(file[f"{at}_{n}"] for n in names)) for at in range(len(sets))]
    made = [one() for one in sets]
    if path is not None:
        columns = {f"{at}_{n}": getattr(one, n) for at, one in enumerate(made) for n in names}
        np.savez_compressed(path, **columns)
    return made


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.page_states", description=__doc__)
    parser.add_argument(
        "--keep", type=Path, help="file (.npz) of what is measured, as of the bench"
    )
    parser.add_argument("--out", type=Path, default=Path("src/chaffinch/assessment/weights.json"))
    options = parser.parse_args()
    (pages,) = kept(options.keep, measured)
    values = saved(fit(pages), pages)
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()]
    options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    sys.stdout.write(f"{len(pages)} pages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
