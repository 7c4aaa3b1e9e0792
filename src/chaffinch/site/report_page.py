"""A site model as one HTML page: its templates, their rules, what returns, and heat maps.

The page needs nothing but itself: no scripts, no fonts, no images, and a policy that lets none in.
"""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.comparison.safe_html import POLICY, safe, shortened
from chaffinch.site.heat_map import HeatMap, representatives
from chaffinch.site.heat_map_html import RETURNS, drawn, legend, probability
from chaffinch.site.slot_names import named_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chaffinch.page import Page
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

_MOST_TEXTS: Final = 12
_MOST_PLACES: Final = 60
_LONGEST: Final = 160  # characters of a returning text that are shown


def as_html(site: SiteModel, pages: Iterable[Page] = ()) -> str:
    """Return the report; see `chaffinch.site.site_report.SiteReport.to_html`."""
    return "\n".join(_lines(site, representatives(site, pages)))


def _lines(site: SiteModel, chosen: Mapping[str, Page]) -> Iterator[str]:
    style = files("chaffinch.site").joinpath("report.css").read_text(encoding="utf-8")
    name = safe(site.name or "a site")
    yield "<!DOCTYPE html>"
    yield f'<html lang="en"><head><meta charset="utf-8"><title>{name} - site model</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<style>\n{style}</style></head><body>"
    yield f"<h1>{name}</h1>"
    learned = "; ".join(f"{one.pages:,} pages on {one.date or 'no date'}" for one in site.history)
    yield f"<p>{len(site.templates)} templates; learned from {safe(learned) or 'no pages'}; "
    yield f"applied in {safe(site.mode)} mode.</p>"
    if site.findings():
        items = "".join(f"<li>{safe(finding)}</li>" for finding in site.findings())
        yield f'<div class="changed"><b>Changed since it was learned</b><ul>{items}</ul></div>'
    yield from _overview(site)
    for number, template in enumerate(site.templates, start=1):
        yield from _template(site, template, number, chosen.get(template.name))
    yield "</body></html>\n"


def _overview(site: SiteModel) -> Iterator[str]:
    heads = ("template", "pages", "of the site", "text kept", "alike", "rules", "places")
    yield '<div class="wide"><table class="figures"><thead><tr>'
    yield "".join(f'<th scope="col">{head}</th>' for head in (*heads, "texts that return"))
    yield "</tr></thead><tbody>"
    for number, one in enumerate(site.templates, start=1):
        yield (
            f'<tr><th scope="row"><a href="#t{number}">{safe(one.name)}</a></th>'
            f"<td>{one.pages:,}</td><td>{_bar(one.share)}</td><td>{_bar(one.kept)}</td>"
            f"<td>{one.likeness:.2f}</td><td>{len(one.rules)}</td><td>{len(one.slots):,}</td>"
            f"<td>{one.returning(2):,}</td></tr>"
        )
    yield "</tbody></table></div>"


def _template(site: SiteModel, template: Template, number: int, page: Page | None) -> Iterator[str]:
    heat = HeatMap.of(site, template, page) if page is not None else None
    yield f'<section><h2 id="t{number}">{safe(template.name)}</h2>'
    if template.page:
        yield f'<p class="faint">such as {safe(template.page)}</p>'
    if not template.usable:
        yield "<p>Too few pages: the page-level default answers.</p>"
    yield from _rules(template, heat)
    yield from _returns(template, heat)
    yield from _places(site, template, page)
    if heat is None:
        yield '<p class="faint">No page of this template was given, so there is no heat map.</p>'
    else:
        yield from _heat_map(template, heat, number)
    yield "</section>"


def _rules(template: Template, heat: HeatMap | None) -> Iterator[str]:
    if not template.rules:
        return
    shown = "<th>on the page below</th>" if heat is not None else ""
    yield '<h3>Rules</h3><div class="wide"><table><thead><tr><th>rule</th><th>selector</th>'
    yield f"<th>learned from</th><th>confidence</th>{shown}</tr></thead><tbody>"
    rows = dict(enumerate(heat.ruled)) if heat is not None else {}
    for number, rule in enumerate(template.rules):
        said = "<td>by hand</td><td></td>"
        if not rule.by_hand:
            said = f"<td>{rule.support:,} pages</td><td>{_bar(rule.confidence)}</td>"
        if heat is not None:
            found = rows[number][1]
            said += f"<td>{len(found):,} elements, {heat.share(found):.0%} of the text</td>"
        yield (
            f'<tr><td class="kind {rule.kind}">{rule.kind}</td>'
            f"<td><code>{safe(rule.select)}</code></td>{said}</tr>"
        )
    yield "</tbody></table></div>"
    if template.signs:
        signs = " ".join(f"<code>{safe(sign)}</code>" for sign in template.signs)
        yield f"<p>Told by {signs}</p>"


