"""What the endpoints of pages answer, and in which form; every option of each acts."""

import base64
import json

import jsonschema
import pytest
from running_service import NAME, PAGE, PARAGRAPH

from answering_server import Given
from chaffinch import extract
from chaffinch.record import schema
from chaffinch.service.requests import READ_FORMS
from chaffinch.version import __version__

HTML = {"Content-Type": "text/html"}


@pytest.fixture(autouse=True, scope="module")
def _pages(web):
    failed = "<title>{0}</title><h1>{0}</h1><p>No such page."
    web.pages |= {
        "markdown": lambda path: markdown(web.asked(path)[-1]["accept"]),
        "json": Given(body="{}", kind="application/json"),
        "gone": Given(body="gone", status=410),
        "missing": Given(body=failed.format("404 Not Found"), status=404),
        "down": Given(body=failed.format("Service unavailable"), status=503),
        "data": Given(body="{}", status=404, kind="application/json"),
        "copy": Given(body=PAGE, headers=(("Cache-Control", "private, max-age=99"),)),
    }


def markdown(accepted):
    if "text/markdown" in accepted:
        return Given(body="# Finches\n\nas Markdown\n", kind="text/markdown; charset=utf-8")
    return Given(body=PAGE)


def as_json(value):
    return json.loads(json.dumps(value))


def test_a_record_is_that_of_the_library(service):
    options = {
        "method": "block_density", "settings": {"alpha": 0.5}, "drop": ["p:first-of-type"],
        "policy": {"headline": True},
    }  # fmt: skip
    for body, page in (
        ({"html": PAGE}, PAGE),
        ({"html_base64": base64.b64encode(PAGE.encode()).decode()}, PAGE.encode()),
    ):
        found = service.post("/v1/extract", body)
        jsonschema.validate(found.json, schema())
        assert found.json == as_json(extract(page).to_dict())
        body["options"] = {**options, "parts": ["html"]}
        wanted = extract(page, **options).to_dict(parts=["html"])
        assert service.post("/v1/extract", body).json == as_json(wanted)


def test_the_body_may_be_the_page(service):
    page = "<title>雀</title><p>苍头燕雀".encode("gb18030")
    path = "/v1/extract?url=http://grain.example/a&parts=blocks,metadata"
    headers = {"Content-Type": "text/html; charset=gb18030"}
    found = service.ask("POST", path, page, headers).json
    assert (found["title"], found["url"]) == ("雀", "http://grain.example/a")
    assert found["blocks"][0]["rows"]
    read = service.ask("POST", "/v1/read", PAGE.encode(), HTML)
    assert read.headers["content-type"] == "text/markdown; charset=utf-8"
    assert read.body.decode() == extract(PAGE).markdown()
    outline = service.ask("POST", "/v1/read?format=json&outline=true", PAGE.encode(), HTML)
    assert outline.json["outline"][0]["heading"] == "Finches"
    assert service.ask("POST", "/v1/read?render=auto", PAGE.encode(), HTML).kind == "invalid"
    assert service.post("/v1/read", {"html": PAGE}).kind == "unsupported-media-type"


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


def test_a_page_is_fetched_and_kept_for_a_while(service, web):
    url = f"{web.url}/page?a=1"

    def cache(**query):
        return service.read(url, format="json", **query).headers["chaffinch-cache"]

    found = service.post("/v1/extract", {"url": f"{url}#part"})
    assert (found.json["url"], found.headers["chaffinch-cache"]) == (url, "miss")
    assert web.asked("/page?a=1")[-1]["user-agent"] == f"Chaffinch/{__version__}"
    assert [cache(), cache(max_age=0), cache(max_age=99)] == ["fresh", "miss", "fresh"]
    private = [service.read(f"{web.url}/copy") for _ in range(2)]
    assert [one.headers["chaffinch-cache"] for one in private] == ["miss", "miss"]


@pytest.mark.parametrize(("form", "kind"), READ_FORMS.items())
def test_a_page_comes_in_the_form_that_is_named(service, web, form, kind):
    found = service.get(f"/v1/read?url={web.url}/page&format={form}")
    assert found.headers["content-type"].partition(";")[0] == kind
    assert PARAGRAPH.strip() in found.body.decode()
    assert service.get(f"/v1/read?url={web.url}/page&format=pdf").failure == (422, "invalid")


def test_a_server_s_own_markdown_is_passed_on(service, web):
    own = service.read(f"{web.url}/markdown")
    assert own.body == b"# Finches\n\nas Markdown\n"
    assert own.headers["chaffinch-media-type"] == "text/markdown"
    for query in ({"method": "line_blocks"}, {"max_tokens": 60}):
        extracted = service.read(f"{web.url}/markdown", format="markdown", **query)
        assert extracted.headers["chaffinch-media-type"] == "text/html"


@pytest.mark.parametrize(
    ("path", "failure"),
    [
        ("/private/page", (403, "robots")),
        ("/redirect?to=/private/page", (403, "robots")),
        ("/json", (502, "fetch")),
        ("/gone", (502, "fetch")),
        ("/redirect?to=http://10.0.0.1/", (403, "refused-address")),
    ],
)
def test_failures_of_fetching(service, web, path, failure):
    assert service.read(web.url + path).failure == failure


def test_pages_of_failures_are_assessed(service, web):
    found = service.read(f"{web.url}/missing").json
    assert found["upstream_status"] == found["assessment"]["status"] == 404
    assert found["detail"].endswith("error_page: give_up")
    assert service.read(f"{web.url}/down").json["assessment"]["next_step"] == "retry_later"
    assert "assessment" not in service.read(f"{web.url}/data").json


