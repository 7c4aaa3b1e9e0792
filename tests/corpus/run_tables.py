"""A cheap recipe for runs, the pages they are given, and the tables they write."""

import json

import pyarrow.dataset as ds

from chaffinch.corpus import PageLimits, Recipe

CHEAP = Recipe(method="block_density")
LIMITS = PageLimits(wall=8, cpu=300, memory=400)


def table(out):
    return ds.dataset(out / "pages", partitioning="hive").to_table()


def lines(*pages):
    return "\n".join(json.dumps({"html": html, "url": url}) for url, html in pages)
