"""Rules as tables of a saved site model, and back; what a model's tables must have.

The tables of a template as TOML, and back: hashes in hexadecimal, a line a slot or text.

Counts of a site model's use kept between runs, in a file beside the model.

They belong to one learning of the model: once it is updated with new pages, they are discarded.

A site model as TOML that people read and edit, and back.

Rules stand first in each template, one table each; a rule without a ``mark``, or whose mark isn't
its checksum, was written by a person and overrides learned rules, also after the model is learned
anew. The tables of full mode stand in ``data``, hashes in hexadecimal. The sample of pages that
updating needs is a file of its own beside it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.durable_files import replace_file, replace_files
from chaffinch.errors import OptionError, RulesError
from chaffinch.page import flattening, parse
from chaffinch.saved_data import LARGEST, read_json, read_toml
from chaffinch.site import MODES
from chaffinch.site.evidence import KINDS, PageGroup, ReturningTexts, SlotTable
from chaffinch.site.model import Learning, SiteModel, Template, Usage
from chaffinch.site.rules import ROLES, Rule, replacements_of, tests_of
from chaffinch.site.sample import LONGEST_ADDRESS, STRONGEST, Statistics, shown_words
from chaffinch.site.slots import BINS
from chaffinch.wording import cause

# === saved_rules
_EXAMPLE: Final = ("example", "example_page")
_KEYS: Final = frozenset(
    {"kind", "select", "support", "confidence", "mark", "taught", "share", *_EXAMPLE}
)
_SOME_PAGE: Final = parse("<p>To try selectors on.")


def mark_of(kind: str, select: str) -> str:
    """Return the checksum that distinguishes a learned rule from one that a person changed."""
    return f"{flattening.hash_string(f'{kind} {select}') & 0xFFFFFFFF:08x}"


def saved_rule(rule: Rule) -> dict[str, Any]:
    """Return a rule as a table; a taught one has its date and share.

    A learned one has its mark, and its example where one is known.
    """
    out: dict[str, Any] = {"kind": rule.kind, "select": rule.select}
    if rule.taught:
        out |= {"taught": rule.taught, "share": rule.share}
    if not rule.by_hand:
        mark = mark_of(rule.kind, rule.select)
        out |= {"support": rule.support, "confidence": rule.confidence, "mark": mark}
        out |= {key: value for key in _EXAMPLE if (value := getattr(rule, key))}
    return out


def rules_of(saved: dict[str, Any], where: str, *, by_hand: bool = False) -> tuple[Rule, ...]:
    """Return the rules of a template or, all ``by_hand``, of the site.

    Raises:
        RulesError: one is broken; the message says which.
    """
    rules = part_of(saved, "rule", list, where) if "rule" in saved else []
    read = [_read_rule(one, f"rule {n} of {where}") for n, one in enumerate(rules, start=1)]
    return tuple(replace(rule, by_hand=True) if by_hand else rule for rule in read)


def _read_rule(saved: Any, where: str) -> Rule:
    if not isinstance(saved, dict):
        raise RulesError(f"{where} is not a table")
    unknown = set(saved) - _KEYS
    if unknown:
        raise RulesError(f"{where}: unknown {min(unknown)!r}; known: kind, select")
    kind, select = (part_of(saved, key, str, where) for key in ("kind", "select"))
    require_selector(select, where, computed=kind in ROLES)
    try:
        rule = Rule(kind=kind, select=select, by_hand=True)
    except RulesError as error:
        raise RulesError(f"{where}: {error}") from error
    if saved.get("mark") != mark_of(kind, select):
        taught = part_of(saved, "taught", str, where) if "taught" in saved else ""
        return replace(rule, taught=taught, share=share_of(saved, "share", where))
    support = part_of(saved, "support", int, where)
    text, page = (part_of(saved, key, str, where) if key in saved else "" for key in _EXAMPLE)
    return Rule(
        kind=kind,
        select=select,
        support=support,
        confidence=share_of(saved, "confidence", where),
        example=shown_words(text),
        example_page=shown_words(page, LONGEST_ADDRESS),
    )


def require_selector(select: Any, where: str, *, computed: bool = False) -> None:
    """Check that a selector is one; that of a field may be an XPath that computes a text.

    Raises:
        RulesError: it is none.
    """
    try:
        _SOME_PAGE.selected(select) if computed else _SOME_PAGE.select(select)
    except (OptionError, TypeError) as error:
        raise RulesError(f"{where}: {error}") from error


def share_of(saved: dict[str, Any], key: str, where: str) -> float:
    """Return the share (0..1) at a key of a table; 0 where it is missing.

    Raises:
        RulesError: it is something else.
    """
    value = saved.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise RulesError(f"{where}: {key} must be a number from 0 to 1, not {value!r}")
    return float(value)


def part_of(saved: Any, key: str, kind: type, where: str) -> Any:
    """Return what stands at a key of a table, which must be of a kind.

    Raises:
        RulesError: it is missing, or of another kind.
    """
    value = saved.get(key) if isinstance(saved, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RulesError(f"{where}: {key} is missing or no {kind.__name__}")
    if isinstance(value, int) and abs(value) > LARGEST:
        raise RulesError(f"{where}: {key} must be at most {LARGEST:,}")
    return value


# === template_tables
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


# === usage_file
KIND: Final = "chaffinch site counts"
SUFFIX: Final = ".counts"


def read_counts(model: Path, history: Sequence[Learning]) -> Usage:
    """Return the counts beside the file of a model; none where they are of another learning.

    Raises:
        RulesError: the file can't be read, or holds something else.
    """
    path = model.with_suffix(SUFFIX)
    try:
        saved = read_json(path.read_text(encoding="utf-8")) if path.is_file() else None
        if saved is None or saved["learned"] != _learned(history):
            return Usage()
        if saved["kind"] != KIND:
            raise RulesError(f"{path}: not a file of kind {KIND!r}")
        return Usage.from_dict(saved["usage"])
    except OSError as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise RulesError(f"{path}: not usable counts: {error}") from error


def write_counts(model: Path, history: Sequence[Learning], usage: Usage) -> None:
    """Write counts beside the file of a model, atomically; without counts the file is removed.

    Raises:
        RulesError: the file can't be written.
    """
    path = model.with_suffix(SUFFIX)
    try:
        if not usage.pages:
            path.unlink(missing_ok=True)
            return
        saved = {"kind": KIND, "learned": _learned(history), "usage": usage.to_dict()}
        replace_file(path, (json.dumps(saved, indent=1, sort_keys=True) + "\n").encode())
    except OSError as error:
        raise RulesError(f"can't write {path}: {cause(error)}") from error


def _learned(history: Sequence[Learning]) -> list[list[Any]]:
    return [[one.date, one.pages] for one in history]


# === model_file
KIND_MODEL_FILE: Final = "chaffinch site"
VERSION: Final = 1
PAGES_SUFFIX: Final = ".pages"
_HEAD: Final = """\
# A site model of Chaffinch. Rules may be changed, added and taken out; what a person writes has the
# last word: of nested elements, the innermost "content" or "drop" decides. A rule needs kind and
# select, a CSS selector or an XPath; leave out support, confidence and mark. A [[rule]] holds on
# all pages, a [[template.rule]] on those of its template. "chaffinch rules check" tries it.
"""
_SHARES: Final = ("share", "likeness", "known", "kept")
_TITLES: Final = "title_boilerplate"
_LOST: Final = "lost"
"""A share that models of earlier versions lack, and that isn't written where it is 0."""


