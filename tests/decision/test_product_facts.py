"""The price that a product's page declares is kept where it is shown, and no other product's."""

from __future__ import annotations

import json
from decimal import Decimal

import numpy as np
import pytest

from chaffinch.decision.declared import declared_amounts, product_facts
from chaffinch.decision.policy import Policy
from chaffinch.decision.rules import RULES, Draft, run
from chaffinch.metadata.product import declared_products
from chaffinch.metadata.sources import Evidence
from chaffinch.model.features import features
from chaffinch.page import parse

PRODUCT = {
    "@type": "Product",
    "name": "Nest box",
    "offers": {"price": "1299.00", "priceCurrency": "EUR"},
}
ABOUT = "<p>A nest box of old oak that lasts for many years.</p>"
CARDS = "".join(
    f"<div class=card><a href=/{price}><b>Box {price}</b></a><span>{price},00 €</span></div>"
    for price in (19, 29, 39, 1299)
)


def page_of(body, product=PRODUCT):
    source = f'<script type="application/ld+json">{json.dumps(product)}</script>'
    return parse(f"<html><head><title>Nest box</title>{source}</head><body>{body}</body></html>")


def added(page, kept=("A nest box",), score=0.5):
    found = features(page)
    texts = list(found.blocks.texts())
    keep = np.array([one.startswith(kept) for one in texts])
    facts = product_facts(found, keep, np.full(len(texts), score, dtype=np.float32))
    return [] if facts is None else [texts[at] for at in np.flatnonzero(facts)]


@pytest.mark.parametrize("price", ["1.299,00 €", "€1,299", "EUR 1299.00", "Now 1 299,– €"])
def test_the_declared_price_is_kept_in_any_notation(price):
    assert added(page_of(f"<h1>Nest box</h1><div>{price}</div>{ABOUT}")) == [price]


def test_prices_of_other_products_are_not():
    body = f"<h1>Nest box</h1><div>1.299,00 €</div>{ABOUT}<section>{CARDS}</section>"
    assert added(page_of(body)) == ["1.299,00 €"]
    assert added(page_of(f"<h1>Nest box</h1>{ABOUT}<section>{CARDS}</section>")) == []
    assert added(page_of(f"<h1>Nest box</h1>{ABOUT}<a href=/x>1.299,00 €</a>")) == []
    assert added(page_of(f"<h1>Nest box</h1>{ABOUT}<footer>1.299,00 €</footer>")) == []


def test_a_price_that_is_kept_is_not_added_again():
    body = f"<h1>Nest box</h1><div>1.299,00 €</div><p>A nest box for 1.299,00 €</p>{ABOUT}"
    assert added(page_of(body)) == []


def test_declared_variants_are_kept_where_two_are_shown():
    variants = [{"@type": "Product", "size": size, "color": "Oak"} for size in ("S", "XL")]
    group = PRODUCT | {"@type": "ProductGroup", "hasVariant": variants}
    sizes = "<ul><li>S</li><li>M</li><li>XL</li></ul>"
    assert added(page_of(f"{sizes}<h1>Nest box</h1>{sizes}{ABOUT}", group)) == ["S", "XL"]
    assert added(page_of(f"<h1>Nest box</h1><p>XL</p>{ABOUT}", group)) == []


def test_definition_lists_below_the_name_are_the_specification():
    terms = "<dl><dt>Wood</dt><dd>Oak</dd></dl>"
    body = f"{terms}<h1>Nest box</h1>{ABOUT}{terms}"
    assert added(page_of(body)) == ["Wood", "Oak"]
    assert added(page_of(body), score=0.01) == []


@pytest.mark.parametrize("product", [{"@type": "Article", "name": "Nest box"}, [], {"@type": 3}])
def test_pages_without_a_declared_product_are_left_alone(product):
    assert (
        added(page_of("<h1>Nest box</h1><div>1.299,00 €</div><dl><dt>a<dd>b</dl>", product)) == []
    )


def test_nothing_is_no_price():
    free = PRODUCT | {"offers": {"price": 0}}
    page = page_of("<h1>Nest box</h1>", free)
    assert declared_amounts(declared_products(Evidence(page))) == frozenset()
    both = PRODUCT | {"offers": [{"price": 3}, {"price": "5.0"}]}
    page = page_of("<h1>Nest box</h1>", both)
    assert declared_amounts(declared_products(Evidence(page))) == {Decimal(3), Decimal(5)}


@pytest.mark.parametrize(
    ("kind", "certainty", "policy", "count"),
    [("product", 0.9, Policy(), 1), ("product", 0.6, Policy(), 0), ("article", 0.9, Policy(), 0),
     ("product", 0.9, None, 0)],
)  # fmt: skip
def test_the_rule_runs_on_pages_that_are_surely_products(kind, certainty, policy, count):
    found = features(page_of(f"<h1>Nest box</h1><div>1.299,00 €</div>{ABOUT}"))
    keep = np.array([one.startswith("A nest") for one in found.blocks.texts()])
    draft = Draft(found, np.full(len(keep), 0.5), kind=kind, certainty=certainty, policy=policy)
    draft.keep = keep
    run([rule for rule in RULES if rule.name == "product facts"], draft)
    assert int(draft.keep.sum() - keep.sum()) == count
