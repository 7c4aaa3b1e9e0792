"""A heat map drawn in HTML: the page's text in boxes, coloured by how likely it is content.

Boxes of short lines flow side by side as menus do, longer ones stand below each other. Frames show
what the rules select. Resting on a box, or moving to it by keyboard, shows what is known of it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from chaffinch.comparison.safe_html import safe, shortened
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.site.heat_map import HeatMap
    from chaffinch.site.rules import Rule
    from chaffinch.site.template import Template

SHADES: Final = 10
"""Steps of the colours, from surely noise to surely content."""
RETURNS: Final = 0.2
"""Share of the pages from which a box bears the sign of a returning text."""
_LONGEST: Final = 500  # characters of a block that are shown
_SHORT: Final = 40  # characters up to which boxes flow side by side
_FRAMED: Final = frozenset({"content", "drop", "record"})


def drawn(heat: HeatMap, template: Template) -> Iterator[str]:
    """Yield the lines of the picture; what comes from the page is made safe."""
    yield '<div class="map">'
    open_rows: list[int] = []
    for block, around in enumerate(heat.around()):
        frames = [(row, rule) for row, rule in around if rule.kind in _FRAMED]
        rows = [row for row, _ in frames]
        same = next(
            (n for n, pair in enumerate(zip(open_rows, rows, strict=False)) if pair[0] != pair[1]),
            min(len(open_rows), len(rows)),
        )
        yield "</div>" * (len(open_rows) - same)
        for _, rule in frames[same:]:
            said = f"{rule.kind} {rule.select}{' (by hand)' if rule.by_hand else ''}"
            yield f'<div class="frame {rule.kind}"><small class="says">{safe(said)}</small>'
        open_rows = rows
        yield _box(heat, template, block, [rule for _, rule in around])
    yield "</div>" * len(open_rows) + "</div>"


def legend() -> str:
    """Return the line that explains the colours."""
    shades = "".join(f'<i class="p{shade}"></i>' for shade in range(SHADES + 1))
    return (
        f'<p class="legend">noise <span class="shades">{shades}</span> content '
        '<span class="box kept p10">kept</span> <span class="box dropped p0">dropped</span> '
        '<span class="box p5">↻ 80% <small>text returns on 80% of the pages</small></span> '
        '<span class="box p5 turned">the template turned what the page alone says</span></p>'
    )


def _box(heat: HeatMap, template: Template, block: int, rules: list[Rule]) -> str:
    text = heat.blocks.text(block)
    joined, own, back = (float(x[block]) for x in (heat.joined, heat.own, heat.returns))
    heading = bool(tags.HEADING[heat.page.tag[int(heat.blocks.owner[block])]])
    turned = bool(heat.keep[block]) != (own >= 1 / 2)
    names = ["box", f"p{round(SHADES * joined)}", "kept" if heat.keep[block] else "dropped"]
    names += ["short"] * (len(text) <= _SHORT and not heading)
    names += ["heading"] * heading + ["turned"] * turned
    marks = [f"<b>{rule.kind}</b>" for rule in rules if rule.kind not in _FRAMED]
    marks += [f"↻ {back:.0%}"] * (back >= RETURNS)
    badge = f' <small class="marks">{" ".join(marks)}</small>' if marks else ""
    return (
        f'<div class="{" ".join(names)}" tabindex="0"><span dir="auto">{shortened(text, _LONGEST)}'
        f"</span>{badge}{_tip(heat, template, block, rules)}</div>"
    )


def _tip(heat: HeatMap, template: Template, block: int, rules: list[Rule]) -> str:
    """Return what is known of a block, as a table that shows when the pointer rests on it."""
    place = int(heat.slot[block])
    known = {
        "place": safe(heat.place(block)),
        "verdict": f"{'kept' if heat.keep[block] else 'dropped'}: {safe(heat.why[block])}",
        "probability": f"{heat.joined[block]:.2f} (by this page alone {heat.own[block]:.2f})",
        "text returns": f"on {heat.returns[block]:.0%} of the pages",
    }
    if place < 0:
        known["place known"] = "no, it is new"
    else:
        slots = template.slots
        known |= {
            "place known": f"from {slots.pages[place]:.0f} of {template.pages} pages, "
            f"{slots.blocks[place]:.0f} blocks of {slots.length[place]:.0f} characters",
            "in this place": f"mean probability {probability(float(slots.log_odds[place])):.2f}; "
            f"{slots.repeats[place]:.0%} of the text repeats, {slots.linked[place]:.0%} is links",
        }
    if rules:
        known["rules"] = "; ".join(safe(f"{rule.kind} {rule.select}") for rule in rules)
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in known.items())
    return f'<dl class="tip" role="tooltip">{rows}</dl>'


def probability(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + math.exp(-log_odds))
