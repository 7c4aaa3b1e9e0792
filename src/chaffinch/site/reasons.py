"""Why a site model kept or dropped a row."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class SiteReason(IntEnum):
    """Codes of the decisions; `REASONS` describes them."""

    NO_TEXT = 0
    UNLIKELY = 1
    RETURNS = 2
    LIKELY = 3
    BY_SLOT = 4
    BESIDE = 5
    OUTSIDE = 6
    DROP_RULE = 7
    CONTENT_RULE = 8
    DROP_BY_HAND = 9
    CONTENT_BY_HAND = 10
    ALONE_DROPPED = 11
    ALONE_KEPT = 12
    TITLE = 13
    LONE_LINK = 14


REASONS: Final = (
    "no text of its own",
    "unlikely to be content, as its place is on other pages",
    "returns on other pages of the site",
    "likely to be content, as its place is on other pages",
    "doubtful by itself, but its place holds content on other pages",
    "stands beside kept text",
    "outside the content rules",
    "in what a rule drops",
    "in what a rule says is content",
    "dropped by a rule written by hand",
    "kept by a rule written by hand",
    "the site model doesn't apply: unlikely to be content, as the page alone says",
    "the site model doesn't apply: likely to be content, as the page alone says",
    "the page's title, with which outputs with headings begin",
    "a link alone in a line, which is noise on pages of this template",
)
"""Names of the codes."""
