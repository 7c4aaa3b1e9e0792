"""How a site model was applied to a page: what its verdicts say beside what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from chaffinch.result import Notes


@dataclass(frozen=True, kw_only=True)
class SiteNotes(Notes):
    """How a site model was applied to a page.

    Attributes:
        mode: ``full``, ``rules``, or `FALLBACK` where it fits no template or the rules fail.
        template: name of the template that it fits; None where it fell back.
        likeness: 0..1: in ``full`` the Jaccard similarity of page and template, estimated from
            their sketches, in ``rules`` the share of the template's signs that the page matches;
            None where it fell back.
        because: why its rules didn't decide, and why it fell back; None where neither is so.
    """

    mode: str
    template: str | None = None
    likeness: float | None = None
    because: str | None = None

    @property
    def calibration(self) -> str:
        """``site rules`` where they decided; else the verdict has a confidence of its own."""
        return "site rules" if self.mode == "rules" else ""
