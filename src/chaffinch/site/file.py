"""A site model as a folder: ``rules.toml``, which people read and edit, and ``data.npz``.

``rules.toml`` has the rules, the templates that they are for and what a person wrote for the whole
site. A rule whose ``learned`` isn't its checksum, or that has none, is a person's: it overrides
learned ones, also after the model is learned anew. ``counts.json`` has the use since the learning.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from chaffinch.errors import OptionError, RulesError
from chaffinch.lists.labelled import OWN
from chaffinch.page import parse
from chaffinch.site import MODES
from chaffinch.site.archive import BROKEN
from chaffinch.site.data import KIND, NOTHING_LEARNED, mark, read_data, template_mark, to_data
from chaffinch.site.model import Learning, SiteModel, Template
from chaffinch.site.rules import ROLES, PageTest, Replacement, Rule, Usage
from chaffinch.site.sample import LONGEST_ADDRESS, shown_words
from chaffinch.storage import (
    locked_folder,
    make_folder,
    read_json,
    read_toml,
    replace_file,
    replace_files,
)
from chaffinch.wording import cause, counted

RULES: Final = "rules.toml"
DATA: Final = "data.npz"
COUNTS: Final = "counts.json"
_VERSION: Final = 1
_HEAD: Final = """\
# Rules of a site for Chaffinch. Change, add and take out what you like: what a person writes has
# the last word, and of nested elements the innermost "content" or "drop" decides. A rule needs kind
# and select, a CSS selector or an XPath; of a learned one that you change, "learned" goes. A
# [[rule]] holds on all pages, a [[template.rule]] on those of its template. "chaffinch site
# rules check" tries them.
"""
_RULE_KEYS: Final = {"kind", "select", "learned", "taught", "share"}
_TABLE: Final = re.compile(r"^[ \t]*+\[\[?([^\[\]\n]{1,80})\]")
"""The beginning of a table."""
_MOST_TRIES: Final = 1_000
"""Lines within texts that seem to begin a table."""
_WRITTEN_OTHERWISE: Final = "the file is written in a way that rules can't be put into: edit it"
_SOME_PAGE: Final = parse("<p>To try selectors on.")


def is_model(path: str | Path) -> bool:
    return (Path(path) / RULES).is_file()


def model_version(folder: Path) -> str:
    """Return a digest of a model's rules and data; another one for each change."""
    digest = hashlib.sha256(_read(folder / RULES))
    digest.update(_read(folder / DATA, missing=b""))
    return digest.hexdigest()[:32]


def write_model(site: SiteModel, folder: str | Path) -> None:
    """Write a model into its folder, which is made if it isn't there.

    The data come first: a kill leaves the earlier rules beside them, until the next save.
    """
    folder = Path(folder)
    files = {folder / DATA: to_data(site), folder / RULES: _encoded(to_text(site))}
    try:
        make_folder(folder)
        replace_files(files)
    except OSError as error:
        raise RulesError(f"can't write {folder}: {cause(error)}") from error
    write_counts(folder, site.history, site.counted)


def write_rules(folder: Path, text: str) -> None:
    """Write a model's ``rules.toml`` in one step; errors as of `write_model`."""
    try:
        replace_file(folder / RULES, _encoded(text))
    except OSError as error:
        raise RulesError(f"can't write {folder / RULES}: {cause(error)}") from error


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:  # a selector from JSON may have half a character
        raise RulesError(f"the rule can't be written: {error.reason}") from error


