"""Reader comments that the page-level model denies aren't raised to content by their place."""

import random

import numpy as np

from chaffinch import parse
from chaffinch.decision.discussions import PAGE_TYPES_COMMENTS as PAGE_TYPES
from chaffinch.decision.discussions import in_comments
from chaffinch.site.apply import ScoredPage
from chaffinch.site.evidence import BlockEvidence

WORDS = "copper lantern harbour thistle meadow granite willow ember saddle orchard".split()


def discussed():
    """An article with five posts of readers below it."""
    dice = random.Random(3)  # noqa: S311

    def prose(count):
        return " ".join(dice.choices(WORDS, k=count)).capitalize() + "."

    body = "".join(f"<p>{prose(60)}</p>" for _ in range(6))
    posts = "".join(
        f'<li class="comment" id="comment-{n}"><cite class="author">Ann {n}</cite>'
        f'<time datetime="2026-01-0{n}T10:00">{n} January 2026</time><p>{prose(25)}</p></li>'
        for n in range(1, 6)
    )
    return parse(
        f"<html><head><title>A lantern in the harbour</title></head><body><article>"
        f"<h1>A lantern in the harbour</h1>{body}</article>"
        f'<div id="comments" class="comments"><h2>5 comments</h2><ol class="commentlist">{posts}'
        f"</ol></div></body></html>"
    )


def test_a_place_doesnt_raise_comments():
    scored = ScoredPage.of(discussed())
    assert scored.kind in PAGE_TYPES
    alone, size = scored.scores.score, len(scored.summary)
    nothing = np.zeros(size)
    for_all = BlockEvidence(
        own=nothing + 8,
        slot=nothing + 8,
        returns=np.zeros((4, size), dtype=np.float32),
        links=nothing,
        known=nothing + 9,
        heading=nothing > 0,
        leads=nothing,
        votes=np.ones(size, dtype=np.float32),
    )
    comments = in_comments(scored.scores.features.blocks, np.ones(size, dtype=bool))
    denied = comments & (alone < 0.5)
    assert np.count_nonzero(denied) >= 3
    joined = scored.joined(for_all)
    np.testing.assert_array_equal(joined[denied], alone[denied])
    assert (joined[~comments] > 0.5).all()
