"""A site model as a folder: ``rules.toml``, which people read and edit, with its data beside it.

``rules.toml`` has the rules, the templates that they are for and what a person wrote for the whole
site. A rule whose ``learned`` isn't its checksum, or that has none, is a person's: it overrides
learned ones, also after the model is learned anew. ``data.npz`` has the tables of full mode,
``pages.npz`` the sample of pages that an update needs, ``counts.json`` the use since the learning.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from chaffinch.errors import OptionError, RulesError
from chaffinch.page import flattening, parse
from chaffinch.site import MODES
from chaffinch.site.evidence import KINDS, PageGroup, ReturningTexts, SlotTable
from chaffinch.site.model import Learning, SiteModel, Template
from chaffinch.site.rules import ROLES, PageTest, Replacement, Rule
from chaffinch.site.sample import (
    LONGEST_ADDRESS,
    STRONGEST,
    Statistics,
    archived,
    packed,
    saved_count,
    saved_text,
    shown_words,
    unpacked,
)
from chaffinch.site.slots import BINS, EMPTY
from chaffinch.site.usage import Usage
from chaffinch.storage import (
    LARGEST,
    locked_folder,
    make_folder,
    read_arrays,
    read_json,
    read_toml,
    replace_file,
    replace_files,
    require_array,
)
from chaffinch.wording import cause, counted

RULES: Final = "rules.toml"
DATA: Final = "data.npz"
PAGES: Final = "pages.npz"
COUNTS: Final = "counts.json"
KIND: Final = "chaffinch site"
VERSION: Final = 1
_HEAD: Final = """\
# Rules of a site for Chaffinch. Change, add and take out what you like: what a person writes has
# the last word, and of nested elements the innermost "content" or "drop" decides. A rule needs kind
# and select, a CSS selector or an XPath; of a learned one that you change, "learned" goes. A
# [[rule]] holds on all pages, a [[template.rule]] on those of its template. "chaffinch site
# rules check" tries them.
"""
_RULE_KEYS: Final = {"kind", "select", "learned", "taught", "share"}
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
_SHARES: Final = ("share", "likeness", "known", "kept", "lost")
_SOME_PAGE: Final = parse("<p>To try selectors on.")
_BROKEN: Final = (LookupError, TypeError, ValueError, AttributeError, OverflowError)


def is_model(path: str | Path) -> bool:
    """Return whether a path is a folder that holds a site model."""
    return (Path(path) / RULES).is_file()


def model_version(folder: Path) -> str:
    """Return a digest of a model's rules and data; another one for each change.

    Raises:
        RulesError: it can't be read.
    """
    digest = hashlib.sha256(read_rules(folder).encode())
    data = folder / DATA
    try:
        digest.update(data.read_bytes() if data.is_file() else b"")
    except OSError as error:
        raise RulesError(f"can't read {data}: {cause(error)}") from error
    return digest.hexdigest()[:32]


def write_model(site: SiteModel, folder: str | Path) -> None:
    """Write a model into its folder, which is made if it isn't there.

    The data come first: a kill leaves the earlier rules beside them, until the next save.

    Raises:
        RulesError: it can't be written; what was there still is.
    """
    folder = Path(folder)
    files = {} if site.statistics is None else {folder / PAGES: site.statistics.to_bytes()}
    files |= {folder / DATA: to_data(site), folder / RULES: _encoded(to_text(site))}
    try:
        make_folder(folder)
        replace_files(files)
        if site.statistics is None:
            (folder / PAGES).unlink(missing_ok=True)
    except OSError as error:
        raise RulesError(f"can't write {folder}: {cause(error)}") from error
    write_counts(folder, site.history, site.counted)


def write_rules(folder: Path, text: str) -> None:
    """Write a model's ``rules.toml`` in one step; errors as of `write_model`."""
    try:
        replace_file(folder / RULES, _encoded(text))
    except OSError as error:
        raise RulesError(f"can't write {folder / RULES}: {cause(error)}") from error


def read_rules(folder: Path) -> str:
    """Return a model's ``rules.toml``, its ends of lines as they are.

    Raises:
        RulesError: it can't be read.
    """
    try:
        return (folder / RULES).read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesError(f"can't read {folder / RULES}: {cause(error)}") from error


