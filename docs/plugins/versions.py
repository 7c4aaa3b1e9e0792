"""The table of plug-ins: what each gives, and the version it was tried with; run by cog."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_PIN: Final = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)

GIVES: Final = (
    ("datatrove", "datatrove", "datatrove", "a reader of WARC files as bytes, and an extractor"),
    ("nemo_curator", "nemo-curator", "nemo", "an algorithm, and an extractor that takes bytes"),
    ("scrapy", "scrapy", "scrapy", "a downloader middleware, an item pipeline, an add-on"),
    ("scrapy_poet", "scrapy-poet", "scrapy", "a provider of the classes of zyte-common-items"),
    ("crawl4ai", "crawl4ai", "crawl4ai", "a content filter and a scraping strategy"),
    ("docling", "docling", "docling", "a backend of HTML, noise in the furniture layer"),
    ("markitdown", "markitdown", "markitdown", "the converter of HTML, by an entry point"),
    ("langchain", "langchain-core", "retrieval", "a blob parser, a loader, a document transformer"),
    ("llama_index", "llama-index-core", "retrieval", "a reader and a node parser"),
    ("haystack", "haystack-ai", "retrieval", "a converter from pages to documents"),
    ("polars", "polars", "tables", "columns of a DataFrame or LazyFrame; an expression"),
    ("pandas", "pandas", "tables", "columns of a DataFrame"),
    ("duckdb", "duckdb", "tables", "a vectorised function of SQL"),
    ("ray", "ray", "tables", "columns of a Dataset, on a cluster"),
    ("spark", "pyspark", "tables", "columns of a DataFrame, by `mapInArrow`"),
)
"""Plug-in, package of its tool, the group of ``make plugins`` that has it, what it gives."""

IN_DEV: Final = ("duckdb", "pandas", "polars")
"""Plug-ins whose tests ``make test`` runs."""


def pins(group: str) -> dict[str, str]:
    """Return each package of a group of ``make plugins`` → its locked version."""
    locked = ROOT / "requirements" / "plugins" / f"{group}.txt"
    return dict(_PIN.findall(locked.read_text(encoding="utf-8")))


def table() -> str:
    """Return the table as Markdown."""
    lines = ["\n| tool | tried with | what it gives | tests |", "|---|---|---|---|"]
    for name, package, group, gives in GIVES:
        tests = f"`{group}`, dev" if name in IN_DEV else f"`{group}`"
        lines.append(
            f"| [{name}]({name}.md) | {package} {pins(group)[package]} | {gives} | {tests} |"
        )
    return "\n".join([*lines, ""])
