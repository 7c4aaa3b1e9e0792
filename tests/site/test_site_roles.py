"""Role rules act: from a rule in a site's file to records, metadata and the next page."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
from chaffinch import Site, extract, load_parts, parse
from chaffinch.lists.entries import entries
from chaffinch.site.fields import articles, next_page
from records_pages import cards

HEAD = """kind = "chaffinch site"
version = 1
site = "mill.test"
mode = "{mode}"
[[template]]
name = "mills"
signs = {signs}
"""
PAGE = """<html lang=en><head><title>Wrong title | The Mill</title>
<meta property="og:title" content="Wrong title"><meta name=author content="Wrong Person">
<meta property="article:published_time" content="2001-01-01">
<meta property="og:image" content="/wrong.jpg"></head><body id=mill><main>
<p class=kicker>The right title</p><p class=who>By Ann Lee</p><p class=when>3 May 2024</p>
<img class=pic src=/right.jpg width=400 height=300>
<p>The mill at Harrow Ford grinds again, after fifty-one years in which the wheel stood still, and
the village came to see it turn on a cold and windy morning in March.</p>
<a class=onward href="/mills/other.html">Onward</a></main></body></html>"""
MODES = ("full", "rules")
URL = "https://mill.test/list.html"


def site(rules, mode="full", signs='["#mill"]'):
    """Return a site model of rules alone, as a person writes them: kind → selector."""
    written = "".join(
        f'[[template.rule]]\nkind = "{kind}"\nselect = "{select}"\n' for kind, select in rules
    )
    return Site.from_text(HEAD.format(mode=mode, signs=signs) + written)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("kind", "select", "field", "value"),
    [
        ("title", "p.kicker", "title", "The right title"),
        ("author", "p.who", "authors", ("Ann Lee",)),
        ("date", "p.when", "published", "2024-05-03"),
        ("image", "img.pic", "lead_image", "https://mill.test/right.jpg"),
    ],
)
def test_a_rule_for_metadata_has_the_last_word(mode, kind, select, field, value):
    found = site([(kind, select), ("content", "main")], mode).extract(PAGE, url=URL)
    assert found.metadata.value(field) == value
    assert found.metadata.field_value(field).source == f"rule:{select}"
    assert found.notes.template == "mills"
    assert extract(PAGE, url=URL).metadata.value(field) != value
    nothing = site([(kind, "p.nowhere"), ("content", "main")], mode).extract(PAGE, url=URL)
    assert nothing.metadata.value(field) == extract(PAGE, url=URL).metadata.value(field)


@pytest.mark.parametrize("mode", MODES)
def test_rules_for_fields_alone_leave_content_to_the_default(mode):
    found = site([("title", "p.kicker")], mode).extract(PAGE, url=URL)
    assert found.title == "The right title"
    assert "Harrow Ford" in found.text


def test_a_template_without_signs_fits_every_page():
    assert site([("title", "p.kicker")], signs="[]").extract(PAGE).title == "The right title"


def test_an_element_that_says_nothing_leaves_the_field_to_the_general_finder():
    found = site([("date", "p.kicker")]).extract(PAGE, url=URL)
    assert found.date == "2001-01-01"
    same_day = PAGE.replace("2001-01-01", "2024-05-03T10:00:00+00:00")
    found = site([("date", "p.when")]).extract(same_day, url=URL)
    assert found.date == "2024-05-03T10:00:00+00:00"


@pytest.mark.parametrize("mode", MODES)
def test_a_rule_for_records_has_the_last_word(mode):
    html = cards(5).replace("<body>", "<body id=mill>")
    model = site([("record", "nav li")], mode)
    assert [one.value("title") for one in model.records(html, url=URL)] == ["Home", "Birds"]
    assert len(extract(html).records) == 5
    assert len(site([("record", "li.nowhere")], mode).records(html)) == 5


@pytest.mark.parametrize("mode", MODES)
def test_rules_for_fields_act_within_records(mode):
    html = cards(3).replace("<body>", "<body id=mill>")
    rules = [("record", "div.card"), ("title", "p.teaser"), ("author", "b.price")]
    rules += [("date", "h2"), ("image", "nav")]
    found = site(rules, mode).extract(html, url=URL)
    first = found.records[0]
    assert first.value("title").startswith("For fifty-one years")
    assert first.value("date") == "The mill number 1 grinds again"
    assert first.value("image") == "https://mill.test/i/1.jpg"
    assert first.fields["title"].rows[0] == found.page.first("p.teaser")
    assert found.title == "Mills"  # rules select nothing outside of the records


def test_records_of_a_single_entry_and_nested_ones():
    html = "<body id=mill><div class=e><h2><a href=/1>Rye</a></h2><div class=e>Oats</div></div>"
    (only,) = site([("record", "div.e")]).records(html, url=URL)
    assert only.value("title") == "Rye"
    assert only.value("link") == "https://mill.test/1"


def test_a_rule_for_the_next_page_has_the_last_word():
    page = parse(PAGE.replace("<main>", "<main><a href=/list_2.html>2</a>"), url=URL)
    assert next_page(page) == "https://mill.test/list_2.html"
    for mode in MODES:
        onward = "https://mill.test/mills/other.html"
        assert site([("next", "a.onward")], mode).next_page(page) == onward
        assert site([("next", "main")], mode).next_page(page) == "https://mill.test/list_2.html"
        assert site([("next", "a.none")], mode).next_page(page) == next_page(page)


def test_parts_follow_the_rule_for_the_next_page(tmp_path):
    names = ["first.html", "second.html", "third.html"]
    texts = ["Rye was sown in September.", "Barley followed in March.", "Oats were last of all."]
    for name, following, text in zip(names, [*names[1:], ""], texts, strict=True):
        link = f'<a class=onward href="{following}">Onward</a>' if following else ""
        html = f"<title>{text}</title><body id=mill><main><p>{text * 4}</p>{link}</main>"
        (tmp_path / name).write_text(html, encoding="utf-8")
    model = site([("next", "a.onward")])
    assert len(load_parts(tmp_path / "first.html")) == 1
    parts = load_parts(tmp_path / "first.html", site=model)
    assert [page.head.title for page in parts] == texts
    files = [parse(tmp_path / name, url=(tmp_path / name).as_uri()) for name in names[::-1]]
    assert articles(files, next_of=model.next_by_rule) == [[2, 1, 0]]
    assert len(articles(files)) == 3


def test_entries_without_roles_are_those_of_the_page(learned, english):
    row = next(row for row in english if row["template"] == "list")
    assert learned.records(row["page"]) == entries(learned.extract(row["page"]).in_rows)


def test_rules_that_are_learned_select_whole_entries():
    lists = [
        parse(
            f"<title>{n}</title><body id=mill><nav><a href=/>Home</a></nav><div class=all>"
            + "".join(
                f"<a class=entry href=/{n}/{k}><time>{k:02}-11</time><div class=name>"
                f"Threshing day number {k} of the year {n}</div></a>"
                for k in range(1, 9)
            )
            + "</div>",
            url=f"https://mill.test/{n}.html",
        )
        for n in range(2001, 2009)
    ]
    (template,) = Site.learn(lists).templates
    (record,) = (rule for rule in template.rules if rule.kind == "record")
    assert {lists[0].name(row) for row in lists[0].select(record.select)} == {"a"}


STORY = """<html lang=en><head><title>{title} | The Mill</title>{head}</head><body><header>
<h1 class=name>The Mill</h1></header><main>
<img class=brand src=/view-of-the-mill.jpg width=400 height=300><h2 class=head>{title}</h2>
<p class=who>By Ann Lee</p>
<div class=body>3 May 2024: {text}<p>{text}</p>
<img class=pic src=/{name}.jpg width=400 height=300><p>{text}</p></div></main></body></html>"""
STORIES = {
    "rye": "The rye harvest began late, and the first sheaves stood wet for the whole of a week.",
    "oats": "Oats were sown by hand until the war, and the women of the village did most of it.",
    "hops": "Nobody remembers who brought hops to the valley, but the kilns are four hundred old.",
    "flax": "Flax needs water to rot in, and the pond below the bridge was dug for nothing else.",
}


def stories(head=""):
    """Return pages of one layout, each with its own picture."""
    for name, text in STORIES.items():
        title = f"What became of the {name}"
        html = STORY.format(title=title, text=text, name=name, head=head)
        yield parse(html, url=f"https://mill.test/{name}.html")


def learned_fields(head=""):
    """Return field → its learned rule, of the pages above."""
    (template,) = Site.learn(stories(head), date="2026-11-24").templates
    return {rule.kind: rule for rule in template.rules if not rule.decides}


def test_a_place_is_learned_for_a_field_where_it_is_read_as_the_field():
    rules = learned_fields()
    assert rules["title"].select == "h2.head"
    assert rules["author"].select == "p.who"
    assert "date" not in rules  # it stands in the text, which no rule for a date may select


def test_the_image_of_a_page_is_where_pictures_differ_from_page_to_page():
    rule = learned_fields()["image"]
    assert rule.select == "img.pic"
    assert rule.example in {f"https://mill.test/{name}.jpg" for name in STORIES}
    site = Site.learn(stories(), date="2026-11-24")
    images = [site.extract(page).metadata.value("lead_image") for page in stories()]
    assert images == [f"https://mill.test/{name}.jpg" for name in STORIES]


def test_what_returns_on_other_pages_is_no_title():
    pages = (
        parse(STORY.format(title="Notes", text=text, name=name, head=""))
        for name, text in STORIES.items()
    )
    (template,) = Site.learn(pages, date="2026-11-24").templates
    assert "title" not in {rule.kind for rule in template.rules}
