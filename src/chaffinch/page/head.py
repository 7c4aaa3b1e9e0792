"""What a page declares about itself: title, meta, link, JSON-LD and embedded state.

Read from the whole document but svg, since an ``<img>`` in a head ``<noscript>`` ends the head and
many pages carry JSON-LD in the body. Broken JSON is passed over: it is the page's fault, and
common.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from chaffinch.page.page import Page

STATE_MARKS: Final = (
    "_STATE__ __NUXT__ reateTime publish_time publishTime publishDate publish_date publishedDate"
    " published_date publicationDate datePublished"
)
"""What stands in scripts that set an embedded state, ``window.__INITIAL_STATE__ = {…}``, or tell
when a page was published."""

_STATE_ATTRIBUTES: Final = frozenset(("data-page", "data-react-props", "data-props", "data-state"))
"""Attributes in which the root of an application, drawn by a script, has its state."""

MOST_STATES: Final = 64
"""Places in one script where a state may begin: what isn't JSON costs its whole script each."""

_LISTED: Final = "__NUXT_DATA__"
"""Id of the script whose JSON is a list of values that name one another by their places."""
_WRAPPERS: Final = ("Reactive", "ShallowReactive", "Ref", "ShallowRef", "NuxtError")
"""What such a list calls values that are what they hold."""
_DEEPEST: Final = 40

_TITLE, _SVG = tags.CODES["title"], tags.CODES["svg"]
_DECLARING: Final = ("title", "meta", "link", "script")
_LANGUAGE: Final = "content-language"
_NAMING: Final = ("property", "name", "http-equiv", "itemprop")
_PARTS: Final = frozenset("review reviews comment comments suggestedanswer image video".split())
"""Properties whose items have authors, dates and descriptions of their own."""
_ABOVE_PROPERTY: Final = 8  # elements around a property in which its item is sought
_STATE: Final = re.compile(
    r"(?<!\w)(\w++(?:(?<=\w_STATE__)|(?<=__NUXT__)))[\"']?\]?\s*+=\s*+(?:(?=[{\[])"
    r"|JSON\.parse\(\s*+(?=[\"'])|\(\s*+function\s*+\(([\w$,\s]*+)\)\s*+\{)"
)
_RETURNED: Final = re.compile(r"return\s*+(?=[{\[])")
_CALLED: Final = re.compile(r"[\s;]*+\}\s*+\)?\s*+\(\s*+")
_COMMA: Final = re.compile(r"\s*+(?:,\s*+|)")
_TOKEN: Final = re.compile(
    r"\s*+(?:(?P<sign>[{}\[\],:])|(?P<text>\"(?>(?:[^\"\\]++|\\.)*)\"|'(?>(?:[^'\\]++|\\.)*)')"
    r"|(?P<flag>![01]|void 0)|(?P<number>-?+(?:\d++(?>(?:\.\d*+)?)|\.\d++)(?>(?:[eE][+-]?+\d++)?))"
    r"|(?P<word>[A-Za-z_$][\w$]*+))",
    re.DOTALL,
)
_WORDS: Final = {"!0": "true", "!1": "false", "true": "true", "false": "false"}
_MOST_READ: Final = 2
_LONGEST_READ: Final = 2**20
"""States of a script that are read token by token, and its characters: some 0.5 µs each."""
_TIMES: Final = 4
"""Length of the JSON of what a script sets, arguments in their places, to that of the script."""
_QUOTED: Final = re.compile(r"'((?>(?:[^'\\]++|\\.)*))'", re.DOTALL)
_MARKED: Final = re.compile(r"\\'|\"")
"""What a string of JSON writes in another way than one of a script in single quotes."""
_SHORT_BASE: Final = 256  # characters of a base that isn't weighed against the number of links
_CONTROL: Final = re.compile(r"[\x00-\x1f]+")
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]")
"""What JSON may spell half a character with: nothing that is written as UTF-8 can hold one."""
_COMMENT: Final = re.compile(
    r"\A\s*(?:<!--(?:[^{\[]*?-->)?|(?:(?://|/\*)\s*)?<!\[CDATA\[(?:\s*\*/)?"
    r"|//[^\n{\[]*\n|/\*[^{\[]*?\*/)"
    r"|(?:(?://\s?)?(?:<!--[^{}\]<]*)?-->|(?:(?://|/\*)\s*)?\]\]>(?:\s*\*/)?)\s*\Z"
)


