"""Rules of a template: learned, matched, and overruled by what people write."""

from dataclasses import replace

import numpy as np
import pytest
from trusted_rules import trusted

from chaffinch import Site, parse
from chaffinch.errors import RulesError
from chaffinch.site import Rule
from chaffinch.site.slots import masked_names, slot_hashes, step_of
from chaffinch.verdict import Verdict
from embedded_pages import SHELLS, SONG


@pytest.mark.parametrize(
    ("own_id", "classes", "names"),
    [
        ("post-4711", "post hentry", "#post-*.post.hentry"),
        ("main", "col-8", "#main.col-8"),
        ("", "css-1dbjc4n", ".css-*"),
        ("a1", "", "#a*"),
        (None, "post-4711 post-4712", ".post-*"),
        (None, "one two three four", ".one.two.three"),
        (None, None, ""),
    ],
)
def test_what_changes_in_a_name_is_masked(own_id, classes, names):
    assert masked_names(own_id, classes)[0] == names


def test_a_page_own_name_is_masked():
    one = parse("<div id=seed-of-oak><p>x", url="https://a.test/seed-of-oak.html")
    two = parse("<div id=seed-of-rye><p>x", url="https://a.test/seed-of-rye.html")
    assert np.array_equal(slot_hashes(one), slot_hashes(two))
    assert step_of(one, one.first("div")) == "div#*"


@pytest.mark.parametrize(
    ("markup", "step"),
    [
        ("<h2 id=first-steps>First steps</h2>", "h2"),
        ("<h2 id=first-steps-2>First <b>steps</b> §</h2>", "h2"),
        ("<h2 id=erste_schritte2>Erste Schritte</h2>", "h2"),
        ("<h2 id=新手入门>新手 入门</h2>", "h2"),
        ("<section id=first-steps class=part><h2>First steps</h2><p>x</section>", "section.part"),
        ("<h2 id=page-title>First steps</h2>", "h2#page-title"),
        ("<section id=main><h2>First steps</h2><p>x</section>", "section#main"),
        ("<section id=main><p>x</section>", "section#main"),
        ("<div id=first-steps><h2>First steps</h2></div>", "div#first-steps"),
        ("<h2 id='-'></h2>", "h2#-"),
    ],
)
def test_an_anchor_of_a_heading_is_no_position(markup, step):
    page = parse(f"<main>{markup}")
    row = page.first("main") + 1
    assert step_of(page, row) == step


def test_no_rule_selects_the_whole_page(learned, english):
    for row in english:
        template = learned.template_of(row["page"])
        for rule in template.rules if template else ():
            assert not set(row["page"].select(rule.select)) & {0, row["page"].body}


def with_rule(site, name, rule):
    """Return ``site`` with a rule written into its text by hand."""
    text = site.to_text()
    at = (text + "\n[[template]]").index("\n[[template]]", text.index(f'name = "{name}"'))
    written = f'\n[[template.rule]]\nkind = "{rule.kind}"\nselect = {rule.select!r}\n'
    return Site.from_text(text[:at] + written + text[at:], site.to_data())


@pytest.mark.parametrize("mode", ["full", "rules"])
def test_what_people_write_has_the_last_word(learned, english, mode):
    row = next(row for row in english[1::2] if row["template"] == "article")
    page = row["page"]
    name = learned.template_of(page).name
    before = learned.with_mode(mode)(page)
    nav = page.first("nav")
    inside = np.arange(nav, page.end[nav])
    assert not before.keep[inside].any()
    edited = with_rule(learned, name, Rule(kind="content", select="nav")).with_mode(mode)
    after = edited(page)
    written = inside[page.written[inside] & page.shown[inside]]
    assert after.keep[written].all()
    assert {edited.reasons[code] for code in after.why[written]} == {
        "kept by a rule written by hand"
    }
    dropped = with_rule(learned, name, Rule(kind="drop", select="body")).with_mode(mode)(page)
    kept = dropped.keep & (dropped.why == edited.reasons.index("dropped by a rule written by hand"))
    assert not kept.any()


