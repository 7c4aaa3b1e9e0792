"""Fields of one's own: values that stand beside labels, such as publisher, salary or floor area.

A label and its value are two cells of a row, a term and its description, two elements alone in a
third of which there are several, or a line with a colon between them. What asks names a field by
the labels that pages give it; the first value in document order is the field's, those within the
content before others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from chaffinch.errors import OptionError
from chaffinch.kernels.arrays import Mask
from chaffinch.metadata.values import FieldValue, fold
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import RoleRule

_LONGEST_LABEL: Final = 40
_LONGEST_VALUE: Final = 500  # characters of a label and of a value
OWN: Final = "field:"  # what the kind of a site's rule for such a field begins with
_FEWEST: Final = 2  # pairs of elements of one kind in a box: two alone are no label and value
_ROW, _DT, _DD = (tags.CODES[name] for name in ("tr", "dt", "dd"))
_NO_PAIR: Final = tags.table("#text a li button option h1 h2 h3 h4 h5 h6 tr dl dt dd".split())
_IN_LINE: Final = re.compile(
    r"(?:^|[|｜;；·•]|(?<!\s)(?:\s{2,}+|\u3000))\s*+([^\W\d_][^:：|｜;；\u3000]{0,39}?)\s?[:：]\s*"
)
"""A label in a line, which may hold several parted by bars, wide spaces and the like."""

_HOUR, _MINUTE = re.compile(r"(?:^|\s)\d{1,2}$"), re.compile(r"\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A label and the value beside it, as the page writes them."""

    label: str  # without the colon at its end
    value: str  # the value, white space folded
    row: int  # row of the page that holds the value
    form: str  # "table", "terms", "pair" or "line"


def wanted_fields(given: Iterable[str] | Mapping[str, str | Iterable[str]]) -> dict[str, list[str]]:
    """Return name → labels of fields, given as ``isbn=ISBN,ISBN-13`` or as a mapping.

    A label alone is the field's name, too.
    """
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise OptionError(f"fields are a list of NAME=LABEL,LABEL, not {given!r}")
    found: dict[str, list[str]] = {}
    pairs = given.items() if isinstance(given, Mapping) else map(_named, given)
    for name, labels in pairs:
        own = labels.split(",") if isinstance(labels, str) else labels
        own = list(own) if isinstance(own, Iterable) else []
        named = isinstance(name, str) and name.strip()
        if not named or not own or not all(isinstance(one, str) and fold(one) for one in own):
            raise OptionError(
                f"a field is a name, and labels with letters, not {name!r}: {labels!r}"
            )
        found.setdefault(name.strip(), []).extend(label.strip() for label in own)
    return found


def _named(text: object) -> tuple[str, str]:
    if not isinstance(text, str):
        raise OptionError(f"fields are texts such as isbn=ISBN,ISBN-13, not {text!r}")
    name, sign, labels = text.partition("=")
    return name, labels if sign else name


def read_fields(
    page: Page, kept: Mask, wanted: Mapping[str, Iterable[str]]
) -> dict[str, FieldValue[str]]:
    """Return name → value of the fields that a page has; ``wanted`` are their names and labels.

    Labels are compared without case, width and punctuation. Values in content, ``kept`` bool[n],
    come before others.
    """
    keys = {fold(label): name for name, labels in wanted.items() for label in labels}
    found: dict[str, FieldValue[str]] = {}
    every = labelled(page)
    for within in (True, False):
        for one in every:
            name = keys.get(fold(one.label))
            if name is not None and name not in found and bool(kept[one.row]) == within:
                source = f"{one.form}:{one.label}"
                found[name] = FieldValue(one.value, source, one.row, 0.8 if within else 0.6)
    return {name: found[name] for name in wanted if name in found}


def own_value(text: str) -> str:
    """Return the value in the text of an element, without the label that it may begin with."""
    folded = " ".join(text.split())
    found = _IN_LINE.match(folded)
    return folded[found.end() :] if found and found.end() < len(folded) else folded


