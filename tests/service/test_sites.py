"""Site models that a service keeps, and those that are taught: versions, writers, faults."""

import contextlib
import ctypes
import json
import os
import resource
import shutil
import sys
from pathlib import Path

import pytest
from running_service import NAME, PAGE, PAGES, Inspected, by, running

from chaffinch import Site
from chaffinch.page.bounds import Limits
from chaffinch.service.inspector.endpoints import HeldPages
from chaffinch.service.jobs import GivenPage
from chaffinch.service.problems import ProblemError
from chaffinch.service.sites import ABSENT, SiteStore

HOSTILE = "\x1b[31m\u202eevil<img src=x onerror=alert(1)>\u2066'\"\udc9b\udcff\n"
"""Controls, text that is turned around, markup, bytes that aren't UTF-8, a line break."""
PATH = f"/v1/sites/{NAME}"


def test_a_site_is_learned_read_changed_and_removed(service):
    path = "/v1/sites/kept.example"
    assert service.get(path).kind == "not-found"
    made = service.post(f"{path}/learn", {"pages": PAGES[:4]}, If_None_Match="*")
    assert "kept.example" in service.get("/v1/sites").json["sites"]
    model = service.get(path)
    text, tag = model.body.decode(), model.headers["etag"]
    assert tag == made.headers["etag"]
    found = service.post(f"{path}/extract", {"html": PAGE})
    assert found.json["method"] == "site"
    first = service.put(path, {"rules": f"{text}\n# one\n"}, If_Match=tag)
    assert first.status == 200, first
    assert first.json["templates"] == made.json["templates"]  # told with the data that it keeps
    for headers, kind in (
        ({"If_Match": tag}, "precondition-failed"),
        ({"If_None_Match": "*"}, "precondition-failed"),
        ({}, "precondition-required"),
    ):
        assert service.put(path, {"rules": f"{text}\n# two\n"}, **headers).kind == kind
        assert service.post(path, b"", method="DELETE", **headers).kind == kind
    assert service.get(path).body.decode() == f"{text}\n# one\n"
    tag = first.headers["etag"]
    assert service.put(path, {"rules": "no = rules"}, If_Match=tag).kind == "invalid"
    more = service.post(f"{path}/learn", {"pages": PAGES[4:]}, If_Match=tag)
    gone = service.ask("DELETE", path, headers={"If-Match": more.headers["etag"]})
    assert gone.json == {"removed": "kept.example"}
    assert service.get(path).kind == "not-found"
    assert not list((service.folder / "sites").glob("kept.example*"))


def test_a_folder_given_by_a_path_from_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = SiteStore(Path("data"))
    store.write("y.example", "version = 1\n", ABSENT)
    assert [path.name for path in tmp_path.rglob("*") if path.is_dir()] == ["data", "y.example"]


# Teaching kept sites, and one that an operator opened


def ask(service, view, token=None, **values):
    named = {"site": NAME} if token else {}
    headers = by(token) if token else {}
    return service.post(f"/v1/inspect/site/{view}", {**named, **values}, **headers)


def foot(shown):
    rows, values = shown.json["rows"]["attributes"]["class"]
    return {"page": 0, "row": rows[values.index("foot")], "kind": "content"}


def test_who_may_not_write_looks_and_of_two_writers_one_gets_the_error(guarded, kept):
    overview = ask(guarded, "overview", "reader").json
    assert overview["names"] == [one["url"] for one in PAGES]
    read = ask(guarded, "pages", "reader", number=0).json["pages"]
    assert [one["title"] for one in read] == ["0", "1", "2", "3", "4"]
    mark = foot(ask(guarded, "page", "reader", number=0))
    rule = {"marks": [mark], "select": "div.foot", "version": overview["version"]}
    before = (kept / "rules.toml").read_bytes()
    proposed = ask(guarded, "propose", "reader", marks=[mark]).json
    assert proposed["candidates"][proposed["chosen"]]["pages"] == 5
    assert ask(guarded, "keep", "reader", **rule).kind == "forbidden"
    done = ask(guarded, "keep", "writer", **rule)
    assert Site.load(kept).rules[-1].select == "div.foot"
    late = {**rule, "select": "div.story + div"}
    assert ask(guarded, "keep", "writer", **late).kind == "precondition-failed"
    assert "By hand" in guarded.post(f"{PATH}/extract", PAGES[0], **by("reader")).json["text"]
    etag = guarded.get(PATH, **by("reader")).headers["etag"]
    assert json.loads(etag) == done.json["version"]
    gone = {"kind": "content", "select": "div.foot", "version": done.json["version"]}
    assert ask(guarded, "remove", "reader", **gone).kind == "forbidden"
    assert ask(guarded, "remove", "writer", **gone).status == 200
    assert (kept / "rules.toml").read_bytes() == before