def test_a_changed_rule_stays_when_the_model_is_updated(learned, english):
    text = learned.to_text()
    rule = learned.templates[0].rules[0]
    changed = text.replace(f'select = "{rule.select}"', 'select = "main.changed"', 1)
    site = Site.from_text(changed, learned.to_data())
    assert Rule(kind=rule.kind, select="main.changed", by_hand=True) in site.templates[0].rules
    updated = site.update([row["page"] for row in english[1:4:2]], date="2026-11-02")
    assert Rule(kind=rule.kind, select="main.changed", by_hand=True) in updated.templates[0].rules
    assert [one.date for one in updated.history] == ["2026-11-01", "2026-11-02"]


def test_an_unknown_kind_lists_the_known_ones():
    with pytest.raises(RulesError, match="content, drop"):
        Rule(kind="keep", select="p")


def test_rules_written_by_hand_alone_make_a_site():
    text = """kind = "chaffinch site"
version = 1
site = "a.test"
mode = "rules"
[[template]]
name = "stories"
signs = ["div.story"]
[[template.rule]]
kind = "content"
select = "div.story"
[[template.rule]]
kind = "drop"
select = "div.story aside"
"""
    site = Site.from_text(text)
    page = parse("<nav>Home</nav><div class=story><p>Grain.<aside>Chaff.</aside></div>")
    assert site.extract(page).text == "Grain."
    assert replace(site, templates=()).extract(page).notes.mode == "page-level default"
    assert isinstance(site, Site)


def test_a_content_rule_by_hand_is_stronger_than_what_the_data_has():
    page = parse(SHELLS["furnished"])
    written = """kind = "chaffinch site"
version = 1
site = "birds.test"
mode = "rules"
[[template]]
name = "birds"
signs = ["#root"]
[[template.rule]]
kind = "content"
select = "{}"
"""
    assert Site.from_text(written.format("#root")).extract(page).text == "Loading…"
    assert SONG in Site.from_text(written.format("main")).extract(page).text


WORDS = ("barley", "wheat", "rye", "oat", "spelt", "millet")


def told(page):
    """Judge a page by marks that no selector of rules looks at."""
    keep = page.inside(np.isin(np.arange(len(page)), page.select("[data-told]")))
    score = np.where(keep, 0.999, 0.001).astype(np.float32)
    return Verdict(keep, score, np.zeros(len(page), dtype=np.int8))


def stories(frame, *, count=6):
    """Return pages of a frame: {0} is a word, {1} a number, {2} paragraphs of a story."""
    out = []
    for n, word in enumerate(WORDS[:count]):
        texts = (f"<p>{word.title()} was sown in year {n * 90 + k} and reaped." for k in range(6))
        out.append(parse(frame.format(word, n, "".join(texts))))
    return out


def ruled(frame):
    """Return the model in rules mode that is learned from a frame's pages, and the pages."""
    pages = stories(frame)
    return trusted(Site.learn(pages[:4], method=told, mode="rules")), pages[4:]


def assert_told(site, pages):
    for page in pages:
        assert site(page).notes.mode == "rules"
        assert np.array_equal(site(page).keep & page.written, told(page).keep & page.written)


def test_a_class_that_the_slot_leaves_out_is_known_to_match():
    """The story's page bears «panel», too, as its fifth class: no rule may select by it alone."""
    site, pages = ruled(
        "<body><div class='wide col left page panel'><h4>{0} of the day, told by {0}ly</h4>"
        "<div class='panel' data-told>{2}</div></div>"
    )
    assert_told(site, pages)


def test_no_rule_drops_an_unnamed_element_that_stands_beside_the_story():
    """Both are «article > div»: what the one is dropped by would drop the other."""
    site, pages = ruled(
        "<body><article class=post><div>{0} of {1} views, written by {0}er on day {1}</div>"
        "<div><section class=text data-told>{2}</section></div></article>"
    )
    assert_told(site, pages)


def test_rules_stand_on_what_paragraphs_stand_in():
    """Lists are unknown where four pages had none; they are content as the paragraphs are."""
    frame = "<body><nav><a href=/>Home</a></nav><div class=text data-told>{2}{3}</div>"
    site, _ = ruled(frame.replace("{3}", ""))
    assert_told(site, stories(frame.replace("{3}", "<ul><li>{0} one<li>{0} two</ul>"))[4:])
