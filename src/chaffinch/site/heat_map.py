"""A site model as one HTML file: templates, rules, and a heat map over a page of each template.

Of a page only hashes are remembered, so the picture needs pages at hand: for each template the one
most like its layout is taken. Every text is coloured by how likely its slot is content, and struck
through where it returns on other pages. Only text is taken from the page, escaped; no markup.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.methods import Learned
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.join import Evidence, shipped_weights
from chaffinch.site.summary import look_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page
    from chaffinch.site.learning import Template
    from chaffinch.site.site import Site

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem; text-align: left;
vertical-align: top; border-bottom: 1px solid #8884; } code { font-size: .9em; }
.map { border: 1px solid #8884; padding: .6rem; } .map p { margin: .15rem 0; color: #111;
padding: .1rem .4rem; border-radius: .2rem; } .map s { color: #444; }
.map p[style] { display: block; } .slot { color: #666; font-size: .75em; float: right; }
"""
_LONGEST = 400  # characters of a block that are shown


def to_html(site: Site, pages: Sequence[Page] = ()) -> str:
    """Return the report as HTML, with a heat map of each template that ``pages`` has a page of."""
    chosen = _representatives(site, pages)
    parts = [
        "<!DOCTYPE html>",
        f"<html lang=en><meta charset=utf-8><title>{escape(site.name or 'site')}</title>",
        f"<style>{_STYLE}</style><h1>{escape(site.name or 'site')}</h1>",
        "<p>"
        + escape("; ".join(f"{one.pages} pages on {one.date}" for one in site.history))
        + "</p>",
        *(f"<p><strong>{escape(finding)}</strong></p>" for finding in site.findings()),
    ]
    for template in site.templates:
        parts += _template(template, chosen.get(template.name))
    return "\n".join(parts) + "\n"


def _representatives(site: Site, pages: Sequence[Page]) -> dict[str, Page]:
    """Return for each template its own example among ``pages``, or else the first that is of it."""
    out: dict[str, Page] = {}
    for page in pages:
        template = site.template_of(page)
        if template is not None and (template.name not in out or page.url == template.page):
            out[template.name] = page
    return out


def _template(template: Template, page: Page | None) -> list[str]:
    rows = [
        f"<tr><td>{rule.kind}<td><code>{escape(rule.select)}</code><td>"
        + ("by hand" if rule.by_hand else f"{rule.support} pages<td>{rule.confidence:.0%}")
        for rule in template.rules
    ]
    returning = int((template.texts.counts[1] > 1).sum())
    said = (
        f"{template.pages} pages, {template.share:.0%} of the site; {template.kept:.0%} of the "
        f"text is content; {returning} texts return; {len(template.slots)} places hold text"
    )
    return [
        f"<h2>{escape(template.name)}</h2>",
        f"<p>{escape(said)}.</p>",
        "<table><tr><th>rule<th>selector<th>learned from<th>confidence",
        *rows,
        "</table>",
        *(_map(template, page) if page is not None else ()),
    ]


def _map(template: Template, page: Page) -> list[str]:
    """Return the texts of a page in order, each on the colour of its slot."""
    look = look_at(page, Learned()(page).score)
    evidence = Evidence.of(look, template.slots, template.texts)
    likely = evidence.probability(shipped_weights())
    returns = evidence.return_share(shipped_weights())
    blocks = text_blocks(page)
    out = [f"<h3>{escape(page.url or 'a page')}</h3><div class=map>"]
    for block, (share, back) in enumerate(zip(likely.tolist(), returns.tolist(), strict=True)):
        text = blocks.text(block)
        text = escape(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
        known = int(evidence.known[block])
        said = f"{share:.0%}, {known} blocks known" + (f", returns {back:.0%}" if back else "")
        hue = int(np.round(120 * share))
        body = f"<s>{text}</s>" if back >= 1 / 2 else text
        out.append(
            f'<p style="background:hsl({hue} 65% 80%)"><span class=slot>{said}</span>{body}</p>'
        )
    return [*out, "</div>"]
