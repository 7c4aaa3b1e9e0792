"""Whatever stands in a field of a request, of whatever type, is answered, and not with 500."""

import json
from copy import deepcopy
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from running_service import PAGE

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
def service(shared):
    shared.document = shared.get("/openapi.json").json
    return shared


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
        if isinstance(node, list):
            node[0] = inner
        else:
            node[step] = inner
        node = inner
    return out


def bodies(document):
    """Return (path, place) of each field of each body of JSON."""
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {})
            for kind, one in content.items():
                if "json" in kind:
                    for place in dict.fromkeys(fields(one["schema"], schemas)):
                        yield method.upper(), path.replace("{name}", "a.example"), kind, place


@SETTINGS
@given(data=st.data())
def test_every_field_of_every_body(service, data):
    everywhere = list(bodies(service.document))
    assert len(everywhere) > 100
    method, path, kind, place = data.draw(st.sampled_from(everywhere))
    base = {"pages": [{"html": PAGE}]} if "pages" in place else {"html": PAGE}
    if "rules" in place:
        base = {}
    body = put(base, place, data.draw(VALUES))
    headers = {"Content-Type": kind, "If-None-Match": "*"}
    found = service.ask(method, path, json.dumps(body).encode("utf-8", "surrogatepass"), headers)
    assert found.status != 500, (body, found)
    if found.status != 200:
        assert found.kind != "bug"
    if kind == "application/x-ndjson":
        assert b"problem:bug" not in found.body


@SETTINGS
@given(body=VALUES | st.binary(max_size=50))
def test_any_body(service, body):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode("utf-8", "surrogatepass")
    for path in ("/v1/extract", "/v1/explain", "/v1/sites/a/learn"):
        assert service.post(path, raw, If_None_Match="*").status < 500


@SETTINGS
@given(data=st.data())
def test_every_parameter_of_every_query(service, data):
    document = service.document
    queries = [
        (method.upper(), path.replace("{name}", "a"), one["name"])
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        for one in operation["parameters"]
        if one["in"] == "query"
    ]
    method, path, name = data.draw(st.sampled_from(queries))
    text = data.draw(TEXTS.map(lambda one: one.encode("utf-8", "surrogatepass").decode("latin-1")))
    own = {"url": "file:///a"} | {name: text}
    query = "&".join(f"{key}={quote(value.encode('latin-1'))}" for key, value in own.items())
    body = PAGE.encode() if method == "POST" else None
    found = service.ask(method, f"{path}?{query}", body, {"Content-Type": "text/html"})
    assert found.status < 500
