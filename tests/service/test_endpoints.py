"""The endpoints of a running service: what they answer, and in which form."""

import base64
import contextlib
import http.client
import json
import os
import re
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import jsonschema
import pytest
from running_service import PAGE, PARAGRAPH, running

from chaffinch import extract
from chaffinch.record import schema
from chaffinch.version import __version__


@pytest.fixture(scope="module")
def service(web, shared):
    web.pages |= {"markdown": markdown, "json": not_a_page, "gone": gone}
    web.pages |= {"missing": missing, "down": down, "data": data}
    return shared


def markdown(site):
    if "text/markdown" in site.headers["Accept"]:
        site.answer("# Finches\n\nas Markdown\n", content_type="text/markdown; charset=utf-8")
    else:
        site.answer()


def not_a_page(site):
    site.answer("{}", content_type="application/json")


def gone(site):
    site.answer("gone", 410)


def missing(site):
    site.answer("<title>404 Not Found</title><h1>Not found</h1><p>No such page.", 404)


def down(site):
    site.answer("<title>503</title><h1>Service unavailable</h1>", 503)


def data(site):
    site.answer("{}", 404, content_type="application/json")


def test_a_record_is_that_of_the_library(service):
    for body in ({"html": PAGE}, {"html_base64": base64.b64encode(PAGE.encode()).decode()}):
        found = service.post("/v1/extract", body)
        assert found.status == 200
        jsonschema.validate(found.json, schema())
        wanted = extract(PAGE.encode() if "html_base64" in body else PAGE).to_dict()
        assert found.json == json.loads(json.dumps(wanted))


def test_the_body_may_be_the_page(service):
    headers = {"Content-Type": "text/html; charset=gb18030"}
    path = "/v1/extract?url=http://grain.example/a&parts=blocks,metadata"
    found = service.ask("POST", path, "<title>雀</title><p>苍头燕雀".encode("gb18030"), headers)
    assert found.json["title"] == "雀"
    assert found.json["url"] == "http://grain.example/a"
    assert found.json["blocks"][0]["rows"]
    assert found.json["metadata"]["title"]


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("http://a.test/\x1f?b\r\nSet-Cookie: a=b", "http://a.test/%1F?b%0D%0ASet-Cookie:%20a=b"),
        ("http://a.test/中#ü", "http://a.test/%E4%B8%AD#%C3%BC"),
        ("http://a.test/%20?a=b&c=[1]", "http://a.test/%20?a=b&c=[1]"),
    ],
)
def test_an_address_in_a_header_is_percent_encoded(service, url, sent):
    found = service.post("/v1/explain", {"html": PAGE, "url": url})
    assert (found.status, found.headers["chaffinch-url"]) == (200, sent)
    assert "set-cookie" not in found.headers


def test_options_act_as_in_the_library(service):
    options = {
        "method": "block_density",
        "settings": {"alpha": 0.5},
        "drop": ["p:first-of-type"],
        "parts": ["html"],
        "policy": {"headline": True},
    }
    found = service.post("/v1/extract", {"html": PAGE, "options": options}).json
    wanted = extract(
        PAGE,
        method="block_density",
        settings={"alpha": 0.5},
        drop=["p:first-of-type"],
        policy={"headline": True},
    ).to_dict(parts=["html"])
    assert found == json.loads(json.dumps(wanted))


def test_a_page_is_fetched(service, web):
    found = service.post("/v1/extract", {"url": f"{web.url}/page?a=1#part"})
    assert found.json["url"] == f"{web.url}/page?a=1"
    assert found.headers["chaffinch-cache"] == "miss"
    agent = web.asked("/page?a=1")[-1]["user-agent"]
    assert agent == f"Chaffinch/{__version__}"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("", "text/markdown; charset=utf-8"),
        ("*/*", "text/markdown; charset=utf-8"),
        ("text/html", "text/html; charset=utf-8"),
        ("text/html;q=0.1, text/plain", "text/plain; charset=utf-8"),
        ("application/*", "application/json"),
    ],
)
def test_the_form_is_negotiated(service, web, accept, kind):
    found = service.get(f"/v1/read?url={web.url}/page", Accept=accept)
    assert found.headers["content-type"] == kind
    assert found.headers["vary"] == "Accept"
    assert PARAGRAPH.strip() in found.body.decode()
    assert "sandbox" in found.headers["content-security-policy"]


