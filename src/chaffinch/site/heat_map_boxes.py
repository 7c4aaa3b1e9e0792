"""The boxes of a heat map: the page's text blocks, coloured by how likely each is content.

Boxes of short lines flow side by side as menus do, longer ones stand below each other. Frames show
what the rules select. The tooltip of a box (by pointer or keyboard focus) shows its evidence. They
are drawn by ``report.html``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.site.heat_map import HeatMap
    from chaffinch.site.rules import Rule
    from chaffinch.site.template import Template

SHADES: Final = 10
"""Steps of the colour scale, from probability 0 to 1."""
RETURNS: Final = 0.2
"""Share of pages from which a box shows the sign of a returning text."""
_SHORT: Final = 40  # characters up to which boxes flow side by side
_FRAMED: Final = frozenset({"content", "drop", "record"})


class Box(NamedTuple):
    """A text block as it is drawn.

    Attributes:
        closed: frames that end before it.
        opened: rules whose frames begin before it, from the outermost on.
        names: its class names.
        text: its text.
        kinds: kinds of the rules without a frame that select it, such as ``title``.
        returns: share (0..1) of the pages on which its text returns; None below `RETURNS`.
        known: name → value of the lines of its tooltip.
    """

    closed: int
    opened: tuple[Rule, ...]
    names: str
    text: str
    kinds: tuple[str, ...]
    returns: float | None
    known: dict[str, str]


def boxes(heat: HeatMap, template: Template) -> Iterator[Box]:
    """Yield the boxes of a heat map, then an empty one that closes the frames still open."""
    open_rows: list[int] = []
    for block, around in enumerate(heat.around()):
        frames = [(row, rule) for row, rule in around if rule.kind in _FRAMED]
        rows = [row for row, _ in frames]
        same = next(
            (n for n, pair in enumerate(zip(open_rows, rows, strict=False)) if pair[0] != pair[1]),
            min(len(open_rows), len(rows)),
        )
        rules = [rule for _, rule in around]
        returns = float(heat.returns[block])
        yield Box(
            len(open_rows) - same,
            tuple(rule for _, rule in frames[same:]),
            _names(heat, block),
            heat.blocks.text(block),
            tuple(rule.kind for rule in rules if rule.kind not in _FRAMED),
            returns if returns >= RETURNS else None,
            _known(heat, template, block, rules),
        )
        open_rows = rows
    yield Box(len(open_rows), (), "", "", (), None, {})


def _names(heat: HeatMap, block: int) -> str:
    joined, own, kept = float(heat.joined[block]), float(heat.own[block]), bool(heat.keep[block])
    heading = bool(tags.HEADING[heat.page.tag[int(heat.blocks.owner[block])]])
    short = len(heat.blocks.text(block)) <= _SHORT and not heading
    names = ["box", f"p{round(SHADES * joined)}", "kept" if kept else "dropped"]
    names += ["short"] * short + ["heading"] * heading + ["turned"] * (kept != (own >= 1 / 2))
    return " ".join(names)


def _known(heat: HeatMap, template: Template, block: int, rules: list[Rule]) -> dict[str, str]:
    slot = int(heat.slot[block])
    known = {
        "place": heat.slot_path(block),
        "verdict": f"{'kept' if heat.keep[block] else 'dropped'}: {heat.why[block]}",
        "probability": f"{heat.joined[block]:.2f} (by this page alone {heat.own[block]:.2f})",
        "text returns": f"on {heat.returns[block]:.0%} of the pages",
    }
    if slot < 0:
        known["place known"] = "no, it is new"
    else:
        slots = template.slots
        known |= {
            "place known": f"from {slots.pages[slot]:.0f} of {template.pages} pages, "
            f"{slots.blocks[slot]:.0f} blocks of {slots.length[slot]:.0f} characters",
            "in this place": f"mean probability {probability(float(slots.log_odds[slot])):.2f}; "
            f"{slots.repeats[slot]:.0%} of the text repeats, {slots.linked[slot]:.0%} is links",
        }
    if rules:
        known["rules"] = "; ".join(f"{rule.kind} {rule.select}" for rule in rules)
    return known


def probability(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + math.exp(-log_odds))
