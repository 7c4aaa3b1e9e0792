"""All fields on small pages: where they come from, and the ones without a file of their own."""

import json

import pytest
from small_pages import ARTICLE, linked, meta, read

from chaffinch.metadata import FIELDS, read_metadata
from chaffinch.page import parse

HERE = "https://www.thecourier.example"


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in {"opt_outs", "product"}])
def test_every_field_has_provenance_and_confidence(name):
    page = parse(f"<head>{linked(ARTICLE)}</head><body><p>x", url=f"{HERE}/a/b")
    found = read_metadata(page).field_value(name)
    assert found.source.startswith(("json-ld:NewsArticle", "text"))
    assert 0 < found.confidence < 1
    assert page.name(found.row) == "script"
    assert json.dumps(read_metadata(page).field_dict(name))


def test_the_lead_image_is_the_declared_one_that_the_page_shows():
    head = meta(**{"og:image": "/i/barn-at-dusk-1200x630.jpg"})
    head += linked({"@type": "NewsArticle", "image": "/i/barn-inside.png"})
    alone = read(head).lead_image
    assert alone.value.endswith("barn-at-dusk-1200x630.jpg")
    shown = read(head, "<p>x<img src=/i/barn-inside.png?w=90>").lead_image
    assert shown.value.endswith("barn-inside.png")
    assert shown.agreeing == ("img",)
    sized = read(head, "<p>x<img data-src=/thumbs/barn-at-dusk-300x200.jpg>").lead_image
    assert (sized.value, sized.agreeing) == (alone.value, ("img",))
    assert sized.confidence > alone.confidence