def read_model(folder: str | Path) -> dict[str, Any]:
    """Return the fields of the `SiteModel` in a folder.

    Raises:
        RulesError: there is none, or a file is broken; the message names it and the place.
    """
    folder = Path(folder)
    text, found = read_rules(folder), dict[str, bytes | None]()
    for name in (DATA, PAGES):
        try:
            found[name] = (folder / name).read_bytes() if (folder / name).is_file() else None
        except OSError as error:
            raise RulesError(f"can't read {folder / name}: {cause(error)}") from error
    statistics = None
    try:
        where = PAGES
        sample = found[PAGES]
        statistics = None if sample is None else Statistics.from_bytes(sample)
        where = DATA
        data = found[DATA]
        known = {} if data is None else read_data(data)
        where = RULES
        fields = _fields(text, known)
    except RulesError as error:
        raise RulesError(f"{folder / where}: {error}") from error
    return {**fields, "statistics": statistics, "counted": read_counts(folder, fields["history"])}


def read_text(text: str, data: bytes = b"", statistics: Statistics | None = None) -> dict[str, Any]:
    """Return the fields of the `SiteModel` that ``rules.toml`` and ``data.npz`` hold.

    Raises:
        RulesError: one is broken, or of another kind or version.
    """
    return {**_fields(text, read_data(data) if data else {}), "statistics": statistics}


# What people read


def to_text(site: SiteModel) -> str:
    """Return the model's ``rules.toml``; the same for the same model."""
    lines = [_HEAD, *_pairs({"kind": KIND, "version": VERSION, "site": site.name})]
    lines += _pairs({"mode": site.mode})
    if site.title_boilerplate:
        lines += _pairs({"title_boilerplate": list(site.title_boilerplate)})
    for rule in site.rules:
        lines += _rule_lines("rule", rule)
    for one in site.replacing:
        lines += ["", "[[replace]]", *_pairs({"find": one.find, "put": one.put})]
    for test in site.tests:
        lines += ["", "[[test]]", *_pairs({"url": test.url, "contains": list(test.contains)})]
    for template in site.templates:
        about, own = "", dict[str, Any](name=template.name)
        if template.pages:
            about = f"  # {counted(template.pages, 'page')}, {template.share:.0%} of the site"
            page = shown_words(template.page, LONGEST_ADDRESS)
            about += f", such as {page}" if page else ""
            own["learned"] = _template_mark(template)
        else:
            own["signs"] = list(template.signs)
        lines += ["", f"[[template]]{about}", *_pairs(own)]
        for rule in template.rules:
            lines += _rule_lines("template.rule", rule)
    return "\n".join(lines) + "\n"


def _pairs(values: Mapping[str, Any]) -> list[str]:
    return [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]


def _rule_lines(table: str, rule: Rule) -> list[str]:
    about = ""
    if not rule.by_hand:
        about = f"  # {counted(rule.support, 'page')}, {rule.confidence:.0%}"
        about += f": «{rule.example}»" if rule.example else ""
    return ["", f"[[{table}]]{about}", *_pairs(_saved(rule))]


def _saved(rule: Rule) -> dict[str, Any]:
    """Return a rule as a table: a taught one has its date and share, a learned one its checksum."""
    out: dict[str, Any] = {"kind": rule.kind, "select": rule.select}
    if rule.taught:
        out |= {"taught": rule.taught, "share": rule.share}
    return out if rule.by_hand else {**out, "learned": _mark(rule.key)}


def _mark(text: str) -> str:
    """Return the checksum by which a learned rule (`Rule.key`) or template is known as such.

    That of a template is of its sketch, which stays when it is named or learned anew.
    """
    return f"{flattening.hash_string(text) & 0xFFFFFFFF:08x}"


def _template_mark(template: Template) -> str:
    return _mark(template.sketch.tobytes().hex())


def _fields(text: str, data: dict[str, Any]) -> dict[str, Any]:
    try:
        saved = read_toml(text)
    except ValueError as error:
        raise RulesError(f"not TOML: {error}") from error
    if saved.get("kind") != KIND:
        raise RulesError(f"not a file of kind {KIND!r}")
    if saved.get("version") != VERSION:
        raise RulesError(f"a site model of version {saved.get('version')!r}; this reads {VERSION}")
    mode = saved.get("mode", "full")
    if mode not in MODES:
        raise RulesError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    known, templates = data.get("templates", {}), _part(saved, "template", list, "the model", [])
    return {
        "name": _part(saved, "site", str, "the model"),
        "mode": mode,
        "title_boilerplate": _texts(saved, "title_boilerplate", "the model"),
        "history": data.get("history", ()),
        "rules": tuple(replace(one, by_hand=True) for one in _rules(saved, "the site", {})),
        "replacing": tuple(
            Replacement(_found(one, where), _part(one, "put", str, where, ""))
            for where, one in _tables(saved, "replace", "the site", {"find", "put"})
        ),
        "tests": tuple(
            PageTest(_part(one, "url", str, where), _texts(one, "contains", where))
            for where, one in _tables(saved, "test", "the site", {"url", "contains"})
        ),
        "templates": tuple(_template(one, n, known) for n, one in enumerate(templates, start=1)),
    }


