"""A site model as a folder: ``rules.toml``, which people read and edit, and ``data.npz``.

``rules.toml`` has the rules, the templates that they are for and what a person wrote for the whole
site. A rule whose ``learned`` isn't its checksum, or that has none, is a person's: it overrides
learned ones, also after the model is learned anew.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from chaffinch import storage
from chaffinch.errors import OptionError, RulesError
from chaffinch.lists.labelled import OWN
from chaffinch.page import parse
from chaffinch.site.data import KIND, NOTHING_LEARNED, mark, read_data, template_mark, to_data
from chaffinch.site.model import SiteModel, Template
from chaffinch.site.rules import ROLES, Rule
from chaffinch.site.sample import LONGEST_ADDRESS, shown_words
from chaffinch.wording import cause, counted, failing_as

RULES: Final = "rules.toml"
DATA: Final = "data.npz"
_VERSION: Final = 1
_HEAD: Final = """\
# Rules of a site for Chaffinch. Change, add and take out what you like: what a person writes has
# the last word, and of nested elements the innermost "content" or "drop" decides. A rule needs kind
# and select, a CSS selector or an XPath; of a learned one that you change, "learned" goes. A
# [[rule]] holds on all pages, a [[template.rule]] on those of its template. "chaffinch site
# rules check" tries them.
"""
_KEYS: Final = {"kind", "version", "site", "title_boilerplate", "rule", "template"}
_RULE_KEYS: Final = {"kind", "select", "learned", "taught", "share"}
_TABLE: Final = re.compile(r"\A[ \t]*+\[\[?([^\[\]\n]{1,80})\]")
_REMARK: Final = re.compile(r"\A\s*+(?:#|\Z)")
_SOME_PAGE: Final = parse("<p>To try selectors on.")


def is_model(path: str | Path) -> bool:
    return os.path.isfile(Path(path) / RULES)  # noqa: PTH113 - of any length


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
    with failing_as(RulesError, f"can't write {folder}"):
        storage.make_folder(folder)
        storage.replace_files(files)


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
    with failing_as(RulesError, f"can't read {path}"):
        if missing is not None:
            return storage.read_file(path, storage.MOST_BYTES) if path.is_file() else missing
        return storage.read_file(path)


def read_model(folder: str | Path) -> dict[str, Any]:
    folder, where = Path(folder), DATA
    text, data = read_rules(folder), _read(folder / DATA, missing=b"")
    try:
        known = read_data(data) if data else {}
        where = RULES
        return _fields(text, known)
    except RulesError as error:
        raise RulesError(f"{folder / where}: {error}") from error


def read_text(text: str, data: bytes = b"") -> dict[str, Any]:
    """Return the fields of the `SiteModel` that ``rules.toml`` and ``data.npz`` hold."""
    return _fields(text, read_data(data) if data else {})


# rules.toml


def to_text(site: SiteModel) -> str:
    """Return the model's ``rules.toml``; the same for the same model."""
    lines = [_HEAD, *_pairs(kind=KIND, version=_VERSION, site=site.host)]
    if site.title_boilerplate:
        lines += _pairs(title_boilerplate=list(site.title_boilerplate))
    for rule in site.rules:
        lines += _rule_lines("rule", rule)
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


def _tables(text: str) -> dict[str, Any]:
    try:
        return storage.read_toml(text)
    except ValueError as error:
        raise RulesError(f"not TOML: {error}") from error


