"""Pages alike are found across shards, whatever the order, and the first of each stands."""

import json
import random
import re
from pathlib import Path

import duckdb
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from run_tables import rows

from chaffinch.corpus import Plan, Recipe, run
from chaffinch.corpus.duplicates import NEAR_DUPLICATE, PageHashes, first_of_cluster
from chaffinch.corpus.rows import SIGNATURE_VALUES, text_hash, text_signature

SIGNED = Recipe(method="block_density", signatures=True)
WORDS = [f"word{number}" for number in range(400)]


def text(seed, count=300):
    return " ".join(random.Random(seed).choices(WORDS, k=count))  # noqa: S311 - no secrets


def changed(given_text, count, seed=1000):
    """Return a text in which some words in a row are others."""
    words = given_text.split()
    words[:count] = random.Random(seed).choices(WORDS, k=count)  # noqa: S311 - no secrets
    return " ".join(words)


def signed(texts):
    signatures = [text_signature(one) for one in texts]
    table = np.zeros((len(texts), SIGNATURE_VALUES), dtype="<u4")
    for number, signature in enumerate(signatures):
        if signature is not None:
            table[number] = np.frombuffer(signature, dtype="<u4")
    hashes = np.array([text_hash(one) for one in texts], dtype=np.int64)
    return PageHashes(hashes, table, np.array([one is not None for one in signatures]))


def test_near_and_exact_ones_are_found_and_others_not():
    one = text(1)
    texts = [text(2), one, changed(one, 10), text(3), one.upper(), "short", "short", ""]
    assert first_of_cluster(signed(texts)).tolist() == [0, 1, 1, 3, 1, 5, 5, 7]
    assert first_of_cluster(signed([one, changed(one, 200)])).tolist() == [0, 1]


@settings(max_examples=30)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.randoms())
def test_clusters_dont_depend_on_the_order(seeds, dice):
    texts = [
        changed(text(seed), number % 3, seed=1000 + number) for number, seed in enumerate(seeds)
    ]
    order = list(range(len(texts)))
    dice.shuffle(order)
    here = first_of_cluster(signed(texts))
    there = first_of_cluster(signed([texts[at] for at in order]))
    clusters = {frozenset(np.flatnonzero(here == one).tolist()) for one in here}
    others = {frozenset(order[at] for at in np.flatnonzero(there == one)) for one in there}
    assert clusters == others
    assert NEAR_DUPLICATE <= 1


def page(url, content):
    html = f"<html lang=en><body><main><h1>Title</h1><p>{content}</p></main></body></html>"
    return json.dumps({"url": url, "html": html})


def test_a_run_marks_or_removes_them(tmp_path):
    one = text(1)
    sources = []
    for name, texts in {"a": (one, text(2)), "b": (changed(one, 6), one)}.items():
        lines = [page(f"https://{name}.example/{n}", it) for n, it in enumerate(texts, 1)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
        sources.append(str(tmp_path / f"{name}.jsonl"))
    reports = {}
    for mode in ("mark", "remove"):
        plan = Plan(out=str(tmp_path / mode), duplicates=mode, recipe=SIGNED)
        reports[mode] = run(sources, plan, workers=2)
        again = run(sources, plan, workers=2, resume=True)
        assert again.to_dict() == reports[mode].to_dict()
        left = {path.name for path in (tmp_path / mode).iterdir()}
        assert left.isdisjoint({"staged", "signatures", "clusters"})
    marked = rows(tmp_path / "mark")
    cluster = f"{sources[0]}:0"
    assert [row["cluster"] for row in marked] == [cluster, "", cluster, cluster]
    kept = rows(tmp_path / "remove")
    assert [row["url"] for row in kept] == ["https://a.example/1", "https://a.example/2"]
    assert [row["cluster"] for row in kept] == [cluster, ""]
    assert reports["remove"].duplicates == {"clusters": 1, "others": 2}


def test_a_database_finds_the_same_by_the_columns_of_signatures(tmp_path):
    """The statements of docs/batch.md, on a run that looks for no duplicates itself."""
    texts = [changed(text(n % 9), n % 4, seed=500 + n) if n % 5 else text(n % 9) for n in range(40)]
    lines = [page(f"https://a.example/{n}", one) for n, one in enumerate([*texts, "short"])]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    found = {}
    for mode in ("keep", "mark"):
        plan = Plan(out=str(tmp_path / mode), duplicates=mode, recipe=SIGNED)
        run([str(tmp_path / "a.jsonl")], plan, workers=1)
        found[mode] = rows(tmp_path / mode)
    docs = (Path(__file__).parents[2] / "docs" / "batch.md").read_text("utf-8")
    statements = re.search(r"```sql\n(CREATE OR.*?)```", docs, re.DOTALL)[1]
    queries = statements.replace("'pages/pages/", f"'{tmp_path}/keep/pages/")
    clusters = {}
    for url, cluster in duckdb.sql(queries).fetchall():
        clusters.setdefault(cluster, set()).add(url)
    marked = {}
    for row in found["mark"]:
        marked.setdefault(row["cluster"] or row["url"], set()).add(row["url"])
    assert len(marked) == 10
    assert {frozenset(one) for one in clusters.values()} == {frozenset(o) for o in marked.values()}


def test_json_lines_are_looked_at_too(tmp_path):
    pages = [page(f"https://a.example/{number}", text(number // 2)) for number in range(6)]
    (tmp_path / "a.jsonl").write_text("\n".join(pages))
    plan = Plan(out=str(tmp_path / "out"), form="jsonl", duplicates="remove", recipe=SIGNED)
    run([str(tmp_path / "a.jsonl")], plan, workers=1)
    assert [row["offset"] for row in rows(tmp_path / "out")] == [0, 2, 4]
