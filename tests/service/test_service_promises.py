"""What holds for every endpoint, whatever it answers: tried on all that the document names."""

import json
import re
from copy import deepcopy
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from running_service import PAGE

from chaffinch.version import __version__

DOCS = Path(__file__).parents[2] / "docs" / "serve.md"
NAMES = {"{name:path}": "main.js", "{name}": "a.example"}
OPEN = ("/", "/openapi.json", "/health", "/ready")
"""What needs no token, besides the inspector's files."""
TEXTS = st.text(max_size=20).filter(lambda text: "://" not in text)  # nothing is fetched
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | TEXTS
    | st.sampled_from(["../../etc/passwd", "\0", "learned", "<p>a", "//p", "p", "0", "[]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
SETTINGS = settings(
    max_examples=60, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def document(service):
    return service.get("/openapi.json").json


def operations(document):
    """Yield (method, declared path, path, operation) of every endpoint."""
    for path, some in document["paths"].items():
        real = path
        for name, value in NAMES.items():
            real = real.replace(name, value)
        for method, operation in some.items():
            yield method.upper(), path, real, operation


def is_open(path):
    return path in OPEN or path.startswith(("/static/", "/inspector/"))


def test_foreign_pages_and_names_are_refused_everywhere(service, document):
    for method, _, path, _ in operations(document):
        for headers in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": f"http://localhost:{service.port}"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        ):
            found = service.ask(method, path, headers=headers)
            assert found.failure == (403, "foreign-origin"), (path, headers)
        for host in ("evil.example", "localhost.evil.example", "", "a@localhost", "10.0.0.1"):
            assert service.ask(method, path, headers={"Host": host}).status == 400, (path, host)
    own = {"Origin": service.url, "Sec_Fetch_Site": "same-origin"}
    assert service.post("/v1/extract", {"html": PAGE}, **own).status == 200


def test_every_endpoint_needs_a_token_but_those_that_are_open(guarded, document):
    for method, _, path, _ in operations(document):
        found = guarded.ask(method, path)
        assert (found.status != 401) == is_open(path), path
        if not is_open(path):
            assert found.kind == "unauthorized"
            assert found.headers["www-authenticate"].startswith("Bearer")


def test_bodies_have_a_type_a_size_and_known_fields(service, document):
    for method, _, path, operation in operations(document):
        types = operation.get("requestBody", {}).get("content", {})
        for kind in ("text/plain", "", "multipart/form-data") if types else ():
            found = service.ask(method, path, b"{}", {"Content-Type": kind})
            assert found.failure == (415, "unsupported-media-type"), (path, kind)
        if "application/json" in types:
            coded = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
            assert service.ask(method, path, b"{}", coded).kind == "unsupported-media-type"
            found = service.post(path, b'{"a": "' + bytes(11 << 20) + b'"}', method)
            assert found.failure == (413, "too-large"), path
            found = service.post(path, {"favour": 1}, method)
            assert found.failure == (422, "invalid"), path
            problem = next(one for one in found.json["errors"] if one["at"] == "/favour")
            assert problem["message"].startswith("there is no such field; known: ")


def test_other_methods_and_addresses_are_problems(service, document):
    for _, _, path, _ in operations(document):
        found = service.ask("PATCH", path)
        assert found.failure == (405, "method-not-allowed"), path
        assert "/openapi.json names its own" in found.json["detail"]
    nowhere = service.get("/extract")
    assert nowhere.failure == (404, "not-found")
    assert nowhere.json["detail"] == "nothing is at this path; /openapi.json names the endpoints"


def test_what_it_answers_runs_nowhere(service, document):
    for method, _, path, _ in operations(document):
        headers = service.ask(method, path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        if path != "/":
            assert "sandbox" in policy
    front = service.get("/").body.decode()
    assert "://" not in front
    assert not re.search(r"\s(style|on\w+)=", front)


@pytest.mark.parametrize(
    "name", ["", "absent.js", "../app.py", "..%2fapp.py", "%2e%2e/app.py", "index.html"]
)
def test_no_other_file_is_served(service, name):
    assert service.get(f"/static/{name}").kind == "not-found"


def test_it_documents_itself(service, document):
    text = "".join(one.read_text("utf-8") for one in (DOCS, DOCS.with_name("http.md")))
    assert document["openapi"] == "3.1.0"
    for _, path, _, operation in operations(document):
        assert operation["summary"]
        if path != "/" and not path.startswith(("/static/", "/inspector/", "/v1/inspect/")):
            assert path.removeprefix("/v1") in text, path
    kinds = document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]
    for kind in (one.rpartition(":")[2] for one in kinds):
        assert f"`{kind}`" in text, kind
    assert service.get("/health").json == {"status": "ok"}
    assert document["info"]["version"] == __version__


def test_each_request_is_counted_and_has_a_line_in_the_log(service):
    identity = service.post("/v1/extract", {"html": PAGE}).headers["x-request-id"]
    line = service.line(identity)
    assert (line["route"], line["status"], line["caller"]) == ("/v1/extract", 200, "local")
    counts = service.get("/metrics").body.decode()
    assert 'chaffinch_requests_total{method="POST",route="/v1/extract",status="200"}' in counts


# Whatever stands in a request, of whatever type, is answered, and not with 500


def fields(schema, schemas, at=()):
    """Yield the place of each field below a schema."""
    if "$ref" in schema:
        yield from fields(schemas[schema["$ref"].rpartition("/")[2]], schemas, at)
    for name, inner in schema.get("properties", {}).items():
        yield (*at, name)
        yield from fields(inner, schemas, (*at, name))
    for inner in schema.get("anyOf", ()):
        yield from fields(inner, schemas, at)
    if "items" in schema:
        yield (*at, 0)
        yield from fields(schema["items"], schemas, (*at, 0))


def put(body, place, value):
    """Return a body with a value at a place; what leads there is made."""
    out = node = deepcopy(body)
    for step, following in zip(place, (*place[1:], None), strict=True):
        if following is None:
            inner = value
        elif isinstance(node, dict) and step in node:
            inner = node[step]
        else:
            inner = [None] if following == 0 else {}
        node[step] = inner
        node = inner
    return out


@SETTINGS
@given(data=st.data())
def test_every_field_of_every_body(service, document, data):
    schemas = document["components"]["schemas"]
    everywhere = [
        (method, path, kind, place)
        for method, _, path, operation in operations(document)
        for kind, one in operation.get("requestBody", {}).get("content", {}).items()
        if "json" in kind
        for place in dict.fromkeys(fields(one["schema"], schemas))
    ]
    assert len(everywhere) > 100
    method, path, kind, place = data.draw(st.sampled_from(everywhere))
    body = put({"html": PAGE}, place, data.draw(VALUES))
    raw = json.dumps(body).encode("utf-8", "surrogatepass")
    found = service.ask(method, path, raw, {"Content-Type": kind})
    assert found.status != 500, (body, found)
    assert b"problem:bug" not in found.body


@SETTINGS
@given(data=st.data())
def test_every_parameter_of_every_query(service, document, data):
    queries = [
        (method, path, one["name"])
        for method, _, path, operation in operations(document)
        for one in operation["parameters"]
        if one["in"] == "query"
    ]
    method, path, name = data.draw(st.sampled_from(queries))
    text = data.draw(TEXTS).encode("utf-8", "surrogatepass")
    own = {"url": b"file:///a"} | {name: text}
    query = "&".join(f"{key}={quote(value)}" for key, value in own.items())
    body = PAGE.encode() if method == "POST" else None
    found = service.ask(method, f"{path}?{query}", body, {"Content-Type": "text/html"})
    assert found.status < 500


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[" * 500_000, b'{"html": ' * 50_000, b'{"html": "\\ud800"}',
        b'{"html": "\xff\xfe"}', b'{"html": "\xed\xa0\x80"}', b'{"html": "a", "html": 1}',
        b'{"html": 1e400}', b'{"html": NaN}', b'{"url": "http://\\u0000/"}',
        b'{"html_base64": "\xc3\xa9"}', b'{"html": "a"} {"html": "b"}',
    ],
    ids=range(13),
)  # fmt: skip
def test_json_that_is_none(service, body):
    found = service.post("/v1/extract", body)
    assert 400 <= found.status < 500
    assert found.kind in ("bad-request", "invalid", "page", "refused-address")
