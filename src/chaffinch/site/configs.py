"""Site configs of Full-Text RSS (one file a host, a directive a line) turned into site models.

The format is FiveFilters' (``ftr-site-config``), after Instapaper's. What ``body`` selects first is
the content, and nothing else is, unless no ``body`` line matches: then the model decides, as there
the automatic detection does. ``strip`` lines drop what lies in the content; one that encloses the
content has no effect here, where the innermost rule decides, and would remove all of it there.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from chaffinch.errors import OptionError, RulesError
from chaffinch.page import parse
from chaffinch.site.rules import PageTest, Replacement, Rule
from chaffinch.site.site import Site

_DIRECTIVE: Final = re.compile(r"\A([a-z_]+)(?:\((.*)\))?\s*+:(.*)\Z", re.DOTALL)
_COMMENTS: Final = ("#", "//")
_SOME_PAGE: Final = parse("<p>To try selectors on.")
_FIELDS: Final = {
    "title": "title",
    "author": "author",
    "date": "date",
    "next_page_link": "next",
    "single_page_link": "single",
}
"""Directive → kind of rule, of fields."""
_SPELLINGS: Final = {"false": "no", "true": "yes"}
_NEEDLESS: Final = frozenset(
    {("prune", "no"), ("autodetect_on_failure", "yes"), ("insert_detected_image", "no"),
     ("footnotes", "no"), ("autodetect_next_page", "no")}
    | {(name, "") for name in ("tidy", "parser", "convert_double_br_tags", "strip_attr",
                               "strip_comments")}
)  # fmt: skip
"""Directive and value ("" for any) that ask for what is so anyway."""
_NOT_TAKEN: Final = {
    "prune": "rules keep the whole of what they select; write drop rules",
    "autodetect_on_failure": "a page on which no rule finds content is read by the default",
    "if_page_contains": "rules have no conditions of their own; write one into the XPath",
    "skip_json_ld": "metadata are read from all places; write a rule for the field",
    "http_header": "headers that an operator doesn't set aren't sent",
    **dict.fromkeys(("dissolve", "wrap_in", "move_into"), "rules don't change or move elements"),
    **dict.fromkeys(
        ("insert_detected_image", "autodetect_next_page", "footnotes"),
        "what it asks for is an option of the call",
    ),
    **dict.fromkeys(
        "requires_login not_logged_in_xpath login_uri login_username_field login_password_field"
        " login_extra_fields".split(),
        "pages behind a login aren't fetched",
    ),
    **dict.fromkeys(
        "single_page_link_in_feed native_ad_clue skip_id_or_class src_lazy_load_attr".split(),
        "there is nothing here that it could change",
    ),
}
"""Directive → why there is nothing that it could become."""
_KNOWN: Final = frozenset(
    "body strip strip_id_or_class strip_image_src find_string test_url test_contains".split()
).union(_FIELDS)
"""Directives that need a value."""


@dataclass(frozen=True)
class ConfigLine:
    """What became of a line."""

    number: int  # of the line, from 1
    directive: str  # its name, such as ``strip``
    value: str  # what stands behind the colon
    taken: bool  # it became something that acts, or asks for what is so anyway
    remark: str = ""  # why it needs nothing, or why it wasn't taken over; "" where it became a rule


@dataclass(frozen=True)
class SiteConfig:
    """A site config as a site model."""

    site: Site  # the model: rules, replacements and tests for all pages
    lines: tuple[ConfigLine, ...]  # what became of each line, comments and empty ones left out


@dataclass
class _Draft:
    """What lines have become so far."""

    bodies: list[str] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    replacing: list[Replacement] = field(default_factory=list)
    tests: list[PageTest] = field(default_factory=list)
    found: str | None = None

    def take(self, directive: str, argument: str | None, value: str) -> bool:
        """Add what a line says; False for a directive that isn't taken over."""
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
        elif directive == "find_string":
            self.found = value
        elif directive == "replace_string":
            find = (self.found or "") if argument is None else argument
            self.found = self.found if argument is not None else None
            self.replacing.append(Replacement(find, value))
        elif directive == "test_url":
            self.tests.append(PageTest(value))
        elif directive == "test_contains":
            if not self.tests:
                raise RulesError("no test_url stands before it")
            last = self.tests.pop()
            self.tests.append(PageTest(last.url, (*last.contains, value)))
        else:
            return False
        return True


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
    """Return the site model that a site config describes.

    Args:
        text: the file.
        name: the site's host, as the name of the file has it.
    """
    draft = _Draft()
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.strip()
        if not written or written.startswith(_COMMENTS):
            continue
        match = _DIRECTIVE.match(written)
        if match is None:
            lines.append(ConfigLine(number, "", written, taken=False, remark="no directive"))
            continue
        directive, argument, value = match[1], match[2], match[3].strip()
        taken, remark = _take(draft, directive, argument, value)
        lines.append(ConfigLine(number, directive, value, taken, remark))
    site = Site(
        name=name,
        rules=(*_content(draft.bodies), *draft.rules),
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


def _take(draft: _Draft, directive: str, argument: str | None, value: str) -> tuple[bool, str]:
    """Add what a line says to ``draft``; return whether it was taken over, and a remark."""
    meant = _SPELLINGS.get(value.lower(), value.lower())
    if not _NEEDLESS.isdisjoint({(directive, meant), (directive, "")}):
        return True, "it is so anyway"
    if not value and directive in _KNOWN:
        return False, "no value"
    try:
        taken = draft.take(directive, argument, value)
    except (OptionError, RulesError) as error:
        return False, str(error)
    return taken, "" if taken else _NOT_TAKEN.get(directive, "unknown directive")


def _content(bodies: list[str]) -> list[Rule]:
    if not bodies:
        return []
    any_of = " or ".join(f"({one})" for one in bodies)
    rules = [Rule(kind="drop", select=f"/html/body[{any_of}]", by_hand=True)]
    for number, one in enumerate(bodies):
        earlier = " or ".join(f"({other})" for other in bodies[:number])
        select = f"({one})[not({earlier})]" if earlier else one
        rules.append(Rule(kind="content", select=select, by_hand=True))
    return rules
