"""Kinds of hostile pages: each repeats what some output reads, without end, to any size.

Each kind is a function of the size wanted, in characters of what is repeated; what stands around it
comes on top. Most are lines of ``hostile_kinds.toml``. What hurts the parser itself stands in
``tests/page/hostile_pages.toml``; these pass it and are meant for what comes after.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

TINY: Final = "<!doctype html><title>Oats</title><p>The mill ground oats.</p>"
"""A page whose cost is the constant part of every output."""


def repeated(unit: str, size: int, before: str = "", after: str = "") -> str:
    """Return a page that holds ``size`` characters of ``unit`` repeated; ``%d`` is its number."""
    room = max(size - len(TINY), 0)
    if "%d" not in unit:
        body = unit * max(room // len(unit), 1)
    else:
        longest = len(unit.replace("%d", str(room // len(unit))))
        body = "".join(unit.replace("%d", str(n)) for n in range(max(room // longest, 1)))
    return f"{TINY}{before}{body}{after}"


def _made(row: dict[str, Any], size: int) -> str:
    """Return the page of a line of the table."""
    before, after = (row.get(name, "") * row.get("levels", 1) for name in ("before", "after"))
    if "then" in row:
        one = repeated(row["unit"], size // 2, before)
        return one + repeated(row["then"], size // 2, after=after)[len(TINY) :]
    if "unit" in row:
        return repeated(row["unit"], size, before, after)
    begin, end, depth = str(row["open"]), str(row["close"]), row.get("depth")
    if depth:
        return repeated(begin * depth + row.get("inner", "oats") + end * depth, size)
    inner = str(row.get("inner", "oats "))
    count = max((size - len(TINY)) // (len(begin) + len(end) + len(inner)), 1)
    return TINY + (begin + inner) * count + end * count


def _json(unit: object, head: str, tail: str, script: str) -> Callable[[int], str]:
    text = json.dumps(unit)

    def make(size: int) -> str:
        count = max((size - len(TINY)) // (len(text) + 1), 1)
        return f"{TINY}<script {script}>{head}{','.join([text] * count)}{tail}</script>"

    return make


def _nested_json(size: int) -> str:
    count = max((size - len(TINY)) // 12, 1)
    inner = '{"author":' * count + "1" + "}" * count
    return f'{TINY}<script type="application/ld+json">{inner}</script>'


def _long_base(size: int) -> str:
    base = f"<base href='https://farm.example/{'a' * (size // 2)}/'>"
    return repeated("<p><a href=%d>oats</a>", size, base)


def _long_base_images(size: int) -> str:
    base = f"<base href='https://farm.example/{'a/' * (size // 4)}'>"
    return repeated("<figure><img src=%d.jpg alt=oats width=600 height=400></figure>", size, base)


def _growing_clauses(size: int) -> str:
    """Paragraphs of a script without spaces, each a word longer than the one before."""
    most = int((2 * size) ** 0.5)
    return TINY + "".join(f"<p>{'燕麦' * (words // 2)}" for words in range(2, most))


_LINKED_DATA: Final = "type='application/ld+json'"
_MADE: Final[dict[str, Callable[[int], str]]] = {
    "table: wide and spanned": lambda size: repeated(
        "<tr>" + "<td>7" * 50, size, "<table><tr>" + "<th colspan=1000>oats" * 3
    ),
    "math: long words": lambda size: repeated(
        "<mi>" + "oats rye " * 100 + "</mi>", size, "<math>", "</math>"
    ),
    "math: one symbol of all text": lambda size: f"{TINY}<math><mi>{'oats ' * (size // 5)}</math>",
    "base: long, many links": _long_base,
    "base: long, many images": _long_base_images,
    "base: as long as it may be": lambda size: repeated(
        "<a href=%d>oats</a> ", size, f"<base href='https://farm.example/{'a/' * 500}'>"
    ),
    "roles: cells far below their row": lambda size: repeated(
        "<p role=cell>a</p>", size, "<div role=table><div role=row>" + "<div>" * 300
    ),
    "links: one long": lambda size: (
        f"{TINY}<p><a href='https://farm.example/{'../a/' * (size // 5)}'>oats</a>"
    ),
    "images: one alternative text": lambda size: (
        f"{TINY}<img src=a.jpg alt='{'oats ' * (size // 5)}'>"
    ),
    "code: blocks of lines": lambda size: repeated(
        "<pre><span id=a>a</span><span id=b>b</span></pre>", size
    ),
    "code: lines 200 lists deep": lambda size: repeated("a\n", size, "<ul><li>" * 200 + "<pre>"),
    "posts: declared": _json(
        {"@type": "Comment", "text": "oats", "author": {"name": "Ann"}, "dateCreated": "2026"},
        '{"@type":"Article","comment":[',
        "]}",
        _LINKED_DATA,
    ),
    "metas: one long title": lambda size: f"<title>{'Oats | ' * (size // 7)}</title><p>oats",
    "JSON-LD: items": _json(
        {"@type": "Article", "author": {"name": "Ann"}, "headline": "Oats"}, "[", "]", _LINKED_DATA
    ),
    "JSON-LD: nested": _nested_json,
    "state: items": _json(
        {"title": "Oats", "body": "The mill ground oats and rye all night, every night."},
        "[",
        "]",
        "id=__NEXT_DATA__ type=application/json",
    ),
    "texts: clauses of growing length": _growing_clauses,
    "styles: rules left open": lambda size: repeated(
        "<style>@layer a%d{" + ".b{display:none}@media all{" * 120 + "</style><p class=b>oats", size
    ),
}
_TABLE: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
KINDS: Final[dict[str, Callable[[int], str]]] = {
    **{name: partial(_made, row) for name, row in _TABLE.items()},
    **_MADE,
}
"""Name → maker of a page of about so many characters."""
