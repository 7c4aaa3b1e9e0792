"""Site configs of Full-Text RSS (one file a host, a directive a line) turned into site models.

The format is FiveFilters' (``ftr-site-config``), after Instapaper's. What ``body`` selects first is
the content, and nothing else is, unless no ``body`` line matches: then the model decides, as there
the automatic detection does. ``strip`` lines drop what lies in the content; one that encloses the
content has no effect here, where the innermost rule decides, and would remove all of it there.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from chaffinch.errors import OptionError, RulesError
from chaffinch.page import parse
from chaffinch.site.rules import PageTest, Replacement, Rule
from chaffinch.site.site import Site

_DIRECTIVE: Final = re.compile(r"\A([a-z_]+)(?:\((.*)\))?\s*+:(.*)\Z", re.DOTALL)
_COMMENTS: Final = ("#", "//")
_SOME_PAGE: Final = parse("<p>To try selectors on.")
_KNOWN: Final[Mapping[str, Any]] = json.loads(
    resources.files(__package__).joinpath("config_directives.json").read_text(encoding="utf-8")
)
"""Directive → kind of rule, of ``fields``; ``spellings`` of values; the ``needless`` directives,
with their value where it matters, that ask for what is so anyway; and why others are ``not taken``.
"""


@dataclass(frozen=True)
class ConfigLine:
    """What became of a line."""

    number: int  # of the line, from 1
    directive: str  # its name, such as ``strip``
    value: str  # what stands behind the colon
    taken: bool  # it became something that acts, or asks for what is so anyway
    remark: str = ""  # why it needs nothing, or why it wasn't taken over


class SiteConfig(NamedTuple):
    """A site config as a model, and what became of its lines but comments and empty ones."""

    site: Site
    lines: tuple[ConfigLine, ...]


class _Draft:
    """What lines have become so far."""

    def __init__(self) -> None:
        self.bodies: list[str] = []
        self.rules: list[Rule] = []
        self.replacing: list[Replacement] = []
        self.tests: list[PageTest] = []
        self.found = ""  # by the last ``find_string``

    def take(self, directive: str, argument: str | None, value: str) -> None:
        """Add what a line says.

        Raises:
            OptionError, RulesError: the line isn't taken over; the message says why.
        """
        if directive == "body":
            _SOME_PAGE.select(value)
            _SOME_PAGE.select(f"/html/body[({value})]")
            self.bodies.append(value)
        elif directive in _DROPPED:
            select = _DROPPED[directive](value)
            _SOME_PAGE.select(select)
            self.rules.append(Rule(kind="drop", select=select, by_hand=True))
        elif directive in _KNOWN["fields"]:
            _SOME_PAGE.selected(value)
            kind = _KNOWN["fields"][directive]
            self.rules.append(Rule(kind=kind, select=value, by_hand=True))
        elif directive == "find_string":
            self.found = value
        elif directive == "replace_string":
            self.replacing.append(Replacement(self.found if argument is None else argument, value))
            self.found = "" if argument is None else self.found
        elif directive == "test_url":
            self.tests.append(PageTest(value))
        elif directive == "test_contains":
            if not self.tests:
                raise RulesError("no test_url stands before it")
            last = self.tests[-1]
            self.tests[-1] = replace(last, contains=(*last.contains, value))
        else:
            raise RulesError(_KNOWN["not taken"].get(directive, "unknown directive"))

    def content(self) -> list[Rule]:
        """Return the rules by which the first of the bodies that matches is the content."""
        if not self.bodies:
            return []
        any_of = " or ".join(f"({one})" for one in self.bodies)
        rules = [Rule(kind="drop", select=f"/html/body[{any_of}]", by_hand=True)]
        for number, one in enumerate(self.bodies):
            earlier = " or ".join(f"({other})" for other in self.bodies[:number])
            select = f"({one})[not({earlier})]" if earlier else one
            rules.append(Rule(kind="content", select=select, by_hand=True))
        return rules


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _named(value: str) -> str:
    name = _quoted(value.strip("'\""))
    return f"[id*={name}], [class*={name}]"


_DROPPED: Final[dict[str, Callable[[str], str]]] = {
    "strip": str,
    "strip_id_or_class": _named,
    "strip_image_src": lambda value: f"img[src*={_quoted(value)}]",
}
"""Directive → the selector of what it drops."""
_OF_VALUES: Final = {
    "body", "find_string", "test_url", "test_contains", *_DROPPED, *_KNOWN["fields"]
}  # fmt: skip
"""Directives that need a value."""


def read_site_config(text: str, name: str) -> SiteConfig:
    """Return the site model that a site config describes; the name is the site's host."""
    draft, lines = _Draft(), []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.strip()
        if not written or written.startswith(_COMMENTS):
            continue
        match = _DIRECTIVE.match(written)
        if match is None:
            lines.append(ConfigLine(number, "", written, taken=False, remark="no directive"))
            continue
        directive, argument, value = match[1], match[2], match[3].strip()
        taken, remark = True, ""
        meant = _KNOWN["spellings"].get(value.lower(), value.lower())
        if not {directive, f"{directive}:{meant}"}.isdisjoint(_KNOWN["needless"]):
            remark = "it is so anyway"
        elif not value and directive in _OF_VALUES:
            taken, remark = False, "no value"
        else:
            try:
                draft.take(directive, argument, value)
            except (OptionError, RulesError) as error:
                taken, remark = False, str(error)
        lines.append(ConfigLine(number, directive, value, taken, remark))
    site = Site(
        name=name,
        rules=(*draft.content(), *draft.rules),
        replacing=tuple(draft.replacing),
        tests=tuple(draft.tests),
    )
    return SiteConfig(site, tuple(lines))


def config_files(given: Iterable[Path]) -> Iterator[Path]:
    """Yield files as they are, and of folders those whose names end in ``.txt``, by name."""
    for path in given:
        if path.is_dir():
            yield from sorted(one for one in path.iterdir() if one.suffix == ".txt")
        else:
            yield path


def summary_lines(lines: Iterable[ConfigLine]) -> list[str]:
    """Return how many lines were taken over, of all and by directive."""
    taken: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for one in lines:
        every[one.directive or "(none)"] += 1
        taken[one.directive or "(none)"] += one.taken
    rows = [("all", taken.total(), every.total())]
    rows += [(name, taken[name], count) for name, count in every.most_common()]
    return [
        f"{name}: {part} of {whole} lines ({part / max(whole, 1):.1%})"
        for name, part, whole in rows
    ]
