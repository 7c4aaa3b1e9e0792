"""Formulas of the content, as the TeX that the page carries, or as converted from its MathML."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.elements.formulas.delimiters import left_in_text
from chaffinch.elements.shown_content import shown_content
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from chaffinch.result import Content


@dataclass(frozen=True)
class Formula:
    """A formula.

    Attributes:
        tex: its TeX, without delimiters.
        display: whether it stands on a line of its own.
        kind: where the TeX came from: "mathml" (carried by it), "converted" (made from it),
            "mathjax" (a script), "data" (an attribute), "image" (alternative text or address) or
            "text" (delimiters left to a script).
        row: its row on the page.
    """

    tex: str
    display: bool
    kind: str
    row: int


def formulas(content: Content) -> list[Formula]:
    """Return the formulas that are kept, in the order of the page, each once."""
    page, shown = content.page, shown_content(content)
    found = [Formula(f.tex, f.display, f.kind, f.row) for f in shown.formulas.values()]
    outside = ~page.inside(tags.PREFORMATTED[page.tag] | page.is_tag("code", "kbd", "samp"))
    texts = np.flatnonzero(shown.kept & outside & (page.tag == tags.TEXT) & page.written)
    for row in checked(texts.tolist(), every=64):
        raw = page.text[page.text_at[row] : page.text_at[row + 1]]
        for _, _, tex, display in left_in_text(raw):
            found.append(Formula(tex, display, "text", row))
    return sorted(found, key=lambda one: one.row)
