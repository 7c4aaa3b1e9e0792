"""Pages alike are found by the columns of signatures, in a database."""

import json
import random
import re
from pathlib import Path

import duckdb
import numpy as np

from chaffinch.corpus import Plan, Recipe, run
from chaffinch.corpus.rows import text_hash, text_signature

SIGNED = Recipe(method="block_density", signatures=True)
WORDS = [f"word{number}" for number in range(400)]


def text(seed, count=300):
    return " ".join(random.Random(seed).choices(WORDS, k=count))  # noqa: S311 - no secrets


def changed(given_text, count, seed=1000):
    """Return a text in which some words in a row are others."""
    words = given_text.split()
    words[:count] = random.Random(seed).choices(WORDS, k=count)  # noqa: S311 - no secrets
    return " ".join(words)


def alike(one, other):
    first, second = (np.frombuffer(text_signature(each), dtype="<u4") for each in (one, other))
    return (first == second).mean()


def test_signatures_tell_how_alike_texts_are():
    one = text(1)
    assert alike(one, changed(one, 10)) > 0.8
    assert alike(one, changed(one, 200)) < 0.5
    assert alike(one, text(2)) < 0.1
    assert text_hash(one) == text_hash(f" {one.upper()}\n") != text_hash(changed(one, 1))
    assert text_signature("short") is None


def test_the_statements_of_the_docs_find_pages_alike(tmp_path):
    texts = [changed(text(n % 9), n % 4, seed=500 + n) if n % 5 else text(n % 9) for n in range(40)]
    pages = [
        {"url": f"https://a.example/{n}", "html": f"<main><h1>Title</h1><p>{one}</p></main>"}
        for n, one in enumerate([*texts, "short"])
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, pages)))
    run([str(tmp_path / "a.jsonl")], Plan(out=str(tmp_path / "out"), recipe=SIGNED), workers=1)
    docs = (Path(__file__).parents[2] / "docs" / "batch.md").read_text("utf-8")
    statements = re.search(r"```sql\n(CREATE OR.*?)```", docs, re.DOTALL)[1]
    clusters = {}
    queries = statements.replace("'pages/pages/", f"'{tmp_path}/out/pages/")
    for url, cluster, is_first in duckdb.sql(queries).fetchall():
        number = int(url.rpartition("/")[2])
        clusters.setdefault(cluster, set()).add(number)
        assert is_first == (number < 9 or number == 40)
    assert set(map(frozenset, clusters.values())) == {
        frozenset({40}), *(frozenset(range(n, 40, 9)) for n in range(9))
    }  # fmt: skip
