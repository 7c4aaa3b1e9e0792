"""Blocks that no selector tells from the paragraphs around them: lone links, and the headline.

Titles of other stories often stand in the element of this one, in paragraphs like its own. That
they are nothing but a link tells them apart, and the template's pages together say what such links
are: on a portal noise, in a wiki content. And most sites have the page's title in the element of
the story, from which a decision drops it (see `chaffinch.decision.title_blocks`); rules do, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.lone_links import links_alone
from chaffinch.decision.title_blocks import kept_title
from chaffinch.page import tags
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.page_summary import LONE_LINKS
from chaffinch.site.reasons import SiteReason

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks
    from chaffinch.site.rule_set import RuleVerdict
    from chaffinch.site.slot_table import SlotTable

_LINKED: Final = 0.95
"""Share of links from which a place is that of the lone links, and its twin that of the others."""
_DENIED: Final = -2.0
"""Mean log-odds below which lone links are noise: the page-level model denies them. On labelled
sites they are content down to -1.6, and noise from -1.7 down to -4.2. One source alone decides it:
with that one left out, the others are within 0.0007 by any bound."""
_LEAST_LEFT: Final = 0.3
"""Share of the kept text that must be left: else links are the main content."""
_HEADLINES: Final = tags.table(["h1", "h2"])
_WORD: Final = 6.0
"""Characters of a word and the space after it, by which words are counted that a title leaves."""


def lone_links_are_noise(slots: SlotTable) -> bool:
    """Return whether lone links are noise where other text of the same elements is content.

    By the mean log-odds that the page-level model gives them on the pages of a template.
    """
    twin = slots.indices(slots.slots ^ LONE_LINKS)
    pairs = (twin >= 0) & (slots.linked > _LINKED) & (slots.log_odds[twin] > 0)
    blocks = slots.blocks[pairs]
    return bool((blocks * slots.log_odds[pairs]).sum() < _DENIED * blocks.sum())


def drop_inseparable(page: Page, found: RuleVerdict, *, lone_links: bool) -> None:
    """Drop the page's title and, with ``lone_links``, such links from what learned rules keep.

    ``found`` is changed; what a person's rules keep stays.
    """
    if not lone_links and not (found.keep & _HEADLINES.take(page.tag)).any():
        return
    blocks = text_blocks(page)
    if lone_links:
        links = _kept_lone_links(blocks, found.keep[blocks.first])
        _drop(blocks, found, links, SiteReason.LONE_LINK)
    words = (blocks.length / _WORD).astype(np.float32)
    _drop(blocks, found, kept_title(blocks, words, found.keep[blocks.first]), SiteReason.TITLE)


def _drop(blocks: TextBlocks, found: RuleVerdict, dropped: Mask | None, code: SiteReason) -> None:
    if dropped is not None:
        rows = blocks.spread(dropped) & (found.why == SiteReason.CONTENT_RULE)
        found.keep[rows], found.why[rows] = False, code


def _kept_lone_links(blocks: TextBlocks, keep: Mask) -> Mask | None:
    """Return bool[m]: kept blocks that are lone links; None for none, or where little is left."""
    mask = keep & links_alone(blocks)
    if not mask.any():
        return None
    left = blocks.length[keep & ~mask].sum(dtype=np.int64)
    return mask if left >= _LEAST_LEFT * blocks.length[keep].sum(dtype=np.int64) else None
