"""The verdict on each text block, with the reason for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chaffinch.page_work import checked
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from chaffinch.result import Content


@dataclass(frozen=True)
class Explained:
    """Why one text block was kept or dropped."""

    text: str
    keep: bool
    score: float
    reason: str
    selector: str


def explained(content: Content) -> list[Explained]:
    """Return each text block of a page with its verdict, in order."""
    page, verdict, reasons = content.page, content.verdict, content.reasons
    blocks = text_blocks(page)
    out = []
    for number, row in enumerate(checked(blocks.first.tolist(), every=8)):
        code = int(verdict.why[row])
        out.append(
            Explained(
                text=blocks.text(number),
                keep=bool(verdict.keep[row]),
                score=float(verdict.score[row]),
                reason=reasons[code] if code < len(reasons) else str(code),
                selector=blocks.selectors[number],
            )
        )
    return out
