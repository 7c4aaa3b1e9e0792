"""Content that no row of the page shows: in JSON-LD or in the state that scripts start from.

A shell whose scripts would fill it carries its text as data. It is found by what it is like, not
by names of frameworks: the strings at one place of the data (list positions don't count) that hold
the most prose; in JSON-LD, the fields that schema.org has for a text. It becomes a page of its
own, all of which is content.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import PageError
from chaffinch.kernels import character_kinds
from chaffinch.model import writing_systems
from chaffinch.page import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page

MOST_SOURCE: Final = 4_000_000
"""Characters of scripts with data beyond which a page's data isn't read."""
MOST_VALUES: Final = 200_000
"""Values of a state that are looked at."""
_DEEPEST: Final = 40
_PLACES: Final = 20
"""Places of a state, those with most text first, whose strings are read."""
_STRINGS: Final = 500
"""Strings that are read at one place."""
_SHORTEST: Final = 40
"""Characters of a string that counts as prose: names, labels and addresses are shorter."""
_LEAST_UNITS: Final = 60
"""Words that make a text: a shorter one is a summary, which metadata has."""
_TIMES: Final = 3
"""How many times the words of the page's own content it must have: a choice of caution, for no
labelled corpus has such pages."""
_ON_PAGE: Final = 0.3
"""Share of its samples that the page's text may hold; more, and it is on the page already."""
_SAMPLE: Final = 32

_FIELDS: Final = ("articleBody", "reviewBody", "text", "recipeInstructions", "description")
"""What schema.org calls the text of a thing, the whole text before the summary."""
_BODY: Final = ".articleBody"
"""How the source of a text ends that is the whole of what rows show the beginning of."""
_ESCAPED: Final = re.compile(r"\\u00[467]")
"""How a letter of that name may be written."""
_INNER: Final = ("mainEntity", "comment", "acceptedAnswer", "suggestedAnswer", "review", "step")
_DESCRIBED: Final = frozenset(
    "Product ProductGroup JobPosting Event Course Book Recipe SoftwareApplication VideoObject"
    " PodcastEpisode LodgingBusiness Accommodation RealEstateListing Dataset".split()
)
"""Types whose description is their text; elsewhere it is a summary."""

_TAG: Final = re.compile(
    r"</?(?:p|div|br|h[1-6]|ul|ol|li|table|span|a|strong|em)\b[^<>]*>", re.IGNORECASE
)
_CODE: Final = re.compile(r"[{};]\s*\"?[\w.#-]+\"?\s*[:({=]|^\s*(?:https?:|data:|[/{\[])|\\u00")


@dataclass(frozen=True)
class Embedded:
    """A text that stands only in the page's data.

    Attributes:
        page: it, as a page of its own.
        source: where it was: ``json-ld:NewsArticle.articleBody``, ``__NEXT_DATA__:props.post.*``.
        units: its words (characters in scripts without spaces).
    """

    page: Page
    source: str
    units: int


def find_embedded(page: Page, *, kept_units: float) -> Embedded | None:
    """Return the text that only the data of ``page`` has; None if there is none worth more.

    It must be more than all the page shows outside links: what a page shows was meant to be read.
    Where the rows hold a text, however short, only an article's own body is more of the same;
    reviews, or a state's longest strings, are something else.

    Args:
        page: the page.
        kept_units: words of the content that was found in its rows.
    """
    shown = shown_length(page)
    has_text = kept_units >= _LEAST_UNITS
    least = max(shown, _LEAST_UNITS, _TIMES * kept_units)
    if not may_hold(page, least, body=has_text):
        return None
    best: Embedded | None = None
    for source, given in (*_declared(page), *_of_states(page)):
        pieces = list(dict.fromkeys(given))
        text = "\n".join(pieces)
        if len(text) < shown or (has_text and not source.endswith(_BODY)):
            continue
        units = units_of(text)
        enough = max(_LEAST_UNITS, _TIMES * kept_units, best.units if best else 0)
        if units < enough or _stands_on(page, text):
            continue
        try:
            own = parse("\n".join(map(_as_html, pieces)), url=page.base or None)
        except PageError:
            continue
        best = Embedded(own, source, units)
    return best


def shown_length(page: Page) -> int:
    """Return how many characters a page shows outside links, white space folded."""
    return int(page.own_length[~page.in_link].sum())


def may_hold(page: Page, least: float, *, body: bool = False) -> bool:
    """Return whether a script may hold a text of ``least`` characters, an article's ``body`` if so.

    No text is longer than the source it stands in, and reading JSON takes long. Nothing is held
    where the scripts are too long to be read.
    """
    sources = page.sources.values()
    if sum(map(len, sources)) > MOST_SOURCE:
        return False
    return any(
        len(one) >= least and (not body or _BODY[1:] in one or _ESCAPED.search(one) is not None)
        for one in sources
    )


