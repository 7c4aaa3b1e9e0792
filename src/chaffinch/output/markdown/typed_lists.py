"""Lists that were typed: lines that begin with a bullet, or with numbers that count up."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from chaffinch.output.markdown.escape import at_line_start

BULLETS: Final = "•●▪▫◦‣⁃■◆"
"""Characters that stand for nothing else at the beginning of a line; dashes begin speech, too."""
_ITEM: Final = re.compile(rf"(?:[{BULLETS}]\s*|([0-9]{{1,3}})\\?[.)]\s+)(?=\S)")
_FEWEST: Final = 2  # lines of a list, but for bullets in a paragraph of their own

Ends = list[tuple[int, int]]


def number_of(line: str) -> int:
    """Return the number that a line of Markdown begins with as an item would; -1 for none."""
    found = _ITEM.match(line)
    return int(found[1]) if found is not None and found[1] else -1


def as_item(line: str) -> str:
    """Return a line that was typed as an item as one of Markdown."""
    found = _ITEM.match(line)
    if found is None:
        return line
    mark = f"{found[1]}." if found[1] else "-"
    return f"{mark} {at_line_start(line[found.end() :])}"


def blocks(lines: list[str], ends: Ends) -> list[tuple[list[str], Ends]]:
    """Return a paragraph as blocks: lines before a list that was typed, and the list; or as it is.

    Args:
        lines: of the paragraph.
        ends: (line, character) after each of its sentences.
    """
    begin = next((at for at, line in enumerate(lines) if _ITEM.match(line)), len(lines))
    if not _is_list(lines[begin:]):
        return [(_broken(lines), ends)]
    items = [as_item(line) for line in lines[begin:]]
    before = [one for one in ends if one[0] < begin]
    longer = [len(new) - len(old) for new, old in zip(items, lines[begin:], strict=True)]
    after = [(at - begin, end + longer[at - begin]) for at, end in ends if at >= begin]
    return [*[(_broken(lines[:begin]), before)] * (begin > 0), (items, after)]


def _is_list(lines: list[str]) -> bool:
    numbers = [number_of(line) for line in lines]
    if max(numbers, default=0) < 0:
        return all(line[0] in BULLETS for line in lines)
    return len(lines) >= _FEWEST and all(0 <= a == b - 1 for a, b in pairwise(numbers))


def _broken(lines: list[str]) -> list[str]:
    """Return the lines of a paragraph, each but the last ending with a break."""
    return [f"{line}\\" for line in lines[:-1]] + lines[-1:]
