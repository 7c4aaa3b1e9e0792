"""Labelled pages with their content taken out, cut off or replaced, by where the labels stand."""

from __future__ import annotations

from typing import Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from chaffinch.page import Page

GRAM: Final = 16
APP: Final = '<div id="root"></div><script src="/static/app.js"></script>'
_MARK: Final = "graft-9d1c7"


def share(page: Page, gold: str) -> float:
    """Return the share of the labelled content that stands in the page."""
    text = "".join(page.text.split())
    grams = [gold[at : at + GRAM] for at in range(0, max(len(gold) - GRAM, 1), GRAM)]
    return sum(gram in text for gram in grams) / len(grams)


def container(page: Page, gold: str) -> int:
    """Return the smallest element that holds nine tenths of the labelled content in the page."""
    own = np.zeros(len(page), dtype=np.int64)
    for row in np.flatnonzero(page.written & page.shown).tolist():
        text = "".join(page.text[page.text_at[row] : page.text_at[row + 1]].split())
        own[row] = len(text) if text[:GRAM] in gold else 0
    sums = page.total(own)
    rows = np.flatnonzero(sums >= 0.9 * own.sum())
    return int(rows[np.argmin(page.size[rows])])


def bare(data: bytes) -> str:
    """Return the page with an empty element and its scripts for a body."""
    tree = LexborHTMLParser(data)
    scripts = "".join(node.html or "" for node in tree.css("body script"))
    head = tree.head.html if tree.head is not None else ""
    return f"<!doctype html><html>{head}<body>{APP}{scripts}</body></html>"


def hollow(page: Page, row: int, data: bytes) -> str:
    """Return the page with one element emptied, and a script that would fill it."""
    emptied = replaced(page, row, data, "")
    return emptied.replace("</body>", '<script src="/static/app.js"></script></body>')


def replaced(page: Page, row: int, data: bytes, inner: str, *, kept: float = 0.0) -> str:
    """Return the page with the inside of one element replaced, but for its first part.

    Args:
        page: the page, by whose rows the element is found.
        row: of the element.
        data: the page's source in UTF-8.
        inner: what comes in place of what is taken out, as HTML.
        kept: share of the element's text that stays, from its beginning.
    """
    tree = LexborHTMLParser(data)
    node = tree.css_first(page.selector(row))
    children = list(node.iter(include_text=True)) if node else []
    left = kept * sum(len(child.text() or "") for child in children)
    for child in children:
        left -= len(child.text() or "")
        if left <= 0:
            child.decompose()
    if node is not None:
        node.insert_child(_MARK)
    return (tree.html or "").replace(_MARK, inner, 1)