def test_a_page_is_read_within_a_budget(service, web):
    path = f"/v1/read?url={web.url}/page"
    whole, less = (service.get(path + rest).body for rest in ("", "&max_tokens=60"))
    assert len(less) < len(whole)
    assert b"tokens" in less
    assert service.get(f"{path}&section=0").status == 200
    assert service.get(f"{path}&section=9.9").kind == "page"
    assert service.get(f"{path}&max_tokens=60&format=text").kind == "invalid"
    asked = {"url": f"{web.url}/page", "options": {"parts": ["outline", "assessment"]}}
    found = service.post("/v1/extract", asked).json
    assert found["outline"][0]["heading"] == "Finches"
    assert found["assessment"]["state"] == "content"


def test_what_changed(service):
    later = {"html": PAGE.replace("birch", "beech")}
    assert service.post("/v1/diff", {"old": {"html": PAGE}, "new": later}).json["changed"]
    same = service.post("/v1/diff", {"old": later, "new": later}).json
    assert (same["changed"], same["changes"]) == (False, [])


def test_a_form_that_isnt_made(service, web):
    found = service.get(f"/v1/read?url={web.url}/page", Accept="image/png")
    assert (found.status, found.kind) == (406, "not-acceptable")


def test_markdown_of_the_server_is_taken_and_said(service, web):
    found = service.get(f"/v1/read?url={web.url}/markdown&format=markdown")
    assert found.body == b"# Finches\n\nas Markdown\n"
    assert found.headers["chaffinch-media-type"] == "text/markdown"
    found = service.get(f"/v1/read?url={web.url}/markdown&format=text")
    assert PARAGRAPH.strip() in found.body.decode()
    assert found.headers["chaffinch-media-type"] == "text/html"


def test_failures_of_fetching(service, web):
    def kind(path):
        found = service.get(f"/v1/read?url={web.url}{path}")
        return found.status, found.kind

    assert kind("/private/page") == (403, "robots")
    assert kind("/redirect?to=/private/page") == (403, "robots")
    assert kind("/json") == (502, "fetch")
    assert kind("/gone") == (502, "fetch")
    assert service.get(f"/v1/read?url={web.url}/gone").json["upstream_status"] == 410
    assert "assessment" not in service.get(f"/v1/read?url={web.url}/data").json
    assert service.get(f"/v1/read?url={web.url}/redirect?to=/page").status == 200


def test_pages_of_failures_are_assessed(service, web):
    found = service.get(f"/v1/read?url={web.url}/missing").json
    assert found["upstream_status"] == found["assessment"]["status"] == 404
    assert found["assessment"]["state"] == "error_page"
    assert sum(found["assessment"]["probabilities"].values()) == pytest.approx(1)
    assert found["detail"].endswith("error_page: give_up")
    found = service.get(f"/v1/read?url={web.url}/down").json["assessment"]
    assert found["next_step"] == "retry_later"
    asked = {"url": f"{web.url}/page", "options": {"parts": ["assessment"]}}
    assert service.post("/v1/extract", asked).json["assessment"]["status"] == 200


def test_explain(service):
    found = service.post("/v1/explain", {"html": PAGE}).json
    assert {one["keep"] for one in found["blocks"]} == {True, False}
    assert found["blocks"][0]["contributions"]


def test_a_stream_is_answered_in_order_of_completion(service, web):
    lines = [
        {"html": PAGE, "id": "a"},
        {"html": "", "id": 2},
        {"url": "http://10.0.0.1/", "id": "c"},
        {"html": PAGE, "method": "none"},
        {"url": f"{web.url}/page"},
    ]
    body = b"\n\n".join(json.dumps(line).encode() for line in lines) + b"\nnot JSON"
    found = service.ask("POST", "/v1/stream", body, {"Content-Type": "application/x-ndjson"})
    answers = {one["line"]: one for one in map(json.loads, found.body.splitlines())}
    assert sorted(answers) == [1, 3, 5, 7, 9, 10]
    assert answers[1]["record"]["title"] == "Finches"
    assert (answers[1]["id"], answers[3]["id"]) == ("a", 2)
    assert answers[3]["record"]["text"] == ""
    kinds = [answers[number]["problem"]["type"].rpartition(":")[2] for number in (5, 7, 10)]
    assert kinds == ["refused-address", "invalid", "bad-request"]
    assert answers[9]["record"]["url"] == f"{web.url}/page"