def _declared(page: Page) -> Iterator[tuple[str, list[str]]]:
    """Yield (source, texts) of JSON-LD objects, each with what hangs below it."""
    for _, node in page.head.json_ld[:50]:
        waiting: list[Any] = [node]
        pieces: list[str] = []
        name = ""
        while waiting and len(pieces) < MOST_VALUES:
            one = waiting.pop()
            if isinstance(one, list):
                waiting.extend(reversed(one))
            elif isinstance(one, dict):
                kind, field = _text_field(one)
                if field:
                    name = name or f"json-ld:{kind}.{field}"
                    pieces += _strings(one[field])
                waiting.extend(one[key] for key in reversed(_INNER) if key in one)
        if pieces:
            yield name, pieces


def _text_field(node: dict[str, Any]) -> tuple[str, str]:
    """Return the type of an object and the field that holds its text, "" if none does."""
    given = node.get("@type")
    kinds = [k for k in (given if isinstance(given, list) else [given]) if isinstance(k, str)]
    kind = kinds[0].rpartition("/")[2] if kinds else ""
    fields = _FIELDS if kind in _DESCRIBED else _FIELDS[:-1]
    return kind, next((field for field in fields if node.get(field)), "")


def _strings(value: Any) -> list[str]:
    """Return the strings of a field: itself, or the text and name of the objects in its list."""
    values = value if isinstance(value, list) else [value]
    found = [
        v if isinstance(v, str) else v.get("text") for v in values if isinstance(v, str | dict)
    ]
    return [one for one in found if isinstance(one, str) and one.strip()]


def _of_states(page: Page) -> Iterator[tuple[str, list[str]]]:
    """Yield (source, texts) of the places in each state that hold prose, in order."""
    for name, state in page.head.state.items():
        places = _long_strings(state)
        most = sorted(places, key=lambda path: -sum(map(len, places[path][:_STRINGS])))
        for path in most[:_PLACES]:
            pieces = [one for one in places[path][:_STRINGS] if _is_prose(one)]
            if pieces:
                yield f"{name}:{'.'.join(path)}", pieces


def _long_strings(state: Any) -> dict[tuple[str, ...], list[str]]:
    """Return place → strings of some length; a place is the keys above, positions left out."""
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    waiting: list[tuple[tuple[str, ...], Any]] = [((), state)]
    left = MOST_VALUES
    while waiting and left:
        left -= 1
        path, value = waiting.pop()
        if isinstance(value, str):
            if len(value) >= _SHORTEST:
                places[path].append(value)
        elif len(path) < _DEEPEST:
            if isinstance(value, dict):
                waiting.extend(((*path, key), one) for key, one in reversed(value.items()))
            elif isinstance(value, list):
                inner = path if path[-1:] == ("*",) else (*path, "*")
                waiting.extend((inner, one) for one in reversed(value))
    return places


def _is_prose(text: str) -> bool:
    """Return whether a string is written for readers: long, in words apart, with sentences."""
    sample = text[:2000]
    if len(text) < _SHORTEST or _CODE.search(sample):
        return False
    kinds = writing_systems.kinds_table()[character_kinds.code_points(sample)]
    words = int(character_kinds.starts_of_units(kinds).sum())
    apart = len(sample.split()) + int((kinds == character_kinds.UNIT).sum())
    ends = (kinds == character_kinds.SENTENCE_END).any() or (kinds == character_kinds.PAUSE).any()
    return bool(ends) and words >= len(sample) / 12 and 2 * apart >= words


def units_of(text: str) -> int:
    """Return the words of a text (characters in scripts without spaces), tags left out."""
    bare = _TAG.sub(" ", text)
    kinds = writing_systems.kinds_table()[character_kinds.code_points(bare)]
    return int(character_kinds.starts_of_units(kinds).sum())


def _stands_on(page: Page, text: str) -> bool:
    """Return whether the page's own text has it, by samples from all over."""
    bare = " ".join(_TAG.sub(" ", text).split())
    own = " ".join(page.text.split())
    starts = np.linspace(0, max(len(bare) - _SAMPLE, 0), 20).astype(int).tolist()
    return sum(bare[at : at + _SAMPLE] in own for at in starts) > _ON_PAGE * len(starts)


def _as_html(piece: str) -> str:
    """Return a text as HTML: as it is if it has tags, else its lines as paragraphs."""
    if _TAG.search(piece):
        return f"<div>{piece}</div>"
    lines = [line for line in piece.splitlines() if line.strip()]
    return "\n".join(f"<p>{escape(line, quote=False)}</p>" for line in lines)
