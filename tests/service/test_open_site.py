"""The operator's site behind its endpoints: what is refused, and what a lost child costs."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from running_service import Running

from chaffinch import Site

STORY = "The barley harvest of {0} began late, and the first sheaves stood wet in field {0}. "


class InspectedSite(Running):
    """``chaffinch inspect`` in place of ``serve``; requests as there."""

    def __init__(self, *given):  # the verb has another first line
        self.log = []
        command = [sys.executable, "-m", "chaffinch", "inspect", *map(str, given)]
        self.process = subprocess.Popen(
            [*command, "--no-open", "-w", "1"], stderr=subprocess.PIPE, text=True
        )
        said = self.process.stderr.readline()
        self.port = int(said.split("127.0.0.1:")[1].split("/")[0])
        while self.get("/ready").status != 200:
            time.sleep(0.05)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "pages").mkdir()
    for number in range(5):
        text = "".join(f"<p>{STORY.format(number * 9 + n) * 2}</p>" for n in range(3))
        html = f"<title>{number}</title><div class=story>{text}</div><div class=foot>By hand</div>"
        (folder / "pages" / f"{number}.html").write_text(html, encoding="utf-8")
    (folder / "pages" / "5.html").write_bytes(b"%PDF-1.7 no page")
    Site.learn(sorted((folder / "pages").glob("[0-4].html"))).save(folder / "site.toml")
    return folder


@pytest.fixture(scope="module")
def site(folder):
    one = InspectedSite(folder / "site.toml", folder / "pages")
    yield one
    one.close()


def ask(site, name, **values):
    return site.post(f"/v1/inspect/site/{name}", values)


def foot(site):
    page = ask(site, "page", number=0).json
    rows = page["rows"]
    at = rows["attributes"]["class"][1].index("foot")
    return {"page": 0, "row": rows["attributes"]["class"][0][at], "kind": "content"}


def test_a_page_that_is_none_is_said_and_the_others_are_there(site):
    found = ask(site, "pages", start=0).json["pages"]
    assert [one["number"] for one in found] == list(range(6))
    assert "PDF" in found[5]["problem"]
    assert ask(site, "page", number=5).kind == "page"
    assert ask(site, "page", number=6).kind == "not-found"


def test_rules_go_in_by_their_version_alone(site, folder):
    version = ask(site, "overview").json["version"]
    mark = foot(site)
    rule = {"marks": [mark], "select": "div.foot", "template": ""}
    assert ask(site, "keep", **rule, version="0").kind == "precondition-failed"
    assert ask(site, "keep", **{**rule, "select": "//div"}, version=version).kind == "invalid"
    before = (folder / "site.toml").read_text(encoding="utf-8")
    kept = ask(site, "keep", **rule, version=version)
    assert kept.status == 200
    assert kept.json["rules"][0]["select"] == "div.foot"
    again = kept.json["version"]
    twice = ask(site, "keep", **rule, version=again)
    assert twice.kind == "invalid"
    gone = {"kind": "content", "select": "div.foot", "version": again}
    assert ask(site, "remove", **gone).status == 200
    assert (folder / "site.toml").read_text(encoding="utf-8") == before


def test_what_goes_against_a_mark_is_refused(site):
    version = ask(site, "overview").json["version"]
    own = foot(site)
    marks = [{**own, "kind": "content"}, {"page": 0, "row": 2, "kind": "drop"}]
    asked = {"marks": marks, "select": "body", "version": version}
    assert ask(site, "keep", **asked).kind == "invalid"


def test_a_lost_child_is_replaced_and_gets_the_pages_again(site):
    mark = foot(site)
    first = ask(site, "propose", marks=[mark]).json
    for child in site.children():
        os.kill(child, signal.SIGKILL)
    again = ask(site, "propose", marks=[mark])
    for _ in range(3):
        if again.status == 200:
            break
        again = ask(site, "propose", marks=[mark])
    assert again.json == first
    assert json.dumps(first)


def test_a_file_that_was_changed_by_hand_is_read_anew(site, folder):
    path = folder / "site.toml"
    before = path.read_text(encoding="utf-8")
    rule = '\n[[rule]]\nkind = "drop"\nselect = "div.story"\n'
    path.write_text(before.replace("\n[[template]]", f"{rule}\n[[template]]", 1), encoding="utf-8")
    try:
        assert ask(site, "pages", start=0).json["pages"][0]["kept"] < 0.5
    finally:
        path.write_text(before, encoding="utf-8")
    assert ask(site, "pages", start=0).json["pages"][0]["kept"] > 0.5