def to_text(site: SiteModel) -> str:
    """Return the model as TOML; the same for the same model."""
    lines = [_HEAD, *pairs({"kind": KIND_MODEL_FILE, "version": VERSION, "site": site.name})]
    lines += pairs({"mode": site.mode})
    if site.title_boilerplate:
        lines += pairs({_TITLES: list(site.title_boilerplate)})
    for learning in site.history:
        lines += ["", "[[learned]]", *pairs({"date": learning.date, "pages": learning.pages})]
    for rule in site.rules:
        lines += ["", "[[rule]]", *pairs(saved_rule(rule))]
    for one in site.replacing:
        lines += ["", "[[replace]]", *pairs({"find": one.find, "put": one.put})]
    for test in site.tests:
        lines += ["", "[[test]]", *pairs({"url": test.url, "contains": list(test.contains)})]
    for template in site.templates:
        lines += ["", "[[template]]", *pairs(_described(template))]
        for rule in template.rules:
            lines += ["", "[[template.rule]]", *pairs(saved_rule(rule))]
        lines += ["", "[template.data]", *saved_tables(template)]
    return "\n".join(lines) + "\n"


def write_file(site: SiteModel, path: str | Path) -> None:
    """Write the model to ``path``, and its sample of pages and counts of use beside it.

    Raises:
        RulesError: a file can't be written.
    """
    path = Path(path)
    sample = site.statistics  # replaced first: it must be there once the model is
    beside = {path.with_suffix(PAGES_SUFFIX): sample.to_bytes()} if sample is not None else {}
    write_bytes(path, to_text(site).encode(), beside)
    write_counts(path, site.history, site.counted)