def test_a_stream_answers_before_its_body_ends(service):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    connection.putrequest("POST", "/v1/stream")
    connection.putheader("Content-Type", "application/x-ndjson")
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    line = json.dumps({"html": PAGE}).encode() + b"\n"
    connection.send(b"%x\r\n%s\r\n" % (len(line), line))
    answer = connection.getresponse()
    assert json.loads(answer.readline())["line"] == 1
    connection.send(b"%x\r\n%s\r\n0\r\n\r\n" % (len(line), line))
    assert json.loads(answer.readline())["line"] == 2
    assert answer.read() == b""
    connection.close()


def test_what_it_says_of_itself(service):
    assert service.get("/health").json == {"status": "ok"}
    assert service.get("/version").json["version"] == __version__
    service.post("/v1/extract", {"html": PAGE})
    counts = service.get("/metrics").body.decode()
    assert 'chaffinch_requests_total{method="POST",route="/v1/extract",status="200"}' in counts
    document = service.get("/openapi.json").json
    assert document["openapi"] == "3.1.0"
    page = service.get("/docs").body.decode()
    for path in document["paths"]:
        assert path in page
    assert "<script" not in page


def test_the_front_page_runs_its_own_script_alone(service):
    page = service.get("/")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    text = page.body.decode()
    assert "://" not in text
    assert " style=" not in text
    assert not re.search(r"\son\w+=", text)
    for name, kind in (("main.js", "javascript"), ("tokens.css", "css"), ("icon.svg", "svg")):
        assert (
            service.get(f"/static/{name}")
            .headers["content-type"]
            .startswith({"svg": "image/svg"}.get(kind, f"text/{kind}"))
        )


@pytest.mark.parametrize(
    "name", ["", "absent.js", "../gate.py", "..%2fgate.py", "%2e%2e/gate.py", "index.html", "views"]
)
def test_no_other_file_is_served(service, name):
    assert service.get(f"/static/{name}").kind == "not-found"


def test_each_request_has_a_line_in_the_log(service):
    identity = service.post("/v1/extract", {"html": PAGE}).headers["x-request-id"]
    while not (lines := [one for one in service.log if one.get("id") == identity]):
        time.sleep(0.01)
    (line,) = lines
    assert (line["route"], line["status"], line["caller"]) == ("/v1/extract", 200, "local")


def test_a_killed_child_costs_no_request(service):
    pages = [{"html": PAGE.replace("birch", f"birch {number} " * 300)} for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda page: service.post("/v1/extract", page), pages)
        for _ in range(3):
            time.sleep(0.1)
            for child in service.children()[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
        found = [one.status for one in answers]
    assert set(found) <= {200, 503}
    assert found.count(200) >= 55


def test_what_was_accepted_is_answered_before_the_end(web):
    begun, go_on = threading.Event(), threading.Event()

    def slow(site):
        begun.set()
        go_on.wait(30)
        site.answer()

    web.pages["slow"] = slow
    with running("--workers", "1", "--allow-host", "127.0.0.1", "--delay", "0") as service:
        answers = []
        caller = threading.Thread(
            target=lambda: answers.append(service.get(f"/v1/read?url={web.url}/slow"))
        )
        caller.start()
        assert begun.wait(30)
        service.process.send_signal(signal.SIGTERM)
        go_on.set()
        caller.join()
        assert answers[0].status == 200
        assert PARAGRAPH.strip() in answers[0].body.decode()
        assert service.process.wait(60) in (0, -signal.SIGTERM)


def test_what_is_unknown_is_answered_with_what_is_known(shared):
    nowhere = shared.get("/extract")
    assert (nowhere.status, nowhere.json["detail"]) == (
        404,
        "nothing is at this address; /docs names the endpoints",
    )
    wrong_field = shared.post("/v1/extract", {"html": "<p>x", "favour": "recall"})
    assert wrong_field.status == 422
    [problem] = wrong_field.json["errors"]
    assert problem["at"] == "/favour"
    assert problem["message"].startswith("there is no such field; known: ")
    assert "html" in problem["message"]
    wrong_option = shared.post("/v1/extract", {"html": "<p>x", "options": {"favour": "recall"}})
    assert wrong_option.status == 422
    assert "favor" in wrong_option.json["errors"][0]["message"]
