"""The example site keeps its promises: fixed bytes, true gold, honest and lying encodings."""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

ROOT = Path(__file__).parent.parent
DIGEST = "ffd22c212041bec1f72b15111bcac35a99b12da2e252319cbe287e531b737a15"
UNSEEN = "script, style, noscript, [style*='display:none'], [hidden], title"
# What the labels mean to a browser (the Encoding Standard), where Python's codecs are narrower.
BROWSER = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "windows-1252"}


def squeezed(text):
    return "".join(text.split())


def served(row):
    return row["html"].encode("latin-1")


def visible_text(row):
    tree = LexborHTMLParser(served(row).decode(row["encoding"]))
    for node in tree.css(UNSEEN):
        node.decompose()
    return squeezed(tree.root.text())


def declared_label(row):
    return re.search(rb"(?i)charset=\"?([\w-]+)", served(row))[1].decode()


def test_same_bytes_as_ever(example_site):
    digest = hashlib.sha256()
    for row in example_site:
        digest.update(json.dumps(row, sort_keys=True).encode())
    assert digest.hexdigest() == DIGEST, (
        "The example site has changed. If that was meant, put the new digest into DIGEST here and "
        "renew what was made from the pages (golden files)."
    )


def test_enough_pages_and_templates(example_site):
    counts = Counter(row["template"] for row in example_site)
    assert sum(counts.values()) >= 40
    assert set(counts) >= {"article", "list", "product", "thread", "docs", "table", "archive"}
    hosts = Counter((urlsplit(row["url"]).netloc, row["template"]) for row in example_site)
    assert min(hosts[host, "article"] for host in ("grain.example", "zh.grain.example")) >= 10


def test_names_are_unique_and_reserved(example_site):
    for key in ("id", "url", "path", "html"):
        assert len({row[key] for row in example_site}) == len(example_site)
    assert {urlsplit(row["url"]).netloc.rsplit(".", 1)[-1] for row in example_site} == {"example"}


def test_articles_differ(example_site):
    lines = Counter(
        line
        for row in example_site
        if row["template"] in {"article", "thread", "archive"}
        for line in row["gold_text"].split("\n")[1:]
    )
    assert max(lines.values()) == 1


def test_gold_is_on_the_page_in_order(example_site):
    for row in example_site:
        text, at = visible_text(row), 0
        for line in row["gold_text"].split("\n"):
            found = text.find(squeezed(line), at)
            assert found >= 0, (row["id"], line)
            at = found + len(squeezed(line))


def test_page_holds_more_than_its_gold(example_site):
    for row in example_site:
        assert len(visible_text(row)) > len(squeezed(row["gold_text"])) + 100, row["id"]


def test_snippets(example_site):
    for row in example_site:
        assert row["with"], row["id"]
        assert row["without"], row["id"]
        gold = squeezed(row["gold_text"])
        page = squeezed(LexborHTMLParser(served(row).decode(row["encoding"])).root.text())
        for snippet in row["with"]:
            assert squeezed(snippet) in gold, (row["id"], snippet)
        for snippet in row["without"]:
            assert squeezed(snippet) not in gold, (row["id"], snippet)
            assert squeezed(snippet) in page, (row["id"], snippet)


def test_headline_comes_first(example_site):
    for row in example_site:
        assert row["gold_text"].split("\n")[0] == row["title"]


def test_encodings(example_site):
    for row in example_site:
        label = declared_label(row)
        assert label == row["declared"]
        text = served(row).decode(row["encoding"])
        assert row["title"] in text.replace("&amp;", "&")
    counts = Counter(row["encoding"] for row in example_site)
    assert counts["gbk"] >= 5
    assert set(counts) >= {"utf-8", "gb18030", "big5", "windows-1252"}


def test_one_declaration_is_wrong(example_site):
    liars = []
    for row in example_site:
        text = served(row).decode(BROWSER.get(row["declared"], row["declared"]), errors="replace")
        if row["title"] not in text.replace("&amp;", "&"):
            liars.append((row["declared"], row["encoding"]))
    assert liars == [("gb2312", "utf-8")]


def test_ads_change_from_page_to_page(example_site):
    ads = [tuple(re.findall(r"ads\.example/[ci][^\"]*", row["html"])) for row in example_site]
    filled = [found for found in ads if found]
    assert len(filled) > len(ads) / 2
    assert len(set(filled)) == len(filled)


@pytest.mark.parametrize(
    "feature",
    [
        "</h2>\n<h3>", "<ul><li>[^<]*<ul>", "<ol><li>", "rowspan=", "<caption>", "<figcaption>",
        '<a href="/images/large', '<code class="language-python">', "<blockquote>", "<dl><dt>",
        "<details>", 'rel="next"', "application/ld\\+json", "__NEXT_DATA__", "<noscript><img",
        'style="display:none"', 'data-src="', "<TABLE WIDTH=", "articleBody", "<div [^>]*hidden>",
    ],
)  # fmt: skip
def test_feature_occurs(example_site, feature):
    assert any(re.search(feature, row["html"]) for row in example_site)


@pytest.mark.parametrize(
    "damage",
    ["unclosed", "misnested", "no_body", "duplicate_ids", "upper_case", "bare_ampersand", "cut"],
)
def test_damage_is_real(example_site, damage):
    marks = {
        "unclosed": lambda html: html.count("<div") > html.count("</div>"),
        "misnested": lambda html: "</b></i>" in html,
        "no_body": lambda html: "<body" not in html and "<html" not in html,
        "duplicate_ids": lambda html: html.count('id="story"') > 1,
        "upper_case": lambda html: "<DIV CLASS=" not in html and "<DIV class=" in html,
        "bare_ampersand": lambda html: "&amp;" not in html and "&p=" in html,
        "cut": lambda html: "</html>" not in html.lower(),
    }
    rows = [row for row in example_site if damage in row.get("damage", [])]
    assert rows
    for row in rows:
        assert marks[damage](row["html"]), row["id"]


def test_parts_of_an_article_know_each_other(example_site):
    parts = [row for row in example_site if row.get("parts", 1) > 1]
    assert [row["part"] for row in parts] == [1, 2, 1, 2]
    for row, rel in zip(parts, ["next", "prev", "next", "prev"], strict=True):
        assert re.search(rf'<a rel="{rel}" href="/', row["html"])


def test_posts_are_the_gold_of_threads(example_site):
    for row in example_site:
        if row["template"] == "thread":
            texts = [post["post_text"] for post in row["posts"]]
            assert row["gold_text"] == "\n".join([row["title"], *texts])


def test_links_lead_to_pages(example_site):
    known = {row["path"] for row in example_site}
    for row in example_site:
        host = urlsplit(row["url"]).netloc
        tree = LexborHTMLParser(served(row).decode(row["encoding"]))
        linked = {node.attributes.get("href") for node in tree.css(".related a, .hot a, .card a")}
        assert all(f"{host}{href}" in known for href in linked), row["id"]


def test_command_writes_what_the_fixture_holds(example_site, tmp_path):
    command = [sys.executable, str(ROOT / "examples" / "make_site.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{len(example_site)} pages")
    for row in example_site:
        assert (tmp_path / row["path"]).read_bytes() == served(row)
    lines = (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == example_site
