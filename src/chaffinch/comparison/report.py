"""A comparison as one HTML page: text blocks as rows, methods as columns; see ``report.html``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.comparison.method_column import STATES
from chaffinch.reports.templates import render

if TYPE_CHECKING:
    from chaffinch.comparison.compared_columns import ComparedColumns

_LONGEST: Final = 600  # characters of a block that are shown
_CLASSES: Final = dict(zip(STATES, ("drop", "part", "keep"), strict=True))
_SIGNS: Final = dict(zip(STATES, ("–", "◐", "✓"), strict=True))


def as_html(comparison: ComparedColumns, *, title: str) -> str:
    """Return the report; see `chaffinch.Comparison.to_html`."""
    page, blocks = comparison.page, comparison.blocks
    return render(
        "comparison/report.html",
        title=title or page.head.title or "A page",
        page=page,
        blocks=blocks,
        comparison=comparison,
        agreement=comparison.agreement.tolist(),
        disputed=set(comparison.disputed),
        selector=blocks.selectors.__getitem__,
        longest=_LONGEST,
        classes=_CLASSES,
        signs=_SIGNS,
    )
