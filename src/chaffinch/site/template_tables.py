"""The tables of a template as TOML, and back: hashes in hexadecimal, a line a slot or text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import RulesError
from chaffinch.saved_data import LARGEST
from chaffinch.site.page_groups import PageGroup
from chaffinch.site.page_sketch import BINS
from chaffinch.site.page_summary import STRONGEST
from chaffinch.site.returning_texts import KINDS, ReturningTexts
from chaffinch.site.saved_rules import part_of
from chaffinch.site.slot_table import SlotTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from chaffinch.site.template import Template

_COUNT: Final = (0.0, float(LARGEST))
_SHARE: Final = (0.0, 1.0)
_SLOT_COLUMNS: Final = {
    "pages": _COUNT,
    "blocks": _COUNT,
    "log_odds": (-STRONGEST, STRONGEST),
    "linked": _SHARE,
    "length": _COUNT,
    "repeats": _SHARE,
}
"""Column of a `SlotTable` → the least and the largest value that it may have."""
_HASHES: Final = {"layout": np.uint64, "keys": np.uint64, "dropped": np.uint32}
"""Lists of hashes → their dtype."""


def pairs(values: Mapping[str, Any]) -> list[str]:
    """Return the lines of some keys and values."""
    return [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]


def saved_tables(template: Template) -> list[str]:
    """Return the lines of a template's ``data``."""
    lines = pairs({"texts_of": template.texts.pages, "longest": template.longest})
    for name, hashes in (("layout", template.sketch), ("keys", template.keys)):
        lines += _block(name, [f"{one:016x}" for one in hashes.tolist()])
    lines += _block("dropped", [f"{one:08x}" for one in template.dropped.tolist()])
    lines += _slots_and_texts(template.slots, template.texts)
    for name, group in template.groups.items():
        lines += ["", "[[template.data.group]]"]
        lines += pairs({"name": name, "texts_of": group.texts.pages})
        lines += _slots_and_texts(group.slots, group.texts)
    return lines


def read_tables(data: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the fields of a `Template` that its ``data`` holds; empty ones where it lacks any.

    Raises:
        RulesError: something in it is impossible; ``where`` it is.
    """
    slots, texts = _read_slots_and_texts(data, where)
    try:
        found = {
            name: np.array([int(x, 16) for x in data.get(name, "").split()], dtype=kind)
            for name, kind in _HASHES.items()
        }
    except (ValueError, AttributeError, OverflowError) as error:
        raise RulesError(f"{where} is broken: {error}") from error
    sketch = found.pop("layout")
    if len(sketch) not in {0, BINS}:
        raise RulesError(f"{where} is broken: a layout has {BINS} hashes, not {len(sketch)}")
    _require_ascending(found.values(), where)
    groups = part_of(data, "group", list, where) if "group" in data else []
    return {
        "slots": slots,
        "texts": texts,
        "groups": dict(_read_group(one, where) for one in groups),
        "sketch": sketch if len(sketch) else np.full(BINS, np.iinfo(np.uint64).max, np.uint64),
        "longest": part_of(data, "longest", int, where) if "longest" in data else 0,
        **found,
    }


def _slots_and_texts(slots: SlotTable, texts: ReturningTexts) -> list[str]:
    columns = zip(
        slots.slots.tolist(),
        *(getattr(slots, name).tolist() for name in _SLOT_COLUMNS),
        strict=True,
    )
    rows = [f"{slot:016x} " + " ".join(f"{x:.8g}" for x in rest) for slot, *rest in columns]
    lines = _block("slots", rows)
    for name, hashes, counts in zip(KINDS, texts.hashes, texts.counts, strict=True):
        counted = zip(hashes.tolist(), counts.tolist(), strict=True)
        lines += _block(name, [f"{text:08x} {count}" for text, count in counted])
    return lines


def _block(name: str, rows: Iterable[str]) -> list[str]:
    return [f'{name} = """', *rows, '"""']


def _read_group(saved: Any, where: str) -> tuple[str, PageGroup]:
    if not isinstance(saved, dict):
        raise RulesError(f"{where} is broken: a group is a table")
    name = part_of(saved, "name", str, f"a group in {where}")
    return name, PageGroup(*_read_slots_and_texts(saved, f"group {name!r} in {where}"))


def _read_slots_and_texts(data: dict[str, Any], where: str) -> tuple[SlotTable, ReturningTexts]:
    try:
        slots = _read_slots(_lines(data, "slots"))
        counted = [_lines(data, name) for name in KINDS]
        texts = ReturningTexts(
            part_of(data, "texts_of", int, where) if "texts_of" in data else 0,
            tuple(np.array([int(t, 16) for t, *_ in one], dtype=np.uint32) for one in counted),
            tuple(np.array([int(c) for _, c in one], dtype=np.int32) for one in counted),
        )
    except (ValueError, IndexError, AttributeError, TypeError, OverflowError) as error:
        raise RulesError(f"{where} is broken: {error}") from error
    _require_ascending((slots.slots, *texts.hashes), where)
    return slots, texts


def _lines(data: dict[str, Any], name: str) -> list[list[str]]:
    """Return the lines of a block, cut at blanks; none where it isn't there."""
    return [row.split() for row in data.get(name, "").split("\n") if row]


def _read_slots(rows: list[list[str]]) -> SlotTable:
    """Return the table of slots from its lines.

    Raises:
        ValueError: a number isn't one, or has no meaning.
    """
    columns = []
    for place, (name, (least, most)) in enumerate(_SLOT_COLUMNS.items(), start=1):
        column = np.array([float(row[place]) for row in rows])
        if not ((column >= least) & (column <= most)).all():  # nor is nan
            raise ValueError(f"{name} of slots must be from {least:.16g} to {most:.16g}")
        columns.append(column.astype(np.float32))
    return SlotTable(np.array([int(row[0], 16) for row in rows], dtype=np.uint64), *columns)


def _require_ascending(columns: Iterable[NDArray[Any]], where: str) -> None:
    """Raise where hashes don't ascend.

    Raises:
        RulesError: so it is.
    """
    if any((one[1:] <= one[:-1]).any() for one in columns):
        raise RulesError(f"{where} is broken: hashes must ascend")
