"""A cheap recipe for runs, the pages they are given, and the tables they write."""

import json

import pyarrow.dataset as ds

from chaffinch.corpus import PageLimits, Recipe

CHEAP = Recipe(method="block_density")
LIMITS = PageLimits(wall=8, cpu=300, memory=400)


def rows(out):
    """Return the rows of a run, of either form, in the order of its files."""
    files = sorted((out / "pages").rglob("*.jsonl"))
    found = [json.loads(line) for one in files for line in one.read_text("utf-8").splitlines()]
    if not files:
        found = ds.dataset(out / "pages", partitioning="hive").to_table().to_pylist()
    return sorted(found, key=lambda row: (row["file"], row["offset"]))


def lines(*pages):
    return "\n".join(json.dumps({"html": html, "url": url}) for url, html in pages)
