"""The sample of a site's pages as a file: arrays and a header, no pickled objects."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

import numpy as np

from chaffinch.errors import RulesError
from chaffinch.site.page_summary import PageSummary
from chaffinch.site.slots import SlotStep
from chaffinch.site.sorted_hashes import concatenated
from chaffinch.site.text_hashes import TextHashes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KIND: Final = "chaffinch site pages"
VERSION: Final = 3
_BLOCKS: Final = ("slot", "log_odds", "length", "linked", "heading")
_SLOTS: Final = ("slots", "elements")
_NAMES: Final = ("further_slots", "further")
_TEXTS: Final = ("verbatim", "masked", "head", "tail")


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
        "kept": [
            [date, page.url, {role: f"{slot:016x}" for role, slot in sorted(page.roles.items())}]
            for date, page in dated
        ],
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
    kinds = {"slots": np.uint64, "log_odds": np.float16, "slot": np.int16, "heading": np.bool_}
    kinds |= {"further_slots": np.uint64, "further": np.uint32}
    for name in (*_SLOTS, *_BLOCKS, *_NAMES):
        arrays[name] = concatenated([getattr(p, name) for p in every], kinds.get(name, np.uint16))
    for name in _TEXTS:
        arrays[name] = concatenated([getattr(page.texts, name) for page in every], np.uint32)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def from_bytes(data: bytes) -> dict[str, Any]:
    """Return the fields of the `Statistics` that `to_bytes` was given.

    Raises:
        RulesError: it is something else, broken, or of another version.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays["header"].tobytes())
        if header["kind"] != KIND or header["version"] != VERSION:
            raise RulesError(f"not a file of {KIND}, version {VERSION}")
        return _fields(header, arrays)
    except (OSError, EOFError, LookupError, TypeError, ValueError, BadZipFile) as error:
        problem = f"{type(error).__name__}: {error}"
        raise RulesError(f"not a usable sample of a site's pages: {problem}") from error


def _fields(header: dict[str, Any], arrays: dict[str, Any]) -> dict[str, Any]:
    at_slots, at_blocks, at_names = (
        np.cumsum(arrays[f"{name}_counts"])[:-1] for name in ("slot", "block", "name")
    )
    columns = {name: np.split(arrays[name], at_slots) for name in _SLOTS}
    columns |= {name: np.split(arrays[name], at_blocks) for name in (*_BLOCKS, *_TEXTS)}
    columns |= {name: np.split(arrays[name], at_names) for name in _NAMES}
    sketches = arrays["layouts"].reshape(len(arrays["keys"]), -1)
    samples: dict[str, list[PageSummary]] = {}
    for number, (date, url, roles) in enumerate(header["kept"]):
        own = {name: columns[name][number] for name in (*_SLOTS, *_BLOCKS, *_NAMES)}
        texts = TextHashes(*(columns[name][number] for name in _TEXTS))
        page = PageSummary(
            key=int(arrays["keys"][number]),
            url=url,
            sketch=sketches[number],
            texts=texts,
            roles={role: int(slot, 16) for role, slot in roles.items()},
            **own,
        )
        samples.setdefault(date, []).append(page)
    steps = zip(
        arrays["step_slots"].tolist(), arrays["step_ups"].tolist(), header["steps"], strict=True
    )
    return {
        "most": header["most"],
        "samples": {date: tuple(kept) for date, kept in samples.items()},
        "pages": header["pages"],
        "hosts": header["hosts"],
        "steps": {slot: SlotStep(up, text) for slot, up, text in steps},
    }
