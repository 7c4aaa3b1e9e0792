"""The text of a part of the page as a reader sees it: lines, white space folded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chaffinch.elements.formulas.tex import PageFormula
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask


_FEW: Final = 30  # rows, of which a loop over them takes less time than numpy's calls


def shown_text(page: Page, row: int, shown: Mask, formulas: Mapping[int, PageFormula]) -> str:
    """Return what is shown, bool[n], of the text in the subtree of ``row``, formulas as TeX.

    A newline stands wherever a block or a br parts two texts; "" where nothing is shown.
    """
    lines: list[list[str]] = []
    last = -1
    for at in _shown_rows(page, row, shown, formulas):
        formula = formulas.get(at)
        raw = formula.marked if formula else page.text[page.text_at[at] : page.text_at[at + 1]]
        line = int(page.line[at])
        if line != last:
            lines.append([])
        lines[-1].append(raw)
        last = line
    folded = (" ".join("".join(line).split()) for line in lines)
    return "\n".join(line for line in folded if line)


def _shown_rows(
    page: Page, row: int, shown: Mask, formulas: Mapping[int, PageFormula]
) -> Iterable[int]:
    """Return the rows of texts and formulas in the subtree of ``row`` that are shown, in order."""
    stop = int(page.end[row])
    inner = range(row, stop)
    if stop - row < _FEW:
        of_rows = zip(inner, page.tag[row:stop].tolist(), shown[row:stop].tolist(), strict=True)
        return [at for at, tag, own in of_rows if own and (tag == tags.TEXT or at in formulas)]
    texts = page.tag[row:stop] == tags.TEXT
    among: Iterable[int] = inner if len(inner) < len(formulas) else formulas
    texts[[at - row for at in among if row <= at < stop and at in formulas]] = True
    rows: list[int] = (np.flatnonzero(shown[row:stop] & texts) + row).tolist()
    return rows
