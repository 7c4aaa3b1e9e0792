"""The inspector in a real browser: each flow, from the first click on."""

import os
import re
import signal
import subprocess
import sys

import pytest
from accessibility import serious_findings
from running_service import PAGE, PARAGRAPH, running

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

TABLE = "<table><tr><th>Year<th>Tonnes<tr><td>1990<td>3<tr><td>1991<td>4</table>"
HIDDEN = "<p hidden>Finches that nobody sees sing in the dark, and end with a flourish.</p>"
FULL = PAGE.replace(
    "</article>",
    f"{TABLE}{HIDDEN}<img src=https://pictures.test/finch.png alt='A finch on a twig' width=400 "
    f"height=300><h2>Food</h2><p>{PARAGRAPH * 2}<ul><li>Seeds of <b>rye</b>, beech and many herbs "
    "of the field<li>Insects in summer, with which it feeds its young</ul>"
    f"<p>{PARAGRAPH * 3}</article>"
    "<div class=comments><h3>Comments</h3><p>What a fine bird this is, said a reader of it.</p>"
    "</div>",
)
PAINTED = """(name) => [...(CSS.highlights.get(name) ?? [])]
  .map((range) => range.startContainer.data.slice(0, 20))"""


def paste(tab, html=FULL):
    tab.fill("textarea", html)
    tab.click("button.first")
    tab.wait_for_selector("page-frame[data-built]")
    return next(one for one in tab.frames if "/inspector/frame" in one.url)


def painted(frame, name):
    return frame.evaluate(PAINTED, name)


def soon(check):
    """Wait until a check holds, ten seconds at most."""
    for _ in range(100):
        if check():
            return
        soon.tab.wait_for_timeout(100)
    assert check()


@pytest.fixture(autouse=True)
def _waits(tab):
    soon.tab = tab


# A page, by its source, its address, a file


def test_a_pasted_page_is_shown_beside_its_blocks(tab):
    frame = paste(tab, PAGE)
    assert frame.inner_text("article h1") == "Finches"
    assert tab.locator(".row.kept[data-block]").count() == 2
    assert tab.locator(".row.title[data-block]").count() == 1
    assert tab.locator(".row.dropped[data-block]").count() == 2
    assert len(painted(frame, "kept")) == 2
    assert painted(frame, "title") == ["Finches"]


def test_a_page_by_its_address_which_can_be_shared(tab, web):
    tab.fill("input[name=url]", f"{web.url}/finches")
    tab.click("button.first")
    tab.wait_for_selector(".row.kept")
    tab.click("[data-value=recall]")
    tab.click("#tab-markdown")
    address = tab.url
    assert "favor=recall" in address
    tab.goto("about:blank")
    tab.goto(address)
    expect(tab.locator("#tab-markdown")).to_have_attribute("aria-selected", "true")
    expect(tab.locator("[data-value=recall]")).to_have_attribute("aria-pressed", "true")
    expect(tab.locator("output-view h2")).to_have_text("Finches")


def test_a_dropped_file(tab):
    tab.evaluate(
        """(html) => {
          const data = new DataTransfer();
          data.items.add(new File([html], "page.html", { type: "text/html" }));
          window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }""",
        PAGE,
    )
    tab.wait_for_selector(".row.kept")


def test_what_is_no_page_says_so(tab, web):
    web.pages["binary"] = lambda site: site.answer(b"%PDF-1.7", content_type="application/pdf")
    tab.fill("input[name=url]", f"{web.url}/binary")
    tab.click("button.first")
    expect(tab.locator("[role=alert]")).to_contain_text("didn't work")


# Marks, reasons


def test_marks_go_both_ways(tab):
    frame = paste(tab)
    frame.hover("article p >> nth=0")
    tab.wait_for_selector("#block-2.marked")
    assert painted(frame, "marked")[0].startswith("The chaffinch")
    tab.hover("#block-0")
    soon(lambda: painted(frame, "marked")[:1] == ["Home"])
    frame.click("article p >> nth=1")
    tab.wait_for_selector("block-reasons header")
    tab.keyboard.press("ArrowDown")
    tab.wait_for_selector("#block-4.marked")
    soon(lambda: painted(frame, "marked") == ["Year"])


