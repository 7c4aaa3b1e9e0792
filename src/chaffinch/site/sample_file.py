"""The sample of a site's pages as a file: arrays and a header, no pickled objects."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import RulesError
from chaffinch.saved_data import read_arrays, read_json, require_array
from chaffinch.site.page_sketch import BINS
from chaffinch.site.page_summary import LONGEST_TITLE, STRONGEST, PageSummary
from chaffinch.site.rule_examples import shown_words
from chaffinch.site.slots import SlotStep
from chaffinch.site.sorted_hashes import concatenated
from chaffinch.site.text_hashes import TextHashes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

KIND: Final = "chaffinch site pages"
VERSION: Final = 7
_READABLE: Final = (3, 4, 5, 6, VERSION)
_WITH_LONE: Final = 4
_WITH_WORDS: Final = 5
_WITH_KINDS: Final = 6
_WITH_TITLES: Final = 7
"""Versions from which lone links, the first words of slots, types and titles of pages are kept."""
_BLOCKS: Final = ("slot", "log_odds", "length", "linked", "heading", "lone")
_SLOTS: Final = ("slots", "elements")
_NAMES: Final = ("further_slots", "further")
_TEXTS: Final = ("verbatim", "masked", "head", "tail")
_KINDS: Final[Mapping[str, type[np.generic]]] = {
    **dict.fromkeys(("elements", "length", "linked"), np.uint16),
    **dict.fromkeys(("slots", "further_slots"), np.uint64),
    **dict.fromkeys(("further", *_TEXTS), np.uint32),
    "log_odds": np.float16,
    "slot": np.int16,
    **dict.fromkeys(("heading", "lone"), np.bool_),
}
"""Column of the pages' summaries → its dtype."""


def to_bytes(
    most: int,
    samples: Mapping[str, Sequence[PageSummary]],
    pages: Mapping[str, int],
    steps: Mapping[int, SlotStep],
    hosts: Mapping[str, int],
) -> bytes:
    """Return the fields of a `chaffinch.site.Statistics` as an npz archive."""
    dated = [(date, page) for date, kept in sorted(samples.items()) for page in kept]
    every = [page for _, page in dated]
    known = sorted(steps.items())
    header = {
        "kind": KIND,
        "version": VERSION,
        "most": most,
        "pages": dict(sorted(pages.items())),
        "hosts": dict(sorted(hosts.items())),
        "kept": [_facts(date, page) for date, page in dated],
        "steps": [step.text for _, step in known],
    }
    arrays: dict[str, Any] = {
        "header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
        "keys": np.array([page.key for page in every], dtype=np.uint64),
        "layouts": concatenated([page.sketch for page in every], np.uint64),
        "step_slots": np.array([slot for slot, _ in known], dtype=np.uint64),
        "step_ups": np.array([step.up for _, step in known], dtype=np.uint64),
        "slot_counts": np.array([len(page.slots) for page in every], dtype=np.int64),
        "name_counts": np.array([len(page.further) for page in every], dtype=np.int64),
        "block_counts": np.array([len(page) for page in every], dtype=np.int64),
    }
    for name in (*_SLOTS, *_BLOCKS, *_NAMES):
        arrays[name] = concatenated([getattr(page, name) for page in every], _KINDS[name])
    for name in _TEXTS:
        arrays[name] = concatenated([getattr(page.texts, name) for page in every], _KINDS[name])
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _facts(date: str, page: PageSummary) -> list[Any]:
    """Return what JSON holds of a page; its columns are arrays."""
    return [
        *(date, page.url),
        {role: f"{slot:016x}" for role, slot in sorted(page.roles.items())},
        {f"{slot:016x}": words for slot, words in sorted(page.words.items())},
        *(page.kind, page.title),
    ]


def from_bytes(data: bytes) -> dict[str, Any]:
    """Return the fields of the `Statistics` that `to_bytes` was given.

    Raises:
        RulesError: it is something else, broken, or of another version.
    """
    try:
        arrays = read_arrays(data)
        header = read_json(require_array(arrays, "header", np.uint8).tobytes())
        if header["kind"] != KIND or header["version"] not in _READABLE:
            raise RulesError(f"not a file of {KIND}, version {VERSION}")
        if header["version"] < _WITH_WORDS:
            header["kept"] = [[date, url, roles, {}] for date, url, roles in header["kept"]]
        if header["version"] < _WITH_KINDS:
            header["kept"] = [[*kept, ""] for kept in header["kept"]]
        if header["version"] < _WITH_TITLES:
            header["kept"] = [[*kept, ""] for kept in header["kept"]]
        if header["version"] < _WITH_LONE:
            arrays["lone"] = np.zeros(require_array(arrays, "slot", np.int16).shape, dtype=np.bool_)
        return _fields(header, arrays)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        problem = f"{type(error).__name__}: {error}"
        raise RulesError(f"not a usable sample of a site's pages: {problem}") from error