def fields_by_rules(page: Page, roles: Iterable[RoleRule]) -> dict[str, FieldValue[str]]:
    """Return name → value of the fields of one's own that rules of a site select."""
    found: dict[str, FieldValue[str]] = {}
    for rule in roles:
        name = rule.role.removeprefix(OWN)
        if name == rule.role or name in found:
            continue
        for one in page.selected(rule.select):
            text = (page.text_of(one.row) if one.value is None else one.value) or ""
            if value := own_value(text)[:_LONGEST_VALUE]:
                found[name] = FieldValue(value, f"rule:{rule.select}", one.row, rule.confidence)
                break
    return found


def labelled(page: Page) -> list[Labelled]:
    """Return all labels with the values beside them, in document order."""
    if page.body < 0 or not len(page):
        return []
    found = [*_cells(page), *_terms(page), *_pairs(page), *_lines(page)]
    return sorted(found, key=lambda one: one.row)


def _pair(page: Page, label: int, value: int, form: str) -> Iterator[Labelled]:
    """Yield two rows as a label and its value where they are as long as such are."""
    name = page.folded(label).rstrip(" :：")
    if 0 < len(name) <= _LONGEST_LABEL and 0 < page.length[value] <= _LONGEST_VALUE:
        text = page.folded(value).lstrip(":： ")
        if text:
            yield Labelled(name, text, value, form)


def _cells(page: Page) -> Iterator[Labelled]:
    """Yield the cells of rows of two or four, of which each second is a value."""
    for row in (page.tag == _ROW).nonzero()[0].tolist():
        cells = [cell for cell in page.children(row) if tags.CELL[page.tag[cell]]]
        if len(cells) in (2, 4):
            for label, value in zip(cells[::2], cells[1::2], strict=True):
                yield from _pair(page, label, value, "table")


def _terms(page: Page) -> Iterator[Labelled]:
    """Yield terms with the first description behind each."""
    if "dt" not in page.tag_names:
        return
    rows = page.is_tag("dt", "dd").nonzero()[0].tolist()
    for label, value in pairwise(rows):
        if page.tag[label] == _DT and page.tag[value] == _DD:
            yield from _pair(page, label, value, "terms")


def _pairs(page: Page) -> Iterator[Labelled]:
    """Yield elements that are all of a box, two by two, where a holder has several such boxes."""
    boxes: dict[tuple[int, int, str | None], list[tuple[int, int]]] = {}
    before = page.written_before.item
    for row in range(page.body + 1, len(page)):
        size = page.end.item(row) - row
        if size < 5 or not 0 < page.length.item(row) <= _LONGEST_VALUE + _LONGEST_LABEL:  # noqa: PLR2004
            continue
        if _NO_PAIR[page.tag[row]] and page.name(row) != "li":
            continue
        inner = [one for one in page.children(row) if before(page.end.item(one)) > before(one)]
        if len(inner) == 2 and not _NO_PAIR[page.tag[inner]].any():  # noqa: PLR2004
            key = page.parent.item(row), page.tag.item(row), page.attribute(row, "class")
            boxes.setdefault(key, []).append((inner[0], inner[1]))
    for several in boxes.values():
        if len(several) >= _FEWEST:
            for label, value in several:
                yield from _pair(page, label, value, "pair")


def _lines(page: Page) -> Iterator[Labelled]:
    """Yield labels and values in lines with colons."""
    blocks = text_blocks(page)
    starts, stops = blocks.spans
    for block, (start, stop) in enumerate(zip(starts, stops, strict=True)):
        if stop - start > 4 * _LONGEST_VALUE:
            continue
        line = page.text[start:stop].strip("\r\n\t ")
        if ":" not in line and "：" not in line:
            continue
        found = [*_IN_LINE.finditer(line)]
        ends = [*(one.start() for one in found[1:]), len(line)] if found else []
        for one, end in zip(found, ends, strict=True):
            value = " ".join(line[one.end() : end].split())
            label = " ".join(one[1].split())
            is_time = _HOUR.search(label) is not None and _MINUTE.match(value) is not None
            if value and len(value) <= _LONGEST_VALUE and not is_time and value[:2] != "//":
                yield Labelled(label, value, blocks.first.item(block), "line")
