"""What published methods would keep, as layers beside the decision: in a real browser."""

import json

import pytest
from accessibility import serious_findings
from running_service import PAGE, PARAGRAPH

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

ALONE = ["information_blocks", "block_density", "line_blocks", "anchor_blocks"]
COMPARING = ["layout_similarity", "sibling_subtrees", "cluster_rules"]
STORY = (
    "<!doctype html><title>{0}</title><ul class=menu><li><a href=/>Home of all birds</a></ul>"
    "<div class=story><h1>{0} in the stubble</h1><p>{1}</p><p>{1}</p></div>"
    "<ul class=more>{2}</ul><p class=foot>Printed by hand at Corve</p>"
)
BIRDS = ["finch", "wren", "owl", "lark", "rook"]


def story(bird):
    links = "".join(f"<li><a href=/birds/{one}>Of the {one} in winter</a>" for one in BIRDS)
    return STORY.format(bird, PARAGRAPH.replace("chaffinch", bird) * 3, links)


@pytest.fixture
def birds(web):
    """The address of a page whose site has four more of its template."""
    web.pages["birds"] = lambda site: site.answer(story(site.path.rpartition("/")[2]))
    return f"{web.url}/birds/finch"


def opened(tab, url):
    tab.fill("input[name=url]", url)
    tab.click("button.first")
    tab.wait_for_selector("page-frame[data-built]")
    return tab.frame_locator("page-frame iframe")


def test_several_layers_at_once_by_keyboard_in_the_table_and_on_the_page(tab, birds):
    frame = opened(tab, birds)
    for number in (1, 3, 4):
        tab.keyboard.press(str(number))
    marks = tab.locator("#block-1 .layers .mark")
    expect(marks).to_have_count(3)
    expect(tab.locator("#block-1 .layers .unseen")).to_contain_text("line_blocks: ")
    expect(tab.locator("button[data-layer=anchor_blocks]")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(tab.locator(".legend .mark")).to_have_count(3)
    expect(frame.locator("chaffinch-overlay")).to_have_count(1)
    tab.wait_for_function("() => location.hash.includes('layers=')")
    tab.select_option(".filters select", "disputed")
    disputed = tab.locator(".row[data-block]")
    expect(disputed.first).to_be_visible()
    assert 0 < disputed.count() < len(BIRDS) + 5
    address = tab.url
    tab.goto("about:blank")
    tab.goto(address)
    expect(tab.locator("#block-1 .layers .mark")).to_have_count(3)
    tab.keyboard.press("0")
    expect(tab.locator(".mark.kept >> visible=true")).to_have_count(len(ALONE) + len(COMPARING))
    expect(frame.locator("chaffinch-overlay")).to_have_count(0)


def test_what_needs_other_pages_says_so_until_there_are_some(tab, birds):
    opened(tab, birds)
    for name in COMPARING:
        expect(tab.locator(f"[data-layer={name}]")).to_have_attribute("aria-disabled", "true")
    tab.focus("[data-layer=cluster_rules]")
    tab.keyboard.press("Enter")
    expect(tab.locator("layer-choices .said")).to_contain_text("none is known")
    assert tab.locator(".layers .mark").count() == 0
    web_page = birds.rpartition("/")[0]
    tab.fill("textarea[name=siblings]", f"{web_page}/wren {web_page}/owl http://127.0.0.1:1/gone")
    tab.click("text=Use these")
    expect(tab.locator("layer-choices .said")).to_contain_text("127.0.0.1:1/gone")
    for name in COMPARING:
        tab.click(f"[data-layer={name}]")
    expect(tab.locator("#block-1 .layers .mark.kept")).to_have_count(len(COMPARING))
    foot = tab.locator(".row[data-block]").last
    expect(foot.locator(".mark.kept")).to_have_count(0)


def test_other_pages_are_found_by_links_or_given_as_files(tab, birds, tmp_path):
    opened(tab, birds)
    tab.click(".siblings-part summary")
    tab.click("text=Find some by its links")
    expect(tab.locator("#layers-why")).to_contain_text("4 pages that you named")
    paths = []
    for bird in BIRDS[1:3]:
        paths.append(tmp_path / f"{bird}.html")
        paths[-1].write_text(story(bird), encoding="utf-8")
    tab.set_input_files("[name=siblings-files]", paths)
    tab.click("text=Use these")
    expect(tab.locator("#layers-why")).to_contain_text("2 pages that you named")
    tab.keyboard.press("Escape")
    tab.click("[data-layer=layout_similarity]")
    expect(tab.locator("#block-1 .layers .mark.kept")).to_have_count(1)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_narrow_and_in_both_languages_the_checker_finds_nothing(tab, birds, language):
    tab.set_viewport_size({"width": 400, "height": 800})
    opened(tab, birds)
    tab.select_option("header select", language)
    tab.reload()
    tab.wait_for_selector("page-frame[data-built]")
    tab.click(".layers-part > summary")
    tab.click("[data-layer=line_blocks]")
    tab.focus("[data-layer=cluster_rules]")
    tab.keyboard.press("Space")
    expect(tab.locator("layer-choices .said")).to_contain_text(
        "none is known" if language == "en" else "目前没有"
    )
    tab.click(".sides [data-value=data]")
    expect(tab.locator("#block-1 .layers .mark")).to_have_count(1)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert serious_findings(tab) == []


def test_a_layer_that_can_t_be_had_is_a_problem_of_the_page(inspector):
    held = inspector.post("/v1/inspect/page", {"page": {"html": PAGE}}).json
    assert held["siblings"] == {"count": 0, "from": "none"}
    asked = {"held": held["held"], "method": "cluster_rules"}
    refused = inspector.post("/v1/inspect/layer", asked)
    assert refused.kind == "page"
    assert "none is given" in refused.json["detail"]
    assert inspector.post("/v1/inspect/layer", {**asked, "method": "auto"}).kind == "invalid"
    siblings = {"held": held["held"], "pages": [{"html": story(one)} for one in BIRDS]}
    assert inspector.post("/v1/inspect/siblings", siblings).json["count"] == len(BIRDS)
    assert json.loads(inspector.post("/v1/inspect/layer", asked).body)["siblings"] == len(BIRDS)
    many = {"held": held["held"], "pages": [{"html": PAGE}] * 33}
    assert inspector.post("/v1/inspect/siblings", many).kind == "invalid"
    assert inspector.post("/v1/inspect/siblings", {"held": held["held"], "find": True}).kind == (
        "invalid"
    )
