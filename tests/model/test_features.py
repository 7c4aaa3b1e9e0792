"""Features: the right shape and finite on any page, and those that the weights were made for."""

import json
from pathlib import Path

import numpy as np
import pytest

from chaffinch.kernels.codes import TEXT_COLUMNS
from chaffinch.model import head_signals
from chaffinch.model.features import features as features_of
from chaffinch.page import parse

PAGES = {
    "one word": "a",
    "one mark": "<p>!</p>",
    "deep": "<div>" * 600 + "deep",
    "wide": "<ul>" + "<li><a href=x>one</a>" * 300 + "</ul>",
    "brs": "a<br>" * 50,
    "chinese": "<title>苍头燕雀</title><h1>苍头燕雀</h1><p>苍头燕雀是一种小鸟，在欧洲很常见。</p>",
    "beyond the basic plane": "<p>𠀀𠀁 😀 text</p>",
    "arabic": "<p dir=rtl>طائر صغير، شائع في أوروبا.</p>",
    "json-ld": '<script type="application/ld+json">{"@type":"Article","articleBody":"Its song is'
    ' loud and long"}</script><p>Its song is loud and long</p><p>Share</p>',
    "hidden": '<div style="display:none"><p>hidden</p></div><p hidden>too</p><p>shown</p>',
    "long word": "<p>" + "x" * 5000 + "</p>",
    "names": "<div class='post-12 Größe ABc' id=user><p role=main itemprop=articleBody>a"
    "<p aria-hidden=true style='DISPLAY: none'>b<p hidden class='tab-pane collapſe'>c"
    "<p class='\xa0 accordion x' id=''>d",
    "data": "<h2>Oats</h2><table><caption>t<tr><th colspan=2>a<th>b<tr><td>1<td><table><tr><td>2"
    "<td>3</table><td></table><dl><dt>Term<dd>Meaning</dl><pre>code</pre>",
    "cards": "".join(
        f"<li class=card-{k}><h3>{k}</h3><img src=a><a href=x>more</a>" for k in range(9)
    ),
    "many classes": f'<p class="{" ".join(f"c-{k}" for k in range(500))}">a</p>',
}


def figures(html):
    """Return sums over all blocks that no change of a feature leaves as they are."""
    found = features_of(parse(html))
    columns = (
        *(found.numbers, found.words, found.facts, found.group, found.units, found.near),
        *(found.heading, found.section, found.low, found.high, found.names.buckets),
    )
    flat = [np.asarray(column, dtype=np.float64).ravel() for column in columns]
    return [round(float(own @ np.cos(np.arange(len(own)))), 4) for own in flat]


@pytest.mark.parametrize("name", PAGES)
def test_features_are_those_that_the_weights_were_made_for(name):
    stored = json.loads(Path(__file__).with_name("features.json").read_text("utf-8"))
    assert figures(PAGES[name]) == pytest.approx(stored[name], rel=1e-4, abs=1e-3), "new weights?"


def test_the_head_is_a_feature():
    page = parse(
        '<meta property="og:type" content="product"><meta name=description content="A red bird">'
        '<script type="application/ld+json">{"@type": "Product", "articleBody": 3}</script>'
        "<svg><title>no</title></svg><title>Birds</title><p>red birds"
    )
    found = head_signals.read_head_signals(page)
    told = {name for name, fact in zip(head_signals.FACTS, found.facts, strict=True) if fact}
    assert told == {"json_ld", "json_ld_product", "og_product"}
    assert (found.title.strip(), found.description, found.body) == ("Birds", "A red bird", "")
    shares = features_of(page).numbers[-1]
    assert shares[TEXT_COLUMNS.index("title")] == pytest.approx(1 / 2)
    assert shares[TEXT_COLUMNS.index("description")] == pytest.approx(1 / 2)
