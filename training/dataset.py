"""Labelled pages as arrays: features, labels and policies of many pages, end to end.

Pages whose registrable domain also occurs in a corpus or site that is only for measuring are
marked and never trained on, and folds are drawn by registrable domain, so that no site is on both
sides.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

import numpy as np

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import known_corpora, read_corpus
from chaffinch.lazy import lazy_module
from chaffinch.model import name_hashes, words
from chaffinch.model.features import Features, features
from chaffinch.model.head_signals import FACTS
from chaffinch.page import parse
from training.labels import Labels, label_blocks
from training.policies import FLAGS, page_policy
from training.transcribed import transcribed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import tldextract
    from numpy.typing import NDArray

    from chaffinch.evaluate.corpora import LabelledPage
    from chaffinch.page import Page
else:
    tldextract = lazy_module("tldextract")  # whoever draws no folds does without it

TRAINING_CORPORA: Final = (
    "wcxb",
    "magic_html_article",
    "magic_html_forum",
    "harvest_forum",
    "daniel",
    "zh_news",
    "fundus",
)
HELD_OUT: Final = ("scrapinghub", "trafilatura_eval", "readability", "cleaneval")
PAGE_TYPES: Final = (
    "article",
    "forum",
    "product",
    "collection",
    "listing",
    "documentation",
    "service",
)
_TYPE_OF_CORPUS: Final = {
    "magic_html_forum": "forum",
    "harvest_forum": "forum",
    "magic_html_article": "article",
    "daniel": "article",
    "zh_news": "article",
    "fundus": "article",
}
_WORST_BOUND: Final = 0.6
"""Pages whose labels don't fit the page's text any better are left out of training."""


@cache
def _domain_extractor() -> tldextract.TLDExtract:
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


@dataclass
class Dataset:
    """Pages end to end; every list has one entry a page but `signs`, `sets` and `paths`.

    Copies of pages in another script (`training.transcribed`) come right behind their originals.

    Attributes:
        arrays: arrays by block, all pages one after the other (see `_block_arrays`).
        sizes: blocks a page.
        corpus, domain, lang, kind, id: of each page; kind is a page type or "".
        gold: gold tokens of each page.
        bound: best word F1 that the labels allow.
        held: the page's domain is also in a corpus for measuring: never to be trained on.
        policy: ±1 or 0 (unknown) by page and flag.
        facts: 0 or 1 by page and fact of the head.
        copied: the page is a copy: fitted to in its original's place, and measured apart.
    """

    arrays: dict[str, NDArray[Any]]
    sizes: NDArray[np.int32]
    corpus: NDArray[np.str_]
    domain: NDArray[np.str_]
    lang: NDArray[np.str_]
    kind: NDArray[np.str_]
    id: NDArray[np.str_]
    gold: NDArray[np.int32]
    bound: NDArray[np.float32]
    held: NDArray[np.bool_]
    policy: NDArray[np.float32]
    facts: NDArray[np.float32]
    copied: NDArray[np.bool_]
    starts: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    def __len__(self) -> int:
        return len(self.sizes)

    def folds(self, count: int) -> NDArray[np.intp]:
        """Return intp[pages]: the fold of each page, by domain."""
        return np.array([crc32(domain.encode()) % count for domain in self.domain], dtype=np.intp)

    def copies(self) -> NDArray[np.intp]:
        """Return intp[pages]: the copy of each page that can be fitted to; itself if none is."""
        numbers = np.arange(len(self))
        behind = self.copied & (self.bound >= _WORST_BOUND)
        numbers[:-1] += behind[1:] & ~self.copied[:-1]
        return numbers

    def save(self, path: Path) -> None:
        """Write everything to one npz file."""
        columns = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        arrays = columns.pop("arrays")
        np.savez(path, **columns, **{f"block_{name}": value for name, value in arrays.items()})

    @classmethod
    def load(cls, path: Path) -> Dataset:
        """Read what `save` wrote."""
        with np.load(path) as archive:
            names = [f.name for f in fields(cls) if f.init and f.name != "arrays"]
            arrays = {
                name.removeprefix("block_"): archive[name]
                for name in archive.files
                if name.startswith("block_")
            }
            return cls(arrays=arrays, **{name: archive[name] for name in names})


def registrable(page: LabelledPage) -> str:
    """Return the registrable domain of a page: what folds and exclusions go by."""
    found = _domain_extractor()(page.url or page.domain)
    return (found.top_domain_under_public_suffix or page.domain).lower()


def held_out_domains() -> set[str]:
    """Return the registrable domains of all corpora and sites that are only for measuring."""
    names = [*HELD_OUT, *(name for name in known_corpora() if name.startswith("sites/"))]
    return {registrable(page) for name in names for page in read_corpus(name)}


def build(corpora: Iterable[str] = TRAINING_CORPORA, *, limit: int | None = None) -> Dataset:
    """Return the dataset of ``corpora``; pages without labels or text are left out."""
    maker = DatasetMaker(held_out_domains())
    for corpus in corpora:
        for page in read_corpus(corpus, limit=limit):
            if maker.add(page) and (copy := transcribed(page)):
                maker.add(copy, copied=True)
    return maker.dataset()


class DatasetMaker:
    """Collects pages; equal sets of names, signs and paths are kept once."""

    def __init__(self, excluded: set[str]) -> None:
        self.excluded = excluded
        self.sets: dict[tuple[int, ...], int] = {(): 0}
        self.signs: dict[tuple[int, int], int] = {}
        self.paths: dict[tuple[int, ...], int] = {}
        self.columns: dict[str, list[NDArray[Any]]] = {}
        self.pages: list[tuple[Any, ...]] = []
        self.policies: list[NDArray[np.float32]] = []
        self.facts: list[NDArray[np.float32]] = []

    def add(self, labelled: LabelledPage, *, copied: bool = False) -> bool:
        """Add one page; return whether it has labels and text, and could be parsed."""
        domain = registrable(labelled)
        if not labelled.gold_text:
            return False
        try:
            page = parse(labelled.html, url=labelled.url)
        except PageError:
            return False
        if not page.own_length.any():
            return False
        found = features(page)
        labels = label_blocks(found.blocks, labelled.gold_text)
        kind = labelled.page_type or _TYPE_OF_CORPUS.get(labelled.corpus, "")
        self.pages.append(
            (
                len(found),
                labelled.corpus,
                domain,
                labelled.lang,
                kind if kind in PAGE_TYPES else "",
                labelled.id,
                labels.gold,
                labels.bound,
                domain in self.excluded,
                copied,
            )
        )
        self.policies.append(page_policy(page, found.blocks, labels, forum=kind == "forum"))
        self.facts.append(found.facts)
        for name, column in self._block_arrays(page, found, labels, copied=copied).items():
            self.columns.setdefault(name, []).append(column)
        return True

    def _block_arrays(
        self, page: Page, found: Features, labels: Labels, *, copied: bool
    ) -> dict[str, NDArray[Any]]:
        names = map(name_hashes.words_of, map(found.names.set_of, range(len(found.names.first))))
        sets = [self.sets.setdefault(one, len(self.sets)) for one in names]
        tag, of_row = page.tag.tolist(), found.names.of_row.tolist()

        def sign(row: int) -> int:
            return self.signs.setdefault((tag[row], sets[of_row[row]]), len(self.signs))

        near = [[sign(row) for row in rows] for rows in found.near.tolist()]
        path = []
        for row in found.near[:, 0].tolist():
            steps = (sign(row), *map(sign, page.ancestors(row)))
            path.append(self.paths.setdefault(steps, len(self.paths)))
        return {
            "numbers": found.numbers.astype(np.float16),
            "near": np.array(near, dtype=np.int32),
            "path": np.array(path, dtype=np.int32),
            "word": _no_words(len(found)) if copied else np.ascontiguousarray(found.words.T),
            "heading": found.heading,
            "section": found.section,
            "group": found.group,
            "low": found.low,
            "high": found.high,
            "units": found.units,
            "share": labels.share,
            "tokens": labels.tokens,
        }

    def dataset(self) -> Dataset:
        """Return all pages added so far."""
        arrays = {name: np.concatenate(parts) for name, parts in self.columns.items()}
        arrays["sign_tag"] = np.array([tag for tag, _ in self.signs], dtype=np.int32)
        arrays["sign_set"] = np.array([one for _, one in self.signs], dtype=np.int32)
        for name, known in (("set", self.sets), ("path", self.paths)):
            flat = [item for one in known for item in one]
            arrays[f"{name}_items"] = np.array(flat, dtype=np.int32)
            arrays[f"{name}_sizes"] = np.array([len(one) for one in known], dtype=np.int32)
        sizes, corpus, domain, lang, kind, ids, gold, bound, held, copied = zip(
            *self.pages, strict=True
        )
        return Dataset(
            arrays=arrays,
            sizes=np.array(sizes, dtype=np.int32),
            corpus=np.array(corpus),
            domain=np.array(domain),
            lang=np.array(lang),
            kind=np.array(kind),
            id=np.array(ids),
            gold=np.array(gold, dtype=np.int32),
            bound=np.array(bound, dtype=np.float32),
            held=np.array(held, dtype=bool),
            policy=np.stack(self.policies)
            if self.policies
            else np.zeros((0, len(FLAGS)), dtype=np.float32),
            facts=np.stack(self.facts)
            if self.facts
            else np.zeros((0, len(FACTS)), dtype=np.float32),
            copied=np.array(copied, dtype=bool),
        )


def _no_words(count: int) -> NDArray[np.uint16]:
    """Return uint16[count, words.SLOTS]: the words of blocks whose words mean nothing."""
    found = np.full((count, words.SLOTS), words.NONE, dtype=np.uint16)
    found[:, -1] = 0
    return found


def rows_of(dataset: Dataset, page: int) -> slice:
    """Return where the blocks of a page stand in the arrays."""
    return slice(int(dataset.starts[page]), int(dataset.starts[page + 1]))


def usable(dataset: Dataset) -> NDArray[np.bool_]:
    """Return bool[pages]: pages to train on: labels fit the text, and the domain isn't held out.

    Copies aren't among them: they are taken in their originals' place.
    """
    fits: NDArray[np.bool_] = (dataset.bound >= _WORST_BOUND) & ~dataset.held & ~dataset.copied
    return fits
