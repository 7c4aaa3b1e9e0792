"""The type of a page: a regression over what the network says of it and what else tells its type.

Those are what the head declares, the means of the features, over all blocks and over likely
content, and signs that the network doesn't see: words of the page's address, signs of currencies,
tags, class names and items of microdata by count, and what made a manual. The words are data
(``page_type_signs.json``), the weights, which stand beside the network's, come from
``python -m training.page_types``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from math import log1p
from typing import Any, Final
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import WeightsError
from chaffinch.kernels.arrays import Floats
from chaffinch.model.features import NUMBERS, Features
from chaffinch.model.head_signals import FACTS
from chaffinch.model.name_hashes import NONE, words_of
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.storage import read_json

_LEAST: Final = 1e-5
"""Probability of a type at least."""


_WORDS: Final[dict[str, str]] = read_json(
    resources.files(__package__).joinpath("page_type_signs.json").read_text(encoding="utf-8")
)
_IN_ADDRESSES: Final = tuple(
    frozenset(words.split())
    for name, words in _WORDS.items()
    if name not in {"generators", "names", "tags", "items", "currencies"}
)
_OF_THREADS: Final = [*_WORDS].index("forum")
_ADDRESS: Final = re.compile(r"\A[A-Za-z]{1,9}://([^/?#]*)([^?#]*)(\?)?")
_APART: Final = re.compile(r"[\W_\d]+")
_SHAPES: Final = 2
_NAMED: Final = Search("name", "enerator")
_GENERATORS: Final = tuple(_WORDS["generators"].split())
_TAGS: Final = [tags.CODES[name] for name in _WORDS["tags"].split()]
_ITEMS: Final = tuple(f"/{name.lower()}" for name in _WORDS["items"].split())
_NAMES: Final = tuple(_WORDS["names"].split())
_CURRENCIES: Final = _WORDS["currencies"].split()
SIGNS: Final = len(_IN_ADDRESSES) + _SHAPES + 2 + len(_TAGS) + len(_ITEMS) + len(_NAMES)


def read_signs(found: Features) -> NDArray[np.float32]:
    """Return float32[SIGNS]: what tells a page's type beside what the network sees."""
    page, names = found.blocks.page, found.names
    of_sets = np.bincount(names.of_row, minlength=len(names.first))
    words = _name_numbers().take(names.buckets)
    named = np.broadcast_to(of_sets, words.shape)
    of_words = np.bincount(words.ravel(), named.ravel(), len(_NAMES) + 1)
    counts = np.bincount(page.tag, minlength=len(tags.NAMES)).take(_TAGS)
    return np.concatenate(
        (
            _of_address(page.url or ""),
            [_is_manual(page), log1p(sum(map(page.text.count, _CURRENCIES)))],
            np.log1p(counts),
            _of_items(page),
            np.log1p(of_words[:-1]),
        ),
        dtype=np.float32,
    )


@cache
def _name_numbers() -> NDArray[np.intp]:
    """Return intp[buckets]: the place of a word among the names, the last for none of them."""
    numbers = np.full(NONE + 1, len(_NAMES), dtype=np.intp)
    for number, word in enumerate(_NAMES):
        numbers[list(words_of((word, None)))] = number
    return numbers


@lru_cache(maxsize=256)
def _of_address(url: str) -> tuple[float, ...]:
    """Return which kinds of words an address has, if its path is empty and if it has a query."""
    read = _ADDRESS.match(url[:2000])
    if read is None:
        return (0.0,) * (len(_IN_ADDRESSES) + _SHAPES)
    host, path, query = read.groups()
    words = frozenset(_APART.split(unquote(host + path).lower()))
    signs = (
        *(not words.isdisjoint(kind) for kind in _IN_ADDRESSES),
        not path.strip("/"),
        query is not None,
    )
    return tuple(map(float, signs))


def names_thread(url: str) -> bool:
    """Return whether an address has a word for threads or boards."""
    return _of_address(url)[_OF_THREADS] > 0


def _is_manual(page: Page) -> bool:
    """Return whether a program that makes manuals made the page."""
    rows = _NAMED.where(page, lambda name: name.lower() == "generator")
    made = " ".join(page.attribute(row, "content") or "" for row in rows[:4]).lower()
    return bool(made) and any(map(made.__contains__, _GENERATORS))


def _of_items(page: Page) -> list[bool]:
    if "itemtype" not in page.attribute_names:
        return [False] * len(_ITEMS)
    types = " ".join(page.values("itemtype").rows).lower() + " "
    return [f"{name} " in types for name in _ITEMS]


@dataclass(frozen=True, eq=False)
class PageTypeHead:
    """The weights of the regression, the scaling of its inputs folded into them.

    Attributes:
        weights: float32[types + facts + 2 * numbers + signs, types].
        bias: float32[types].
    """

    weights: Floats
    bias: Floats

    @classmethod
    def of(cls, weights: Any, bias: Any, types: int) -> PageTypeHead:
        """Return the head of saved arrays.

        Raises:
            WeightsError: they are of other types or inputs.
        """
        inputs = types + len(FACTS) + 2 * len(NUMBERS) + SIGNS
        if np.shape(weights) != (inputs, types) or np.shape(bias) != (types,):
            raise WeightsError("not the weights of page types: of other types or inputs")
        return cls(weights, bias)

    def chances(self, posterior: Floats, found: Features, score: Floats) -> NDArray[np.float32]:
        """Return float32[types] in 0..1, the probability of each type; see `head_inputs`."""
        logits = head_inputs(posterior, found, score) @ self.weights
        logits += self.bias
        chances: NDArray[np.float32] = np.exp(logits - logits.max())
        chances /= np.add.reduce(chances)
        return chances


def head_inputs(posterior: Floats, found: Features, score: Floats) -> NDArray[np.float32]:
    """Return float32[types + facts + 2 * numbers + signs]: what the head goes by.

    Args:
        posterior: float32[types] in 0..1, as `page_type_posterior` gives it.
        found: features of m blocks, from 1.
        score: float32[m] in 0..1, probability that each block is content.
    """
    logs = np.log(np.maximum(posterior, np.float32(_LEAST)))
    means = np.add.reduce(found.numbers, axis=0)
    means /= np.float32(len(found.numbers))
    likely = score * found.units
    of_content = likely @ found.numbers
    of_content /= max(likely.sum(), np.float32(_LEAST))
    parts = (logs, found.facts, means, of_content, read_signs(found))
    return np.concatenate(parts, dtype=np.float32)
