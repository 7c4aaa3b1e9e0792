"""The inspector in a real browser: each flow, from the first click on."""

import os

import pytest
from running_service import PAGE, running


@pytest.fixture(scope="module")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api")
    from chaffinch.errors import BrowserError  # noqa: PLC0415
    from chaffinch.render.chromium import find_browser  # noqa: PLC0415  an extra

    try:
        program = find_browser(None)
    except BrowserError as error:
        if os.environ.get("CHAFFINCH_REQUIRE_ALL") == "1":
            raise
        pytest.skip(f"no browser: {error}")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def service():
    with running("-w", "2", "--no-mcp", "--allow-host", "127.0.0.1", "--delay", "0") as one:
        one.url = f"http://127.0.0.1:{one.port}"
        yield one


@pytest.fixture
def tab(chromium, service):
    """A tab with the inspector, which must not have an error in its console."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(20_000)
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.goto(service.url)
    yield page
    context.close()
    assert not wrong


def paste(tab, html):
    tab.fill("textarea", html)
    tab.click("button.first")
    tab.wait_for_selector("block-table .row[data-block]")
    return tab.frame_locator("page-frame iframe")


def test_a_pasted_page_is_shown_beside_its_blocks(tab):
    frame = paste(tab, PAGE)
    frame.locator("article p").first.wait_for()
    assert tab.locator(".row.kept[data-block]").count() == 2
    assert tab.locator(".row.dropped[data-block]").count() == 3


def test_marks_go_both_ways(tab):
    frame = paste(tab, PAGE)
    frame.locator("article p").first.hover()
    tab.wait_for_selector("#block-2.marked")
    tab.keyboard.press("ArrowDown")
    tab.wait_for_selector("#block-3.marked")
    marked = frame.locator("article p").nth(1)
    assert marked.evaluate(
        "p => [...CSS.highlights.get('marked')][0].startContainer.parentNode === p"
    )


def test_a_page_by_its_address(tab, web):
    tab.fill("input[name=url]", f"{web.url}/finches")
    tab.click("button.first")
    tab.wait_for_selector("block-table .row.kept")
    address = tab.url
    tab.goto("about:blank")
    tab.goto(address)
    tab.wait_for_selector("block-table .row.kept")
