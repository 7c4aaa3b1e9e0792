"""The example site keeps its promises: fixed bytes, true gold, honest and lying encodings."""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

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


def test_gold_is_on_the_page_in_order(example_site):
    for row in example_site:
        text, at = visible_text(row), 0
        for line in row["gold_text"].split("\n"):
            found = text.find(squeezed(line), at)
            assert found >= 0, (row["id"], line)
            at = found + len(squeezed(line))


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


def test_command_writes_what_the_fixture_holds(example_site, tmp_path):
    command = [sys.executable, str(ROOT / "examples" / "make_site.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{len(example_site)} pages")
    for row in example_site:
        assert (tmp_path / row["path"]).read_bytes() == served(row)
    lines = (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == example_site
