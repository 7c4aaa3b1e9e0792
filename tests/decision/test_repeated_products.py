"""Pages of shops: classified with the head's declaration, and short texts are content once."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.decision.repeated import repeated_texts
from chaffinch.methods.learned import Learned
from chaffinch.model.features import features
from chaffinch.model.head_signals import FACTS, page_type_posterior
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks
from decided import decide

NAMES = ("article", "forum", "product", "collection", "listing", "documentation", "service")
EVEN = np.full(len(NAMES), 1 / len(NAMES), dtype=np.float32)


def facts(*declared):
    return np.array([name in declared for name in FACTS], dtype=np.float32)


def stays(html):
    """Return the texts that stay when every block of a page is kept."""
    blocks = text_blocks(parse(html))
    gone = repeated_texts(blocks, np.ones(len(blocks), dtype=bool))
    return [text for text, out in zip(blocks.texts(), gone.tolist(), strict=True) if not out]


def test_a_name_in_card_and_box_is_kept_once():
    assert stays("<h3>Nest box</h3><p>Of oak</p><button>NEST  box</button>") == [
        "Nest box",
        "Of oak",
    ]


def test_what_many_things_have_in_common_stays():
    cards = "".join(f"<div><h3>Box {number}</h3><p>Weight:</p></div>" for number in range(6))
    assert stays(cards).count("Weight:") == 6
    assert stays(cards.replace("Box 5</h3><p>Weight:", "Box 5</h3><p>Size:")).count("Weight:") == 1


@pytest.mark.parametrize("part", ["<table><tr><td>Oak<td>Oak</table>", "<pre>Oak\nOak</pre>"])
def test_tables_and_code_may_repeat(part):
    assert stays(part) == stays(part + part)[: len(stays(part))]
    assert len(stays(part + part)) == 2 * len(stays(part))


@given(st.lists(st.sampled_from(["Oak", "oak", "Beech", "£ 5", "山毛榉"]), max_size=14), st.data())
def test_only_kept_blocks_go_and_each_text_stays(texts, data):
    blocks = text_blocks(parse("".join(f"<p>{text}</p>" for text in ["One", *texts])))
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks))))
    gone = repeated_texts(blocks, keep)
    assert not (gone & ~keep).any()
    every = [text.casefold() for text in blocks.texts()]
    kept = {text for text, one in zip(every, keep.tolist(), strict=True) if one}
    assert kept == {t for t, one in zip(every, (keep & ~gone).tolist(), strict=True) if one}


@pytest.mark.parametrize(
    ("kind", "left"), [("product", 3), ("collection", 3), ("listing", 4), ("article", 4)]
)
def test_only_shops_tell_short_texts_once(kind, left):
    found = features(parse("<h1>Boxes</h1><h3>Nest box</h3><p>Of oak</p><h3>Nest box</h3>"))
    assert decide(np.ones(4, dtype=np.float32), found, kind=kind).keep.sum() == left


@pytest.mark.parametrize(
    ("declared", "kind"),
    [
        (("json_ld", "json_ld_product"), "product"),
        (("og_product",), "product"),
        (("og_product", "json_ld_list"), "product"),
    ],
)
def test_a_page_that_declares_a_product_is_likely_one(declared, kind):
    posterior = page_type_posterior(EVEN, NAMES, facts(*declared))
    assert NAMES[int(posterior.argmax())] == kind
    assert posterior.sum() == pytest.approx(1)


@pytest.mark.parametrize("declared", [(), ("json_ld",), ("json_ld_product", "json_ld_list")])
def test_a_page_that_does_not_is_less_likely_one(declared):
    posterior = page_type_posterior(EVEN, NAMES, facts(*declared))
    assert posterior[NAMES.index("product")] < EVEN[0] / 2
    assert NAMES[int(posterior.argmin())] == "product"


def test_a_sure_network_outweighs_the_head():
    sure = np.where(np.array(NAMES) == "article", 0.99, 0.01 / 6).astype(np.float32)
    assert (
        NAMES[int(page_type_posterior(sure, NAMES, facts("json_ld_product")).argmax())] == "article"
    )


def test_other_page_types_are_as_they_were():
    assert page_type_posterior(EVEN[:2], ("a", "b"), facts("og_product")) == pytest.approx(
        [0.5, 0.5]
    )


def test_the_page_type_of_a_product():
    thing = {"@type": "Product", "name": "Nest box", "offers": {"price": "9", "@type": "Offer"}}
    body = "<main><h1>Nest box</h1><p>For tits.</p><button>Buy</button><p>£ 9</p></main>"
    page = f'<script type="application/ld+json">{json.dumps(thing)}</script>{body}'
    assert Learned()(parse(page)).page_type == "product"
