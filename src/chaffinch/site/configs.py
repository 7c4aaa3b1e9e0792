"""Site configs of Full-Text RSS (one file a host, a directive a line) turned into site models.

The format is FiveFilters' (``ftr-site-config``), after Instapaper's. What ``body`` selects first is
the content, and nothing else is, unless no ``body`` line matches: then the model decides, as there
the automatic detection does. ``strip`` lines drop what lies in the content; one that encloses the
content has no effect here, where the innermost rule decides, and would remove all of it there.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from chaffinch.errors import OptionError, RulesError
from chaffinch.page import parse
from chaffinch.site.rules import Rule
from chaffinch.site.site import Site

_DIRECTIVE: Final = re.compile(r"\A([a-z_]+)(?:\(.*\))?\s*+:(.*)\Z", re.DOTALL)
_COMMENTS: Final = ("#", "//")
_SOME_PAGE: Final = parse("<p>To try selectors on.")
_FIELDS: Final = {"title": "title", "author": "author", "date": "date", "next_page_link": "next"}
"""Directive → kind of rule."""


class SiteConfig(NamedTuple):
    """A site config as a model."""

    site: Site
    taken: int  # lines that it is made of
    left: tuple[str, ...]  # the others but comments, each with its number and why


class _Draft:
    """What lines have become so far."""

    def __init__(self) -> None:
        self.bodies: list[str] = []
        self.rules: list[Rule] = []

    def take(self, directive: str, value: str) -> None:
        """Add what a line says.

        Raises:
            OptionError, RulesError: the line isn't taken over; the message says why.
        """
        if not value:
            raise RulesError("no value")
        if directive == "body":
            _SOME_PAGE.select(value)
            _SOME_PAGE.select(f"/html/body[({value})]")
            self.bodies.append(value)
        elif directive in _DROPPED:
            select = _DROPPED[directive](value)
            _SOME_PAGE.select(select)
            self.rules.append(Rule(kind="drop", select=select, by_hand=True))
        elif directive in _FIELDS:
            _SOME_PAGE.selected(value)
            self.rules.append(Rule(kind=_FIELDS[directive], select=value, by_hand=True))
        else:
            raise RulesError("no rule says this")

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


def read_site_config(text: str, name: str) -> SiteConfig:
    """Return the site model that a site config describes; the name is the site's host."""
    draft, left, taken = _Draft(), [], 0
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.strip()
        if not written or written.startswith(_COMMENTS):
            continue
        match = _DIRECTIVE.match(written)
        directive, value = match.groups() if match else ("", written)
        try:
            draft.take(directive, value.strip())
            taken += 1
        except (OptionError, RulesError) as error:
            left.append(f"{number}: {written}: {error}")
    rules = (*draft.content(), *draft.rules)
    return SiteConfig(Site(host=name, rules=rules), taken, tuple(left))


def config_files(given: Iterable[Path]) -> Iterator[Path]:
    """Yield files as they are, and of folders those whose names end in ``.txt``, by name."""
    for path in given:
        if path.is_dir():
            yield from sorted(one for one in path.iterdir() if one.suffix == ".txt")
        else:
            yield path