# Every option acts: with it, the answer is another one

MATHS = '<math alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math>'
ITEMS = "".join(
    f"<li><h3><a href=/b/{n}>Bird number {n} of the caf\u00e9</a></h3><p>{PARAGRAPH}</p>"
    for n in range(9)
)
RICH = f"""<!doctype html><html lang=en><title>Finches</title><nav><a href=/>Home</a></nav>
<main><article><h1>Finches of the wood</h1><p class=byline>By Ann Other</p>
<p>{PARAGRAPH * 3}<a href=/birch>A birch</a> and a <b>flourish</b>, <span>caf\u00e9</span>. {MATHS}
</p><figure><img src=/finch.jpg alt="A finch" title="Fringilla" width=800 height=600>
<figcaption>{PARAGRAPH}</figcaption>
</figure><h2>Songs</h2><p>{PARAGRAPH * 4}</p>
<table><tr><th>Bird<th>Songs<tr><td>Chaffinch<td>two<tr><td>Brambling<td>one</table>
<h2>Nests</h2><p class=nests>{PARAGRAPH * 2}</p></article>
<ul>{ITEMS}</ul>
<div class=comment><a class=user href=/u/1>wren</a> <time>2 May 2024</time><p>{PARAGRAPH}</p></div>
<div class=comment><a class=user href=/u/2>tit</a> <time>3 May 2024</time><p>{PARAGRAPH}2</p></div>
</main><footer><p>Imprint and terms of this page about a birch</footer>"""
OTHER = RICH.replace("birch", "beech")
COMMENTS = {"policy": {"comments": True}}
GIVEN = {
    "encoding": ({"encoding": "windows-1251"}, {}),
    "method": ({"method": "line_blocks"}, {}),
    "favor": ({"favor": "recall"}, {"favor": "precision"}),
    "settings": tuple({"method": "block_density", "settings": {"alpha": n}} for n in (0, 10)),
    "keep": ({"keep": ["footer"]}, {}),
    "drop": ({"drop": [".nests"]}, {}),
    "siblings": (
        {"method": "layout_similarity", "siblings": [OTHER, RICH]},
        {"method": "layout_similarity"},
    ),
    "policy": ({"policy": {"tables": False, "cards": False, "captions": True}}, {}),
    "posts": ({"posts": "named", **COMMENTS}, COMMENTS),
    "max_tokens": ({"max_tokens": 60}, {}),
    "section": ({"section": "Nests"}, {}),
    "parts": ({"parts": ["blocks"]}, {}),
    "chunk_tokens": ({"parts": ["chunks"], "chunk_tokens": 64}, {"parts": ["chunks"]}),
    "fields": ({"fields": ["songs=Chaffinch"]}, {}),
    "site": ({"site": NAME}, {}),
    **{name: ({name: False}, {}) for name in ("links", "images", "tables", "emphasis")},
}
"""Option → values with it, and those without it that they are compared with."""


def options_of(service, path):
    """Return the names of an endpoint's options as its document has them."""
    document = service.get("/openapi.json").json
    schemas = document["components"]["schemas"]
    body = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    options = schemas[body["$ref"].rpartition("/")[2]]["properties"]["options"]["anyOf"][0]
    return schemas[options["$ref"].rpartition("/")[2]]["properties"]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("path", ["/v1/extract", "/v1/explain", "/v1/diff"])
def test_every_option_acts(service, path):
    def ask(options):
        old, new = ({"html_base64": base64.b64encode(one.encode("latin-1")).decode(),
                     "url": "http://grain.example/a"} for one in (RICH, OTHER))  # fmt: skip
        body = {"old": old, "new": new} if path == "/v1/diff" else old
        return service.post(path, {**body, "options": options})

    for name in options_of(service, path):
        with_it, without = map(ask, GIVEN[name])
        assert with_it.status == 200, (name, with_it)
        if path != "/v1/diff" or name not in {"favor", "site"}:  # which keep what differs here
            assert with_it.body != without.body, name


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/explain", {"html": PAGE, "options": {"max_tokens": 60}}),
        ("/v1/extract", {"html": PAGE, "options": {"front_matter": True}}),
        ("/v1/extract", {"html": PAGE, "options": {"chunk_tokens": 60}}),
        ("/v1/extract", {"html": PAGE, "max_age": 60}),
        ("/v1/extract?favor=recall", {"html": PAGE}),
    ],
)
def test_what_doesnt_act_is_refused(service, path, body):
    assert service.post(path, body).failure == (422, "invalid")


def test_queries_act(service, web):
    def ask(path, query=""):
        return service.ask("POST", f"{path}?url=http://grain.example/a{query}", RICH.encode(), HTML)

    for path, queries in {
        "/v1/extract": ("method=line_blocks", "max_tokens=60", "section=Nests", "parts=blocks"),
        "/v1/explain": ("method=line_blocks",),
        "/v1/read": ("method=line_blocks", "max_tokens=60", "section=Nests", "format=html"),
    }.items():
        for query in queries:
            found = ask(path, f"&{query}")
            assert found.status == 200, (path, query, found)
            assert found.body != ask(path).body, query
    assert ask("/v1/explain", "&parts=blocks").kind == "invalid"
    for form in ("markdown", "text", "html"):
        headed = service.read(f"{web.url}/page", format=form, front_matter="true").body
        assert headed.startswith(b"---\n")
        assert service.read(f"{web.url}/page", format=form).body.strip() in headed
    assert service.read(f"{web.url}/page", format="json", front_matter="true").kind == "invalid"