def _returns(template: Template, heat: HeatMap | None) -> Iterator[str]:
    """Yield on how many pages texts return, and which texts of the page return most."""
    half, nearly = (max(2, int(np.ceil(part * template.texts.pages))) for part in (0.5, 0.9))
    yield (
        f"<h3>What returns</h3><p>{template.returning(2):,} texts return on two pages or more, "
        f"{template.returning(half):,} on half of them, {template.returning(nearly):,} on nine "
        "in ten (numbers masked).</p>"
    )
    if heat is None:
        return
    length = heat.blocks.length[: len(heat)]
    order = np.lexsort((-length, -heat.returns))
    texts: dict[str, int] = {}
    for block in order[heat.returns[order] >= RETURNS].tolist():
        texts.setdefault(heat.blocks.text(block), block)
    if not texts:
        return
    yield '<div class="wide"><table><thead><tr><th>on pages</th><th>text</th><th>probability</th>'
    yield "<th>verdict</th></tr></thead><tbody>"
    for text, block in list(texts.items())[:_MOST_TEXTS]:
        verdict = "kept" if heat.keep[block] else "dropped"
        yield f"<tr><td>{_bar(float(heat.returns[block]))}</td>"
        yield f'<td dir="auto">{shortened(text, _LONGEST)}</td>'
        yield f"<td>{heat.joined[block]:.2f}</td><td>{verdict}</td></tr>"
    yield "</tbody></table></div>"
    if len(texts) > _MOST_TEXTS:
        yield f'<p class="faint">and {len(texts) - _MOST_TEXTS:,} more of this page</p>'


def _places(site: SiteModel, template: Template, page: Page | None) -> Iterator[str]:
    """Yield the places with most text, where their names are at hand."""
    slots = template.slots
    names = named_places(site, page)
    order = np.argsort(-slots.blocks * slots.length, kind="stable").tolist()
    named = [(at, names[slot]) for at in order if (slot := int(slots.slots[at])) in names]
    if not named:
        return
    yield f"<details><summary>Places of text: the largest of {len(slots):,}</summary>"
    yield '<div class="wide"><table class="figures"><thead><tr>'
    heads = ("place", "pages", "blocks", "characters", "probability", "repeats", "links")
    yield "".join(f'<th scope="col">{head}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for at, name in named[:_MOST_PLACES]:
        mean = probability(float(slots.log_odds[at]))
        yield (
            f'<tr><th scope="row"><code>{safe(name)}</code></th><td>{slots.pages[at]:.0f}</td>'
            f"<td>{slots.blocks[at]:.0f}</td><td>{slots.length[at]:.0f}</td>"
            f"<td>{_bar(mean)}</td><td>{slots.repeats[at]:.0%}</td><td>{slots.linked[at]:.0%}</td>"
            "</tr>"
        )
    yield "</tbody></table></div></details>"


def _heat_map(template: Template, heat: HeatMap, number: int) -> Iterator[str]:
    kept = int(heat.keep.sum())
    more = len(heat.blocks) - len(heat)
    left = f"; {more:,} more aren't drawn" if more else ""
    yield f'<h3>Heat map</h3><p class="faint">{safe(heat.page.url or "a page")}: '
    yield f"{heat.likeness:.2f} alike; {kept:,} of {len(heat):,} blocks kept{left}</p>{legend()}"
    yield f'<p><label><input type="checkbox" id="kept{number}" class="only-kept"> Hide what is '
    yield f'dropped</label> <label><input type="checkbox" id="turned{number}" class="only-turned"> '
    yield "Fade all but what the template turned</label></p>"
    yield from drawn(heat, template)


def _bar(share: float) -> str:
    return f'<meter value="{share:.3f}"></meter> {share:.0%}'