def read_rules(folder: Path) -> str:
    """Return a model's ``rules.toml``, its ends of lines as they are."""
    try:
        return _read(folder / RULES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise RulesError(f"can't read {folder / RULES}: {cause(error)}") from error


def _read(path: Path, *, missing: bytes | None = None) -> bytes:
    try:
        return path.read_bytes() if missing is None or path.is_file() else missing
    except OSError as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error


def read_model(folder: str | Path) -> dict[str, Any]:
    """Return the fields of the `SiteModel` in a folder."""
    folder, where = Path(folder), DATA
    text, data = read_rules(folder), _read(folder / DATA, missing=b"")
    try:
        known = read_data(data) if data else {}
        where = RULES
        fields = _fields(text, known)
    except RulesError as error:
        raise RulesError(f"{folder / where}: {error}") from error
    return {**fields, "counted": read_counts(folder, fields["history"])}


def read_text(text: str, data: bytes = b"") -> dict[str, Any]:
    """Return the fields of the `SiteModel` that ``rules.toml`` and ``data.npz`` hold."""
    return _fields(text, read_data(data) if data else {})


# rules.toml


def to_text(site: SiteModel) -> str:
    """Return the model's ``rules.toml``; the same for the same model."""
    lines = [_HEAD, *_pairs(kind=KIND, version=_VERSION, site=site.name, mode=site.mode)]
    if site.title_boilerplate:
        lines += _pairs(title_boilerplate=list(site.title_boilerplate))
    for rule in site.rules:
        lines += _rule_lines("rule", rule)
    for one in site.replacing:
        lines += ["", "[[replace]]", *_pairs(find=one.find, put=one.put)]
    for test in site.tests:
        lines += ["", "[[test]]", *_pairs(url=test.url, contains=list(test.contains))]
    for template in site.templates:
        about, own = "", dict[str, Any](signs=list(template.signs))
        if template.pages:
            about = f"  # {counted(template.pages, 'page')}, {template.share:.0%} of the site"
            page = shown_words(template.page, LONGEST_ADDRESS)
            about += f", such as {page}" if page else ""
            own = {"learned": template_mark(template)}
        lines += ["", f"[[template]]{about}", *_pairs(name=template.name, **own)]
        for rule in template.rules:
            lines += _rule_lines("template.rule", rule)
    return "\n".join(lines) + "\n"


def _pairs(**values: Any) -> list[str]:
    return [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]


def _rule_lines(table: str, rule: Rule) -> list[str]:
    about = ""
    if not rule.by_hand:
        about = f"  # {counted(rule.support, 'page')}, {rule.confidence:.0%}"
        about += f": «{rule.example}»" if rule.example else ""
    return ["", f"[[{table}]]{about}", *_pairs(**_saved(rule))]


def _saved(rule: Rule) -> dict[str, Any]:
    """Return a rule as a table: a taught one has its date and share, a learned one its checksum."""
    out: dict[str, Any] = {"kind": rule.kind, "select": rule.select}
    if rule.taught:
        out |= {"taught": rule.taught, "share": rule.share}
    return out if rule.by_hand else {**out, "learned": mark(rule.key)}


def _fields(text: str, data: Mapping[str, Any]) -> dict[str, Any]:
    try:
        saved = read_toml(text)
    except ValueError as error:
        raise RulesError(f"not TOML: {error}") from error
    if saved.get("kind") != KIND:
        raise RulesError(f"not a file of kind {KIND!r}")
    if saved.get("version") != _VERSION:
        raise RulesError(f"a site model of version {saved.get('version')!r}; this reads {_VERSION}")
    mode = saved.get("mode", "full")
    if mode not in MODES:
        raise RulesError(f"mode must be one of {', '.join(MODES)}, not {mode!r}")
    known, templates = data.get("templates", {}), _part(saved, "template", list, "the model", [])
    return {
        "name": _part(saved, "site", str, "the model"),
        "mode": mode,
        "title_boilerplate": _texts(saved, "title_boilerplate", "the model"),
        "history": data.get("history", ()),
        "statistics": data.get("statistics"),
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


def _template(saved: Any, number: int, known: Mapping[str, Mapping[str, Any]]) -> Template:
    name = _part(saved, "name", str, f"template {number}")
    where = f"template {name!r}"
    learned = _part(saved, "learned", str, where, "")
    signs = _part(saved, "signs", list, where, [] if learned else None)
    for sign in signs:
        _require_selector(sign, f"signs of {where}")
    fields = dict(known.get(learned, NOTHING_LEARNED))
    rules = sorted(_rules(saved, where, fields.pop("rules")), key=lambda rule: rule.by_hand)
    return Template(name=name, signs=tuple(signs), rules=tuple(rules), **fields)


def _rules(saved: dict[str, Any], where: str, known: Mapping[str, Mapping[str, Any]]) -> list[Rule]:
    """Return the rules of a table; ``known`` are facts of learned ones, by `Rule.key`."""
    found = []
    for here, one in _tables(saved, "rule", where, _RULE_KEYS):
        kind, select = (_part(one, key, str, here) for key in ("kind", "select"))
        _require_selector(select, here, computed=kind in ROLES or kind.startswith(OWN))
        facts: Mapping[str, Any] = known.get(f"{kind} {select}", {})
        if by_hand := one.get("learned") != mark(f"{kind} {select}"):
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


# Counts of use between runs: they belong to one learning, and are discarded after the next


def read_counts(folder: Path, history: Sequence[Learning]) -> Usage:
    """Return the counts of use of a model; none where they are of another learning."""
    path = folder / COUNTS
    try:
        saved = read_json(path.read_text(encoding="utf-8")) if path.is_file() else None
        if saved is None or saved["learned"] != [[one.date, one.pages] for one in history]:
            return Usage()
        return Usage.from_dict(saved["usage"])
    except OSError as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error
    except BROKEN as error:
        raise RulesError(f"{path}: not usable counts: {error}") from error


def write_counts(folder: Path, history: Sequence[Learning], usage: Usage) -> None:
    """Write counts of use in one step; without counts the file is removed."""
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
    """Write one more rule into a model's ``rules.toml``, by `with_rule`."""
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
    """
    saved, rules = _rules_of(text, template)
    if any((one.get("kind"), one.get("select")) == (rule.kind, rule.select) for one in rules):
        raise RulesError(f"the rule {rule.key} is there already")
    rules.append(_saved(rule))
    sections = _sections(text)
    table = "template.rule" if template else "rule"
    places = _places(sections, template)
    before = sections[places[-1]] if places else sections[-1]
    at = before.size if places else len(before.lines)
    lines = ["", f"[[{table}]]", *_pairs(**_saved(rule))]
    if at and not before.lines[at - 1].endswith("\n"):
        before.lines[at - 1] += "\n"
    before.lines[at:at] = [line + "\n" for line in lines]
    return _joined(sections, text, saved)


def without_rule(text: str, kind: str, select: str, template: str = "") -> str:
    """Return the text of ``rules.toml`` without a rule that a person wrote.

    Args:
        text: of the file.
        kind: of the rule.
        select: its selector; of several equal rules the last goes.
        template: name of the template that it is for; "" for all pages.
    """
    saved, rules = _rules_of(text, template)
    same = [
        n for n, one in enumerate(rules) if (one.get("kind"), one.get("select")) == (kind, select)
    ]
    if not same or (template and rules[same[-1]].get("learned") == mark(f"{kind} {select}")):
        place = f"template {template!r}" if template else "the site"
        raise RulesError(f"{place} has no rule that a person wrote: {kind} {select}")
    del rules[same[-1]]
    sections = _sections(text)
    places = [at for at in _places(sections, template) if sections[at].name != "template"]
    if len(places) > same[-1]:
        at = places[same[-1]]
        del sections[at].lines[: sections[at].size]
        above = sections[at - 1].lines
        if above and not above[-1].strip():
            above.pop()
    return _joined(sections, text, saved)


def _rules_of(text: str, template: str) -> tuple[dict[str, Any], list[Any]]:
    try:
        saved = read_toml(text)
    except ValueError as error:
        raise RulesError(f"not TOML: {error}") from error
    tables = saved.get("template", [])
    named = (one for one in tables if isinstance(one, dict) and one.get("name") == template)
    own = next(named, None) if template else saved
    if own is None:
        raise RulesError(f"the site has no template {template!r}")
    rules: list[Any] = own.setdefault("rule", [])
    if not isinstance(rules, list) or not all(isinstance(one, dict) for one in rules):
        raise RulesError("rules of the file are no tables")
    return saved, rules


@dataclass
class _Section:
    """The lines of a table, and of what follows up to the next: comments and blank lines."""

    name: str
    lines: list[str]

    @property
    def size(self) -> int:
        texts = enumerate(map(str.strip, self.lines), start=1)
        return max((number for number, one in texts if one and one[0] != "#"), default=0)

    @property
    def table(self) -> dict[str, Any] | None:
        """What the lines say; None where they end amid a value."""
        try:
            return read_toml("".join(self.lines))
        except ValueError:
            return None


def _sections(text: str) -> list[_Section]:
    """Cut a file before each line that begins a table; some lines that seem to are in a text."""
    sections, tries = [_Section("", [])], 0
    for line in text.replace("\r\n", "\n").splitlines(keepends=True):
        if head := _TABLE.match(line):
            if sections[-1].table is not None:
                sections.append(_Section("".join(head[1].split()), []))
            elif (tries := tries + 1) > _MOST_TRIES:
                raise RulesError(_WRITTEN_OTHERWISE)
        sections[-1].lines.append(line)
    return sections


def _places(sections: Sequence[_Section], template: str) -> list[int]:
    """Return the numbers of the sections of a place: of a template itself, then of its rules."""
    if not template:
        return [number for number, one in enumerate(sections) if one.name == "rule"]
    found, inside = [], False
    for number, one in enumerate(sections):
        if one.name == "template":
            inside = (one.table or {"template": [{}]})["template"][0].get("name") == template
        if inside and one.name in {"template", "template.rule"}:
            found.append(number)
    return found


def _joined(sections: Sequence[_Section], before: str, wanted: dict[str, Any]) -> str:
    """Return the file of some sections, which must say what is wanted."""
    changed = "".join(line for one in sections for line in one.lines)
    if "\r\n" in before:
        changed = changed.replace("\n", "\r\n")
    for one in (wanted, *wanted.get("template", [])):
        if isinstance(one, dict) and one.get("rule") == []:
            del one["rule"]
    try:
        done = read_toml(changed) == wanted
    except ValueError:
        done = False
    if not done:
        raise RulesError(_WRITTEN_OTHERWISE)
    return changed
