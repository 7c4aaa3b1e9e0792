"""Sites that a service keeps, taught by its callers: who may write, and what two writers get."""

import json

import pytest
from running_service import running

from chaffinch import Site

STORY = "The barley harvest of {0} began late, and the first sheaves stood wet in field {0}. "
READER, WRITER = "a-reader-without-rights", "a-writer-with-all-rights"
TOKENS = f"""
[[token]]
name = "reader"
token = "{READER}"
[[token]]
name = "writer"
token = "{WRITER}"
writes = true
"""
NAME = "grain.example"


def page(number):
    text = "".join(f"<p>{STORY.format(number * 9 + n) * 2}</p>" for n in range(3))
    html = f"<title>{number}</title><div class=story>{text}</div><div class=foot>By hand</div>"
    return {"url": f"https://{NAME}/{number}", "html": html}


PAGES = [page(number) for number in range(5)]


def by(token):
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kept")
    (folder / "tokens.toml").write_text(TOKENS, encoding="utf-8")
    options = ["-w", "1", "--no-mcp", "--tokens", str(folder / "tokens.toml")]
    with running(*options, "--data", str(folder / "data")) as one:
        learned = one.post(
            f"/v1/sites/{NAME}/learn", {"pages": PAGES}, **by(WRITER), **{"If-None-Match": "*"}
        )
        assert learned.status == 200
        one.model = folder / "data" / "sites" / f"{NAME}.toml"
        yield one


def ask(service, view, token=WRITER, **values):
    return service.post(f"/v1/inspect/site/{view}", {"site": NAME, **values}, **by(token))


def foot(service):
    shown = ask(service, "page", number=0).json
    rows, values = shown["rows"]["attributes"]["class"]
    return {"page": 0, "row": rows[values.index("foot")], "kind": "content"}


def test_pages_that_taught_a_site_are_there_to_try_rules_on(service):
    found = ask(service, "overview", READER).json
    assert found["names"] == [one["url"] for one in PAGES]
    read = ask(service, "pages", READER, start=0).json["pages"]
    assert [one["title"] for one in read] == ["0", "1", "2", "3", "4"]
    assert ask(service, "page", READER, number=2).json["title"] == "2"


def test_a_reader_s_rule_is_refused_and_of_two_writers_one_gets_the_error(service):
    mark = foot(service)
    version = ask(service, "overview").json["version"]
    rule = {"marks": [mark], "select": "div.foot", "version": version}
    before = service.model.read_bytes()
    proposed = ask(service, "propose", READER, marks=[mark]).json
    assert proposed["candidates"][proposed["chosen"]]["pages"] >= 5
    assert ask(service, "keep", READER, **rule).kind == "forbidden"
    assert service.model.read_bytes() == before
    kept = ask(service, "keep", **rule)
    assert kept.status == 200
    assert Site.load(service.model).rules[-1].select == "div.foot"
    late = {**rule, "select": "div.story + div"}
    assert ask(service, "keep", **late).kind == "precondition-failed"
    asked = {"url": PAGES[0]["url"], "html": PAGES[0]["html"]}
    found = service.post(f"/v1/sites/{NAME}/extract", asked, **by(READER)).json
    assert "By hand" in found["text"]
    etag = service.get(f"/v1/sites/{NAME}", **by(READER)).headers["etag"]
    assert json.loads(etag) == kept.json["version"]
    gone = {"kind": "content", "select": "div.foot", "version": kept.json["version"]}
    assert ask(service, "remove", READER, **gone).kind == "forbidden"
    assert ask(service, "remove", **gone).status == 200
    assert service.model.read_bytes() == before


@pytest.mark.parametrize("name", ["none.example", "../tokens", "a/b", "x" * 299])
def test_a_site_that_is_none_is_not_found(service, name):
    asked = {"site": name, "start": 0}
    assert service.post("/v1/inspect/site/pages", asked, **by(READER)).kind == "not-found"


def test_without_a_name_or_a_folder_there_is_no_site(service, inspector):
    assert service.post("/v1/inspect/site/overview", {}, **by(READER)).kind == "not-found"
    refused = inspector.post("/v1/inspect/site/overview", {"site": NAME})
    assert refused.kind == "not-found"
    assert "--data" in refused.json["detail"]


def test_a_kept_site_is_opened_and_taught_in_the_browser(service, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    tab = context.new_page()
    tab.set_default_timeout(90_000)  # a busy machine is slow
    tab.goto(f"http://127.0.0.1:{service.port}/#/sites")
    tab.fill("input[name=token]", WRITER)
    tab.click("button.first")
    tab.click(f".site-list >> text={NAME}")
    tab.wait_for_selector("table.pages a.entry")
    assert tab.inner_text("h1") == NAME
    tab.fill("input[type=search]", "/4")
    tab.wait_for_function("() => document.querySelectorAll('table.pages a.entry').length === 1")
    tab.click("table.pages a.entry")
    tab.wait_for_selector(".teach-view[data-page]")
    tab.frame_locator("page-frame iframe").locator("div.foot").click()
    tab.keyboard.press("c")
    tab.click(".rule-part .keep")
    tab.wait_for_function("() => document.querySelector('teach-panel').isSettled")
    taught = Site.load(service.model).rules
    assert [(one.kind, bool(one.taught)) for one in taught if one.by_hand] == [("content", True)]
    context.close()


def test_who_may_not_write_is_told_so_in_the_browser(service, chromium):
    context = chromium.new_context(viewport={"width": 400, "height": 800}, locale="zh-CN")
    tab = context.new_page()
    tab.set_default_timeout(90_000)  # a busy machine is slow
    tab.goto(f"http://127.0.0.1:{service.port}/#/teach?site={NAME}&page=0")
    tab.fill("input[name=token]", READER)
    tab.click("button.first")
    tab.wait_for_selector(".teach-view[data-page]")
    tab.keyboard.press("j")
    tab.keyboard.press("x")
    tab.wait_for_selector(".rule-part .keep")
    assert tab.is_disabled(".rule-part .keep")
    assert "写入权限" in tab.inner_text(".rule-part")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    context.close()