@dataclass(frozen=True, eq=False)
class Head:
    """Title, meta, link and scripts with data, each with the row it came from.

    Attributes:
        title: text of the first ``<title>``, folded; "" if there is none.
        title_row: its row; -1 if there is none.
        meta: name, property, http-equiv or itemprop in lower case → (row, content) of each meta.
        links: (row, rel in lower case, href as written).
        lang: ``lang`` of the root element or body, or ``content-language``; "" if not given.
        scripts: (row, type, id, source) of JSON scripts and of scripts that set a state; and of
            attributes that hold one, by their names.
    """

    title: str
    title_row: int
    meta: dict[str, list[tuple[int, str]]]
    links: tuple[tuple[int, str, str], ...]
    lang: str
    scripts: tuple[tuple[int, str, str, str], ...]

    def first_meta(self, *names: str) -> str:
        """Return the first non-empty content of the first of ``names`` that is given, or ""."""
        return next(iter(self.all_meta(*names)), "")

    def all_meta(self, *names: str) -> list[str]:
        """Return all non-empty contents of ``names``, name by name."""
        known = self.meta
        return [text for name in names if name in known for _, text in known[name] if text]

    @cached_property
    def json_ld(self) -> tuple[tuple[int, dict[str, Any]], ...]:
        """(row, node) of every JSON-LD object, graphs and lists unrolled, in order."""
        out: list[tuple[int, dict[str, Any]]] = []
        for row, kind, _, source in self.scripts:
            if kind == "application/ld+json":
                out.extend((row, node) for node in _unrolled(_loaded(source)))
        return tuple(out)

    @cached_property
    def state(self) -> dict[str, Any]:
        """Embedded states by name, such as ``__NEXT_DATA__``; only those of literal values."""
        out: dict[str, Any] = {}
        for _, kind, name, source in self.scripts:
            if kind == "application/ld+json":
                continue
            if "json" in kind:
                value = _loaded(source)
                if name == _LISTED and isinstance(value, list):
                    value = _referred(value)
                if value is not None:
                    out.setdefault(name or kind, value)
                continue
            is_short = len(source) <= _LONGEST_READ
            for number, found in enumerate(islice(_STATE.finditer(source), MOST_STATES)):
                try:
                    value = _state(
                        source, found.end(), found[2], is_read=is_short and number < _MOST_READ
                    )
                except (ValueError, RecursionError):
                    continue
                if isinstance(value, dict | list):
                    out.setdefault(found[1], _whole(value, source))
        return out


def read_head(page: Page) -> Head:
    if not len(page):
        return Head("", -1, {}, (), "", ())
    rows = _outside_svg(page, *_DECLARING)
    tag = page.tag.take(rows)
    titles, metas, links, scripts = (rows[tag == tags.CODES[name]].tolist() for name in _DECLARING)
    title, row = (page.folded(titles[0]), titles[0]) if titles else ("", -1)
    meta = _metas(page, metas)
    lang = declared_lang(page) or next((c for _, c in meta.get(_LANGUAGE, ())), "")
    states = _scripts(page, scripts) + tuple(states_of_roots(page))
    return Head(title, row, meta, _links(page, links), lang, states)


def states_of_roots(page: Page) -> Iterator[tuple[int, str, str, str]]:
    for name in sorted(page.attribute_names & _STATE_ATTRIBUTES):
        for row, value in page.having(name):
            if value[:1] == "{":
                yield row, "application/json", name, value


def _scripts(page: Page, rows: list[int]) -> tuple[tuple[int, str, str, str], ...]:
    """Return (row, type, id, source) of those scripts whose sources are kept."""
    kept = [row for row in rows if row in page.sources]
    if not kept:
        return ()
    values = page.own_attributes.values_of(np.array(kept, dtype=np.int32), "type", "id")
    return tuple(
        [
            (row, (declared or "").split(";")[0].strip().lower(), own_id or "", page.sources[row])
            for row, (declared, own_id) in zip(kept, values, strict=True)
        ]
    )


def title_row(page: Page) -> int:
    """Return the row of the first title that names the page; -1 if there is none."""
    if "title" not in page.tag_names:
        return -1
    row = int((page.tag == _TITLE).argmax())
    if "svg" not in page.tag_names or row < (page.tag == _SVG).argmax():
        return row
    return next(iter(_outside_svg(page, "title").tolist()), -1)