def _template(saved: Any, number: int, known: Mapping[str, dict[str, Any]]) -> Template:
    name = _part(saved, "name", str, f"template {number}")
    where = f"template {name!r}"
    mark = _part(saved, "learned", str, where, "")
    signs = _part(saved, "signs", list, where, [] if mark else None)
    for sign in signs:
        _require_selector(sign, f"signs of {where}")
    tables = dict(known.get(mark, _NOTHING_LEARNED))
    rules = sorted(_rules(saved, where, tables.pop("rules")), key=lambda rule: rule.by_hand)
    return Template(name=name, signs=tuple(signs), rules=tuple(rules), **tables)


def _rules(saved: dict[str, Any], where: str, known: Mapping[str, Mapping[str, Any]]) -> list[Rule]:
    """Return the rules of a table; ``known`` are facts of learned ones, by `Rule.key`."""
    found = []
    for here, one in _tables(saved, "rule", where, _RULE_KEYS):
        kind, select = (_part(one, key, str, here) for key in ("kind", "select"))
        _require_selector(select, here, computed=kind in ROLES)
        facts: Mapping[str, Any] = known.get(f"{kind} {select}", {})
        if by_hand := one.get("learned") != _mark(f"{kind} {select}"):
            share = one.get("share", 0.0)
            if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
                raise RulesError(f"{here}: share must be a number from 0 to 1, not {share!r}")
            facts = {"taught": _part(one, "taught", str, here, ""), "share": float(share)}
        try:
            found.append(Rule(kind=kind, select=select, by_hand=by_hand, **facts))
        except RulesError as error:
            raise RulesError(f"{here}: {error}") from error
    return found


def _require_selector(select: Any, where: str, *, computed: bool = False) -> None:
    try:
        _SOME_PAGE.selected(select) if computed else _SOME_PAGE.select(select)
    except (OptionError, TypeError) as error:
        raise RulesError(f"{where}: {error}") from error


def _part(saved: Any, key: str, kind: type, where: str, usual: Any = None) -> Any:
    """Return what stands at a key of a table, of a kind; what is usual, if anything, without it."""
    if not isinstance(saved, dict):
        raise RulesError(f"{where} is not a table")
    if key not in saved and usual is not None:
        return usual
    value = saved.get(key)
    if not isinstance(value, kind):
        raise RulesError(f"{where}: {key} is missing or no {kind.__name__}")
    return value


def _found(saved: dict[str, Any], where: str) -> str:
    if not (text := _part(saved, "find", str, where)):
        raise RulesError(f"{where}: a text to find is missing")
    return str(text)


def _texts(saved: dict[str, Any], key: str, where: str) -> tuple[str, ...]:
    texts = _part(saved, key, list, where, [])
    if not all(isinstance(one, str) for one in texts):
        raise RulesError(f"{key} of {where} must be texts")
    return tuple(texts)


