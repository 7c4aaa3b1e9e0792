"""Rules proposed for what a person marks: general, without collateral, never against a mark."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch import Site, parse
from chaffinch.errors import OptionError
from chaffinch.site.rules import SiteReason, labels, selecting
from chaffinch.site.slots import slot_hashes
from chaffinch.site.teach import Mark, SamplePage, propose, selectors_of
from rows_of_cases import examples

PARAGRAPH = "The {0} harvest began late, and the first sheaves of {0} stood wet in field {1}. "
CROPS = ("barley", "oat", "rye", "wheat", "millet", "spelt")


def article(number, *, more="", lead="lead"):
    """A page of a site whose stories have a lead of their own and a box that varies."""
    crop, other = CROPS[number % len(CROPS)], CROPS[-1 - number % len(CROPS)]
    text = "".join(f"<p>{PARAGRAPH.format(crop, n) * 3}</p>" for n in range(number, number + 3))
    return f"""<html><head><title>{crop} | Grain</title></head><body>
<div class="menu"><a href="/">Home</a> <a href="/all">All of it</a></div>
<div class="story"><h1>On {crop}</h1><p class="by">By Ann Lee</p><p class="on">{number + 1} May 2024
</p><p class="{lead}">{PARAGRAPH.format(crop, number) * 2}</p>{text}{more}
<div class="hall"><p>{other.title()} was sown by the club before the war, and the mill in the
old town ground it until the river froze; nobody who saw the {other} of it forgot {other}</p></div>
</div><a class="onward" href="/story/{number + 1}.html">Onward</a>
<div class="foot">Set in type by hand since 1901.</div></body></html>"""


def listing(number):
    cards = "".join(
        f'<div class="card"><h2><a href="/p/{number}-{n}">{crop} flour</a></h2><span class="price">'
        f"{n + 3}.50 EUR</span></div>"
        for n, crop in enumerate(CROPS)
    )
    advertisement = '<div class="ad">Buy a tractor for 9.00 EUR</div>'
    return f'<body><div class="list"><h1>Shop</h1>{cards}{advertisement}</div></body>'


def page(html, number):
    return parse(html, url=f"https://grain.example/story/{number}.html")


@pytest.fixture(scope="module")
def pages():
    return [page(article(number), number) for number in range(6)] + [
        page(listing(number), number) for number in (6, 7)
    ]


@pytest.fixture(scope="module")
def site(pages):
    return Site.learn(pages, date="2026-11-22")


@pytest.fixture(scope="module")
def sample(site, pages):
    return [SamplePage.of(site, one) for one in pages]


def mark(sample, kind, selector, number=0):
    return Mark(number, sample[number].page.first(selector), kind)


def text_of(site, one):
    return site.extract(one).text


def kept(site, made):
    """The site with the proposed rule."""
    return replace(site, rules=(*site.rules, made.best.rule(made.kind)))


@pytest.mark.parametrize(
    ("kind", "at", "number", "best"), examples(__file__, "one mark makes a rule for all pages")
)
def test_one_mark_makes_a_rule_for_all_pages(sample, kind, at, number, best):
    found = propose(sample, [mark(sample, kind, at, number)]).best
    assert (found.select, found.pages, found.template) == (*best, "")
    assert (found.collateral, found.against, found.missed) == (0, 0, 0)
    assert len(found.changed) == found.pages


def test_what_is_marked_goes_or_stays_and_nothing_else_does(site, sample, pages):
    less = kept(site, propose(sample, [mark(sample, "drop", ".hall")]))
    more = kept(site, propose(sample, [mark(sample, "content", ".foot")]))
    for one in pages[:6]:
        before = text_of(site, one)
        assert "by the club" in before
        said = [line for line in before.splitlines() if line and "by the club" not in line]
        assert [line for line in text_of(less, one).splitlines() if line] == said
        assert "since 1901" in text_of(more, one)
        assert "Home" not in text_of(more, one)


def test_fields_and_entries_act_once_they_are_kept(site, sample, pages):
    for kind, at, field, value in (
        ("title", "h1", "title", "On barley"),
        ("author", "p.by", "authors", ("Ann Lee",)),
        ("date", "p.on", "published", "2024-05-01"),
    ):
        made = propose(sample, [mark(sample, kind, at)])
        found = kept(site, made).extract(pages[0]).metadata
        assert found.value(field) == value
        assert found.field_value(field).source == f"rule:{made.best.select}"
    following = kept(site, propose(sample, [mark(sample, "next", ".onward")]))
    assert following.next_page(pages[0]) == "https://grain.example/story/1.html"
    entries = kept(site, propose(sample, [mark(sample, "record", ".card h2 a", 6)]))
    assert len(entries.extract(pages[6]).records) == len(CROPS)


def test_a_mark_in_one_entry_speaks_for_all_entries(site, sample):
    """Titles of cards that the model drops: one is marked, and all of them are meant."""
    cards = "<div class=card><h4>{0}</h4><p class=text>{1}</p></div>"
    texts = ["Seed of the barley that stood in the field. " * 4 + str(n) for n in range(4)]
    made = "".join(cards.format(f"Barley {n}", text) for n, text in enumerate(texts))
    page = parse(f"<title>Shop</title><div class=list>{made}</div>", url="https://fen.example/shop")
    one = SamplePage.of(site, page)
    rows = page.select("div.card h4")
    assert all(one.is_field(row) for row in rows.tolist())
    assert not any(one.is_field(row) for row in page.select("div.card").tolist())
    dropped = replace(one.verdict, keep=one.verdict.keep & ~inside(page, rows))
    one = replace(one, verdict=dropped)
    found = propose([*sample, one], [Mark(len(sample), int(rows[1]), "content")])
    assert found.best is not None
    assert found.best.elements == 4
    assert found.best.collateral == 0
    assert len(found.best.examples) >= 1


def inside(page, rows):
    out = np.zeros(len(page), dtype=bool)
    for row in rows.tolist():
        out[row : page.end[row]] = True
    return out


def test_pages_without_names_are_selected_by_looks():
    html = (
        "<table><tr><td bgcolor=#DDDDBB>Menu of the paper<tr><td width=480><font size=4>The corn "
        "exchange</font><p>It was built by three brewers of the town, as the book has it.</table>"
    )
    page = parse(html)
    rows = [int(page.select(one)[0]) for one in ("td", "font")]
    slots = slot_hashes(page)
    assert 'td[bgcolor="#DDDDBB"]' in selectors_of(page, rows[0], slots)
    assert 'font[size="4"]' in selectors_of(page, rows[1], slots)
    named = parse("<td class=menu width=9>Menu")
    assert not any("width" in one for one in selectors_of(named, 3, slot_hashes(named)))


def test_fields_of_entries_are_one_in_each(site, sample, pages):
    alone = propose(sample, [mark(sample, "price", ".card .price", 6)])
    assert alone.best is None  # many prices, and nobody said that each entry has one
    ruled = kept(site, propose(sample, [mark(sample, "record", ".card", 6)]))
    again = [SamplePage.of(ruled, one) for one in pages]
    made = propose(again, [mark(again, "price", ".card .price", 6)])
    assert made.best.select == "span.price"
    found = kept(ruled, made).extract(pages[6]).records
    assert [one.fields["price"].value for one in found] == [
        f"{n + 3}.50 EUR" for n in range(len(CROPS))
    ]


def test_a_price_of_the_page_has_the_last_word():
    html = (
        '<head><meta property="product:price:amount" content="1.00"></head><body><h1>Mill</h1>'
        '<p class="now">64.50 EUR<p class="was">80.00 EUR</body>'
    )
    site = Site.from_text(
        'kind = "chaffinch site"\nversion = 1\nsite = "x"\n[[rule]]\nkind = "price"\n'
        'select = ".now"\n'
    )
    product = site.extract(html).metadata.product.value
    assert (product.price.value, product.price.source) == ("64.50", "rule:.now")
    assert product.currency.value == "EUR"
    assert Site().extract(html).metadata.product.value.price.value == "1.00"


def test_an_earlier_rule_of_a_person_is_not_turned(site, pages):
    first = [SamplePage.of(site, one) for one in pages]
    ruled = kept(site, propose(first, [mark(first, "content", "p.lead")]))
    again = [SamplePage.of(ruled, one) for one in pages]
    made = propose(again, [mark(again, "drop", ".hall")])
    label = labels(pages[1], selecting(pages[1], kept(ruled, made).rules))
    lead = pages[1].first("p.lead")
    assert label[lead] == SiteReason.CONTENT_BY_HAND


def test_where_no_name_tells_the_element_apart_none_is_proposed(site, pages):
    sample = [SamplePage.of(site, one) for one in pages]
    made = propose(sample, [Mark(0, int(pages[0].select("div.story > p")[3]), "drop")])
    assert made.chosen == -1
    assert made.nearest == -1
    assert any(one.is_positional for one in made.candidates)


@pytest.mark.parametrize(
    ("marks", "problem"),
    [
        ([], "there is none"),
        ([Mark(99, 1, "drop")], "no page 99"),
        ([Mark(0, 10**6, "drop")], "no row"),
    ],
)
def test_wrong_marks_are_named(sample, marks, problem):
    with pytest.raises(OptionError, match=problem):
        propose(sample, marks)
    with pytest.raises(OptionError, match="unknown kind"):
        Mark(0, 0, "noise")


NAMES = st.sampled_from(["a", "b", "c", "a b", "card-12", "x:y", ""])
BLOCKS = st.recursive(
    st.builds(lambda n: f"<p>{PARAGRAPH.format('rye', n)}</p>", st.integers(0, 9)),
    lambda inner: st.builds(
        lambda tag, name, parts: f'<{tag} class="{name}">{"".join(parts)}</{tag}>',
        st.sampled_from(["div", "section", "aside", "ul"]),
        NAMES,
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_proposed_rule_touches_a_row_marked_otherwise(data):
    pages = [page(data.draw(BLOCKS), number) for number in range(3)]
    site = Site.learn(pages[:2], date="2026-11-22")
    sample = [SamplePage.of(site, one) for one in pages]
    marks = []
    for _ in range(data.draw(st.integers(1, 5))):
        number = data.draw(st.integers(0, 2))
        row = data.draw(st.integers(0, len(pages[number]) - 1))
        marks.append(Mark(number, row, data.draw(st.sampled_from(["content", "drop", "title"]))))
    made = propose(sample, marks)
    wanted = {"content": SiteReason.CONTENT_BY_HAND, "drop": SiteReason.DROP_BY_HAND}
    for one in (each for each in made.candidates if each.is_clean):
        rule = one.rule(made.kind)
        for number, table in enumerate(pages):
            if one.template not in {"", sample[number].template}:
                continue
            label = labels(table, selecting(table, [rule]))
            for other in marks[:-1]:
                if other.page != number or {other.kind, made.kind} != {"content", "drop"}:
                    continue
                row = (
                    int(table.parent[other.row]) if table.name(other.row) == "#text" else other.row
                )
                inner = [m.row for m in marks if m.page == number and row < m.row < table.end[row]]
                own = np.zeros(len(table), dtype=bool)
                own[row : table.end[row]] = True
                for deeper in inner:
                    own[deeper : table.end[deeper]] = False
                later = [
                    m for m in marks[marks.index(other) + 1 :] if (m.page, m.row) == (number, row)
                ]
                if not later:
                    texts = own & sample[number].text
                    assert not (label[texts] == wanted[made.kind]).any() or made.row == row
