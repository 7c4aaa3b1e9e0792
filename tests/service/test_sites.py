"""Site models that a service keeps, and one that is taught: names, versions."""

import contextlib
import resource
import sys

import pytest
from running_service import NAME, PAGE, PAGES, Inspected

from chaffinch import Site
from chaffinch.page.bounds import Limits
from chaffinch.service.inspector.endpoints import HeldPages
from chaffinch.service.jobs import GivenPage
from chaffinch.service.problems import ProblemError

HOSTILE = "\x1b[31m\u202eevil<img src=x onerror=alert(1)>\u2066'\"\udc9b\udcff\n"
"""Controls, text that is turned around, markup, bytes that aren't UTF-8, a line break."""


def test_a_kept_site_is_named_and_read_as_it_is_now(service, hasty, kept):
    by_site = {"options": {"site": NAME}}
    assert NAME in service.get("/v1/sites").json["sites"]
    for path in ("/v1/extract", "/v1/explain"):
        assert service.post(path, {"html": PAGE, **by_site}).json["method"] == "site"
    query = f"?url={PAGES[0]['url']}&site={NAME}&format=text"
    html = PAGES[0]["html"].encode()

    def texts():
        given = service.post("/v1/extract", {**PAGES[0], **by_site}).json["text"]
        read = service.ask("POST", f"/v1/read{query}", html, {"Content-Type": "text/html"})
        assert read.body.decode() == given
        return given

    assert "By hand" not in texts()
    rules = kept / "rules.toml"
    before = rules.read_text(encoding="utf-8")
    by_hand = '\n[[rule]]\nkind = "content"\nselect = "div.foot"\n'
    rules.write_text(before.replace("\n[[template]]", f"{by_hand}\n[[template]]", 1), "utf-8")
    assert "By hand" in texts()
    rules.write_text(before, "utf-8")
    for name in ("absent.example", "..", "%2e%2e", "UPPER", "a" * 300):
        refused = service.post("/v1/extract", {"html": PAGE, "options": {"site": name}})
        assert refused.kind in {"not-found", "invalid"}
    for more in ({"method": "block_density"}, {"favor": "recall"}):
        both = {"html": PAGE, "options": {"site": NAME, **more}}
        assert service.post("/v1/extract", both).kind == "invalid"
    dropped = {**PAGES[0], "options": {"site": NAME, "drop": ["p"]}}
    assert not service.post("/v1/extract", dropped).json["text"]
    refused = hasty.get("/v1/sites")
    assert refused.kind == "not-found"
    assert "--data" in refused.json["detail"]


# A site that an operator opened


def ask(service, view, **values):
    return service.post(f"/v1/inspect/site/{view}", values)


def foot(shown):
    rows, values = shown.json["rows"]["attributes"]["class"]
    return {"page": 0, "row": rows[values.index("foot")], "kind": "content"}


def test_without_a_site_there_is_none(service):
    assert ask(service, "overview").kind == "not-found"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A site with hostile names, where the system has them; one of its pages is none."""
    folder = tmp_path_factory.mktemp("site")
    pages = folder / (f"pages{HOSTILE}" if sys.platform == "linux" else "pages")
    pages.mkdir()
    for number, one in enumerate(PAGES):
        (pages / f"{number}.html").write_text(one["html"], encoding="utf-8")
    Site.learn(sorted(pages.glob("*.html"))).save(folder / "site")
    (pages / f"5{HOSTILE if sys.platform == 'linux' else ''}.html").write_bytes(b"%PDF-1.7")
    return pages


@pytest.fixture(scope="module")
def site(folder):
    with contextlib.closing(Inspected(folder.parent / "site", folder)) as one:
        yield one


def test_an_opened_site_is_taught_by_its_versions_alone(site, folder):
    path = folder.parent / "site" / "rules.toml"
    found = ask(site, "pages", number=0).json["pages"]
    assert [one["number"] for one in found] == list(range(6))
    assert "PDF" in found[5]["problem"]
    assert ask(site, "page", number=5).kind == "page"
    assert ask(site, "page", number=6).kind == "not-found"
    version = ask(site, "overview").json["version"]
    mark = foot(ask(site, "page", number=0))
    rule = {"marks": [mark], "select": "div.foot", "version": version}
    before = path.read_text(encoding="utf-8")
    for changed, kind in (
        ({"version": "0"}, "precondition-failed"),
        ({"select": "//div"}, "invalid"),
        ({"select": "body", "marks": [mark, {"page": 0, "row": 2, "kind": "drop"}]}, "invalid"),
    ):
        assert ask(site, "keep", **{**rule, **changed}).kind == kind
    kept = ask(site, "keep", **rule).json
    assert kept["rules"][0]["select"] == "div.foot"
    assert ask(site, "keep", **{**rule, "version": kept["version"]}).kind == "invalid"
    gone = {"kind": "content", "select": "div.foot", "version": kept["version"]}
    assert ask(site, "remove", **gone).status == 200
    assert path.read_text(encoding="utf-8") == before
    own = '\n[[rule]]\nkind = "field:yield"\nselect = "div.foot"\n'
    path.write_text(before + own, encoding="utf-8")
    gone = {"kind": "field:yield", "select": "div.foot"}
    version = ask(site, "overview").json["version"]
    assert not ask(site, "remove", **gone, version=version).json["rules"]
    assert path.read_text(encoding="utf-8") == before
    by_hand = '\n[[rule]]\nkind = "drop"\nselect = "div.story"\n'
    path.write_text(before.replace("\n[[template]]", f"{by_hand}\n[[template]]", 1), "utf-8")
    try:
        assert ask(site, "pages", number=0).json["pages"][0]["kept"] < 0.5
    finally:
        path.write_text(before, encoding="utf-8")
    assert ask(site, "pages", number=0).json["pages"][0]["kept"] > 0.5


@pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's")
def test_a_full_disk_is_told_and_the_rules_stay(site, folder):
    path = folder.parent / "site" / "rules.toml"
    before, version = path.read_bytes(), ask(site, "overview").json["version"]
    rule = {"marks": [foot(ask(site, "page", number=0))], "select": "div.foot", "version": version}
    limit = resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    try:
        assert ask(site, "keep", **rule).failure == (507, "storage")
    finally:
        resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, limit)
    assert path.read_bytes() == before


def test_held_pages_are_their_callers_alone_and_bounded():
    def given(size):
        return GivenPage(html=bytes(size), limits=Limits())

    held = HeldPages()
    first, second = held.hold(given(9), "a"), held.hold(given(9), "a")
    for key, caller in ((first, "b"), ("another", "a")):
        with pytest.raises(ProblemError, match="isn't held"):
            held.page(key, caller)
    for _ in range(63):
        held.page(first, "a")
        held.hold(given(9), "a")
    assert held.page(first, "a")
    with pytest.raises(ProblemError):
        held.page(second, "a")
    large = [held.hold(given(60 << 20), "a") for _ in range(6)]
    found = 0
    for key in large:
        with contextlib.suppress(ProblemError):
            found += held.page(key, "a") is not None
    assert found == 4
    assert held.hold(given(300 << 20), "a")  # one is held in any case
