"""Rules added to the text of a site's file and taken out of it; all else in it stays as it is.

A model's file is edited by people, too: their comments, their order and their spacing survive. So
whole tables are put in and taken out by lines, and what comes out is parsed and compared with what
was meant, before anything is written.
"""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from chaffinch.durable_files import locked_folder
from chaffinch.errors import RulesError
from chaffinch.saved_data import read_toml
from chaffinch.site.model_file import read_text, write_bytes
from chaffinch.site.saved_rules import mark_of, saved_rule
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from chaffinch.site.rules import Rule

_TOKEN: Final = re.compile(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*+"?|\'[^\'\n]*+\'?|#[^\n]*+|[\[\]{}]')
_HEADER: Final = re.compile(r"[ \t]*+\[\[?[ \t]*+(?P<name>[\w. \t\"'-]++)\]")
_BASIC: Final = '"""'
_END_OF_BASIC: Final = re.compile(r'(?:[^"\\]|\\.|"(?!""))*+"{3,5}', re.DOTALL)
_LITERAL: Final = "'''"
_END_OF_LITERAL: Final = re.compile(r"(?:[^']|'(?!''))*+'{3,5}")
_OF_SITE: Final = "rule"
_OF_TEMPLATE: Final = "template.rule"


@dataclass(frozen=True)
class _Table:
    """A table of the file: its name, its first line and the one after its last key or header."""

    name: str
    start: int
    stop: int


def with_rule(text: str, rule: Rule, template: str = "") -> str:
    """Return the text of a site's file with one more rule, the last of its place.

    Args:
        text: of the file.
        rule: the rule.
        template: name of the template that it is for; "" for all pages.

    Raises:
        RulesError: it is no site's file, has no such template, or has the rule already.
    """
    saved = _parsed(text)
    wanted = copy.deepcopy(saved)
    rules = _rules(wanted, template)
    if any((one.get("kind"), one.get("select")) == (rule.kind, rule.select) for one in rules):
        raise RulesError(f"the rule {rule.key} is there already")
    rules.append(saved_rule(rule))
    lines = _lines(text)
    name = _OF_TEMPLATE if template else _OF_SITE
    ending = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    values = (
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in saved_rule(rule).items()
    )
    block = ending + ending.join([f"[[{name}]]", *values]) + ending
    at = _place(text, saved, template)
    before = "".join(lines[:at])
    if before and not before.endswith("\n"):
        before += ending
    return _checked(before + block + "".join(lines[at:]), wanted)


def without_rule(text: str, kind: str, select: str, template: str = "") -> str:
    """Return the text of a site's file without a rule that a person wrote.

    Args:
        text: of the file.
        kind: of the rule.
        select: its selector; of several equal rules the last goes.
        template: name of the template that it is for; "" for all pages.

    Raises:
        RulesError: it is no site's file, or has no such rule of a person.
    """
    saved = _parsed(text)
    wanted = copy.deepcopy(saved)
    rules = _rules(wanted, template)
    numbers = [
        n for n, one in enumerate(rules) if (one.get("kind"), one.get("select")) == (kind, select)
    ]
    if not numbers or (template and _is_learned(rules[numbers[-1]])):
        place = f"template {template!r}" if template else "the site"
        raise RulesError(f"{place} has no rule that a person wrote: {kind} {select}")
    del rules[numbers[-1]]
    if not rules:
        holder = wanted if not template else _template(wanted, template)
        del holder["rule"]
    own = _own_tables(text, saved, template)[numbers[-1]]
    lines = _lines(text)
    start = own.start - (own.start > 0 and not lines[own.start - 1].strip())
    return _checked("".join(lines[:start] + lines[own.stop :]), wanted)


def keep_rule(path: Path, rule: Rule, template: str = "") -> None:
    """Write one more rule into a site's file, by `with_rule`.

    Raises:
        RulesError: as `with_rule`, or the file can't be read or written.
    """
    _edit(path, lambda text: with_rule(text, rule, template))


def remove_rule(path: Path, kind: str, select: str, template: str = "") -> None:
    """Take a rule out of a site's file, by `without_rule`.

    Raises:
        RulesError: as `without_rule`, or the file can't be read or written.
    """
    _edit(path, lambda text: without_rule(text, kind, select, template))


def _edit(path: Path, change: Callable[[str], str]) -> None:
    """Change the text of a file; two who do so at a time wait for one another."""
    try:
        with locked_folder(path.parent):
            write_bytes(path, _encoded(_changed(path, change)))
    except OSError as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:  # a selector from JSON may have half a character
        raise RulesError(f"the rule can't be written: {error.reason}") from error


def _changed(path: Path, change: Callable[[str], str]) -> str:
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise RulesError(f"can't read {path}: {cause(error)}") from error
    try:
        changed = change(text)
        read_text(changed)
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from error
    return changed


def _is_learned(saved: dict[str, Any]) -> bool:
    from_file = str(saved.get("kind", "")), str(saved.get("select", ""))
    return bool(saved.get("mark") == mark_of(*from_file))


def _parsed(text: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except ValueError as error:
        raise RulesError(f"not TOML: {error}") from error


def _checked(text: str, wanted: dict[str, Any]) -> str:
    """Return an edited text.

    Raises:
        RulesError: it doesn't hold what was meant.
    """
    try:
        done = read_toml(text) == wanted
    except ValueError:
        done = False
    if not done:
        raise RulesError("the file is written in a way that rules can't be put into: edit it")
    return text


def _template(saved: dict[str, Any], name: str) -> dict[str, Any]:
    templates = saved.get("template", [])
    found = [one for one in templates if isinstance(one, dict) and one.get("name") == name]
    if not found:
        raise RulesError(f"the site has no template {name!r}")
    holder: dict[str, Any] = found[0]
    return holder


def _rules(saved: dict[str, Any], template: str) -> list[dict[str, Any]]:
    """Return the rules of the site or of a template, to be changed."""
    holder = _template(saved, template) if template else saved
    rules = holder.setdefault("rule", [])
    if not isinstance(rules, list) or not all(isinstance(one, dict) for one in rules):
        raise RulesError("rules of the file are no tables")
    return rules


def _own_tables(text: str, saved: dict[str, Any], template: str) -> list[_Table]:
    """Return the tables of the rules of the site, or of a template."""
    if not template:
        return [one for one in _tables(text) if one.name == _OF_SITE]
    return [one for one in _of_template(text, saved, template) if one.name == _OF_TEMPLATE]


def _of_template(text: str, saved: dict[str, Any], template: str) -> list[_Table]:
    """Return the tables of a template: its own first, then those below it."""
    every = _tables(text)
    starts = [n for n, one in enumerate(every) if one.name == "template"]
    names = [one.get("name") for one in saved["template"]]
    number = names.index(template)
    if len(starts) != len(names):
        raise RulesError("the file is written in a way that rules can't be put into: edit it")
    inner = every[starts[number] + 1 :]
    below = len(inner)
    for n, one in enumerate(inner):
        if not one.name.startswith("template."):
            below = n
            break
    return [every[starts[number]], *inner[:below]]


def _place(text: str, saved: dict[str, Any], template: str) -> int:
    """Return the line before which the next rule of the site, or of a template, stands."""
    if own := _own_tables(text, saved, template):
        return own[-1].stop
    if template:
        return _of_template(text, saved, template)[0].stop
    tables = _tables(text)
    earlier = [one for one in tables if one.name == "learned"]
    if earlier:
        return earlier[-1].stop
    return _last_key(text, tables[0].start if tables else None)


def _last_key(text: str, stop: int | None) -> int:
    """Return the line after the last one before ``stop`` that is no comment and not blank."""
    lines = _lines(text)[:stop]
    for number in range(len(lines), 0, -1):
        line = lines[number - 1].strip()
        if line and not line.startswith("#"):
            return number
    return len(lines)


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their ends; TOML has no others than line feeds."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])


def _tables(text: str) -> list[_Table]:
    """Return the tables of a file in order."""
    lines = _lines(text)
    starts = list(_headers(text))
    out = []
    ends = [*(start for _, start in starts[1:]), len(lines)]
    for (name, start), following in zip(starts, ends, strict=False):
        stop = following
        while stop > start + 1:
            line = lines[stop - 1].strip()
            if line and not line.startswith("#"):
                break
            stop -= 1
        out.append(_Table(name, start, stop))
    return out


def _headers(text: str) -> Iterator[tuple[str, int]]:
    """Yield name and line of each header of a table; texts and lists of several lines hold none."""
    number = at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        header = _HEADER.match(text, at, end)
        if header is not None:
            yield "".join(header["name"].split()).replace('"', "").replace("'", ""), number
            following = end + 1
        else:
            following = _end_of_value(text, at)
        number += text.count("\n", at, min(following, len(text)))
        at = following


def _end_of_value(text: str, at: int) -> int:
    """Return where the line begins that follows the value that begins on the line at ``at``."""
    depth = 0
    while True:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        token = _TOKEN.search(text, at, end)
        if token is None:
            if depth <= 0 or end >= len(text):
                return end + 1
            at = end + 1
            continue
        at = token.end()
        if token[0] == _BASIC:
            closed = _END_OF_BASIC.match(text, at)
            at = closed.end() if closed is not None else len(text)
        elif token[0] == _LITERAL:
            closed = _END_OF_LITERAL.match(text, at)
            at = closed.end() if closed is not None else len(text)
        elif token[0] in "[{":
            depth += 1
        elif token[0] in "]}":
            depth -= 1