def declared_lang(page: Page) -> str:
    """Return ``lang`` of the root element or the body, as written; "" if neither has one."""
    if not len(page):
        return ""
    for row, name in ((0, "lang"), (0, "xml:lang"), (page.body, "lang")):
        if lang := page.attribute(row, name):
            return lang.strip()
    return ""


def base_url(page: Page) -> str:
    """Return the address that relative links of ``page`` are resolved against; "" if unknown.

    Every link repeats it, so that one of more than `Page.longest_base` characters is no base, nor
    one of more than 256 that all links together would repeat in more than `Page.repeated_base`.
    """
    url = page.url or ""
    url = url if _is_affordable(page, url) else ""
    if "base" not in page.tag_names:
        return url
    for row in np.flatnonzero(page.is_tag("base")).tolist():
        href = page.attribute(row, "href")
        if href is not None:
            try:
                base = urljoin(url, href.strip())
            except ValueError:
                return url
            return base if _is_affordable(page, base) else url
    return url


def _is_affordable(page: Page, base: str) -> bool:
    """Return whether a base, repeated by every link of a page, is no more than a page may cost."""
    if len(base) <= _SHORT_BASE or len(base) > page.longest_base:
        return len(base) <= page.longest_base
    links = sum(len(page.having(name)) for name in ("href", "src"))
    return len(base) * links <= page.repeated_base


def _outside_svg(page: Page, *names: str) -> NDArray[np.intp]:
    """Return the rows whose tag is one of ``names`` and that stand in no drawing."""
    rows = page.is_tag(*names).nonzero()[0]
    if not len(rows) or "svg" not in page.tag_names:
        return rows
    return rows[~page.inside(page.is_tag("svg"))[rows]]


def _metas(page: Page, rows: list[int]) -> dict[str, list[tuple[int, str]]]:
    """Return (row, content) of the metas that have content at all, by each of their names."""
    out: dict[str, list[tuple[int, str]]] = {}
    if not rows:
        return out
    values = page.own_attributes.values_of(np.array(rows, dtype=np.int32), "content", *_NAMING)
    for row, (content, *names) in zip(rows, values, strict=True):
        if content is not None and (not names[-1] or any(names[:-1]) or not _of_part(page, row)):
            for name in " ".join(filter(None, names)).lower().split():
                out.setdefault(name, []).append((row, content.strip()))
    return out


def _of_part(page: Page, row: int) -> bool:
    """Return whether a property is that of a review, a comment or the like of the page's item."""
    for above in islice(page.ancestors(row), _ABOVE_PROPERTY):
        if page.attribute(above, "itemscope") is not None:
            return (page.attribute(above, "itemprop") or "").strip().lower() in _PARTS
    return False


def _links(page: Page, rows: list[int]) -> tuple[tuple[int, str, str], ...]:
    if not rows:
        return ()
    values = page.own_attributes.values_of(np.array(rows, dtype=np.int32), "rel", "href")
    return tuple(
        [
            (row, rel.strip().lower(), href.strip())
            for row, (rel, href) in zip(rows, values, strict=True)
            if rel and href
        ]
    )


def _state(source: str, start: int, names: str | None, *, is_read: bool) -> Any:
    """Return the value that begins in a script, or that a string there holds as JSON.

    With the ``names`` of a function's parameters, the value that it returns for its arguments. What
    isn't JSON is read token by token, unless it isn't to be.

    Raises:
        ValueError: there is none.
    """
    if names is not None:
        return _returned(source, start, names) if is_read else None
    if source[start] == "'" and (found := _QUOTED.match(source, start)):
        return json.loads(json.loads(_quoted(found[0])))
    try:
        value, _ = json.JSONDecoder().raw_decode(source, start)
    except ValueError:
        if not is_read:
            raise
        return json.loads(_as_json(source, start, {})[0])
    return json.loads(value) if isinstance(value, str) else value


def _referred(values: list[Any]) -> Any:
    """Return the first of some values whose objects and lists give the places of what they hold.

    The form of the package *devalue*: a place below 0 is no value, a list that begins with a word
    is of a type of its own. What is held many times is shown so often that all has `_TIMES` the
    values of the list; in itself, or deeper than `_DEEPEST`, nothing is shown.
    """
    left = _TIMES * len(values)

    def shown(place: Any, around: tuple[int, ...]) -> Any:
        nonlocal left
        left -= 1
        is_place = type(place) is int and 0 <= place < len(values)
        if not is_place or place in around or len(around) > _DEEPEST or left < 0:
            return None
        value, inner = values[place], (*around, place)
        if isinstance(value, list) and value[:1] == ["null"]:  # an object without a prototype
            value = dict(zip(map(str, value[1::2]), value[2::2], strict=False))
        if isinstance(value, dict):
            return {key: shown(one, inner) for key, one in value.items()}
        if not isinstance(value, list) or not value:
            return value
        kind, *held = value if isinstance(value[0], str) else ("", *value)
        if kind == "Date":
            return held[0] if held else None
        listed = [shown(one, inner) for one in held]
        return listed[0] if listed and kind in _WRAPPERS else listed

    return shown(0, ())


