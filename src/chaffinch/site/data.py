"""``data.npz`` of a site model: the tables that it learned, and the sample of their pages."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from chaffinch.errors import RulesError
from chaffinch.page import flattening
from chaffinch.site.archive import (
    BROKEN,
    Archive,
    archived,
    require_ascending,
    saved_count,
    saved_share,
    saved_text,
)
from chaffinch.site.evidence import KINDS, WHOLE, PageTables
from chaffinch.site.model import Learning, SiteModel, Template
from chaffinch.site.sample import LONGEST_ADDRESS, STRONGEST, Statistics, shown_words
from chaffinch.site.slots import BINS, EMPTY
from chaffinch.storage import LARGEST

KIND: Final = "chaffinch site"
_COUNT: Final = (0.0, float(LARGEST))
_SHARE: Final = (0.0, 1.0)
_SLOT_COLUMNS: Final = {
    "having": _COUNT,
    "blocks": _COUNT,
    "log_odds": (-STRONGEST, STRONGEST),
    "linked": _SHARE,
    "length": _COUNT,
}
"""Column of slots in `PageTables` → the least and the largest value that it may have."""
_SHARES: Final = ("share", "likeness", "known", "kept")
_OF_TEMPLATE: Final[Mapping[str, type[np.generic]]] = {"sketch": np.uint64, "keys": np.uint64}
_OF_TABLE: Final[Mapping[str, type[np.generic]]] = {
    "slots": np.uint64,
    **dict.fromkeys(_SLOT_COLUMNS, np.float32),
    **dict.fromkeys(KINDS, np.uint32),
    **{f"{name}_on": np.int32 for name in KINDS},
}
NOTHING_LEARNED: Final[Mapping[str, Any]] = {
    "pages": 0,
    "page": "",
    "rules": {},
    "tables": {},
    **dict.fromkeys(_SHARES, 0.0),
    "sketch": np.full(BINS, EMPTY, np.uint64),
    "keys": np.zeros(0, np.uint64),
}
"""Fields of a `Template` that people alone wrote."""


def mark(text: str) -> str:
    """Return the checksum by which a learned rule (`Rule.key`) or template is known as such."""
    return f"{flattening.hash_string(text) & 0xFFFFFFFF:08x}"


def template_mark(template: Template) -> str:
    """Return that of a template: of its sketch, which stays when it is named or learned anew."""
    return mark(template.sketch.tobytes().hex())


def to_data(site: SiteModel) -> bytes:
    """Return the model's ``data.npz``: what it learned, beside the rules' own lines."""
    learned = [one for one in site.templates if one.pages]
    tables = [own for one in learned for own in one.tables.values()]
    header = {
        "learned": [[one.date, one.pages] for one in site.history],
        "templates": [_facts(one) for one in learned],
    }
    columns: dict[str, list[Any]] = {
        **{name: [getattr(one, name) for one in learned] for name in _OF_TEMPLATE},
        **{name: [getattr(one, name) for one in tables] for name in ("slots", *_SLOT_COLUMNS)},
        **{name: [one.texts[n] for one in tables] for n, name in enumerate(KINDS)},
        **{f"{name}_on": [one.counts[n] for one in tables] for n, name in enumerate(KINDS)},
    }
    sample = b"" if site.statistics is None else site.statistics.to_bytes()
    columns["sample"] = [np.frombuffer(sample, np.uint8)]
    kinds = {**_OF_TEMPLATE, **_OF_TABLE, "sample": np.uint8}
    return archived(KIND, header, columns, kinds)


def _facts(template: Template) -> dict[str, Any]:
    return {
        "mark": template_mark(template),
        **{name: getattr(template, name) for name in ("pages", "page", *_SHARES)},
        "counted": [[name, one.pages] for name, one in template.tables.items()],
        "rules": {
            one.key: [one.support, one.confidence, one.example, one.example_page]
            for one in template.rules
            if not one.by_hand
        },
    }


def read_data(data: bytes) -> dict[str, Any]:
    """Return ``history``, ``statistics`` and ``templates``, by their marks, of a ``data.npz``."""
    try:
        archive = Archive(KIND, data)
        header = archive.header
        history = tuple(
            Learning(saved_text(date), saved_count(pages)) for date, pages in header["learned"]
        )
        sample = archive.parts("sample", np.uint8, 1)[0].tobytes()
        templates = {saved_text(one["mark"]): fields for one, fields in _templates(archive)}
    except BROKEN as error:
        raise RulesError(f"broken data of a site: {type(error).__name__}: {error}") from error
    statistics = Statistics.from_bytes(sample) if sample else None
    return {"history": history, "statistics": statistics, "templates": templates}


def _templates(archive: Archive) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
    every = archive.header["templates"]
    counts = [saved_count(pages) for one in every for _, pages in one["counted"]]
    tables = map(_table, archive.owners(_OF_TABLE, len(counts)), counts)
    for one, arrays in zip(every, archive.owners(_OF_TEMPLATE, len(every)), strict=True):
        own_tables = {saved_text(name): next(tables) for name, _ in one["counted"]}
        if WHOLE not in own_tables:
            raise ValueError("a template needs the tables of all its pages")
        require_ascending(arrays["keys"])
        if len(arrays["sketch"]) != BINS:
            raise ValueError(f"a sketch has {BINS} hashes, not {len(arrays['sketch'])}")
        yield (
            one,
            {
                **arrays,
                "pages": saved_count(one["pages"]),
                **{name: saved_share(one[name]) for name in _SHARES},
                "page": saved_text(one["page"]),
                "rules": {key: _rule_facts(values) for key, values in one["rules"].items()},
                "tables": own_tables,
            },
        )


def _table(columns: Mapping[str, Any], pages: int) -> PageTables:
    for name, (least, most) in _SLOT_COLUMNS.items():
        column = columns[name]
        if len(column) != len(columns["slots"]) or not ((column >= least) & (column <= most)).all():
            raise ValueError(f"{name} of slots must be from {least:.16g} to {most:.16g}")
    texts, counts = (tuple(columns[name + end] for name in KINDS) for end in ("", "_on"))
    require_ascending(columns["slots"], *texts)
    if any(len(t) != len(c) or (c < 0).any() for t, c in zip(texts, counts, strict=True)):
        raise ValueError("each returning text has a count")
    if any((c > pages).any() for c in (columns["having"], *counts)):
        raise ValueError("no slot and no text is on more pages than there are")
    of_slots = {name: columns[name] for name in ("slots", *_SLOT_COLUMNS)}
    return PageTables(pages=pages, texts=texts, counts=counts, **of_slots)


def _rule_facts(saved: Any) -> dict[str, Any]:
    support, confidence, example, page = saved
    return {
        "support": saved_count(support),
        "confidence": saved_share(confidence),
        "example": shown_words(saved_text(example)),
        "example_page": shown_words(saved_text(page), LONGEST_ADDRESS),
    }
