"""The cache of fetched pages: what is kept, for how long, and how much."""

import sqlite3
import time
from urllib.parse import quote

import pytest
from running_service import PAGE

from chaffinch.service import page_cache
from chaffinch.service.page_cache import CachedResponse, PageCache, freshness, may_be_kept
from chaffinch.web.client import RawResponse

pytest.importorskip("uvicorn")


def response(body=b"a page", status=200, **headers):
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return RawResponse(
        status=status, reason="", version=11, headers=pairs, body=body, address="192.0.2.1"
    )


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0),
        ({"Cache_Control": "max-age=60"}, 60),
        ({"Cache_Control": "max-age=60, s-maxage=5"}, 5),
        ({"Cache_Control": 'public, max-age="60"', "Age": "20"}, 40),
        ({"Cache_Control": "no-cache, max-age=60"}, 0),
        ({"Cache_Control": "max-age=x"}, 0),
        ({"Expires": "Sun, 22 Nov 2026 12:01:00 GMT", "Date": "Sun, 22 Nov 2026 12:00:00 GMT"}, 60),
        ({"Expires": "0"}, 0),
        ({"Cache_Control": "max-age=99999999999999"}, 365 * 86_400),
    ],
)
def test_freshness_is_what_the_server_says(headers, seconds):
    assert freshness(response(**headers)) == seconds


def test_what_a_shared_cache_may_not_keep():
    assert may_be_kept(response())
    for headers in ({"Cache_Control": "no-store"}, {"Cache_Control": "private"}, {"Vary": "*"}):
        assert not may_be_kept(response(**headers))
    assert not may_be_kept(response(status=302))


def test_the_oldest_go_first(tmp_path):
    cache = PageCache(tmp_path / "a" / "pages.sqlite", 1000)
    for name in "abc":
        cache.put(name, "", response(b"x" * 300))
        time.sleep(0.002)
    assert cache.get("a", "").response.body == b"x" * 300
    time.sleep(0.002)
    cache.put("d", "", response(b"x" * 300))
    kept = [name for name in "abcd" if cache.get(name, "") is not None]
    assert kept == ["a", "c", "d"]
    cache.put("e", "", response(b"x" * 2000))
    cache.put("a", "", response(Cache_Control="no-store"))
    assert [name for name in "abcde" if cache.get(name, "") is not None] == ["c", "d"]
    cache.close()


def test_a_broken_file_is_begun_anew(tmp_path):
    path = tmp_path / "pages.sqlite"
    path.write_bytes(b"no database" * 1000)
    cache = PageCache(path, 1000)
    cache.put("a", "", response())
    assert cache.get("a", "") is not None
    cache.close()
    with sqlite3.connect(path) as file:
        assert file.execute("SELECT COUNT(*) FROM pages").fetchone() == (1,)
    file.close()


def test_age_decides(monkeypatch):
    copy = CachedResponse(response(Cache_Control="max-age=60"), 1000.0)
    monkeypatch.setattr(page_cache.time, "time", lambda: 1050.0)
    assert copy.is_fresh(None)
    assert not copy.is_fresh(50)
    assert copy.is_fresh(51)
    monkeypatch.setattr(page_cache.time, "time", lambda: 1061.0)
    assert not copy.is_fresh(None)


def fresh(site):
    site.answer(cache_control="max-age=1000", etag='"1"')


def stale(site):
    if site.headers["If-None-Match"] == '"1"':
        site.answer("", 304, etag='"1"')
    else:
        site.answer(etag='"1"')


@pytest.fixture(scope="module")
def service(web, shared):
    web.pages |= {"fresh": fresh, "stale": stale}
    return shared


def how(service, web, path, **query):
    rest = "".join(f"&{name}={value}" for name, value in query.items())
    found = service.get(f"/v1/read?url={quote(web.url + path)}&format=json{rest}")
    assert found.json["text"]
    return found.headers["chaffinch-cache"]


def test_copies_are_used_and_validated(service, web):
    assert [how(service, web, "/fresh") for _ in range(3)] == ["miss", "fresh", "fresh"]
    assert len(web.asked("/fresh")) == 1
    assert how(service, web, "/fresh", max_age=0) in ("miss", "validated")
    assert [how(service, web, "/stale") for _ in range(3)] == ["miss", "validated", "validated"]
    assert how(service, web, "/stale", max_age=100) == "fresh"
    assert [one.get("if-none-match") for one in web.asked("/stale")] == [None, '"1"', '"1"']


def test_sites_are_kept_beside_it(service):
    pages = [{"html": PAGE.replace("birch", f"birch {number}")} for number in range(4)]
    path = "/v1/sites/kept.example"
    assert service.get(path).kind == "not-found"
    made = service.post(f"{path}/learn", {"pages": pages}, If_None_Match="*")
    assert made.status == 200, made
    assert "kept.example" in service.get("/v1/sites").json["sites"]
    model = service.get(path)
    assert model.headers["etag"] == made.headers["etag"]
    assert "[[" in model.body.decode()
    found = service.post(f"{path}/extract", {"html": PAGE, "options": {"mode": "full"}})
    assert found.json["method"] == "site"
    more = service.post(f"{path}/learn", {"pages": pages[:1]}, If_Match=made.headers["etag"])
    assert more.status == 200, more
    tag = more.headers["etag"]
    assert service.ask("DELETE", path, headers={"If-Match": made.headers["etag"]}).status == 412
    assert service.ask("DELETE", path, headers={"If-Match": tag}).json == {
        "removed": "kept.example"
    }
    assert service.get(path).kind == "not-found"
    assert service.ask("DELETE", path, headers={"If-Match": tag}).kind == "not-found"


def test_of_two_writers_one_is_told(service):
    path = "/v1/sites/two.example"
    pages = {"pages": [{"html": PAGE}, {"html": PAGE.replace("birch", "oak")}]}
    service.post(f"{path}/learn", pages, If_None_Match="*")
    model = service.get(path)
    text, tag = model.body.decode(), model.headers["etag"]
    first = service.put(path, {"rules": text + "\n# one\n"}, If_Match=tag)
    assert first.status == 200, first
    second = service.put(path, {"rules": text + "\n# two\n"}, If_Match=tag)
    assert (second.status, second.kind) == (412, "precondition-failed")
    assert service.put(path, {"rules": text}).kind == "precondition-required"
    assert service.put(path, {"rules": text}, If_None_Match="*").kind == "precondition-failed"
    assert service.get(path).body.decode() == text + "\n# one\n"
    broken = service.put(path, {"rules": "no = rules"}, If_Match=first.headers["etag"])
    assert (broken.status, broken.kind) == (422, "invalid")


@pytest.mark.parametrize(
    "name",
    ["..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "a%2fb", "%00", "A", ".lock", "a..b", "a" * 300],
)
def test_no_name_of_a_site_is_a_path(service, name):
    assert service.get(f"/v1/sites/{name}").status in (404, 405)
    found = service.post(f"/v1/sites/{name}/learn", {"pages": [{"html": PAGE}]}, If_None_Match="*")
    assert found.status in (404, 405)
