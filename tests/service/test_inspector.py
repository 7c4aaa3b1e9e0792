"""The inspector in a real browser: a page from the first click on, and a site that is taught."""

import contextlib
import json
import re
import signal

import pytest
from running_service import PAGE, PARAGRAPH, Inspected, soon

from answering_server import Given
from chaffinch import Site, parse
from chaffinch.site import Rule
from chaffinch.site.file import keep_rule

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

expect.set_options(timeout=20_000)  # a busy machine is slow

TABLE = "<table><tr><th>Year<th>Tonnes<tr><td>1990<td>3<tr><td>1991<td>4</table>"
HIDDEN = "<p hidden>Finches that nobody sees sing in the dark, and end with a flourish.</p>"
NOISE = "".join(f"<p><a href=/{n}>Field {n}</a></p>" for n in range(40))
FULL = PAGE.replace("<article>", f"<div class=menu>{NOISE}</div><article>").replace(
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
RULES = {"iframes": False, "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}


def paste(tab, html=FULL):
    tab.fill("textarea", html)
    tab.click("button.first")
    tab.wait_for_selector("page-frame[data-built]")
    return next(one for one in tab.frames if "/inspector/frame" in one.url)


def painted(frame, name):
    return frame.evaluate(PAINTED, name)


def serious_findings(tab):
    """What axe, a checker of accessibility, calls serious or critical: the rule, and where."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    return [
        (one["id"], [node["html"][:200] for node in one["nodes"]])
        for one in axe.Axe().run(tab, options=RULES).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def test_it_opens_at_the_first_kept_block_with_a_map_beside_it(tab):
    frame = paste(tab)
    kept = "article p >> nth=0"
    assert frame.is_visible(kept)
    soon(tab, lambda: 0 <= frame.locator(kept).bounding_box()["y"] < 400)
    soon(tab, lambda: frame.evaluate("scrollY") > 300)
    expect(tab.locator(".row.kept").first).to_be_in_viewport()
    assert painted(frame, "kept")[0] == "Finches"  # the title, which heads other outputs
    assert "Home" in painted(frame, "dropped")
    expect(tab.locator(".report")).to_contain_text("blocks are kept")
    box = tab.locator(".map").bounding_box()
    tab.mouse.click(box["x"] + 5, box["y"] + 2)
    soon(tab, lambda: frame.evaluate("scrollY") == 0)


def test_a_page_by_its_url_which_can_be_shared(tab, web):
    tab.fill("input[name=url]", f"{web.url}/finches")
    tab.click("button.first")
    tab.wait_for_selector(".row.kept")
    assert tab.inner_text(".url code") == f"{web.url}/finches"
    tab.select_option(".controls > .pick select", "recall")
    address = tab.url
    assert "favor=recall" in address
    tab.goto("about:blank")
    tab.goto(address)
    expect(tab.locator(".controls > .pick select")).to_have_value("recall")


def test_what_is_no_page_is_said(tab, web):
    web.pages["binary"] = Given(body=b"%PDF-1.7", kind="application/pdf")
    tab.fill("input[name=url]", f"{web.url}/binary")
    tab.click("button.first")
    expect(tab.locator("[role=alert]")).to_contain_text("didn't work")


def test_marks_go_both_ways_and_reasons_are_words(tab):
    frame = paste(tab, PAGE)
    frame.hover("article p >> nth=0")
    tab.wait_for_selector("#block-2.marked")
    assert painted(frame, "marked")[0].startswith("The chaffinch")
    tab.hover("#block-0")
    soon(tab, lambda: painted(frame, "marked")[:1] == ["Home"])
    frame.click("article p >> nth=1")
    reasons = tab.locator("block-reasons")
    expect(reasons.locator("h2")).to_contain_text("This block is kept: ")
    expect(reasons).to_contain_text("It looks like content with a score of ")
    expect(reasons).to_contain_text("Spoke for it")
    expect(reasons).to_contain_text("article:nth-of-type(1) > p")
    assert "block=3" in tab.url
    tab.keyboard.press("Escape")
    expect(reasons).to_be_hidden()
    expect(tab.locator("[aria-selected=true]")).to_have_count(0)
    assert "block=" not in tab.url


def test_hidden_rows_are_shown_where_they_are_wanted(tab):
    frame = paste(tab)
    assert not frame.is_visible("p[hidden]")
    tab.select_option(".filters select", "hidden")
    assert tab.locator(".row").count() == 1
    tab.locator("main").focus()
    for check in ("to_be_visible", "to_be_hidden"):
        tab.keyboard.press("h")
        getattr(expect(frame.locator("p[hidden]")), check)()
    assert frame.get_attribute("img", "alt") == "A finch on a twig"
    assert frame.get_attribute("img", "src") is None


def test_the_keyboard_alone_and_dark(tab):
    paste(tab, PAGE)
    tab.locator("main").focus()
    for key in "jj":
        tab.keyboard.press(key)
    tab.wait_for_selector("#block-1.marked")
    tab.keyboard.press("Enter")
    expect(tab.locator("block-reasons blockquote")).to_have_text("Finches")
    tab.keyboard.press("?")
    expect(tab.locator("dialog")).to_contain_text("Next block")
    tab.keyboard.press("Escape")
    light = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    tab.emulate_media(color_scheme="dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != light


def test_every_text_is_there_in_both_languages_and_used(service):
    texts = json.loads(service.get("/static/texts.json").body)
    assert len(texts) > 100
    names = ("dom", "main", "page", "parts", "site", "teach")
    code = "".join(service.get(f"/static/{name}.js").body.decode() for name in names)
    for key, (english, chinese) in texts.items():
        assert set(re.findall(r"\{\w+\}", english)) == set(re.findall(r"\{\w+\}", chinese)), key
        group = key.rpartition(".")[0]
        assert f'"{key}"' in code or f"`{group}.${{" in code, key


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_checker_of_accessibility_finds_nothing_serious(tab, theme):
    tab.emulate_media(color_scheme=theme)
    assert serious_findings(tab) == []
    paste(tab)
    tab.click(".row.kept >> nth=0")
    tab.wait_for_selector(".spoke")
    assert serious_findings(tab) == []
    tab.click(".menu button >> nth=0")
    expect(tab.locator(".panel select").first).to_be_in_viewport(ratio=1)
    assert serious_findings(tab) == []
    tab.keyboard.press("Escape")
    expect(tab.locator(".panel").first).to_be_hidden()


def test_a_narrow_screen_has_all_of_it(tab):
    tab.set_viewport_size({"width": 400, "height": 800})
    paste(tab)
    tab.click(".row.kept >> nth=0")
    expect(tab.locator("block-reasons")).to_be_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400


def test_the_verb_prints_an_address_that_can_be_copied(opened, tmp_path):
    path = tmp_path / "finches.html"
    path.write_text(PAGE)
    with contextlib.closing(Inspected(path)) as one:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#/page\?held=given", one.address)
        expect(opened(one.address).locator(".row.kept").first).to_be_visible()
        one.process.send_signal(signal.SIGINT)
        assert one.process.wait(30) in (0, 130, -signal.SIGINT)


# A site that is taught

COMMENT = "# Ours: the rest of this file stays as it is.\n"


@pytest.fixture(scope="module")
def english(example_site):
    wanted = {"article", "list", "product"}
    return [row for row in example_site if row["lang"] == "en" and row["template"] in wanted]


@pytest.fixture(scope="module")
def site(tmp_path_factory, english):
    folder = tmp_path_factory.mktemp("site")
    (folder / "pages").mkdir()
    for number, row in enumerate(english):
        (folder / "pages" / f"{number:02}.html").write_bytes(row["html"].encode("latin-1"))
    path = folder / "site"
    Site.learn([parse(row["html"].encode("latin-1"), url=row["url"]) for row in english]).save(path)
    rules = path / "rules.toml"
    rules.write_text(COMMENT + rules.read_text(encoding="utf-8"), encoding="utf-8")
    keep_rule(path, Rule(kind="drop", select="div.gone", by_hand=True))
    with contextlib.closing(Inspected(path, folder / "pages")) as one:
        one.model = path
        yield one


@pytest.fixture
def taught(site):
    """The site, whose file is as it was again after the test."""
    before = (site.model / "rules.toml").read_bytes()
    yield site
    (site.model / "rules.toml").write_bytes(before)


def page_of(tab, words):
    """Open the page of an address from the list, by keyboard."""
    tab.wait_for_selector("a.entry[data-page]", timeout=60_000)  # a child starts
    tab.wait_for_function("() => !document.querySelector('.count').textContent.includes(' of ')")
    tab.fill("input[type=search]", words)
    tab.wait_for_function("() => document.querySelectorAll('a.entry').length === 1")
    tab.focus("a.entry")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("page-frame[data-built]")
    return tab.frame_locator("page-frame iframe")


def extracted(site, english, url):
    (row,) = [row for row in english if row["url"] == url]
    return Site.load(site.model).extract(row["html"].encode("latin-1"), url=url)


def test_from_the_first_click_to_the_saved_rule_and_its_effect(opened, taught, english):
    url = next(row["url"] for row in english if row["template"] == "article")
    before = extracted(taught, english, url).text
    tab = opened(taught.address)
    tab.wait_for_selector(".rules code >> text=div.gone")
    tab.wait_for_selector(".findings >> text=drop div.gone selects nothing")
    frame = page_of(tab, url)
    frame.locator("footer.site-footer p").first.click()
    tab.click("button.kind.content")
    tab.wait_for_selector(".rule-part .keep")
    assert "footer" in tab.input_value(".rule-part input")
    assert tab.inner_text("[data-fact=collateral] dd") == "none"
    tab.click(".rule-part .keep")
    expect(tab.locator("teach-panel .said")).to_contain_text("Kept: content")
    assert (taught.model / "rules.toml").read_text(encoding="utf-8").startswith(COMMENT)
    rule = Site.load(taught.model).rules[-1]
    assert (rule.kind, bool(rule.taught), rule.share) == ("content", True, 1.0)
    after = extracted(taught, english, url).text
    assert before in after
    assert len(after) > len(before)
    tab.keyboard.press("u")
    expect(tab.locator("teach-panel .said")).to_contain_text("Taken back")
    assert extracted(taught, english, url).text == before


@pytest.mark.parametrize(("language", "theme"), [("en", "dark"), ("zh-CN", "light")])
def test_narrow_or_not_the_checker_finds_nothing(opened, site, language, theme):
    tab = opened(site.address, locale=language, color_scheme=theme)
    tab.wait_for_selector("a.entry")
    assert serious_findings(tab) == []
    tab.set_viewport_size({"width": 400, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    tab.locator("a.entry").first.click()
    tab.wait_for_selector("page-frame[data-built]", state="attached")
    tab.keyboard.press("j")
    tab.wait_for_selector("button.kind.drop")
    assert ("噪声" in tab.inner_text("main")) == (language == "zh-CN")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert serious_findings(tab) == []
