"""What differs between two models, in words; and rules tried on pages."""

import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from chaffinch import Site, parse
from chaffinch.cli import main
from chaffinch.site import Rule, Statistics, merged
from chaffinch.site.differences import differences
from chaffinch.site.rule_check import check_rules


def renamed(html):
    """Return a page with all of its class names and ids changed, the same ones on every page."""
    return re.sub(
        r'(class|id)="([^"]*)"',
        lambda m: f'{m[1]}="{" ".join("z" + name[::-1] for name in m[2].split())}"',
        html,
    )


def with_rules(site, number, rules):
    templates = list(site.templates)
    templates[number] = replace(templates[number], rules=tuple(rules))
    return replace(site, templates=tuple(templates))


@pytest.fixture(scope="module")
def pages(english):
    return [row["page"] for row in english]


def remarks(site, pages):
    return {
        (one.template, one.rule.kind, one.rule.select): one.remark
        for one in check_rules(site, pages)
        if one.rule is not None
    }


def test_a_model_differs_in_nothing_from_itself(learned, tmp_path):
    assert differences(learned, learned) == []
    learned.save(tmp_path / "site.toml")
    assert differences(learned, Site.load(tmp_path / "site.toml")) == []
    assert differences(Site(), Site()) == []


def test_rules_that_changed_are_reported(learned):
    template = learned.templates[0]
    first, *rest = template.rules
    here = f"template {template.name}:"
    other = replace(first, select=".elsewhere", by_hand=True)
    assert differences(learned, with_rules(learned, 0, [other, *rest])) == [
        f"{here} {first.kind} {first.select} became .elsewhere (by hand)"
    ]
    assert differences(learned, with_rules(learned, 0, rest)) == [
        f"{here} no longer {first.kind} {first.select}"
    ]
    assert differences(with_rules(learned, 0, rest), learned) == [
        f"{here} now {first.kind} {first.select}"
    ]
    by_hand = [replace(first, by_hand=True), *rest]
    assert differences(learned, with_rules(learned, 0, by_hand)) == [
        f"{here} {first.kind} {first.select} is by hand now"
    ]
    unsure = [replace(first, confidence=first.confidence - 0.5), *rest]
    (said,) = differences(learned, with_rules(learned, 0, unsure))
    assert said.startswith(f"{here} {first.kind} {first.select} is ")
    assert said.endswith(f" sure, not {first.confidence:.0%}")


def test_templates_that_come_and_go_are_reported(learned):
    fewer = replace(learned, templates=learned.templates[1:])
    lost = learned.templates[0]
    gone = differences(learned, fewer)
    assert gone == [f"template {lost.name} is gone ({lost.pages} pages before)"]
    assert differences(fewer, learned) == [f"template {lost.name} is new ({lost.pages} pages)"]


def test_places_that_changed_sides_are_counted_and_named(learned):
    template = learned.templates[0]
    log_odds = template.slots.log_odds.copy()
    turned = int((log_odds >= 2).argmax())
    assert log_odds[turned] >= 2
    log_odds[turned] = -4
    changed = replace(template, slots=replace(template.slots, log_odds=log_odds))
    after = replace(learned, templates=(changed, *learned.templates[1:]))
    (said,) = differences(learned, after)
    assert "1 place turned from content to noise, such as " in said
    (back,) = differences(after, learned)
    assert "1 place turned from noise to content" in back


def test_a_template_rebuilt_is_known_by_its_texts(english):
    before = Site.of(merged([row["part"] for row in english]))
    name = before.template_of(next(r["page"] for r in english if r["template"] == "article")).name
    parts = [
        Statistics.of_page(parse(renamed(row["html"]), url=row["url"]), date="2026-12-01")
        if row["template"] == "article"
        else row["part"]
        for row in english
    ]
    said = differences(before, Site.of(merged(parts)))
    assert any(one.startswith(f"template {name} is gone") for one in said)
    assert any(one.endswith(f"returned in {name} alone: the same one, rebuilt") for one in said)
    assert sum("rebuilt" in one for one in said) == 1


