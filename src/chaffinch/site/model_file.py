"""A site model as TOML that people read and edit, and back.

Rules stand first in each template, one table each; a rule without a ``mark``, or whose mark isn't
its checksum, was written by a person and overrides learned rules, also after the model is learned
anew. The tables of full mode stand in ``data``, hashes in hexadecimal. The sample of pages that
updating needs is a file of its own beside it.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from chaffinch.durable_files import replace_files
from chaffinch.errors import RulesError
from chaffinch.saved_data import read_toml
from chaffinch.site.by_hand import replacements_of, tests_of
from chaffinch.site.modes import MODES
from chaffinch.site.saved_rules import part_of, require_selector, rules_of, saved_rule, share_of
from chaffinch.site.site_model import Learning
from chaffinch.site.statistics import Statistics
from chaffinch.site.template import Template
from chaffinch.site.template_tables import pairs, read_tables, saved_tables
from chaffinch.site.usage_file import read_counts, write_counts
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.site.site_model import SiteModel


KIND: Final = "chaffinch site"
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
    lines = [_HEAD, *pairs({"kind": KIND, "version": VERSION, "site": site.name})]
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
    if saved.get("kind") != KIND:
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