def _returned(source: str, start: int, names: str) -> Any:
    """Return the value of ``(function(a, b) {return {…a…}})(1, 2)`` from its body on.

    Statements before ``return`` aren't carried out.

    Raises:
        ValueError: it is none of literal values and parameters.
    """
    body = _RETURNED.search(source, start)
    if body is None:
        raise ValueError
    call = _CALLED.match(source, _as_json(source, body.end(), {})[1])
    if call is None:
        raise ValueError
    given, at = [], call.end()
    while source[at : at + 1] not in {")", ""}:
        value, at = _as_json(source, at, {})
        given.append(value)
        comma = _COMMA.match(source, at)
        at = at if comma is None else comma.end()
    known = dict(zip([name.strip() for name in names.split(",")], given, strict=False))
    return json.loads(_as_json(source, body.end(), known)[0])


def _as_json(source: str, start: int, known: dict[str, str]) -> tuple[str, int]:
    """Return as JSON the value that a script writes from ``start`` on, and where it ends.

    ``known`` has the JSON of names; others, ``undefined`` and ``void 0`` are null.

    Raises:
        ValueError: it isn't a literal, or its names make it much longer than the script.
    """
    out: list[str] = []
    inside: list[str] = []
    last, at, left = "", start, _TIMES * len(source)
    for _ in checked(range(len(source)), every=4096):
        if (found := _TOKEN.match(source, at)) is None:
            break
        kind, at = found.lastgroup or "", found.end()
        token = found[kind]
        if kind == "text":
            written = _quoted(token)
        elif kind != "sign":
            is_key = inside[-1:] == ["{"] and last in {"{", ","}
            written = f'"{token}"' if is_key else _number(token) if kind == "number" else ""
            written = written or _WORDS.get(token) or known.get(token, "null")
        else:
            written = token
            if token in {"{", "["}:
                inside.append(token)
            elif inside and token in {"}", "]"}:
                inside.pop()
                if last == ",":
                    out.pop()
        out.append(written)
        left -= len(written)
        if not inside or left < 0:
            break
        last = token
    if inside or not out or left < 0:
        raise ValueError
    return "".join(out), at


def _quoted(token: str) -> str:
    """Return a string of a script as one of JSON."""
    if token[0] == '"':
        return token
    inner = _MARKED.sub(lambda one: one[0].replace("\\'", "'").replace('"', '\\"'), token[1:-1])
    return f'"{inner}"'


def _number(token: str) -> str:
    """Return a number of a script, such as ``.5``, as one of JSON."""
    return token if token.lstrip("-")[0] != "." and token[-1] != "." else repr(float(token))


def _loaded(source: str) -> Any:
    """Return the value of a JSON script, or None.

    Comments around, control marks, quotes that are entities, and what only scripts may write, as a
    last comma, are mended.
    """
    source = source.strip()
    if source.startswith(("<", "/")) or source.endswith(">"):
        source = _COMMENT.sub("", _COMMENT.sub("", source)).strip()
    source = source.rstrip(";")
    for mend in (str, _without_control, html.unescape, _as_script):
        try:
            return _whole(json.loads(attempt := mend(source)), attempt)
        except (ValueError, RecursionError):
            continue
    return None


def _without_control(source: str) -> str:
    """Return a text with a space in place of each run of control marks."""
    return _CONTROL.sub(" ", source)


def _as_script(source: str) -> str:
    return _as_json(_without_control(source[:_LONGEST_READ]), 0, {})[0]


def _whole(value: Any, source: str) -> Any:
    """Return a JSON value in which half a character is "?"."""
    if not ("\\ud" in source or "\\uD" in source) or not _HALF.search(source):
        return value
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


def _unrolled(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-LD value: the members of lists and of ``@graph``, in order."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            graph = one.get("@graph")
            if isinstance(graph, list):
                waiting.extend(reversed(graph))
            if "@type" in one:
                yield one