def test_why_a_block_was_kept(tab):
    paste(tab)
    tab.click("#block-2")
    panel = tab.locator("block-reasons")
    expect(panel.locator("h2")).to_have_text("Block 2")
    expect(panel.locator(".evidence tr").first).to_be_visible()
    expect(panel).to_contain_text("article:nth-of-type(1) > p")
    assert "block=2" in tab.url
    tab.keyboard.press("Escape")
    expect(panel).to_be_hidden()


# Colours, layers, visual blocks, hidden rows, images


def test_colours_by_score(tab):
    frame = paste(tab)
    tab.click("[data-value=score]")
    soon(lambda: painted(frame, "kept") == [] and painted(frame, "score9") != [])
    tab.click("[data-value=none]")
    soon(lambda: painted(frame, "score9") == [])


def test_hidden_rows_are_shown(tab):
    frame = paste(tab)
    assert not frame.is_visible("p[hidden]")
    tab.select_option(".filters select", "hidden")
    assert tab.locator(".row[data-block]").count() == 1
    tab.keyboard.press("Escape")
    tab.locator("main").focus()
    tab.keyboard.press("h")
    expect(frame.locator("p[hidden]")).to_be_visible()
    tab.keyboard.press("h")
    expect(frame.locator("p[hidden]")).to_be_hidden()


def test_images_are_asked_for_only_when_they_are_wanted(tab):
    asked = []
    tab.context.route(
        "https://pictures.test/**",
        lambda route: (
            asked.append(route.request.headers),
            route.fulfill(body=b"", content_type="image/png"),
        ),
    )
    frame = paste(tab)
    assert asked == []
    assert frame.get_attribute("img", "src") is None
    tab.click("details.more summary")
    tab.click("text=Load images")
    soon(lambda: asked)
    assert "referer" not in asked[0]
    assert "images=1" in tab.url


# The decision again


def test_favours_and_policies_repaint_at_once(tab):
    frame = paste(tab)
    before = len(painted(frame, "kept"))
    tab.click("details.more summary")
    tab.select_option(".policies select >> nth=3", "keep")  # comments
    soon(lambda: any("fine bird" in one for one in painted(frame, "kept")))
    assert painted(frame, "changed")
    expect(tab.locator(".report")).to_contain_text("changed")
    assert tab.locator(".row.changed").count() >= 1
    assert "policy=%2Bcomments" in tab.url
    tab.select_option(".policies select >> nth=3", "")
    soon(lambda: len(painted(frame, "kept")) == before)


# Outputs


PARTS = {
    "text": ("p.part >> nth=0", "The chaffinch"),
    "markdown": ("li p.part >> nth=0", "Seeds of"),
    "html": (".line >> text=Insects", "Insects"),
    "tables": ("figure.part", "Year"),
    "outline": ("li.part >> nth=1", "Food"),
    "chunks": ("article.part >> nth=0", "The chaffinch"),
}
"""Output → a part of it, and what that marks on the page."""


def test_outputs_mark_where_they_came_from(tab):
    frame = paste(tab)
    for output, (part, marked) in PARTS.items():
        tab.click(f"#tab-{output}")
        tab.hover(f"output-view {part}")
        soon(lambda text=marked: any(one.startswith(text) for one in painted(frame, "marked")))
    frame.hover("article p >> nth=0")
    expect(tab.locator(".part.marked")).to_have_count(1)
    tab.click("#tab-metadata")
    expect(tab.locator("tr:has-text('title')").first).to_contain_text("Finches")


def test_markdown_rendered_and_as_its_source(tab):
    paste(tab)
    tab.click("#tab-markdown")
    expect(tab.locator("output-view li strong")).to_have_text("rye")
    expect(tab.locator("output-view th").first).to_have_text("Year")
    tab.click("[data-value=source]")
    expect(tab.locator("output-view pre")).to_contain_text("- Seeds of **rye**")


