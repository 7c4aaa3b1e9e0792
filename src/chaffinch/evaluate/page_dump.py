"""Worst pages as HTML files: gold on the left, output on the right."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from chaffinch.evaluate.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from chaffinch.evaluate.runner import WorstPage

_NOT_IN_FILE_NAME = re.compile(r"[^\w.-]+")
_LONG = 80  # characters of a file's name
_UNMATCHED_SHARE = 0.5
"""A line is marked when more than this share of its words isn't on the other side."""

_STYLE = (
    "body{font:15px/1.4 sans-serif;margin:1em}table{width:100%;table-layout:fixed}"
    "td{vertical-align:top;padding:0 1em;overflow-wrap:anywhere}"
    ".unmatched{background:#ffd9d9}p{margin:.3em 0}"
)


def dump(worst: Sequence[WorstPage], folder: Path) -> int:
    """Write one HTML file a page and an index to a folder, which is made; return how many pages.

    Lines of the gold that the output lacks, and lines of the output that the gold lacks, have
    a red ground. The page's own markup isn't executed: all text is escaped.
    """
    folder.mkdir(parents=True, exist_ok=True)
    links = []
    for number, one in enumerate(worst):
        result = one.result
        name = f"{result.corpus}-{result.system}-{number:03}-{result.id}"
        plain = _NOT_IN_FILE_NAME.sub("_", name)[:_LONG]
        score = "" if result.scores.main is None else f"{result.scores.main:.3f}"
        title = f"{result.corpus}, {result.system}: {score} {result.id} {result.url or ''}"
        (folder / f"{plain}.html").write_text(_page(title, one), encoding="utf-8", errors="replace")
        links.append(f'<p><a href="{escape(plain)}.html">{escape(title)}</a></p>')
    (folder / "index.html").write_text(
        _document("Worst pages", "".join(links)), encoding="utf-8", errors="replace"
    )
    return len(links)


def _page(title: str, one: WorstPage) -> str:
    page = one.page
    gold = page.gold_text
    if gold is None:
        gold = "\n".join(["wanted:", *page.wanted, "", "unwanted:", *page.unwanted])
    error = f"<p>{escape(one.result.error)}</p>" if one.result.error else ""
    columns = "".join(
        f"<td>{side}</td>" for side in (_lines(gold, one.extracted), _lines(one.extracted, gold))
    )
    body = f"<h1>{escape(title)}</h1>{error}<table><tr><th>gold</th><th>output</th></tr>"
    return _document(title, f"{body}<tr>{columns}</tr></table>")


def _lines(text: str, other: str) -> str:
    words = set(tokenize(other))
    parts = []
    for line in text.splitlines():
        tokens = tokenize(line)
        missing = sum(token not in words for token in tokens)
        unmatched = tokens and missing / len(tokens) > _UNMATCHED_SHARE
        parts.append(f'<p class="{"unmatched" if unmatched else ""}">{escape(line)}</p>')
    return "".join(parts)


def _document(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>\n"
