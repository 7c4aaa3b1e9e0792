"""The learned model: a small network over the text blocks, the default of Chaffinch.

Own work; see docs/model.md for its training and its measured quality.

Content that is nowhere on the page but in JSON-LD or embedded state has no row there; where the
rows hold too little, `Learned.elsewhere` gives it as a page of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from chaffinch.decision import rules
from chaffinch.decision.declared import find_embedded, may_hold, shown_length, units_of
from chaffinch.decision.discussions import shows_thread
from chaffinch.decision.draft import ARTICLE, SURE, THREAD, Draft
from chaffinch.decision.policy import Policy
from chaffinch.errors import OptionError, require_one_of
from chaffinch.lists import discussion
from chaffinch.metadata import product
from chaffinch.model import attribution
from chaffinch.model.block_scores import row_scores, score_blocks, shipped, stored_model
from chaffinch.model.head_signals import declares_news
from chaffinch.model.page_types import names_thread
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Content, Method, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chaffinch.kernels.arrays import Mask, Reasons
    from chaffinch.model.block_scores import BlockScores, Model
    from chaffinch.page import Page
    from chaffinch.segment.text_blocks import TextBlocks
    from chaffinch.verdict import BlockExplanation

FAVORS: Final = {"balanced": 1.0, "precision": 0.5, "recall": 2.0}
"""Weight of recall against precision (beta of the F measure) by the name of what is favoured."""

_PRODUCT, _MANY = "product", "collection"
_LEAST_THREAD: Final = 0.02  # probability of a thread from which posts are looked for
_DOUBTED: Final = 0.5
"""Probability of a thread that neither the network nor posts show: rules for threads don't act."""
_DEFAULT_POLICY: Final = Policy()
_MOST_SHOWN: Final = 1500
"""Characters of content, white space included, beyond which a page is no empty shell."""
_DROPPED, _KEPT, _GUESSED, _BESIDE, _EMBEDDED, _HIDDEN = range(1, 7)
"""Reasons; the first, 0, is that of rows in no block."""
_CHOSEN: Final = tuple(
    bytes.maketrans(b"\0\1", bytes((_DROPPED, kept))) for kept in (_KEPT, _GUESSED)
)
"""From a byte of `keep` to the reason of the block, for a choice and for a guess."""
_NOTHING: Final = b"\0"  # the reason of rows in no block