def test_images_and_records_and_posts(tab):
    paste(tab)
    tab.click("#tab-images")
    expect(tab.locator("output-view")).to_contain_text("finch")
    for name in ("records", "posts"):
        tab.click(f"#tab-{name}")
        expect(tab.locator("output-view .state")).to_have_text("The page has none.")


# Languages, sizes, the keyboard, screen readers


def test_chinese_and_dark(tab):
    paste(tab)
    tab.select_option("header select", "zh")
    expect(tab.locator("#tab-blocks")).to_have_text("文本块")
    assert tab.locator("html").get_attribute("lang") == "zh-Hans"
    light = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    tab.click("header button >> nth=0")
    tab.click("header button >> nth=0")
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_every_text_is_there_in_both_languages(inspector):
    texts = [inspector.get(f"/static/texts/{name}.js").body.decode()
             for name in ("general", "page", "site")]  # fmt: skip
    entries = re.findall(
        r'^  "([\w. ]+)": \{(.*?)\},?$', "\n".join(texts), re.DOTALL | re.MULTILINE
    )
    assert len(entries) > 100
    assert all("en:" in text and "zh:" in text for _, text in entries)


def test_a_narrow_screen_has_all_of_it(tab):
    tab.set_viewport_size({"width": 400, "height": 800})
    paste(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert not tab.is_visible("block-table")
    tab.click("[data-value=data]")
    tab.click("#block-2")
    expect(tab.locator("block-reasons")).to_be_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_keyboard_alone(tab):
    frame = paste(tab)
    tab.locator("main").focus()
    tab.keyboard.press("j")
    tab.keyboard.press("j")
    tab.wait_for_selector("#block-1.marked")
    tab.keyboard.press("Enter")
    expect(tab.locator("block-reasons h2")).to_have_text("Block 1")
    tab.keyboard.press("f")
    expect(tab.locator("[data-value=recall]")).to_have_attribute("aria-pressed", "true")
    tab.keyboard.press("c")
    soon(lambda: painted(frame, "score9"))
    tab.keyboard.press("]")
    expect(tab.locator("#tab-text")).to_have_attribute("aria-selected", "true")
    tab.keyboard.press("?")
    expect(tab.locator("dialog")).to_contain_text("Show why")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_checker_of_accessibility_finds_nothing_serious(tab, theme):
    tab.emulate_media(color_scheme=theme)
    paste(tab)
    tab.click("#block-2")
    tab.wait_for_selector(".evidence")
    tab.click("details.more summary")
    for name in ("blocks", "markdown", "metadata"):
        tab.click(f"#tab-{name}")
        tab.wait_for_selector("block-table .row, output-view .part")
        assert serious_findings(tab) == []


def test_the_checker_finds_nothing_in_forms(tab, inspector):
    tab.goto(f"{inspector.url}/#/")
    tab.wait_for_selector("form.start")
    assert serious_findings(tab) == []


# The verb, tokens


def test_a_token_is_asked_for_where_one_is_needed(chromium, monkeypatch):
    monkeypatch.setenv("CHAFFINCH_TOKEN", "a-long-secret-of-some-words")
    with running("-w", "1", "--no-mcp") as service:
        page = chromium.new_page()
        page.goto(f"http://127.0.0.1:{service.port}/")
        page.fill("input[name=token]", "a-wrong-secret-of-some-words")
        page.click("button.first")
        page.wait_for_selector("input[name=token]")
        page.fill("input[name=token]", "a-long-secret-of-some-words")
        page.click("button.first")
        page.fill("textarea", PAGE)
        page.click("button.first")
        expect(page.locator(".row.kept").first).to_be_visible(timeout=20_000)
        page.close()


def test_the_verb_opens_what_it_is_given(chromium, tmp_path):
    path = tmp_path / "finches.html"
    path.write_text(PAGE)
    command = [sys.executable, "-m", "chaffinch", "inspect", str(path), "--no-open", "-w", "1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ) as process:
        address = re.search(r"http://127\.0\.0\.1:\d+/#/page\?given=0", process.stderr.readline())
        page = chromium.new_page()
        page.goto(address[0])
        expect(page.locator(".row.kept").first).to_be_visible(timeout=30_000)
        page.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) in (0, 130, -signal.SIGINT)