def test_without_a_name_or_a_folder_there_is_no_site(service, hasty):
    assert ask(service, "overview").kind == "not-found"
    refused = hasty.post("/v1/inspect/site/overview", {"site": NAME})
    assert refused.kind == "not-found"
    assert "--data" in refused.json["detail"]


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
    by_hand = '\n[[rule]]\nkind = "drop"\nselect = "div.story"\n'
    path.write_text(before.replace("\n[[template]]", f"{by_hand}\n[[template]]", 1), "utf-8")
    try:
        assert ask(site, "pages", number=0).json["pages"][0]["kept"] < 0.5
    finally:
        path.write_text(before, encoding="utf-8")
    assert ask(site, "pages", number=0).json["pages"][0]["kept"] > 0.5


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


# A folder that is locked, removed or replaced under a running service; a full disk


def lock(folder, _aside):
    folder.chmod(0o555)


def remove(folder, aside):
    shutil.move(folder, aside)


def replace_by_a_file(folder, aside):
    remove(folder, aside)
    folder.write_text("x")


def restore(folder, aside):
    if aside.exists():
        folder.unlink(missing_ok=True)
        shutil.move(aside, folder)
    folder.chmod(0o755)


def bind_root():
    """Hold the superuser to what files permit, in the process that follows."""
    for capability in (1, 2, 3) if os.geteuid() == 0 else ():
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


@contextlib.contextmanager
def full_disk(service):
    """For the service and its children no file grows meanwhile."""
    numbers = [service.process.pid, *service.children()]
    nothing = (1, resource.RLIM_INFINITY)
    before = [resource.prlimit(one, resource.RLIMIT_FSIZE, nothing) for one in numbers]
    yield
    for number, bound in zip(numbers, before, strict=True):
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(number, resource.RLIMIT_FSIZE, bound)


def looks(service):
    return [
        service.get("/v1/sites"),
        service.get("/v1/sites/rye"),
        service.post("/v1/sites/rye/extract", {"html": PAGE}),
    ]


def changes(service, rules, tag):
    return [
        service.put("/v1/sites/rye", {"rules": f"{rules}\n# new\n"}, If_Match=tag),
        service.put("/v1/sites/oats", {"rules": rules}, If_None_Match="*"),
        service.post("/v1/sites/oats/learn", {"pages": PAGES[:2]}, If_None_Match="*"),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="root is bound by Linux alone")
def test_it_goes_on_without_its_folder(web, tmp_path):
    data, aside = tmp_path / "data", tmp_path / "aside"
    options = ["--workers", "1", "--no-mcp", "--allow-host", "127.0.0.1", "--delay", "0"]
    with running(*options, "--data", str(data), before=bind_root) as service:
        made = service.post("/v1/sites/rye/learn", {"pages": PAGES[:4]}, If_None_Match="*")
        model, tag = service.get("/v1/sites/rye"), made.headers["etag"]
        rules = model.body.decode()
        told = 0

        def refuse(answers):
            nonlocal told
            told += len(answers)
            assert [one.failure for one in answers] == [(507, "storage")] * len(answers)
            assert not [one for one in answers if str(tmp_path).encode() in one.body]

        def is_whole():
            assert service.get("/v1/sites").json["sites"] == ["rye"]
            assert service.get("/v1/sites/rye").body == model.body
            assert service.read(f"{web.url}/page").status == 200

        for fault in (lock, remove, replace_by_a_file):
            for lost in (data / "sites", data):
                fault(lost, aside)
                assert service.read(f"{web.url}/page").status == 200
                if fault is lock:
                    assert [one.status for one in looks(service)] == [200] * 3
                else:
                    refuse(looks(service))
                if fault is not lock or lost != data:
                    refuse(changes(service, rules, tag))
                restore(lost, aside)
                is_whole()
        with full_disk(service):
            refuse(changes(service, rules, tag))
            is_whole()
        changed = service.put("/v1/sites/rye", {"rules": f"{rules}\n# new\n"}, If_Match=tag)
        assert changed.status == 200, changed
        errors = [one for one in service.log if one["level"] == "error"]
        assert {one["message"] for one in errors} == {"the disk can't be used"}
        assert len(errors) == told
    assert not list((data / "sites").glob(".draft-*"))
