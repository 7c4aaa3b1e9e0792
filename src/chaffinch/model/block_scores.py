"""The probability of each text block of a page to be content, by the page-level model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.errors import WeightsError
from chaffinch.model.features import features
from chaffinch.model.head_signals import page_type_posterior
from chaffinch.model.network import USUAL_FLAGS
from chaffinch.model.weights import shipped, stored
from chaffinch.page import parse, tags

if TYPE_CHECKING:
    from chaffinch.model.features import Features
    from chaffinch.model.weights import Model
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats
    from chaffinch.segment.text_blocks import TextBlocks

_SOME_PAGE: Final = "<h1>A page</h1><p>To try weights on, in some words.<ul><li>One<li>More</ul>"


@dataclass(eq=False)  # a frozen one sets each field by a call
class BlockScores:
    """Scores of the m text blocks of a page.

    Attributes:
        features: the blocks and their features.
        score: float32[m] in 0..1, probability that each block is content.
        kinds: float32[types] in 0..1, probability of each page type, the head considered.
    """

    features: Features
    score: Floats
    kinds: Floats


def score_blocks(page: Page, *, model: Model | None = None) -> BlockScores:
    """Return the scores of the blocks of ``page``, which must have at least one.

    Args:
        page: the page.
        model: weights to use in place of those that come with the package.
    """
    found = features(page)
    model = model or shipped()
    raw = model.network(found, USUAL_FLAGS)
    kinds = page_type_posterior(raw.kinds, model.kinds, found.facts)
    return BlockScores(found, raw.score, kinds)


@lru_cache(maxsize=8)
def stored_model(path: str) -> Model:
    """Return the model of the file at ``path``, read and tried once a process.

    Raises:
        WeightsError: it can't be read, or its arrays don't fit together.
    """
    model = stored(path)
    for network in model.network.networks:
        for name, array in network.weights.items():
            if not np.isfinite(array).all():
                raise WeightsError(f"{path}: not a usable file of weights: {name} isn't finite")
    try:
        score_blocks(parse(_SOME_PAGE), model=model)
    except (ValueError, LookupError, TypeError, OverflowError, MemoryError) as error:
        raise WeightsError(f"{path}: not a usable file of weights: {error}") from error
    return model


def row_scores(blocks: TextBlocks, score: Floats) -> Floats:
    """Return float32[n]: each text row its block's score, each element its text's mean score."""
    page = blocks.page
    own = blocks.spread(score)
    before = page.written_before
    written = (before[1:] - before[:-1]) * (blocks.block >= 0)
    means = page.total(own * written)
    means /= np.maximum(page.total(written), 1)
    np.minimum(np.maximum(means, 0, out=means), 1, out=means)
    np.copyto(means, own, where=page.tag == tags.TEXT)
    scores: Floats = means.astype(np.float32)
    return scores