def test_learned_rules_are_right_on_their_own_pages(learned, english):
    own = [row["page"] for row in english[::2]]
    wrong = {
        key: remark
        for key, remark in remarks(learned, own).items()
        if "nothing" in remark or "learned from" in remark
    }
    assert not wrong


def test_rules_that_match_nothing_or_too_much_are_named(learned, pages):
    template = learned.templates[0]
    bad = [
        Rule(kind="drop", select=".nowhere", by_hand=True),
        Rule(kind="title", select="a", by_hand=True),
    ]
    said = remarks(with_rules(learned, 0, [*template.rules, *bad]), pages)
    assert said[template.name, "drop", ".nowhere"] == "matches nothing"
    assert said[template.name, "title", "a"].startswith("matches too much: ")
    for kind, words in (("content", "matches too much"), ("drop", "drops nearly all")):
        body = [*template.rules, Rule(kind=kind, select="body", by_hand=True)]
        said = remarks(with_rules(learned, 0, body), pages)
        assert said[template.name, kind, "body"].startswith(words)


def test_rules_that_decide_nothing_are_named(learned, pages):
    template = learned.templates[0]
    content = next(rule for rule in template.rules if rule.kind == "content")
    again = Rule(kind="content", select=f"{content.select} p", by_hand=True)
    idle = Rule(kind="drop", select="footer", by_hand=True)
    said = remarks(with_rules(learned, 0, [content, again, idle]), pages)
    assert said[template.name, "drop", "footer"].startswith("changes nothing")
    assert said[template.name, "content", content.select] == ""
    over = Rule(kind="drop", select=content.select, by_hand=True)
    said = remarks(with_rules(learned, 0, [content, over]), pages)
    assert said[template.name, "content", content.select].startswith("changes nothing")


def test_a_rule_that_hardly_matches_any_more_is_named(learned, english):
    template = learned.templates[0]
    rule = Rule(kind="title", select="h1.seldom", support=template.pages, confidence=1.0)
    changed = with_rules(learned, 0, [rule])
    own = [row["page"] for row in english if learned.template_of(row["page"]) is template]
    page = own[0]
    title = '<h1 class="seldom">Once</h1>'
    html = next(row["html"] for row in english if row["page"] is page)
    marked = parse(html.replace("<h1", f"{title}<h1", 1), url=page.url)
    said = remarks(changed, [marked, *own[1:]])
    assert said[template.name, "title", "h1.seldom"].endswith("learned from 100%")


def test_the_commands_say_so_and_exit(learned, english, tmp_path):
    model, other = tmp_path / "site.toml", tmp_path / "other.toml"
    learned.save(model)
    template = learned.templates[0]
    bad = Rule(kind="drop", select=".nowhere", by_hand=True)
    with_rules(learned, 0, [*template.rules, bad]).save(other)
    run = CliRunner()
    assert run.invoke(main, ["site", "diff", str(model), str(model)]).output == "nothing differs\n"
    said = run.invoke(main, ["site", "diff", str(model), str(other)])
    assert (said.exit_code, said.output) == (
        0,
        f"template {template.name}: now drop .nowhere (by hand)\n",
    )
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, row in enumerate(english):
        if learned.template_of(row["page"]) is template:
            (folder / f"{number}.html").write_bytes(row["html"].encode("latin-1"))
    count = len(list(folder.iterdir()))
    said = run.invoke(main, ["rules", "check", str(other), str(folder)])
    assert said.exit_code == 1
    assert f"drop .nowhere: on 0 of {count} pages, matches nothing" in said.output
    missing = run.invoke(main, ["site", "diff", str(model), str(tmp_path / "no.toml")])
    assert missing.exit_code == 2
    assert "can't read" in missing.output
