"""Why each text block of a page was kept or dropped: the verdict, and what its method explains."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from chaffinch.decision.rules import CHOICE
from chaffinch.explanation import BlockExplanation
from chaffinch.page_work import checked
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.explanation import Contribution, RuleChange
    from chaffinch.extraction.extract import Extract
    from chaffinch.method import Method
    from chaffinch.result import Content

_NOTHING: Final = BlockExplanation()


@dataclass(frozen=True)
class Explained:
    """Why one text block was kept or dropped.

    Attributes:
        text: its text, white space folded.
        keep: whether its first row is kept.
        score: 0..1, how much it looks like content to the method; before any rule, for the default.
        reason: what decided, in words: the rule that changed what the score alone would have come
            to, else ``step``.
        selector: a CSS selector of the element around it.
        row: its first row.
        step: the step of the method that the verdict names, one of `Extract.reasons`.
        rule: name of the rule that decided (docs/decision.md lists them); "" where the method has
            none, or something after it decided: a policy, a selector, text of the page's data.
        threshold: the score from which blocks were kept on this page, 0..1; None for no rules.
        changes: what rules changed of it, in their order.
        contributions: what spoke for and against it, in log-odds, the strongest first.
        slot: the place of a site's template that it stands in, or the selector of a site's rule.
    """

    text: str
    keep: bool
    score: float
    reason: str
    selector: str
    row: int = 0
    step: str = ""
    rule: str = ""
    threshold: float | None = None
    changes: tuple[RuleChange, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    slot: str = ""

    @property
    def supporting(self) -> tuple[Contribution, ...]:
        """What spoke for it, the strongest first."""
        return tuple(one for one in self.contributions if one.log_odds > 0)

    @property
    def opposing(self) -> tuple[Contribution, ...]:
        """What spoke against it, the strongest first."""
        return tuple(one for one in self.contributions if one.log_odds < 0)


def explained(content: Content, method: Method | None = None) -> list[Explained]:
    """Return each text block of a page with its verdict and why, in order.

    Args:
        content: the page and the verdict.
        method: the one that made the verdict, before policies and selectors; None for the verdict's
            own reasons alone.
    """
    page, verdict, reasons = content.page, content.verdict, content.reasons
    blocks = text_blocks(page)
    because = method.explain(page) if method is not None else None
    own_reasons = len(method.reasons) if method is not None else 0
    out = []
    for number, row in enumerate(checked(blocks.first.tolist(), every=8)):
        code = int(verdict.why[row])
        step = reasons[code] if code < len(reasons) else str(code)
        found = because[number] if because else _NOTHING
        is_after = code >= own_reasons  # a selector decided, or text of the page's data
        rule = "" if is_after else found.rule
        out.append(
            Explained(
                text=blocks.text(number),
                keep=bool(verdict.keep[row]),
                score=float(verdict.score[row]),
                reason=f"{rule}: {found.effect}" if rule not in {"", CHOICE} else step,
                selector=blocks.selectors[number],
                row=row,
                step=step,
                rule=rule,
                threshold=found.threshold,
                changes=found.changes,
                contributions=found.contributions,
                slot=found.slot,
            )
        )
    return out


def explained_values(
    found: Extract, chosen: Iterable[tuple[int, Explained]] | None = None
) -> dict[str, Any]:
    """Return why blocks of a page were kept or dropped, as plain values for JSON.

    Args:
        found: the extract of the page.
        chosen: blocks with their numbers; None for all.
    """
    some = enumerate(found.explain()) if chosen is None else chosen
    return {
        "url": found.url,
        "method": found.method,
        "page_type": found.page_type,
        "confidence": found.confidence,
        "source": found.source,
        "blocks": [{"block": number, **_rounded(asdict(one))} for number, one in some],
    }


def _rounded(value: Any) -> Any:
    """Return plain values with their floats rounded to four digits."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value
