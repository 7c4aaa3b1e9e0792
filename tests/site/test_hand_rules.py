"""Rules that people write: beside learned ones, for fields, in their file, for parts of pages."""

import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import Site, extract, load_parts, parse
from chaffinch.errors import RulesError
from chaffinch.siblings.pagination import in_order
from chaffinch.site import Rule
from chaffinch.site.fields import next_page
from chaffinch.site.file import keep_rule, remove_rule, with_rule, without_rule
from chaffinch.site.report import check_rules
from rows_of_cases import examples

sys.path.append(str(Path(__file__).parents[1]))

HEAD = 'kind = "chaffinch site"\nversion = 1\nsite = "mill.test"\n'
URL = "https://mill.test/list.html"


def site_of(rules, signs='["#mill"]'):
    """Return a site model of rules alone, as a person writes them: kind and selector."""
    text = f'{HEAD}[[template]]\nname = "mills"\nsigns = {signs}\n'
    for kind, select in rules:
        text += f'[[template.rule]]\nkind = "{kind}"\nselect = "{select}"\n'
    return Site.from_text(text)


def test_they_have_the_last_word_beside_learned_ones(learned, english):
    row = next(row for row in english[1::2] if row["template"] == "article")
    page, name = row["page"], learned.template_of(row["page"]).name
    nav = page.first("nav")
    inside = np.arange(nav, page.end[nav])
    assert not learned(page).keep[inside].any()

    def edited(kind, select):
        text = with_rule(learned.to_text(), Rule(kind=kind, select=select, by_hand=True), name)
        return Site.from_text(text, learned.to_data())

    after = edited("content", "nav")(page)
    written = inside[page.written[inside] & page.shown[inside]]
    assert after.keep[written].all()
    said = {learned.reasons[code] for code in after.why[written]}
    assert said == {"kept by a rule written by hand"}
    assert not edited("drop", "body").extract(page).text


def test_those_for_all_pages_act_beside_those_of_templates(learned, english):
    site, page = learned, english[0]["page"]
    ruled = replace(site, rules=(Rule(kind="drop", select="body", by_hand=True),))
    assert (bool(site.extract(page).text), ruled.extract(page).text) == (True, "")
    assert {one.rule for one in extract(page, method=ruled).explain()} == {"the site's rule «drop»"}


# Fields


def test_parts_follow_the_rule_for_the_next_page(tmp_path):
    names = ["first.html", "second.html", "third.html"]
    texts = ["Rye was sown in September.", "Barley followed in March.", "Oats were last of all."]
    for name, following, text in zip(names, [*names[1:], ""], texts, strict=True):
        link = f'<a class=onward href="{following}">Onward</a>' if following else ""
        html = f"<title>{text}</title><body id=mill><main><p>{text * 4}</p>{link}</main>"
        (tmp_path / name).write_text(html, encoding="utf-8")
    model = site_of([("next", "a.onward")])
    assert len(load_parts(tmp_path / "first.html")) == 1
    assert [one.head.title for one in load_parts(tmp_path / "first.html", site=model)] == texts
    files = [parse(tmp_path / name, url=(tmp_path / name).as_uri()) for name in names[::-1]]
    assert in_order(files, model.next_by_rule) == [2, 1, 0]


def part(url, body):
    return parse(f"<title>A long story of oaks</title><p>{url}{body}", url=f"https://a.test/{url}")


@pytest.mark.parametrize(("urls", "after", "order"), examples(__file__, "parts are put in order"))
def test_parts_are_put_in_order(urls, after, order):
    pages = [
        part(url, f"<a rel=next href={after[url]}>Next page</a>" if url in after else "")
        for url in urls
    ]
    assert in_order(pages) == order
    assert next_page(part("oak.html", "<a href=oak_2.html>2</a>")) == "https://a.test/oak_2.html"


# Rules put into a site's file and taken out of it: everything else in it stays to the letter


RULE = Rule(kind="drop", select='div[class="a"]', by_hand=True, taught="2026-11-22", share=0.5)
FILE = Path(__file__).with_name("written_by_hand.toml").read_text("utf-8")
BARE = HEAD + '# Templates follow.\n\n[[template]]\nname = "a"\nsigns = []\n'


