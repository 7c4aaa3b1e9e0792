"""A site taught by clicks, pages labelled: in a real browser, to the file."""

import json
import subprocess
import sys

import pytest
from accessibility import serious_findings
from click.testing import CliRunner

from chaffinch import Site, parse
from chaffinch.cli import main
from chaffinch.site import Rule
from chaffinch.site.teach import keep_rule

COMMENT = "# Ours: the rest of this file stays as it is.\n"


class Inspector:
    """``chaffinch inspect`` in a process of its own."""

    def __init__(self, *given):
        command = ["-m", "chaffinch", "inspect", *map(str, given), "--no-open", "-w", "1"]
        self.process = subprocess.Popen(
            [sys.executable, *command], stderr=subprocess.PIPE, text=True
        )
        said = self.process.stderr.readline()
        self.url = said.split("Ctrl-C: ")[1].split("/#")[0]

    def close(self):
        self.process.terminate()
        self.process.wait(30)
        self.process.stderr.close()


@pytest.fixture(scope="module")
def english(example_site):
    return [row for row in example_site if row["lang"] == "en"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, english):
    """A site's pages as files, and its learned model with a comment."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "pages").mkdir()
    wanted = [row for row in english if row["template"] in {"article", "list", "product"}]
    lines = []
    for number, row in enumerate(wanted):
        data = row["html"].encode("latin-1")
        (folder / "pages" / f"{number:02}.html").write_bytes(data)
        lines.append(json.dumps({"url": row["url"], "html": row["html"]}))
    (folder / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    site = Site.learn([parse(row["html"].encode("latin-1"), url=row["url"]) for row in wanted])
    site.save(folder / "site.toml")
    text = (folder / "site.toml").read_text(encoding="utf-8")
    (folder / "site.toml").write_text(COMMENT + text, encoding="utf-8")
    keep_rule(folder / "site.toml", Rule(kind="drop", select="div.gone", by_hand=True))
    return folder


@pytest.fixture(scope="module")
def site(folder):
    one = Inspector(folder / "site.toml", folder / "pages")
    yield one
    one.close()


def is_wrong(said):
    """Whether the console has an error; one of the service's own answers is shown on the page."""
    return said.type == "error" and "status of 422" not in said.text