@dataclass(frozen=True, kw_only=True)
class Learned(Method):
    """Content is the blocks that a network, trained on labelled pages, gives high probabilities.

    Attributes:
        favor: ``balanced``, ``precision`` (less noise) or ``recall`` (less missed).
        policy: what counts as content, where labellers disagree.
        weights: a file of weights to use in place of those that come with the package.
    """

    favor: str = "balanced"
    policy: Policy = _DEFAULT_POLICY
    weights: str | None = None

    reasons: ClassVar[tuple[str, ...]] = (
        "no text of its own",
        "unlikely to be content",
        "likely to be content",
        "nothing is likely: the likeliest part",
        "stands beside kept text",
        "stands only in the data that scripts read",
        "a browser doesn't show it",
    )

    def __post_init__(self) -> None:
        require_one_of("favor", self.favor, tuple(FAVORS))
        object.__setattr__(self, "policy", Policy.of(self.policy))
        given = self.weights
        if given is not None and not (isinstance(given, str) and Path(given).is_file()):
            raise OptionError(f"weights must be the path of a file, not {given!r}")

    def __call__(self, page: Page) -> Verdict:
        if not len(text_blocks(page)):
            return Verdict.empty(len(page))
        return self.verdict(score_blocks(page, model=self._model()))

    def verdict(self, scores: BlockScores) -> Verdict:
        """Return the verdict on the page whose blocks have these scores, by the weights of this."""
        model, blocks = self._model(), scores.features.blocks
        scores = self._typed(scores)
        decision = rules.settle(self._draft(scores))
        keep, why = _of_rows(blocks, decision)
        score = partial(row_scores, blocks, scores.score)
        confidence = round(model.confidence(decision.expected), 2)
        return Verdict.scored_later(
            keep,
            score,
            why,
            text_score=partial(blocks.spread, scores.score),
            page_type=_shown_type(scores, model.kinds),
            confidence=confidence,
            weights=model.digest,
        )

    def page_type(self, scores: BlockScores) -> str:
        """Return the type of the page whose blocks have these scores, as verdicts have it."""
        shown = _shown_type(self._typed(scores), self._model().kinds)
        return shown() if callable(shown) else shown

    def explain(self, page: Page) -> Sequence[BlockExplanation]:
        """Return what spoke for each text block and against it, and the rule that decided.

        Takes about 15 times as long as the score, once the networks without each group of features
        are made.
        """
        if not len(text_blocks(page)):
            return ()
        model = self._model()
        scores = self._typed(score_blocks(page, model=model))
        added = attribution.contributions(model.network, scores.features)
        return rules.trace(self._draft(scores)).explanations(added)

    def _model(self) -> Model:
        return shipped() if self.weights is None else stored_model(self.weights)

    def _typed(self, scores: BlockScores) -> BlockScores:
        """Return the scores with the type that the page shows, and else no sure one of a thread.

        A price beside the one basket shows a product, posts show a thread, and who declares news
        has an article; they are looked for where the network is in doubt.
        """
        kinds = self._model().kinds
        certain = scores.kind in {ARTICLE, _PRODUCT} and max(scores.kinds.tolist()) >= SURE
        if not certain and _PRODUCT in kinds and product.sells(scores.features.blocks.page):
            return _surely(scores, _PRODUCT, kinds)
        if not certain and ARTICLE in kinds and declares_news(scores.features.blocks.page):
            return _surely(scores, ARTICLE, kinds)
        if THREAD not in kinds:
            return scores
        at, told = kinds.index(THREAD), scores.kind == THREAD
        if told and scores.by_network.item(at) >= SURE:
            return scores
        if scores.kinds.item(at) >= _LEAST_THREAD and shows_thread(
            scores.features, likely=told, sure=told and scores.kinds.item(at) >= SURE
        ):
            return _surely(scores, THREAD, kinds)
        return replace(scores, kinds=np.minimum(scores.kinds, _DOUBTED)) if told else scores

    def _draft(self, scores: BlockScores) -> Draft:
        return Draft(
            scores.features,
            scores.score,
            beta=FAVORS[self.favor],
            kind=scores.kind,
            certainty=max(scores.kinds.tolist()),
            policy=self.policy,
        )

    @property
    def headline(self) -> bool | None:
        return self.policy.headline

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return the content that only JSON-LD or embedded state has; None where rows do.

        All of it is kept; ``source`` of its verdict is where it was.
        """
        begin, end = page.text_at[:-1], page.text_at[1:]
        if int(np.add.reduce((end - begin)[verdict.keep])) > _MOST_SHOWN:
            return None
        if not may_hold(page, shown_length(page)):
            return None
        rows = (verdict.keep & (begin < end)).nonzero()[0]
        spans = zip(begin[rows].tolist(), end[rows].tolist(), strict=True)
        kept = " ".join(page.text[at:stop] for at, stop in spans)
        found = find_embedded(page, kept_units=units_of(kept))
        if found is None:
            return None
        count = len(found.page)
        everything = Verdict(
            np.ones(count, dtype=bool),
            np.ones(count, dtype=np.float32),
            np.full(count, _EMBEDDED, dtype=np.int8),
            page_type=verdict.page_type,
            confidence=verdict.confidence,
            source=found.source,
            weights=verdict.weights,
        )
        return Content(found.page, everything, self.reasons)


def _surely(scores: BlockScores, kind: str, kinds: Sequence[str]) -> BlockScores:
    return replace(scores, kind=kind, kinds=np.array([one == kind for one in kinds], np.float32))


def _shown_type(scores: BlockScores, kinds: Sequence[str]) -> str | Callable[[], str]:
    """Return the page's type, or what gives it: as baskets and prices say, else the network.

    A price beside one basket is of a product, many of each of a collection of them. A doubtful
    thread that shows no posts, and whose address doesn't name any, is likelier of another type:
    so were 75 of 81 such pages of the corpora.
    """
    kind, page = scores.kind, scores.features.blocks.page
    is_doubtful = kind == THREAD and max(scores.kinds.tolist()) <= _DOUBTED
    if is_doubtful and not names_thread(page.url or "") and not discussion.posts(page):
        others = np.where(np.array(kinds) == THREAD, 0, scores.kinds)
        kind = kinds[int(others.argmax())]

    def by_baskets() -> str:
        return _PRODUCT if product.sells(page) else _MANY if product.sells_many(page) else kind

    return kind if kind == _PRODUCT else by_baskets


def _of_rows(blocks: TextBlocks, decision: Draft) -> tuple[Mask, Reasons]:
    """Return bool[n] and int8[n]: which rows are kept, and the reason of each."""
    of_block = decision.keep.tobytes().translate(_CHOSEN[int(decision.guessed)])
    why = np.frombuffer(of_block + _NOTHING, dtype=np.int8).take(blocks.block)  # -1 is the last
    why[decision.media] = _BESIDE
    keep = why > _DROPPED
    if decision.unseen is not None:
        keep &= ~decision.unseen
        why[decision.unseen & (blocks.block >= 0)] = _HIDDEN
    return keep, why