@pytest.mark.parametrize(
    ("template", "before", "behind"),
    [
        ("", "div.notes", "# Stories."),
        ("stories", "p.lead", 'name = "shop"'),
        ("shop", "div.shop", "# the end"),
    ],
)
def test_a_rule_goes_in_and_out_again(template, before, behind):
    changed = with_rule(FILE, RULE, template)
    assert changed.index(before) < changed.index("taught") < changed.index(behind)
    assert without_rule(changed, RULE.kind, RULE.select, template) == FILE
    assert len(changed.splitlines()) - len(FILE.splitlines()) == 6
    site = Site.from_text(changed)
    place = next((one.rules for one in site.templates if one.name == template), site.rules)
    assert place[-1] == RULE


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("text", [FILE, BARE])
def test_the_endings_of_lines_stay(text, ending, tmp_path):
    path, source = tmp_path / "rules.toml", text.replace("\n", ending).encode()
    path.write_bytes(source)
    keep_rule(tmp_path, RULE)
    kept = path.read_bytes()
    assert kept.count(b"\n") == kept.count(ending.encode())
    head = source.index(b"#")  # rules for all pages stand before those of templates
    assert text == FILE or kept.startswith(source[:head])
    remove_rule(tmp_path, RULE.kind, RULE.select)
    assert path.read_bytes() == source


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda text: with_rule(with_rule(text, RULE), RULE), "there already"),
        (lambda text: with_rule(text, RULE, "news"), "no template 'news'"),
        (
            lambda _: with_rule("template = [3, 'news']\n" + HEAD, RULE, "news"),
            "no template 'news'",
        ),
        (lambda text: without_rule(text, "drop", "p"), "no rule that a person wrote: drop p"),
        (lambda text: without_rule(text, "drop", "p", "shop"), "no rule that a person wrote"),
        (lambda text: with_rule(text + "[", RULE), "not TOML"),
        (lambda text: with_rule('rule = "x"\n' + text.split("# keep")[0], RULE), "no tables"),
        (lambda _: with_rule("rule = [{kind='drop', select='p'}]\n" + HEAD, RULE), "edit"),
        (lambda _: Rule(kind="keep", select="p"), "content, drop"),
    ],
)
def test_what_cannot_be_done_is_said(change, problem):
    with pytest.raises(RulesError, match=problem):
        change(FILE)


def test_a_file_that_would_not_load_is_not_written(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(FILE, encoding="utf-8")
    with pytest.raises(RulesError, match=r"rules\.toml: rule 2 of the site"):
        keep_rule(tmp_path, Rule(kind="drop", select="p >", by_hand=True))
    assert path.read_text(encoding="utf-8") == FILE
    with pytest.raises(RulesError, match="can't read"):
        keep_rule(tmp_path / "absent", RULE)


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
COMMENTS = st.lists(TEXTS, max_size=2).map(lambda some: "".join(f"# {one}\n" for one in some))


@given(st.lists(st.tuples(COMMENTS, TEXTS, TEXTS), max_size=4))
def test_whatever_people_write_around_them(tables):
    text = HEAD
    for number, (comment, first, second) in enumerate(tables):
        quoted = "".join(c for c in first + "'''\n[[rule]]\n" if c != "'")
        text += f"\n{comment}[[template]]\nname = '''{number}{quoted}'''\n{comment}"
        text += f'signs = ["""{second.replace(chr(92), "").replace(chr(34), "")}\n[x]\n"""]\n'
    changed = with_rule(text, RULE)
    assert tomllib.loads(changed)["rule"][0]["kind"] == "drop"
    assert without_rule(changed, RULE.kind, RULE.select) == text


def test_a_model_passes_the_check_on_its_own_pages(learned, english):
    """Learned rules on content vote: they may lie in one another, and on nearly all of a page."""
    pages = [row["page"] for row in english[::2]]
    found = [one for one in check_rules(learned, pages) if one.rule is not None]
    assert not any(one.remark for one in found), [one for one in found if one.remark]

    def remarks(*rules):
        given = tuple(Rule(kind=kind, select=select, by_hand=True) for kind, select in rules)
        return [one.remark for one in check_rules(replace(learned, rules=given), pages)][
            : len(rules)
        ]

    assert "too much" in remarks(("content", "html"))[0]
    assert remarks(("drop", "nav")) == [""]
    assert [bool(one) for one in remarks(("drop", "footer"), ("drop", "footer a"))] == [False, True]


def test_a_check_counts_fields_by_entry():
    page = parse(f"<main id=mill><ul>{'<li>Oats <b>3 crowns</b>' * 6}</ul></main>", url=URL)
    rules = [("record", "li"), ("price", "b")]
    assert not any(one.remark for one in check_rules(site_of(rules), [page]))
    assert any(one.remark for one in check_rules(site_of(rules[1:]), [page]))
