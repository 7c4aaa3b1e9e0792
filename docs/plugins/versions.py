"""The table of plug-ins: what each gives, and the version it was tried with; run by cog."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_PIN: Final = re.compile(r"^([\w.-]+)(?:\[[^]]*\])?==(\S+)", re.MULTILINE)

GIVES: Final = (
    ("datatrove", "datatrove", "a reader of WARC files as bytes, and an extractor"),
    ("nemo_curator", "nemo-curator", "an algorithm, and an extractor that takes bytes"),
    ("scrapy", "scrapy", "a downloader middleware, an item pipeline, an add-on"),
    ("scrapy_poet", "scrapy-poet", "a provider of the classes of zyte-common-items"),
    ("crawl4ai", "crawl4ai", "a content filter and a scraping strategy"),
    ("docling", "docling", "a backend of HTML, noise in the furniture layer"),
    ("markitdown", "markitdown", "the converter of HTML, by an entry point"),
    ("langchain", "langchain-core", "a blob parser, a loader, a document transformer"),
    ("llama_index", "llama-index-core", "a reader and a node parser"),
    ("haystack", "haystack-ai", "a converter from pages to documents"),
    ("polars", "polars", "columns of a DataFrame or LazyFrame; an expression"),
    ("pandas", "pandas", "columns of a DataFrame"),
    ("duckdb", "duckdb", "a vectorised function of SQL"),
    ("ray", "ray", "columns of a Dataset, on a cluster"),
    ("spark", "pyspark", "columns of a DataFrame, by `mapInArrow`"),
)
"""Plug-in, package of its tool, what it gives."""

IN_DEV: Final = ("duckdb", "pandas", "polars")
"""Plug-ins whose tests ``make test`` runs."""


def pins() -> dict[str, tuple[str, str]]:
    """Return each package → its version, and the group of ``make plugins`` that has it."""
    return {
        package: (version, path.stem)
        for path in sorted((ROOT / "requirements" / "plugins").glob("*.txt"))
        for package, version in _PIN.findall(path.read_text(encoding="utf-8"))
    }


def table() -> str:
    """Return the table as Markdown."""
    known = pins()
    lines = ["\n| tool | tried with | what it gives | tests |", "|---|---|---|---|"]
    for name, package, gives in GIVES:
        version, group = known[package]
        tests = f"`{group}`, dev" if name in IN_DEV else f"`{group}`"
        lines.append(f"| [{name}]({name}.md) | {package} {version} | {gives} | {tests} |")
    return "\n".join([*lines, ""])
