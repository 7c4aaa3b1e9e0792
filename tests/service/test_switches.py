"""Every option of every endpoint acts: with it, the answer is another one, or a failure is told."""

import base64

import pytest

MATHS = '<math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>'
WORDS = "The chaffinch sings from the top of a birch, and its song ends with a flourish. "
ITEMS = "".join(
    f"<li><h3><a href=/b/{n}>Bird number {n} of the caf\u00e9</a></h3><p>{WORDS}</p>"
    for n in range(9)
)
PAGE = f"""<!doctype html><html lang=en><title>Finches</title><nav><a href=/>Home</a></nav>
<main><article><h1>Finches of the wood</h1><p class=byline>By Ann Other</p>
<p>{WORDS * 3}<a href=/birch>A birch</a> and a <b>flourish</b>, <span>caf\u00e9</span>. {MATHS}</p>
<figure><img src=/finch.jpg alt="A finch" title="Fringilla" width=800 height=600>
<figcaption>{WORDS}</figcaption>
</figure><h2>Songs</h2><p>{WORDS * 4}</p>
<table><tr><th>Bird<th>Songs<tr><td>Chaffinch<td>two<tr><td>Brambling<td>one</table>
<h2>Nests</h2><p class=nests>{WORDS * 2}</p></article>
<ul>{ITEMS}</ul>
<div class=comment><a class=user href=/u/1>wren</a> <time>2 May 2024</time><p>{WORDS}</p></div>
<div class=comment><a class=user href=/u/2>tit</a> <time>3 May 2024</time><p>{WORDS}2</p></div>
</main><footer><p>Imprint and terms of this page about a birch</footer>"""
SOURCE = PAGE.encode("latin-1")
OTHER = PAGE.replace("birch", "beech")

GIVEN = {
    "encoding": ({"encoding": "windows-1251"}, {}),
    "method": ({"method": "line_blocks"}, {}),
    "favor": ({"favor": "recall"}, {"favor": "precision"}),
    "settings": (
        {"method": "block_density", "settings": {"alpha": 0}},
        {"method": "block_density", "settings": {"alpha": 10}},
    ),
    "keep": ({"keep": ["footer"]}, {}),
    "drop": ({"drop": [".nests"]}, {}),
    "siblings": (
        {"method": "layout_similarity", "siblings": [OTHER, PAGE]},
        {"method": "layout_similarity"},
    ),
    "policy": ({"policy": {"tables": False, "cards": False, "captions": True}}, {}),
    "links": ({"links": False}, {}),
    "images": ({"images": False}, {}),
    "tables": ({"tables": False}, {}),
    "formulas": ({"formulas": False}, {}),
    "emphasis": ({"emphasis": False}, {}),
    "posts": (
        {"posts": "named", "policy": {"comments": True}},
        {"policy": {"comments": True}},
    ),
    "titles": ({"titles": True}, {}),
    "front_matter": ({"front_matter": True}, {}),
    "max_tokens": ({"max_tokens": 60}, {}),
    "section": ({"section": "Nests"}, {}),
    "parts": ({"parts": ["blocks"]}, {}),
    "chunk_tokens": ({"parts": ["chunks"], "chunk_tokens": 64}, {"parts": ["chunks"]}),
}
"""Option → values with it, and those without it that they are compared with."""


@pytest.fixture
def service(shared):
    return shared


def resolved(document, schema):
    """Return the schema that a schema names."""
    while "$ref" in schema or "anyOf" in schema:
        schema = (
            schema["anyOf"][0]
            if "anyOf" in schema
            else document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        )
    return schema


def options_of(service, path):
    """Return the names of an endpoint's options as its document has them."""
    document = service.get("/openapi.json").json
    body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return resolved(document, resolved(document, body)["properties"]["options"])["properties"]


@pytest.mark.parametrize("path", ["/v1/extract", "/v1/explain", "/v1/diff"])
def test_every_option_acts(service, path):
    def ask(options):
        page = {"html_base64": base64.b64encode(SOURCE).decode(), "url": "http://grain.example/a"}
        later = {**page, "html_base64": base64.b64encode(OTHER.encode("latin-1")).decode()}
        body = {"old": page, "new": later} if path == "/v1/diff" else page
        return service.post(path, {**body, "options": options})

    for name in options_of(service, path):
        with_it, without = (ask(dict(values)) for values in GIVEN[name])
        assert with_it.status == 200, (name, with_it.body)
        if (path, name) != ("/v1/diff", "favor"):  # both keep the lines that differ here
            assert with_it.body != without.body, name


@pytest.mark.parametrize(
    ("path", "options"),
    [
        ("/v1/explain", {"max_tokens": 60}),
        ("/v1/extract", {"front_matter": True}),
        ("/v1/extract", {"chunk_tokens": 60}),
    ],
)
def test_what_doesnt_act_is_refused(service, path, options):
    found = service.post(path, {"html": PAGE, "options": options})
    assert (found.status, found.kind) == (422, "invalid")


def test_what_doesnt_act_on_a_source_is_refused(service):
    found = service.post("/v1/extract", {"html": PAGE, "max_age": 60})
    assert (found.status, found.kind) == (422, "invalid")


def test_queries_beside_a_page_act(service):
    headers = {"Content-Type": "text/html; charset=latin-1"}

    def ask(path, query=""):
        return service.ask("POST", f"{path}?url=http://grain.example/a{query}", SOURCE, headers)

    whole = ask("/v1/extract")
    for query in ("&method=line_blocks", "&max_tokens=60", "&section=Nests", "&parts=blocks"):
        found = ask("/v1/extract", query)
        assert found.status == 200, found
        assert found.body != whole.body, query
    assert ask("/v1/explain", "&method=line_blocks").body != ask("/v1/explain").body
    assert ask("/v1/explain", "&parts=blocks").kind == "invalid"


def test_queries_of_reading_act(service, web):
    path = f"/v1/read?url={web.url}/page&format="
    for form in ("markdown", "text", "html"):
        headed = service.get(f"{path}{form}&front_matter=true").body
        assert headed.startswith(b"---\n"), headed
        assert service.get(path + form).body.strip() in headed
    assert service.get(f"{path}json&front_matter=true").kind == "invalid"
    extracted = service.get(f"/v1/read?url={web.url}/markdown&format=markdown&method=line_blocks")
    assert extracted.headers["chaffinch-media-type"] == "text/html"
