"""All fields on small pages: where they come from, and the ones without a file of their own."""

import json

import pytest
from small_pages import ARTICLE, linked, meta, named, read

from chaffinch.errors import OptionError
from chaffinch.metadata import FIELDS, read_metadata
from chaffinch.page import parse


def test_json_ld_alone_gives_every_field():
    data = read(linked(ARTICLE))
    assert data.value("title") == "A quiet harvest"
    assert data.value("authors") == ("Jane Doe", "John Roe")
    assert data.value("published") == "2021-03-04T10:00:00+01:00"
    assert data.value("modified") == "2021-03-05"
    assert data.value("site_name") == "The Courier"
    assert data.value("description") == "What the fields gave."
    assert data.value("lead_image") == "https://www.thecourier.example/harvest.jpg"
    assert data.value("categories") == ("Fields",)
    assert data.value("tags") == ("grain", "chaff")
    assert data.value("language") == "en"
    assert data.value("licence") == "https://creativecommons.org/licenses/by/4.0/"
    assert data.value("canonical") == "https://www.thecourier.example/a/b"
    assert data.value("declared_type") == "article"


def test_a_found_value_has_its_provenance():
    page = parse(f"<head>{linked(ARTICLE)}</head><body><h1>A quiet harvest</h1>")
    found = read_metadata(page).title
    assert found.source == "json-ld:NewsArticle.headline"
    assert page.name(found.row) == "script"
    assert "h1" in found.agreeing
    alone = read_metadata(parse(f"<head>{linked(ARTICLE)}</head>")).title
    assert alone.source == "json-ld:NewsArticle.headline"
    assert 0 < alone.confidence < found.confidence < 1


def test_metas_alone_give_the_fields():
    head = (
        '<meta property="og:title" content="A quiet harvest">'
        '<meta property="og:site_name" content="The Courier">'
        '<meta property="og:description" content="What the fields gave.">'
        '<meta property="og:image" content="harvest.jpg">'
        '<meta property="og:type" content="article">'
        '<meta property="og:url" content="https://www.thecourier.example/c">'
        '<meta property="og:locale" content="pt_BR">'
        '<meta property="article:published_time" content="2021-03-04T10:00:00Z">'
        '<meta property="article:modified_time" content="2021-03-05T10:00:00Z">'
        '<meta property="article:section" content="Fields">'
        '<meta property="article:tag" content="grain"><meta property="article:tag" content="chaff">'
    ) + named("author", "By Jane Doe and John Roe")
    data = read(head)
    assert data.to_dict(fields=FIELDS) == {
        "title": "A quiet harvest",
        "authors": ["Jane Doe", "John Roe"],
        "published": "2021-03-04T10:00:00+00:00",
        "site_name": "The Courier",
        "description": "What the fields gave.",
        "language": "pt",
        "modified": "2021-03-05T10:00:00+00:00",
        "original_source": None,
        "editors": None,
        "contributors": None,
        "canonical": "https://www.thecourier.example/c",
        "categories": ["Fields"],
        "tags": ["grain", "chaff"],
        "lead_image": "https://www.thecourier.example/a/harvest.jpg",
        "declared_type": "article",
        "licence": None,
        "opt_outs": None,
        "product": None,
    }


def test_a_page_without_declarations_has_no_fields():
    data = read_metadata(parse("<p>12</p>"))
    assert all(data.field_value(name) is None for name in FIELDS)


def test_an_unknown_field_is_an_option_error():
    with pytest.raises(OptionError, match="known: title, authors"):
        read().value("colour")


def test_the_question_of_a_page_is_its_main_entity():
    page = {
        "@type": "QAPage",
        "mainEntity": {
            "@type": "Question",
            "name": "How to dry grain?",
            "author": {"@type": "Person", "name": "Jane Doe"},
        },
    }
    data = read(linked(page))
    assert data.value("title") == "How to dry grain?"
    assert data.value("authors") == ("Jane Doe",)
    assert data.value("declared_type") == "forum"


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in {"opt_outs", "product"}])
def test_every_field_has_provenance_and_confidence(name):
    page = parse(
        f"<head>{linked(ARTICLE)}</head><body><p>x", url="https://www.thecourier.example/a/b"
    )
    found = read_metadata(page).field_value(name)
    assert found.source.startswith(("json-ld:NewsArticle", "text"))
    assert 0 < found.confidence < 1
    assert page.name(found.row) == "script"
    assert json.dumps(read_metadata(page).field_dict(name))


def test_the_address_of_a_site_is_no_image():
    head = meta(**{"og:image": "https://www.thecourier.example/"})
    assert read(head).lead_image is None


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


def test_tags_and_licence_of_links():
    body = (
        "<a rel=tag href=/t/grain>grain</a><a rel=tag href=/t/chaff>chaff</a>"
        "<a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC</a>"
    )
    data = read(body=body)
    assert data.value("tags") == ("grain", "chaff")
    assert data.value("licence") == "https://creativecommons.org/licenses/by/4.0/"


def test_breadcrumbs_give_categories():
    steps = [{"@type": "ListItem", "item": {"name": n}} for n in ("Home", "Fields", "Harvest")]
    data = read(linked({"@type": "BreadcrumbList", "itemListElement": steps}))
    assert data.value("categories") == ("Fields",)


def test_the_site_is_named_by_the_title_where_the_host_confirms_it():
    data = read("<title>A quiet harvest | The Courier</title>")
    assert data.value("site_name") == "The Courier"
    assert read("<title>A quiet harvest | Something</title>").site_name is None


def test_a_front_page_as_canonical_of_a_deep_page_is_doubted():
    head = "<link rel=canonical href=https://www.thecourier.example/>"
    assert read(head).value("canonical") == "https://www.thecourier.example/a/b"


def test_fields_are_read_on_demand():
    data = read(linked(ARTICLE))
    assert not set(FIELDS) & set(data.__dict__)
    assert data.title is data.title
    assert set(FIELDS) & set(data.__dict__) == {"title"}


def test_a_picture_that_stands_for_the_site_gives_way_to_one_of_the_page():
    head = meta(**{"og:image": "/i/the-courier-logo.png"})
    assert read(head).value("lead_image").endswith("the-courier-logo.png")
    head += linked({"@type": "NewsArticle", "image": "/i/barn-at-dusk.jpg"})
    assert read(head).value("lead_image").endswith("barn-at-dusk.jpg")


def test_the_page_type_of_microdata():
    body = "<body itemscope itemtype='https://schema.org/QAPage'><h1>Which sieve?</h1>"
    assert read("", body).value("declared_type") == "forum"


def test_metadata_show_the_fields_that_the_page_gives():
    data = read("<title>A quiet harvest</title>", "<h1>A quiet harvest</h1>")
    given = {name: data.value(name) for name in FIELDS if data.value(name) is not None}
    assert given["title"] == "A quiet harvest"
    assert None in map(data.value, FIELDS)
    assert repr(data) == f"Metadata({', '.join(f'{k}={v!r}' for k, v in given.items())})"
