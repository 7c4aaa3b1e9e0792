"""What exceeds a limit is cut out of a page before the parser sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch import kernels
from chaffinch.errors import PageError
from chaffinch.kernels.tag_codes import TagLimits
from chaffinch.page.guard.tag_table import TAG_TABLE
from chaffinch.page_work import check_time

if TYPE_CHECKING:
    from chaffinch.page.guard.limits import Limits

_MOST_ROOTS: Final = 16  # html, head and body tags; more only merge attributes, slowly
_DEEPER: Final = 2  # times `max_depth` that the parser may nest: the page's table flattens the rest


def bounded(data: bytes, limits: Limits) -> bytes:
    """Return ``data``, or what is left of it where a limit is exceeded.

    Args:
        data: A page in UTF-8.
        limits: What is allowed; ``max_bytes`` is not considered.

    Raises:
        PageError: There are more than ``max_rows`` start tags and comments, or end tags, or copies
            of formatting elements.
    """
    read = kernels.read_tags(data, TAG_TABLE, tag_limits(limits, len(data)), check_time)
    if read.opened > limits.max_rows:
        raise PageError(f"more than {limits.max_rows:,} tags and what they repeat")
    if read.closed > limits.max_rows:
        raise PageError(f"more than {limits.max_rows:,} end tags")
    return read.data


def tag_limits(limits: Limits, size: int) -> TagLimits:
    """Return what a page of ``size`` bytes may have of tags."""
    return TagLimits(
        rows=limits.max_rows,
        tags=limits.most_tags(size),
        depth=_DEEPER * limits.max_depth,
        attributes=limits.max_attributes,
        formatting=limits.max_formatting,
        options=limits.max_options,
        unmatched=limits.max_unmatched_end_tags,
        names=limits.max_names,
        roots=_MOST_ROOTS,
        framesets=limits.max_depth,
    )
