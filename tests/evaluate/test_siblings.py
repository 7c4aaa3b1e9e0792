"""Methods that compare in an evaluation: siblings of the same site, never the page itself."""

import json

from chaffinch.evaluate import read_corpus, render, run
from chaffinch.evaluate.evaluation import SiblingPool

RYE = "<p>Rye is a grass, grown for its grain, and hardy in poor soils and cold winters. {}"


def row(number, *, url=None, domain=None, text=""):
    html = f"<nav><a href=/>Home</a></nav><article>{RYE.format(text or number) * 3}</article>"
    values = {"id": str(number), "html": html, "gold_text": RYE[3:].format(text or number) * 3}
    return values | ({"url": url} if url else {}) | ({"domain": domain} if domain else {})


def write(path, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return str(path)


def siblings_of(path, most=8):
    pool = SiblingPool(path, most=most)
    return {page.id: [one.url for one in pool.of(page)] for page in read_corpus(path)}


def test_addresses_name_the_site_where_the_corpus_doesnt(tmp_path):
    urls = ["https://a.rye.co.uk/1", "https://a.rye.co.uk/2", "https://oat.co.uk/3"]
    path = write(tmp_path / "a.jsonl", [row(n, url=url) for n, url in enumerate(urls)])
    assert siblings_of(path) == {"0": [urls[1]], "1": [urls[0]], "2": []}
    bare = write(tmp_path / "b.jsonl", [row(0), row(1)])
    assert siblings_of(bare) == {"0": [], "1": []}


def test_the_page_itself_is_no_sibling_under_any_address(tmp_path):
    rows = [
        row(0, url="https://rye.example/0", domain="rye.example", text="same"),
        row(1, url="https://rye.example/1", domain="rye.example", text="same"),
        row(2, url="https://rye.example/0#part", domain="rye.example"),
    ]
    found = siblings_of(write(tmp_path / "a.jsonl", rows))
    assert found == {
        "0": [],
        "1": ["https://rye.example/0#part"],
        "2": ["https://rye.example/1"],
    }


def test_pages_without_siblings_are_left_out_and_counted(tmp_path):
    rows = [row(n, url=f"https://rye.example/{n}", domain="rye.example") for n in range(3)]
    rows += [row(n, url=f"https://oat{n}.example/", domain=f"oat{n}.example") for n in (7, 8)]
    path = write(tmp_path / "a.jsonl", rows)
    done = run((path,), methods=("layout_similarity", "auto"), draws=0)
    by_system = {one.system: one for one in done.summaries if one.kind == "all"}
    ours, default = by_system["chaffinch:layout_similarity"], by_system["chaffinch:auto"]
    assert (ours.pages, ours.left_out, ours.errors) == (3, 2, {})
    assert (default.pages, default.left_out) == (5, 0)
    assert ours.figures["word_precision"].value > 0
    text = render(done)
    assert "left out" in text
    assert "measured on pages with siblings alone" in text
    found = json.loads(done.to_json())
    assert {one["left_out"] for one in found["summaries"]} == {0, 2}
