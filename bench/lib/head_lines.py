"""The lines of a page that the sources count as content and the labels mostly leave out.

Source: layout-similarity, 3.3: content is title, time, source, editor and text.
"""

from __future__ import annotations

import re

from chaffinch.page import Page
from chaffinch.segment.text_blocks import text_blocks

DATE = re.compile(r"(?:19|20)\d\d\s*[-年/.]\s*\d{1,2}")
SOURCE = re.compile("来源|作者|记者")
EDITOR = re.compile("责任编辑|责编|编辑[:：]|编辑\\s")
LONGEST = 60  # characters of a line that is only title, time, source or editor


def head_and_foot(page: Page) -> tuple[list[str], list[str]]:
    """Return the first lines of a page with title, time and source, and that with the editor."""
    title = page.head.title
    head: dict[str, str] = {}
    foot: list[str] = []
    for line in text_blocks(page).texts():
        if len(line) > LONGEST:
            continue
        if "title" not in head and len(line) >= len("six or") and line in title:
            head["title"] = line
        elif "date" not in head and DATE.search(line):
            head["date"] = line
        elif "source" not in head and SOURCE.search(line):
            head["source"] = line
        elif not foot and EDITOR.search(line):
            foot = [line]
    return list(head.values()), foot