def _tables(
    saved: dict[str, Any], key: str, where: str, known: set[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tables of a list, each with its place in words; other keys are refused."""
    for number, one in enumerate(_part(saved, key, list, where, []), start=1):
        here = f"{key} {number} of {where}"
        if not isinstance(one, dict):
            raise RulesError(f"{here} is not a table")
        if unknown := one.keys() - known:
            names = ", ".join(sorted(known))
            raise RulesError(f"{here}: unknown {min(unknown)!r}; known: {names}")
        yield here, one


# What only programs read


def to_data(site: SiteModel) -> bytes:
    """Return the model's ``data.npz``: what it learned, beside the rules' own lines."""
    learned = [one for one in site.templates if one.pages]
    tables = list[PageGroup]()
    for one in learned:
        tables += [PageGroup(one.slots, one.texts), *one.groups.values()]
    header = {
        "kind": KIND,
        "version": VERSION,
        "learned": [[one.date, one.pages] for one in site.history],
        "templates": [_facts(one) for one in learned],
    }
    columns: dict[str, list[Any]] = {
        "sketch": [one.sketch for one in learned],
        "keys": [one.keys for one in learned],
        "dropped": [one.dropped for one in learned],
        "slots": [one.slots.slots for one in tables],
        **{name: [getattr(one.slots, name) for one in tables] for name in _SLOT_COLUMNS},
    }
    for number, name in enumerate(KINDS):
        columns[name] = [one.texts.hashes[number] for one in tables]
        columns[f"{name}_on"] = [one.texts.counts[number] for one in tables]
    return archived(header, packed(columns, _COLUMNS))


_COLUMNS: Final[dict[str, type[np.generic]]] = {
    **dict.fromkeys(("sketch", "keys", "slots"), np.uint64),
    **dict.fromkeys(("dropped", *KINDS), np.uint32),
    **dict.fromkeys(_SLOT_COLUMNS, np.float32),
    **{f"{name}_on": np.int32 for name in KINDS},
}
_NOTHING_LEARNED: Final[Mapping[str, Any]] = {
    "pages": 0,
    "page": "",
    "longest": 0,
    "rules": {},
    "groups": {},
    **dict.fromkeys(_SHARES, 0.0),
    "sketch": np.full(BINS, EMPTY, np.uint64),
    "keys": np.zeros(0, np.uint64),
    "dropped": np.zeros(0, np.uint32),
    "slots": SlotTable(np.zeros(0, np.uint64), *[np.zeros(0, np.float32)] * len(_SLOT_COLUMNS)),
    "texts": ReturningTexts(
        0,
        tuple(np.zeros(0, np.uint32) for _ in KINDS),
        tuple(np.zeros(0, np.int32) for _ in KINDS),
    ),
}


def _facts(template: Template) -> dict[str, Any]:
    return {
        "mark": _template_mark(template),
        **{name: getattr(template, name) for name in ("pages", "page", "longest", *_SHARES)},
        "counted": [["", template.texts.pages]]
        + [[name, one.texts.pages] for name, one in template.groups.items()],
        "rules": {
            one.key: [one.support, one.confidence, one.example, one.example_page]
            for one in template.rules
            if not one.by_hand
        },
    }


def read_data(data: bytes) -> dict[str, Any]:
    """Return history and, by its mark, the fields of each `Template` of a ``data.npz``.

    Raises:
        RulesError: it is something else, broken, or of another version.
    """
    try:
        arrays = read_arrays(data)
        header = read_json(require_array(arrays, "header", np.uint8).tobytes())
        if header["kind"] != KIND or header["version"] != VERSION:
            raise RulesError(f"not the data of a {KIND}, version {VERSION}")
        templates, tables = header["templates"], sum(len(o["counted"]) for o in header["templates"])
        of_template = ("sketch", "keys", "dropped")
        columns = {
            name: unpacked(arrays, name, kind, len(templates) if name in of_template else tables)
            for name, kind in _COLUMNS.items()
        }
        pairs = [_tables_of(columns, number) for number in range(tables)]
        found, at = {}, 0
        for number, one in enumerate(templates):
            names = [saved_text(name) for name, _ in one["counted"]]
            own = dict(zip(names, pairs[at:], strict=False))
            counts = dict(
                zip(names, (saved_count(count) for _, count in one["counted"]), strict=True)
            )
            at += len(names)
            own = {n: PageGroup(g.slots, replace(g.texts, pages=counts[n])) for n, g in own.items()}
            whole = own.pop("")
            sketch, keys, dropped = (columns[name][number] for name in of_template)
            _require_ascending(keys, dropped)
            if len(sketch) != BINS:
                raise ValueError(f"a sketch has {BINS} hashes, not {len(sketch)}")
            found[saved_text(one["mark"])] = {
                **{name: saved_count(one[name]) for name in ("pages", "longest")},
                **{name: _share(one[name]) for name in _SHARES},
                "page": saved_text(one["page"]),
                "rules": {key: _rule_facts(values) for key, values in one["rules"].items()},
                "sketch": sketch,
                "keys": keys,
                "dropped": dropped,
                "slots": whole.slots,
                "texts": whole.texts,
                "groups": own,
            }
        history = tuple(
            Learning(saved_text(date), saved_count(pages)) for date, pages in header["learned"]
        )
    except _BROKEN as error:
        raise RulesError(f"broken data of a site: {type(error).__name__}: {error}") from error
    return {"history": history, "templates": found}


def _tables_of(columns: Mapping[str, Sequence[Any]], number: int) -> PageGroup:
    hashes = columns["slots"][number]
    numbers = [columns[name][number] for name in _SLOT_COLUMNS]
    for (name, (least, most)), column in zip(_SLOT_COLUMNS.items(), numbers, strict=True):
        if len(column) != len(hashes) or not ((column >= least) & (column <= most)).all():
            raise ValueError(f"{name} of slots must be from {least:.16g} to {most:.16g}")
    texts = tuple(columns[name][number] for name in KINDS)
    counts = tuple(columns[f"{name}_on"][number] for name in KINDS)
    _require_ascending(hashes, *texts)
    if any(len(t) != len(c) or (c < 0).any() for t, c in zip(texts, counts, strict=True)):
        raise ValueError("each returning text has a count")
    return PageGroup(SlotTable(hashes, *numbers), ReturningTexts(0, texts, counts))


def _rule_facts(saved: Any) -> dict[str, Any]:
    support, confidence, example, page = saved
    return {
        "support": saved_count(support),
        "confidence": _share(confidence),
        "example": shown_words(saved_text(example)),
        "example_page": shown_words(saved_text(page), LONGEST_ADDRESS),
    }


def _require_ascending(*columns: Any) -> None:
    if any((one[1:] <= one[:-1]).any() for one in columns):
        raise ValueError("hashes must ascend")


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"a number from 0 to 1 is wanted, not {value!r:.80}")
    return float(value)


# Counts of use between runs: they belong to one learning, and are discarded after the next


def read_counts(folder: Path, history: Sequence[Learning]) -> Usage:
    """Return the counts of use of a model; none where they are of another learning.

    Raises:
        RulesError: the file can't be read, or holds something else.
    """
    path = folder / COUNTS
    try:
        saved = read_json(path.read_text(encoding="utf-8")) if path.is_file() else None
        if saved is None or saved["learned"] != [[one.date, one.pages] for one in history]:
            return Usage()
        return Usage.from_dict(saved["usage"])
    except OSError as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error
    except _BROKEN as error:
        raise RulesError(f"{path}: not usable counts: {error}") from error


def write_counts(folder: Path, history: Sequence[Learning], usage: Usage) -> None:
    """Write counts of use in one step; without counts the file is removed.

    Raises:
        RulesError: the file can't be written.
    """
    path = folder / COUNTS
    saved = {"learned": [[one.date, one.pages] for one in history], "usage": usage.to_dict()}
    try:
        if usage.pages:
            replace_file(path, (json.dumps(saved, indent=1, sort_keys=True) + "\n").encode())
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise RulesError(f"can't write {path}: {cause(error)}") from error


# Rules put into rules.toml and taken out of it; all else in it stays to the letter


def keep_rule(folder: str | Path, rule: Rule, template: str = "") -> None:
    """Write one more rule into a model's ``rules.toml``, by `with_rule`.

    Raises:
        RulesError: as `with_rule`, or the file can't be read or written.
    """
    _edit(Path(folder), lambda text: with_rule(text, rule, template))


def remove_rule(folder: str | Path, kind: str, select: str, template: str = "") -> None:
    """Take a rule out of a model's ``rules.toml``, by `without_rule`; errors as of `keep_rule`."""
    _edit(Path(folder), lambda text: without_rule(text, kind, select, template))


def _edit(folder: Path, change: Callable[[str], str]) -> None:
    """Change the rules of a model; two who do so at a time wait for one another."""
    try:
        with locked_folder(folder):
            text = read_rules(folder)
            try:
                changed = change(text)
                read_text(changed)
            except RulesError as error:
                raise RulesError(f"{folder / RULES}: {error}") from error
            write_rules(folder, changed)
    except OSError as error:
        raise RulesError(f"can't read {folder / RULES}: {cause(error)}") from error


def with_rule(text: str, rule: Rule, template: str = "") -> str:
    """Return the text of ``rules.toml`` with one more rule, the last of its place.

    Args:
        text: of the file.
        rule: the rule.
        template: name of the template that it is for; "" for all pages.

    Raises:
        RulesError: it is no such file, has no such template, or has the rule already.
    """
    tomlkit, document, holder = _parsed(text, template)
    rules = _rules_of(holder)
    if any((one.get("kind"), one.get("select")) == (rule.kind, rule.select) for one in rules):
        raise RulesError(f"the rule {rule.key} is there already")
    table = tomlkit.table()
    for key, value in _saved(rule).items():
        table.add(key, value)
    before = rules[-1] if rules else holder
    tail = _cut_tail(before) if rules or template else ""
    _body(before).append((None, tomlkit.items.Whitespace("\n")))
    if rules:
        rules.append(table)
    else:
        holder.add("rule", tomlkit.aot())
        holder["rule"].append(table)
    _body(table).append((None, tomlkit.items.Whitespace(tail)))
    return _checked(document, text, template, lambda known: [*known, _saved(rule)])


def without_rule(text: str, kind: str, select: str, template: str = "") -> str:
    """Return the text of ``rules.toml`` without a rule that a person wrote.

    Args:
        text: of the file.
        kind: of the rule.
        select: its selector; of several equal rules the last goes.
        template: name of the template that it is for; "" for all pages.

    Raises:
        RulesError: it is no such file, or has no such rule of a person.
    """
    tomlkit, document, holder = _parsed(text, template)
    rules = _rules_of(holder)
    same = [
        n for n, one in enumerate(rules) if (one.get("kind"), one.get("select")) == (kind, select)
    ]
    if not same or (template and rules[same[-1]].get("learned") == _mark(f"{kind} {select}")):
        place = f"template {template!r}" if template else "the site"
        raise RulesError(f"{place} has no rule that a person wrote: {kind} {select}")
    number, space = same[-1], tomlkit.items.Whitespace
    tail = _cut_tail(rules[number])
    if number:
        before = _body(rules[number - 1])
        before.append((None, space(_cut_tail(rules[number - 1]).removesuffix("\n") + tail)))
        del rules[number]
    elif len(rules) > 1:
        del rules[0]
        rules[0].trivia.indent = tail.removesuffix("\n") + rules[0].trivia.indent
    else:
        body = _body(holder)
        at = next(n for n, (key, _) in enumerate(body) if key is not None and key.key == "rule")
        del holder["rule"]
        body[at] = (None, space(tail))
        while at and body[at - 1][0] is not None and hasattr(body[at - 1][1], "body"):
            body = _body(body[at - 1][1].body[-1])  # of the last table before it
            at = len(body)
        if at and body[at - 1][0] is None:
            body[at - 1] = (None, space(body[at - 1][1].as_string().removesuffix("\n")))
    return _checked(document, text, template, lambda known: known[:number] + known[number + 1 :])


def _parsed(text: str, template: str) -> tuple[Any, Any, Any]:
    """Return the library that edits TOML, the document, and the table that holds the rules."""
    try:
        import tomlkit  # noqa: PLC0415  an extra
    except ImportError as error:
        raise RulesError("rules are edited with tomlkit: pip install 'chaffinch[rules]'") from error
    try:
        read_toml(text)
        document = tomlkit.parse(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise RulesError(f"not TOML: {error}") from error
    if not template:
        return tomlkit, document, document
    for one in document.get("template", []):
        if isinstance(one, dict) and one.get("name") == template:
            return tomlkit, document, one
    raise RulesError(f"the site has no template {template!r}")


def _rules_of(holder: Any) -> Any:
    rules = holder.get("rule", [])
    if not isinstance(rules, list) or not all(isinstance(one, dict) for one in rules):
        raise RulesError("rules of the file are no tables")
    return rules


def _body(table: Any) -> list[Any]:
    """Return the items of a table or document, those that are white space or a comment, too."""
    found: list[Any] = table.body if hasattr(table, "body") else table.value.body
    return found


def _cut_tail(table: Any) -> str:
    """Take what follows the last key out of a table, and return it: comments and blank lines."""
    body, tail = _body(table), ""
    while body and body[-1][0] is None:
        tail = str(body.pop()[1].as_string()) + tail
    return tail


def _checked(
    document: Any, text: str, template: str, change: Callable[[list[Any]], list[Any]]
) -> str:
    wanted = read_toml(text)
    tables = wanted.get("template", [])
    own = next(one for one in tables if one.get("name") == template) if template else wanted
    own["rule"] = change(own.get("rule", []))
    if not own["rule"]:
        del own["rule"]
    changed = str(document.as_string())
    if "\r\n" in text:
        changed = changed.replace("\n", "\r\n")
    try:
        done = read_toml(changed) == wanted
    except ValueError:
        done = False
    if not done:
        raise RulesError("the file is written in a way that rules can't be put into: edit it")
    return changed


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:  # a selector from JSON may have half a character
        raise RulesError(f"the rule can't be written: {error.reason}") from error
