"""Learned rules have an example: the first words that they select on a page, and its address."""

from dataclasses import replace

from chaffinch import Site
from chaffinch.site.sample import (
    LONGEST,
    shown_words,
)

HOSTILE = "\x1b[31mred\u202e turned\u2066\x00\ud800\ue000 <script>alert(1)</script> 'quoted\" \\ "


def _rules(site):
    return [rule for template in site.templates for rule in template.rules]


def test_an_example_is_selected_by_its_rule_on_its_page(learned, english):
    pages = {row["url"]: row["page"] for row in english}
    rules = [rule for rule in _rules(learned) if rule.kind != "image"]
    assert rules
    for rule in rules:
        page = pages[rule.example_page]
        at = page.text_at
        spans = [page.text[at[row] : at[page.end[row]]] for row in rule.rows(page)]
        texts = [" ".join(span.split()) for span in spans]
        assert any(rule.example.rstrip("…") in text for text in texts), rule


def test_examples_are_short_and_printable():
    for text in (HOSTILE, HOSTILE * 100, "", " \n ", "a" * 500, "й" * LONGEST):
        line = shown_words(text)
        assert len(line) <= LONGEST
        assert line.isprintable()
        line.encode()
    assert shown_words("one\n  two") == "one two"
    assert shown_words("a" * 61) == "a" * 59 + "…"


def test_a_rule_that_a_person_changed_has_no_example(learned):
    rule = next(rule for rule in _rules(learned) if rule.example)
    mine = learned.to_text().replace(f'"{rule.select}"', f'"{rule.select} p"')
    changed = [
        one
        for one in _rules(Site.from_text(mine, learned.to_data()))
        if one.select == f"{rule.select} p"
    ]
    assert changed
    assert not any(one.example for one in changed)


def test_hostile_words_harm_neither_file_nor_report(learned):
    template = learned.templates[0]
    rules = tuple(
        replace(rule, example=shown_words(HOSTILE), example_page="https://a.test/<b>")
        for rule in template.rules
    )
    site = replace(learned, templates=(replace(template, rules=rules),))
    read = Site.from_text(site.to_text(), site.to_data())
    assert read.templates[0].rules[0].example == shown_words(HOSTILE)
    report = read.report()
    assert "\x1b" not in report.to_text()
    assert shown_words(HOSTILE) in report.to_text()