def write_bytes(
    path: Path, data: bytes, beside: Mapping[Path, bytes] = MappingProxyType({})
) -> None:
    """Write the file of a model, and those beside it, each in one step.

    Raises:
        RulesError: they can't be written; what was there still is.
    """
    try:
        replace_files({**beside, path: data})
    except OSError as error:
        raise RulesError(f"can't write {path}: {cause(error)}") from error


def read_file(path: str | Path) -> dict[str, Any]:
    """Return the fields of the model at ``path``, of its sample of pages and its counts of use.

    Raises:
        RulesError: no such file, or no site model; the message says where it is broken.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        beside = path.with_suffix(PAGES_SUFFIX)
        data = beside.read_bytes() if beside.is_file() else None
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error
    try:
        statistics = Statistics.from_bytes(data) if data is not None else None
    except RulesError as error:
        raise RulesError(f"{beside}: {error}") from error
    try:
        fields = read_text(text, statistics)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from error
    return fields | {"counted": read_counts(path, fields["history"])}


def read_text(text: str, statistics: Statistics | None = None) -> dict[str, Any]:
    """Return the fields of the `SiteModel` that ``text`` holds.

    Raises:
        RulesError: it isn't TOML, of another kind or version, or something in it is missing or
            impossible.
    """
    try:
        saved = read_toml(text)
    except ValueError as error:
        raise RulesError(f"not TOML: {error}") from error
    if saved.get("kind") != KIND_MODEL_FILE:
        raise RulesError(f"not a file of kind {KIND!r}")
    if saved.get("version") != VERSION:
        raise RulesError(f"a site model of version {saved.get('version')!r}; this reads {VERSION}")
    learned = part_of(saved, "learned", list, "the model") if "learned" in saved else []
    templates = part_of(saved, "template", list, "the model") if "template" in saved else []
    history = tuple(
        Learning(part_of(one, "date", str, "learned"), part_of(one, "pages", int, "learned"))
        for one in learned
    )
    mode = saved.get("mode", "full")
    if mode not in MODES:
        raise RulesError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    return {
        "name": part_of(saved, "site", str, "the model"),
        "mode": mode,
        "title_boilerplate": _titles(saved),
        "history": history,
        "rules": rules_of(saved, "the site", by_hand=True),
        "replacing": replacements_of(saved),
        "tests": tests_of(saved),
        "templates": tuple(_template(one, n) for n, one in enumerate(templates, start=1)),
        "statistics": statistics,
    }


def _titles(saved: dict[str, Any]) -> tuple[str, ...]:
    """Return the parts of titles that return; () where a model has none."""
    found = part_of(saved, _TITLES, list, "the model") if _TITLES in saved else []
    if not all(isinstance(one, str) for one in found):
        raise RulesError(f"{_TITLES} of the model must be texts")
    return tuple(found)


def _described(template: Template) -> dict[str, Any]:
    return {
        "name": template.name,
        "pages": template.pages,
        "page": template.page,
        **{name: getattr(template, name) for name in _SHARES},
        **({_LOST: template.lost} if template.lost else {}),
        "signs": list(template.signs),
        "lacks": list(template.lacks),
    }


def _template(saved: Any, number: int) -> Template:
    where = f"template {number}"
    if not isinstance(saved, dict):
        raise RulesError(f"{where} is not a table")
    name = part_of(saved, "name", str, where)
    where = f"template {name!r}"
    signs = part_of(saved, "signs", list, where)
    lacks = part_of(saved, "lacks", list, where) if "lacks" in saved else []
    for sign in (*signs, *lacks):
        require_selector(sign, f"signs of {where}")
    data = part_of(saved, "data", dict, where) if "data" in saved else {}
    tables = read_tables(data, f"data of {where}")
    tables |= {key: share_of(saved, key, where) for key in (*_SHARES, _LOST)}
    return Template(
        name=name,
        pages=part_of(saved, "pages", int, where) if "pages" in saved else 0,
        page=part_of(saved, "page", str, where) if "page" in saved else "",
        signs=tuple(signs),
        lacks=tuple(lacks),
        rules=tuple(sorted(rules_of(saved, where), key=lambda rule: rule.by_hand)),
        **tables,
    )