def _fields(text: str, data: Mapping[str, Any]) -> dict[str, Any]:
    saved = _tables(text)
    if saved.get("kind") != KIND:
        raise RulesError(f"not a file of kind {KIND!r}")
    if saved.get("version") != _VERSION:
        raise RulesError(f"a site model of version {saved.get('version')!r}; this reads {_VERSION}")
    _require_known(saved, _KEYS, "the model")
    known, templates = data.get("templates", {}), _part(saved, "template", list, "the model", [])
    boilerplate = _part(saved, "title_boilerplate", list, "the model", [])
    if not all(isinstance(one, str) for one in boilerplate):
        raise RulesError("title_boilerplate of the model must be texts")
    return {
        "host": _part(saved, "site", str, "the model"),
        "title_boilerplate": tuple(boilerplate),
        "history": data.get("history", ()),
        "statistics": data.get("statistics"),
        "rules": tuple(replace(one, by_hand=True) for one in _rules(saved, "the site", {})),
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
    for number, one in enumerate(_part(saved, "rule", list, where, []), start=1):
        here = f"rule {number} of {where}"
        kind, select = (_part(one, key, str, here) for key in ("kind", "select"))
        _require_known(one, _RULE_KEYS, here)
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


def _require_known(saved: Mapping[str, Any], known: set[str], where: str) -> None:
    if unknown := saved.keys() - known:
        names = ", ".join(sorted(known))
        raise RulesError(f"{where}: unknown {min(unknown)!r}; known: {names}")


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


# Rules put into rules.toml and taken out of it; all else in it stays to the letter. tomlkit (0.15)
# moves blank lines, leaves "rule = []" behind and takes ten times as long as tomllib. Where tables
# begin is guessed from the lines; a change counts only if the file then reads as it should.


def keep_rule(folder: str | Path, rule: Rule, template: str = "") -> None:
    """Write one more rule into a model's ``rules.toml``, by `with_rule`."""
    edit_rules(Path(folder), lambda text: with_rule(text, rule, template))


def remove_rule(folder: str | Path, kind: str, select: str, template: str = "") -> None:
    """Take a rule out of a model's ``rules.toml``, by `without_rule`; errors as of `keep_rule`."""
    edit_rules(Path(folder), lambda text: without_rule(text, kind, select, template))


def edit_rules(folder: Path, change: Callable[[str], str]) -> None:
    """Change the rules of a model; two who do so at a time wait for one another."""
    with failing_as(RulesError, f"can't read {folder / RULES}"), storage.locked_folder(folder):
        text = read_rules(folder)
        try:
            changed = change(text)
            read_text(changed)
        except RulesError as error:
            raise RulesError(f"{folder / RULES}: {error}") from error
        with failing_as(RulesError, f"can't write {folder / RULES}"):
            storage.replace_files({folder / RULES: _encoded(changed)})


def with_rule(text: str, rule: Rule, template: str = "") -> str:
    """Return the text of ``rules.toml`` with one more rule, the last of its place.

    ``template`` is the name of the template that it is for; "" for all pages.
    """
    saved, number, own = _place(text, template)
    rules = own["rule"]
    if any((one.get("kind"), one.get("select")) == (rule.kind, rule.select) for one in rules):
        raise RulesError(f"the rule {rule.key} is there already")
    lines = text.splitlines(keepends=True)
    places = [end for _, end in _tables_from(lines, number, len(rules))]
    rules.append(_saved(rule))
    before = "" if text.endswith("\n") else "\n"
    name = "template.rule" if template else "rule"
    added = "\n".join([before, f"[[{name}]]", *_pairs(**_saved(rule)), ""])
    if "\r\n" in text:
        added = added.replace("\n", "\r\n")
    return _reading_as(saved, ("".join([*lines[:at], added, *lines[at:]]) for at in places))


def without_rule(text: str, kind: str, select: str, template: str = "") -> str:
    """Return the text of ``rules.toml`` without a rule that a person wrote, of equal ones the last.

    ``template`` is the name of the template that it is for; "" for all pages.
    """
    saved, number, own = _place(text, template)
    rules = own["rule"]
    said = [(one.get("kind"), one.get("select")) for one in rules]
    last = max((n for n, one in enumerate(said) if one == (kind, select)), default=-1)
    if last < 0 or (template and rules[last].get("learned") == mark(f"{kind} {select}")):
        place = f"template {template!r}" if template else "the site"
        raise RulesError(f"{place} has no rule that a person wrote: {kind} {select}")
    lines = text.splitlines(keepends=True)
    spans = _tables_from(lines, number, last + 1)
    del rules[last]
    if not rules:
        del own["rule"]
    blank = (at > 0 and not lines[at - 1].strip() for at, _ in spans)  # that was put before it
    cuts = [(at - above, end) for (at, end), above in zip(spans, blank, strict=True)]
    return _reading_as(saved, ("".join(lines[:at] + lines[end:]) for at, end in cuts))


def _place(text: str, template: str) -> tuple[dict[str, Any], int, dict[str, Any]]:
    """Return a file as data, the number of a template, from 1, and its table; 0 for all pages."""
    saved = own = _tables(text)
    number = 0
    if template:
        every = saved.get("template")
        templates = every if isinstance(every, list) else []
        names = [one.get("name") if isinstance(one, dict) else None for one in templates]
        if template not in names:
            raise RulesError(f"the site has no template {template!r}")
        number = names.index(template) + 1
        own = templates[number - 1]
    rules: Any = own.setdefault("rule", [])
    if not isinstance(rules, list) or not all(isinstance(one, dict) for one in rules):
        raise RulesError("rules of the file are no tables")
    return saved, number, own


def _tables_from(lines: Sequence[str], template: int, rule: int) -> list[tuple[int, int]]:
    """Return the lines, begin and end, of the n-th rule of a template and of the tables after it.

    Of 0, no template, those for all pages; the rule 0 stands for what comes before the first.
    Comments and blank lines behind a table aren't in it.
    """
    heads = [(0, "")]
    heads += [
        (n, m[1].replace(" ", "")) for n, line in enumerate(lines) if (m := _TABLE.match(line))
    ]
    for name in ["template"] * template + ["template.rule" if template else "rule"] * rule:
        following = (n for n, (_, one) in enumerate(heads) if n and one == name)
        heads = heads[next(following, len(heads)) :]
    spans = []
    for (start, _), (stop, _) in pairwise([*heads, (len(lines), "")]):
        said = (n for n in range(stop, start, -1) if not _REMARK.match(lines[n - 1]))
        spans.append((start, next(said, start)))
    return spans


def _reading_as(saved: Mapping[str, Any], made: Iterable[str]) -> str:
    """Return the first of some texts that holds what is wanted."""
    for text in made:
        with suppress(ValueError):
            if storage.read_toml(text) == saved:
                return text
    raise RulesError("the file is written in a way that rules can't be put into: edit it")
