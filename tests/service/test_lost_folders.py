"""A service whose folder of sites, or cache, is locked, removed or replaced while it runs."""

import ctypes
import os
import shutil
import sys
from urllib.parse import quote

import pytest
from running_service import PAGE, running

SITE = {"pages": [{"html": PAGE.replace("birch", f"birch {number}")} for number in range(4)]}
CAPABILITIES = 1, 2, 3  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
DROP = 24  # PR_CAPBSET_DROP

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="root is bound by Linux alone")


def lock(folder, _aside):
    folder.chmod(0o555)


def remove(folder, aside):
    shutil.move(folder, aside)


def replace_by_a_file(folder, aside):
    remove(folder, aside)
    folder.write_text("x")


def replace_by_a_broken_link(folder, aside):
    remove(folder, aside)
    folder.symlink_to(aside.parent / "nowhere")


def restore(folder, aside):
    if aside.exists():
        folder.unlink(missing_ok=True)
        shutil.move(aside, folder)
    folder.chmod(0o755)


def bind_root():
    """Hold the superuser to what files permit, in the process that follows."""
    if os.geteuid() == 0:
        for one in CAPABILITIES:
            ctypes.CDLL(None).prctl(DROP, one, 0, 0, 0)


def read(service, web, path):
    found = service.get(f"/v1/read?url={quote(web.url + path)}&format=json")
    assert found.status == 200, found


def changes(service, rules, tag):
    """Return the answers to requests that would change sites."""
    return [
        service.put("/v1/sites/rye", {"rules": f"{rules}\n# new\n"}, If_Match=tag),
        service.put("/v1/sites/oats", {"rules": rules}, If_None_Match="*"),
        service.post("/v1/sites/oats/learn", SITE, If_None_Match="*"),
    ]


def looks(service):
    """Return the answers to requests that need the sites."""
    return [
        service.get("/v1/sites"),
        service.get("/v1/sites/rye"),
        service.post("/v1/sites/rye/extract", {"html": PAGE}),
    ]


@pytest.mark.parametrize("fault", [lock, remove, replace_by_a_file, replace_by_a_broken_link])
@pytest.mark.parametrize("name", ["sites", ""])
def test_it_goes_on(web, tmp_path, fault, name):
    web.pages["fresh"] = lambda site: site.answer(cache_control="max-age=1000")
    options = ["-w", "1", "--no-mcp", "--allow-host", "127.0.0.1", "--delay", "0", "--cache", "10"]
    data, aside = tmp_path / "data", tmp_path / "aside"
    lost = data / name
    with running(*options, "--data", str(data), before=bind_root) as service:
        made = service.post("/v1/sites/rye/learn", SITE, If_None_Match="*")
        assert made.status == 200, made
        model, tag = service.get("/v1/sites/rye"), made.headers["etag"]
        read(service, web, "/fresh/1")
        fault(lost, aside)
        read(service, web, "/fresh/1")
        read(service, web, "/fresh/2")
        if fault is lock:
            assert [one.status for one in looks(service)] == [200] * 3
        refused = [] if fault is lock else looks(service)
        refused += [] if fault is lock and not name else changes(service, model.body.decode(), tag)
        assert [(one.status, one.kind) for one in refused] == [(507, "storage")] * len(refused)
        assert not [one for one in refused if str(tmp_path).encode() in one.body]
        restore(lost, aside)
        assert service.get("/v1/sites").json["sites"] == ["rye"]
        assert service.get("/v1/sites/rye").body == model.body
        rules = {"rules": f"{model.body.decode()}\n# new\n"}
        assert service.put("/v1/sites/rye", rules, If_Match=tag).status == 200
        read(service, web, "/fresh/3")
        told = {one["message"] for one in service.log if one["level"] == "error"}
        assert told <= {"the disk can't be used"}
    assert not list((data / "sites").glob(".draft-*"))
