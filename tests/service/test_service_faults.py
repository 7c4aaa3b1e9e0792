"""A service whose disk is full: pages are read, changes are refused, nothing accepted is lost."""

import contextlib
import resource
from urllib.parse import quote

import pytest
from running_service import PAGE, running

SITE = {"pages": [{"html": PAGE.replace("birch", f"birch {number}")} for number in range(4)]}
NOTHING = (1, resource.RLIM_INFINITY)

pytestmark = pytest.mark.skipif(
    not hasattr(resource, "prlimit"), reason="bounds of another process can't be set here"
)


@contextlib.contextmanager
def full_disk(service):
    """For the service and its children no file grows meanwhile."""
    numbers = [service.process.pid, *service.children()]
    before = [resource.prlimit(one, resource.RLIMIT_FSIZE, NOTHING) for one in numbers]
    yield
    for number, bound in zip(numbers, before, strict=True):
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(number, resource.RLIMIT_FSIZE, bound)


def fresh(site):
    site.answer(cache_control="max-age=1000")


def read(service, web, path):
    found = service.get(f"/v1/read?url={quote(web.url + path)}&format=json")
    assert found.status == 200, found
    return found.headers["chaffinch-cache"]


def test_a_disk_that_fills_up(web, tmp_path):
    web.pages["fresh"] = fresh
    options = ["-w", "1", "--no-mcp", "--allow-host", "127.0.0.1", "--delay", "0", "--cache", "10"]
    with running(*options, "--data", str(tmp_path)) as service:
        made = service.post("/v1/sites/rye/learn", SITE, If_None_Match="*")
        assert made.status == 200, made
        model = service.get("/v1/sites/rye")
        rules, tag = model.body.decode(), made.headers["etag"]
        assert read(service, web, "/fresh/1") == "miss"
        with full_disk(service):
            assert read(service, web, "/fresh/2") == "miss"
            assert read(service, web, "/fresh/2") == "miss"
            refused = [
                service.put("/v1/sites/rye", {"rules": f"{rules}\n# new\n"}, If_Match=tag),
                service.put("/v1/sites/oats", {"rules": rules}, If_None_Match="*"),
                service.post("/v1/sites/oats/learn", SITE, If_None_Match="*"),
                service.post("/v1/sites/rye/learn", SITE, If_Match=tag),
            ]
            assert [(one.status, one.kind) for one in refused] == [(507, "storage")] * len(refused)
            assert not [one for one in refused if str(tmp_path).encode() in one.body]
            assert service.get("/v1/sites/rye").headers["etag"] == tag
            assert service.get("/v1/sites").json["sites"] == ["rye"]
        assert service.get("/v1/sites/rye").body == model.body
        assert read(service, web, "/fresh/1") == "fresh"
        assert read(service, web, "/fresh/3") == "miss"
        assert read(service, web, "/fresh/3") == "fresh"
        done = service.put("/v1/sites/rye", {"rules": f"{rules}\n# new\n"}, If_Match=tag)
        assert done.status == 200, done
        told = [one for one in service.log if one["level"] == "error"]
        assert {one["message"] for one in told} == {"the disk can't be used"}
        assert len(told) == len(refused)
        assert not [one for one in told if "Traceback" in str(one)]
    assert sorted(one.name for one in (tmp_path / "sites").glob("*.toml")) == ["rye.toml"]
    assert not list((tmp_path / "sites").glob(".draft-*"))