@pytest.fixture
def opened(chromium):
    """What opens an address in a new tab, in which nothing may go wrong."""
    wrong, contexts = [], []

    def opened(url, **options):
        size = options.pop("viewport", {"width": 1280, "height": 800})
        context = chromium.new_context(viewport=size, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(90_000)  # a busy machine is slow
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("console", lambda said: wrong.append(said.text) if is_wrong(said) else None)
        tab.goto(url)
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture
def model(folder):
    """The site's file, which is as it was again after the test."""
    path = folder / "site.toml"
    before = path.read_bytes()
    yield path
    path.write_bytes(before)


def page_of(tab, path):
    """Open the page of an address from the list, by keyboard."""
    tab.wait_for_selector("table.pages a.entry")
    tab.wait_for_function("() => !document.querySelector('.count').textContent.includes(' of ')")
    tab.fill("input[type=search]", path)
    tab.wait_for_function("() => document.querySelectorAll('table.pages a.entry').length === 1")
    tab.focus("table.pages a.entry")
    tab.keyboard.press("Enter")
    tab.wait_for_selector("teach-panel [data-first]")
    tab.wait_for_selector("block-table .row[data-block]")
    return tab.frame_locator("page-frame iframe")


def settled(tab):
    tab.wait_for_function("() => document.querySelector('teach-panel').isSettled")


def url_of(english, template, number=0):
    return [row["url"] for row in english if row["template"] == template][number]


def extracted(model, folder, english, url):
    """What `chaffinch extract --site` prints of a page."""
    (row,) = [row for row in english if row["url"] == url]
    (folder / "one.html").write_bytes(row["html"].encode("latin-1"))
    command = ["extract", str(folder / "one.html"), "--url", url, "--site", str(model)]
    done = CliRunner().invoke(main, [*command, "-f", "json", "--with", "records"])
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_from_the_first_click_to_the_saved_rule_and_its_effect(
    opened, site, model, folder, english
):
    url = url_of(english, "article")
    before = extracted(model, folder, english, url)
    tab = opened(f"{site.url}/#/site")
    frame = page_of(tab, url)
    frame.locator("footer.site-footer p").first.click()
    tab.wait_for_selector("button.kind.content")
    tab.click("button.kind.content")
    tab.wait_for_selector(".rule-part .keep")
    assert "footer" in tab.input_value(".own input")
    assert tab.inner_text("[data-fact=collateral] dd") == "none"
    tab.click(".rule-part .keep")
    settled(tab)
    text = model.read_text(encoding="utf-8")
    assert text.startswith(COMMENT)
    rule = Site.load(model).rules[-1]
    assert (rule.kind, bool(rule.taught), rule.share) == ("content", True, 1.0)
    after = extracted(model, folder, english, url)
    assert len(after["text"]) > len(before["text"])
    assert before["text"] in after["text"]
    tab.keyboard.press("u")
    tab.wait_for_function(
        "() => document.querySelector('teach-panel .said').textContent.startsWith('Taken')"
    )
    assert extracted(model, folder, english, url)["text"] == before["text"]


def test_entries_and_their_fields_by_keyboard_alone(opened, site, model, folder, english):
    url = next(row["url"] for row in english if "shop/index" in row["url"])
    tab = opened(f"{site.url}/#/site")
    page_of(tab, url)
    tab.keyboard.press("j")
    tab.wait_for_selector(".path")
    for _ in range(60):  # to the first card
        if "div.card" in tab.inner_text(".path"):
            break
        tab.keyboard.press("j")
    tab.keyboard.press("e")
    tab.wait_for_selector(".rule-part .keep")
    assert tab.input_value(".own input") == "div.card"
    tab.keyboard.press("Enter")
    settled(tab)
    while "p.price" not in tab.inner_text(".path"):
        tab.keyboard.press("j")
    tab.keyboard.press("p")
    tab.wait_for_selector(".rule-part .keep")
    assert tab.inner_text("[data-fact=collateral] dd") == "none"
    tab.keyboard.press("Enter")
    settled(tab)
    kinds = [rule.kind for rule in Site.load(model).rules if rule.taught]
    assert kinds == ["record", "price"]
    found = extracted(model, folder, english, url)["records"]
    assert len(found) == 4
    assert all(one["fields"]["price"]["value"].endswith("crowns") for one in found)
    assert "#/teach?page=" in tab.url


def test_wider_narrower_and_one_s_own_selector(opened, site, model, english):
    tab = opened(f"{site.url}/#/site")
    frame = page_of(tab, url_of(english, "article"))
    frame.locator("div.story-body p").first.click()
    tab.wait_for_selector("blockquote")
    tab.keyboard.press("x")
    tab.wait_for_selector(".rule-part .keep")
    for _ in range(30):
        tab.keyboard.press("ArrowRight")
    tab.wait_for_selector(".facts.dirty")
    assert tab.is_disabled(".width button >> nth=1")
    wide = tab.inner_text("[data-fact=matches] dd")
    for _ in range(30):
        tab.keyboard.press("ArrowLeft")
    assert tab.inner_text("[data-fact=matches] dd") != wide
    tab.fill(".own input", "div.story-body p:first-child")
    tab.keyboard.press("Enter")
    settled(tab)
    assert tab.input_value(".own input") == "div.story-body p:first-child"
    tab.fill(".own input", "p[")
    tab.keyboard.press("Enter")
    tab.wait_for_function(
        "() => document.querySelector('teach-panel .said').textContent.includes('work')"
    )
    tab.keyboard.press("Escape")
    before = model.read_bytes()
    tab.keyboard.press("Escape")
    assert model.read_bytes() == before


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_narrow_screens_and_both_languages(opened, site, language):
    size = {"width": 400, "height": 800}
    tab = opened(f"{site.url}/#/site", viewport=size, locale=language)
    tab.wait_for_selector("table.pages a.entry")
    assert ("网页" in tab.inner_text("main")) == (language == "zh-CN")
    tab.locator("a.entry").first.click()
    tab.wait_for_selector("teach-panel [data-first]")
    assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_checker_of_accessibility_finds_nothing_serious(opened, site, theme):
    tab = opened(f"{site.url}/#/site", color_scheme=theme)
    tab.wait_for_selector("table.pages a.entry")
    assert serious_findings(tab) == []
    for section, sign in (
        ("rules", "ul.rules code"),
        ("drift", "ul.findings"),
    ):
        tab.goto(f"{site.url}/#/site?section={section}")
        tab.wait_for_selector(sign)
        assert serious_findings(tab) == []
    tab.goto(f"{site.url}/#/site?section=pages")
    tab.locator("table.pages a.entry").first.click()
    frame = tab.frame_locator("page-frame iframe")
    tab.wait_for_selector("teach-panel [data-first]")
    frame.locator("p").first.click()
    tab.wait_for_selector("button.kind.drop")
    assert serious_findings(tab) == []