def _fields(header: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
    columns = _columns(arrays)
    samples: dict[str, list[PageSummary]] = {}
    for number, (date, url, roles, words, kind, title) in enumerate(header["kept"]):
        own = {name: columns[name][number] for name in (*_SLOTS, *_BLOCKS, *_NAMES)}
        texts = TextHashes(*(columns[name][number] for name in _TEXTS))
        page = PageSummary(
            key=int(arrays["keys"][number]),
            url=_text(url),
            kind=_text(kind),
            title=_text(title)[:LONGEST_TITLE],
            sketch=columns["layouts"][number],
            texts=texts,
            roles={_text(role): _slot(slot) for role, slot in roles.items()},
            words={_slot(slot): shown_words(_text(text)) for slot, text in words.items()},
            **own,
        )
        _check_places(page)
        samples.setdefault(_text(date), []).append(page)
    ups = require_array(arrays, "step_ups", np.uint64).tolist()
    slots = require_array(arrays, "step_slots", np.uint64).tolist()
    steps = {
        slot: SlotStep(up, _text(text))
        for slot, up, text in zip(slots, ups, header["steps"], strict=True)
    }
    every = [page for kept in samples.values() for page in kept]
    _check_steps(steps, {one for page in every for one in (*page.slots, *page.roles.values())})
    return {
        "most": _count(header["most"], least=1),
        "samples": {date: tuple(kept) for date, kept in samples.items()},
        "pages": {_text(date): _count(pages) for date, pages in header["pages"].items()},
        "hosts": {_text(host): _count(pages) for host, pages in header["hosts"].items()},
        "steps": steps,
    }


def _columns(arrays: dict[str, Any]) -> dict[str, Sequence[Any]]:
    """Return name → the part of each kept page in a column of all of them.

    Raises:
        ValueError: sizes and columns don't fit together.
    """
    columns: dict[str, Sequence[Any]] = {}
    count = len(require_array(arrays, "keys", np.uint64))
    for counts, names in (("slot", _SLOTS), ("block", (*_BLOCKS, *_TEXTS)), ("name", _NAMES)):
        sizes = require_array(arrays, f"{counts}_counts", np.int64, size=count)
        if (sizes < 0).any():
            raise ValueError(f"{counts}_counts must not be negative")
        at = np.cumsum(sizes)
        for name in names:
            column = require_array(arrays, name, _KINDS[name], size=int(at[-1]) if count else 0)
            columns[name] = np.split(column, at[:-1])
    layouts = require_array(arrays, "layouts", np.uint64, size=count * BINS)
    columns["layouts"] = list(layouts.reshape(count, BINS))
    return columns


def _check_places(page: PageSummary) -> None:
    """Raise where slots don't ascend, blocks aren't in them or their odds are beyond all bounds.

    Raises:
        ValueError: so it is.
    """
    if len(page.slot) and not 0 <= int(page.slot.min()) <= int(page.slot.max()) < len(page.slots):
        raise ValueError("a block is in none of its page's slots")
    if (page.slots[1:] <= page.slots[:-1]).any():
        raise ValueError("the slots of a page must ascend")
    if not (np.abs(page.log_odds) <= STRONGEST).all():
        raise ValueError(f"log_odds must be within ±{STRONGEST:g}")


def _check_steps(steps: Mapping[int, SlotStep], slots: Collection[int]) -> None:
    """Raise where the steps are no tree that holds all slots.

    Raises:
        ValueError: so it is.
    """
    below: dict[int, list[int]] = {}
    for slot, step in steps.items():
        below.setdefault(step.up, []).append(slot)
    waiting, reached = [up for up in below if up not in steps], 0
    if waiting not in ([], [0]):
        raise ValueError("a step is below a slot that isn't there")
    while waiting:
        inner = below.get(waiting.pop(), ())
        reached += len(inner)
        waiting.extend(inner)
    if reached != len(steps):
        raise ValueError("the steps are no tree")
    if not all(int(slot) in steps for slot in slots):
        raise ValueError("a slot has no step")


def _slot(value: object) -> int:
    """Return a hash of 64 bits, written in hexadecimal."""
    number = int(_text(value), 16)
    if not 0 <= number < 1 << 64:
        raise ValueError(f"a hash of 64 bits is wanted, not {value!r}")
    return number


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text is wanted, not {value!r}")
    return value


def _count(value: object, *, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"a whole number from {least} on is wanted, not {value!r}")
    return value
