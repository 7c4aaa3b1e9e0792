"""A page that a person looked over, as a line of a corpus for `chaffinch evaluate`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from chaffinch.errors import PageError
from chaffinch.extraction.extract import Extract
from chaffinch.fetch.url_parts import host_name
from chaffinch.result import Content

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.service.page_jobs import GivenPage


def labelled_row(
    found: Extract, given: GivenPage, marks: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return a page's line of a corpus.

    Its content is what was found, changed by marks: of nested ones the innermost decides.

    Args:
        found: what was found on the page.
        given: its source.
        marks: ``row`` of an element and ``kind``, ``content`` or ``drop``.

    Raises:
        PageError: the page has no source, since a browser made it.
    """
    if not isinstance(given.html, bytes | str):
        raise PageError("a page that a browser made has no source that could be labelled")
    content = found.in_rows
    page, keep = content.page, content.verdict.keep.copy()
    for mark in sorted(marks, key=lambda one: int(one["row"])):
        row = int(mark["row"])
        if not 0 <= row < len(page):
            raise PageError(f"the page has no row {row}")
        keep[row : page.end[row]] = mark["kind"] == "content"
    shown = Content(page, content.verdict.with_keep(keep & page.shown), content.reasons)
    text = Extract(shown, found.method).text
    source = given.html if isinstance(given.html, bytes) else b"\xef\xbb\xbf" + given.html.encode()
    return {
        "id": hashlib.sha256(source).hexdigest()[:16],
        "url": page.url or None,
        "domain": host_name(page.url) or "",
        "lang": found.metadata.value("language") or "",
        "page_type": found.page_type or "",
        "title": found.title or None,
        "gold_text": text,
        "html": source.decode("latin-1"),
    }
