"""Reports of site models: what they say is true, and no page can break them."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser

from chaffinch import Site, parse
from chaffinch.cli import main
from chaffinch.site import Rule
from chaffinch.site.heat_map import HeatMap, path_of, representatives
from chaffinch.site.slot_paths import slot_paths

HOSTILE = """<!doctype html><title>&lt;script>alert(1)&lt;/script></title><body>
<div class='x"><script>alert(2)</script>' id="'><img src=x onerror=alert(3)>">
<p>&lt;script>alert("4")&lt;/script> &amp;lt; 'x' "y" \x00 \x0b \ufffe \x1b[31m backwards</p></div>
<p>&lt;/dl>&lt;/div>&lt;/style>&lt;/section> ]]> --></p>"""


@pytest.fixture(scope="module")
def pages(english):
    return [row["page"] for row in english]


@pytest.fixture(scope="module")
def drawn(learned, pages):
    return learned.report().to_html(pages)


def is_safe(html):
    tree = LexborHTMLParser(html)
    policy = tree.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"]
    assert "default-src 'none'" in policy
    assert not tree.css("script, link, img, iframe, object, embed, form, base, svg, video")
    for node in tree.css("*"):
        assert not any(name.startswith("on") for name in node.attributes)
        href = node.attributes.get("href")
        assert href is None or href.startswith("#")
    assert not re.search("[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]", html)
    return tree


def test_the_report_shows_every_template_and_rule(drawn, learned):
    tree = is_safe(drawn)
    sections = tree.css("section")
    assert [one.css_first("h2").text() for one in sections] == [t.name for t in learned.templates]
    for section, template in zip(sections, learned.templates, strict=True):
        rows = section.css("td.kind")
        assert [row.text() for row in rows] == [rule.kind for rule in template.rules]
        selectors = [code.text() for code in section.css("td.kind + td code")]
        assert selectors == [rule.select for rule in template.rules]
        for rule in template.rules:
            assert rule.by_hand or f"{rule.support:,} pages" in section.text()


def test_the_heat_map_holds_every_block_once_with_its_evidence(drawn, learned, pages):
    chosen = representatives(learned, pages)
    tree = LexborHTMLParser(drawn)
    maps = dict(zip((t.name for t in learned.templates), tree.css("section"), strict=True))
    for template in learned.templates:
        heat = HeatMap.of(learned, template, chosen[template.name])
        boxes = maps[template.name].css(".map .box")
        assert len(boxes) == len(heat)
        for block, box in enumerate(boxes):
            names = box.attributes["class"].split()
            assert f"p{round(10 * float(heat.joined[block]))}" in names
            assert ("kept" in names) == bool(heat.keep[block])
            assert box.css_first("dd").text() == heat.slot_path(block)
            shown = box.css_first("span").text().split("… and ")[0]
            assert heat.blocks.text(block).startswith(shown)


def test_frames_hold_what_their_rule_selects(drawn, learned, pages):
    chosen = representatives(learned, pages)
    tree = LexborHTMLParser(drawn)
    for section, template in zip(tree.css("section"), learned.templates, strict=True):
        heat = HeatMap.of(learned, template, chosen[template.name])
        around = list(heat.around())
        for rule, rows in heat.ruled:
            inside = {
                block
                for block, first in enumerate(heat.blocks.first[: len(heat)].tolist())
                if any(row <= first < heat.page.end[row] for row in rows.tolist())
            }
            assert {n for n, rules in enumerate(around) if rule in [r for _, r in rules]} == inside
        framed = sum(
            any(rule.kind in {"content", "drop", "record"} for _, rule in rules) for rules in around
        )
        boxes = section.css(".frame .box")
        assert len({box.mem_id for box in boxes}) == framed


def test_the_heat_map_shows_what_full_mode_decides(learned, pages):
    for page in pages:
        template = learned.template_of(page)
        if template is None:
            continue
        heat = HeatMap.of(learned, template, page)
        verdict = learned.with_mode("full")(page)
        first = heat.blocks.first[: len(heat)]
        assert (heat.keep == verdict.keep[first]).all()
        assert np.allclose(heat.joined, verdict.score[first], atol=1e-6) or not template.usable
        known = heat.slot >= 0
        assert (template.slots.pages[heat.slot[known]] >= 1).all()


def test_looking_is_not_use(learned, pages):
    before = learned.usage.to_dict()
    learned.report().to_html(pages[:3])
    assert learned.usage.to_dict() == before


def test_the_example_of_the_model_is_the_page_shown(learned, pages):
    chosen = representatives(learned, reversed(pages))
    for template in learned.templates:
        if any(page.url == template.page for page in pages):
            assert chosen[template.name].url == template.page


def test_places_are_named_alike_from_the_sample_and_from_a_page(learned, pages):
    names = slot_paths(learned)
    page = pages[0]
    bare = replace(learned, statistics=None)
    for slot, name in slot_paths(bare, page).items():
        if slot in names:
            assert name == names[slot]
    assert slot_paths(bare) == {}
    assert path_of(page, page.body) == "body"


def test_no_page_breaks_the_report():
    pages = [parse(HOSTILE.replace("alert(2)", f"alert({n})")) for n in range(4)]
    site = Site.learn(pages, date="<b>today</b>")
    by_hand = tuple(
        replace(t, rules=(*t.rules, Rule(kind="drop", select='[class*="<script>"]', by_hand=True)))
        for t in site.templates
    )
    tree = is_safe(replace(site, name="<script>", templates=by_hand).report().to_html(pages))
    assert tree.css_first("h1").text() == "<script>"
    assert "by hand" in tree.css_first("section").text()


@pytest.mark.parametrize("html", ["", "<p>one", "<title>only</title>"])
def test_small_models_have_reports(html):
    page = parse(html)
    site = Site.learn([page])
    is_safe(site.report().to_html([page]))
    is_safe(Site().report().to_html([page]))
    assert site.report().to_text()


def test_the_command_writes_the_report_and_what_changed(learned, english, tmp_path):
    model, report = tmp_path / "site.toml", tmp_path / "report.html"
    learned.save(model)
    for number, row in enumerate(english):
        (tmp_path / f"{number}.html").write_bytes(row["html"].encode("latin-1"))
    arguments = ["site", "report", str(model), str(tmp_path / "0.html"), "--html", str(report)]
    done = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert [one["name"] for one in said["templates"]] == [one.name for one in learned.templates]
    assert sum(one["pages"] for one in said["usage"].values()) == 1
    tree = is_safe(report.read_text(encoding="utf-8"))
    assert len(tree.css(".map")) == 1
    gone = CliRunner().invoke(main, [*arguments[:-1], str(tmp_path / "no" / "report.html")])
    assert gone.exit_code == 1
    assert "can't write" in gone.output
