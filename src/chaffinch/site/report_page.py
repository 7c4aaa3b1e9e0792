"""A site model as one HTML page: its templates, their rules, what returns, and heat maps.

Drawn by ``report.html`` from the values that are computed here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.reports.templates import render
from chaffinch.site.heat_map import HeatMap, representatives
from chaffinch.site.heat_map_boxes import RETURNS, SHADES, boxes, probability
from chaffinch.site.page_groups import group_words
from chaffinch.site.slot_paths import slot_paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.page import Page
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

_SLOT_COLUMNS: Final = ("pages", "blocks", "length", "repeats", "linked")
_MOST_TEXTS: Final = 12
_MOST_SLOTS: Final = 60
_LONGEST_TEXT: Final = 160  # characters of a returning text that are shown
_LONGEST_BLOCK: Final = 500  # characters of a block of a heat map that are shown


def as_html(site: SiteModel, pages: Iterable[Page] = ()) -> str:
    """Return the report; see `chaffinch.site.site_report.SiteReport.to_html`."""
    chosen = representatives(site, pages)
    return render(
        "site/report.html",
        site=site,
        sections=[_section(site, one, chosen.get(one.name)) for one in site.templates],
        shades=SHADES,
        longest_text=_LONGEST_TEXT,
        longest_block=_LONGEST_BLOCK,
    )


def _section(site: SiteModel, template: Template, page: Page | None) -> dict[str, Any]:
    heat = HeatMap.of(site, template, page) if page is not None else None
    half, nearly = (max(2, int(np.ceil(part * template.texts.pages))) for part in (0.5, 0.9))
    return {
        "template": template,
        "heat": heat,
        "boxes": list(boxes(heat, template)) if heat is not None else [],
        "groups": [(group_words(name), one.pages) for name, one in template.groups.items()],
        "half": half,
        "nearly": nearly,
        "returning": _returning(heat) if heat is not None else [],
        "most_texts": _MOST_TEXTS,
        "slots": slot_rows(site, template, page),
    }


def _returning(heat: HeatMap) -> list[tuple[float, str, float, bool]]:
    """Return share of pages, text, probability and verdict of the texts that return most."""
    length = heat.blocks.length[: len(heat)]
    order = np.lexsort((-length, -heat.returns))
    texts: dict[str, int] = {}
    for block in order[heat.returns[order] >= RETURNS].tolist():
        texts.setdefault(heat.blocks.text(block), block)
    return [
        (float(heat.returns[block]), text, float(heat.joined[block]), bool(heat.keep[block]))
        for text, block in texts.items()
    ]


def slot_rows(site: SiteModel, template: Template, page: Page | None) -> list[dict[str, Any]]:
    """Return the slots with most text, of those whose paths are known."""
    slots = template.slots
    names = slot_paths(site, page)
    order = np.argsort(-slots.blocks * slots.length, kind="stable").tolist()
    named = [(at, names[slot]) for at in order if (slot := int(slots.slots[at])) in names]
    return [
        {
            "name": name,
            "probability": probability(float(slots.log_odds[at])),
            **{column: getattr(slots, column)[at] for column in _SLOT_COLUMNS},
        }
        for at, name in named[:_MOST_SLOTS]
    ]
