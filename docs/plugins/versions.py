"""The table of plug-ins: what each gives, and the version it was tried with; run by cog."""

from __future__ import annotations

from typing import Final

GIVES: Final = (
    (
        "datatrove",
        "datatrove 0.10.1",
        "datatrove",
        "a reader of WARC files as bytes, and an extractor",
    ),
    (
        "nemo_curator",
        "nemo-curator 1.4.0",
        "nemo",
        "an algorithm, and an extractor that takes bytes",
    ),
    ("scrapy", "scrapy 2.19.0", "scrapy", "a downloader middleware, an item pipeline, an add-on"),
    ("markitdown", "markitdown 0.1.8", "markitdown", "the converter of HTML, by an entry point"),
    (
        "langchain",
        "langchain-core 1.7.2",
        "retrieval",
        "a blob parser, a loader, a document transformer",
    ),
    ("llama_index", "llama-index-core 0.14.25", "retrieval", "a reader and a node parser"),
    ("haystack", "haystack-ai 3.4.0", "retrieval", "a converter from pages to documents"),
)
"""Plug-in, its tool and the version, the group of ``make plugins`` that has it, what it gives."""


def table() -> str:
    """Return the table as Markdown."""
    lines = ["\n| tool | tried with | what it gives | tests |", "|---|---|---|---|"]
    lines += [
        f"| [{name}]({name}.md) | {tool} | {gives} | `{group}` |"
        for name, tool, group, gives in GIVES
    ]
    return "\n".join([*lines, ""])
