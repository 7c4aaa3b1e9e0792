"""What a page declares in its data: its text, a recipe, a product."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.decision.draft import LOWEST, Draft
from chaffinch.decision.structure import data_table_rows
from chaffinch.errors import PageError
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.lazy import lazy_module
from chaffinch.model import words
from chaffinch.page import Page, parse, tags
from chaffinch.page.attributes import Search
from chaffinch.page.head import states_of_roots
from chaffinch.segment.text_blocks import TextBlocks

if TYPE_CHECKING:
    from chaffinch.metadata.product import ProductDeclaration
    from chaffinch.metadata.sources import Evidence

values = lazy_module("chaffinch.metadata.values")
json_ld = lazy_module("chaffinch.metadata.json_ld")
sources = lazy_module("chaffinch.metadata.sources")
items = lazy_module("chaffinch.metadata.items")
product = lazy_module("chaffinch.metadata.product")

MOST_SOURCE: Final = 4_000_000
"""Characters of scripts with data beyond which a page's data isn't read."""
MOST_VALUES: Final = 200_000  # values of a state that are looked at
_DEEPEST: Final = 40
_PLACES: Final = 20  # places of a state, those with most text first, whose strings are read
_STRINGS: Final = 500  # strings that are read at one place
_SHORTEST: Final = 40
"""Bytes in UTF-8 of a string that counts as prose: names, labels and addresses are shorter."""
_OF_PROSE: Final = 0.5
"""Share of prose in the characters of a place from which its short strings are lines of a text."""
_LEAST_UNITS: Final = 60  # words that make a text: a shorter one is a summary, which metadata has
_TIMES: Final = 3
"""How many times the words of the page's own content it must have: a choice of caution, for no
labelled corpus has such pages."""
_ON_PAGE: Final = 0.3
"""Share of its samples that the page's text may hold; more, and it is on the page already."""
_SAMPLE: Final = 32
_LOOKED_AT: Final = 2_000  # characters of a string by which it is told for prose

_FIELDS: Final = ("articleBody", "reviewBody", "text", "recipeInstructions", "description")
"""What schema.org calls the text of a thing, the whole text before the summary."""
_BODY: Final = ".articleBody"
"""How the source of a text ends that is the whole of what rows show the beginning of."""
_ESCAPED: Final = re.compile(r"\\u00[467]")  # how a letter of that name may be written
_INNER: Final = ("mainEntity", "comment", "acceptedAnswer", "suggestedAnswer", "review", "step")
_DESCRIBED: Final = frozenset(
    "Product ProductGroup JobPosting Event Course Book Recipe SoftwareApplication VideoObject"
    " PodcastEpisode LodgingBusiness Accommodation RealEstateListing Dataset".split()
)
"""Types whose description is their text; elsewhere it is a summary."""

_OF_ENTITY: Final = re.compile(r"(?:(?<=:)|\A).{0,40}\d.{0,40}\Z")
"""The part of a key that is an entity's number."""
_TAG: Final = re.compile(
    r"</?(?:p|div|br|h[1-6]|ul|ol|li|table|span|a|strong|em)\b[^<>]*>", re.IGNORECASE
)
_CODE: Final = re.compile(r"[{};]\s*\"?[\w.#-]+\"?\s*[:({=]|^\s*(?:https?:|data:|[/{\[])|\\u00")


@dataclass(frozen=True)
class Embedded:
    """A text that stands only in the page's data."""

    page: Page  # it, as a page of its own
    source: str  # where it was: ``json-ld:NewsArticle.articleBody``, ``__NEXT_DATA__:props.post.*``
    units: int  # its words (characters in scripts without spaces)


def find_embedded(page: Page, *, kept_units: float) -> Embedded | None:
    """Return the text that only the data of ``page`` has; None if there is none worth more.

    It must be more than all the page shows outside links: what a page shows was meant to be read.
    Where the rows hold a text, ``kept_units`` being its words, however short, only an article's own
    body is more of the same; reviews, or a state's longest strings, are something else.
    """
    shown = shown_length(page)
    has_text = kept_units >= _LEAST_UNITS
    least = max(shown, _LEAST_UNITS, _TIMES * kept_units)
    if not may_hold(page, least, body=has_text):
        return None
    best: Embedded | None = None
    frames = (("iframe.srcdoc", [one]) for _, one in page.having("srcdoc"))
    for source, given in (*_declared(page), *_of_states(page), *frames):
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
    sources = [*page.sources.values(), *(source for *_, source in states_of_roots(page))]
    sources += [source for _, source in page.having("srcdoc")]
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
                kind = next(iter(json_ld.types_of(one)), "")
                fields = _FIELDS if kind in _DESCRIBED else _FIELDS[:-1]
                if field := next((field for field in fields if one.get(field)), ""):
                    name = name or f"json-ld:{kind}.{field}"
                    pieces += _strings(one[field])
                waiting.extend(one[key] for key in reversed(_INNER) if key in one)
        if pieces:
            yield name, pieces


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
        places = _strings_of(state)
        most = sorted(places, key=lambda path: -sum(map(len, places[path][:_STRINGS])))
        for path in most[:_PLACES]:
            given = places[path][:_STRINGS]
            pieces = [one for one in given if _is_prose(one)]
            if sum(map(len, pieces)) >= _OF_PROSE * sum(map(len, given)):  # dialogue, verse
                pieces = [one for one in given if not _CODE.search(one[:_LOOKED_AT])]
            if pieces:
                yield f"{name}:{'.'.join(path)}", pieces


def _strings_of(state: Any) -> dict[tuple[str, ...], list[str]]:
    """Return place → its strings; a place is the keys above.

    Positions are left out, and the numbers of entities: ``Paragraph:8``.
    """
    places: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    waiting: list[tuple[tuple[str, ...], Any]] = [((), state)]
    left = MOST_VALUES
    while waiting and left:
        left -= 1
        path, value = waiting.pop()
        if isinstance(value, str):
            places[path].append(value)
        elif len(path) < _DEEPEST:
            if isinstance(value, dict):
                waiting.extend(
                    ((*path, _OF_ENTITY.sub("*", key)), one) for key, one in reversed(value.items())
                )
            elif isinstance(value, list):
                inner = path if path[-1:] == ("*",) else (*path, "*")
                waiting.extend((inner, one) for one in reversed(value))
    return places


def _is_prose(text: str) -> bool:
    """Return whether a string is written for readers: long, in words apart, with sentences."""
    sample = text[:_LOOKED_AT]
    if len(sample.encode("utf-8", "replace")) < _SHORTEST or _CODE.search(sample):
        return False
    kinds = words.kinds_table()[words.code_points(sample)]
    units = int(words.starts_of_units(kinds).sum())
    apart = len(sample.split()) + int((kinds == words.UNIT).sum())
    ends = (kinds == words.SENTENCE_END).any() or (kinds == words.PAUSE).any()
    return bool(ends) and units >= len(sample) / 12 and 2 * apart >= units


def units_of(text: str) -> int:
    """Return the words of a text (characters in scripts without spaces), tags left out."""
    bare = _TAG.sub(" ", text)
    kinds = words.kinds_table()[words.code_points(bare)]
    return int(words.starts_of_units(kinds).sum())


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


# Chosen on the corpus of recipes, whole languages left out.
_ENOUGH: Final = 0.97  # share of the shown texts that must be kept for nothing to be missing
_MOST: Final = 0.8  # share of the shown texts that the element holds
_OWN: Final = 0.3
"""Share of its own characters from which the element is kept as a whole, with its headings and
what stands between the texts."""
_LEAST: Final = 0.1  # share of the declared characters that must be shown at one place
_LONG: Final = 15  # letters and digits of a block that counts as a part of a longer declared text
_MOST_PLACES: Final = 20  # places at which one text is looked for
_NAMED: Final = "recipeI"
"""What stands in the JSON-LD of every recipe with parts: ``recipeIngredient`` or the like."""
_RECIPES: Final = Search("itemtype", "recipe")
_MOST_BLOCKS: Final = 5_000  # blocks of a page on which texts are looked for


def recipe_parts(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks of ingredients and steps that are to be kept, too; None for none."""
    page, blocks, keep = draft.page, draft.blocks, draft.keep
    may = any(map(str.__contains__, page.sources.values(), repeat(_NAMED)))
    may = may or len(_RECIPES.candidates(page)) > 0
    if not may or len(keep) > _MOST_BLOCKS:
        return None
    recipe = items.declared_recipe(page)
    if not any(recipe):
        return None
    keys = [*map(values.fold, blocks.texts())]
    added = np.zeros(len(blocks), dtype=bool)
    for declared in recipe:
        added |= _missing(blocks, keys, declared, keep)
    return added


def _missing(blocks: TextBlocks, keys: list[str], declared: tuple[str, ...], keep: Mask) -> Mask:
    """Return bool[m]: the blocks that show the declared texts, where the kept ones lack them."""
    inside, length = np.zeros(len(keys), dtype=bool), np.array([*map(len, keys)])
    matched = _shown_in(keys, length, declared)
    whole = sum(map(len, declared))
    sums = np.append(0, np.where(matched, length, 0).cumsum())
    shown = min(int(sums[-1]), whole)
    kept = int(length[matched & keep].sum())
    if shown < _LEAST * whole or kept >= _ENOUGH * shown:
        return inside
    page = blocks.page
    rows = (page.tag > tags.TEXT).nonzero()[0]
    first, stop = blocks.first.searchsorted((rows, page.end[rows]))
    held = np.minimum(sums[stop] - sums[first], whole)
    rows_with = (held >= max(_MOST * shown, 1)).nonzero()[0]
    own = np.append(0, length.cumsum())
    size = (own[stop] - own[first])[rows_with]
    best = rows_with[np.lexsort((-rows[rows_with], size))[0]]
    inside[first[best] : stop[best]] = True
    if held[best] < _OWN * (own[stop[best]] - own[first[best]]):
        inside &= matched
    return inside


def _shown_in(keys: list[str], length: NDArray[np.int_], declared: tuple[str, ...]) -> Mask:
    """Return bool[m]: the blocks that show declared texts.

    A text may be shown by several blocks in a row (amount and name), if it begins and ends with
    them; and a long block may be a part of a text. All are folded; ``keys`` are the m blocks',
    ``length`` the characters of each.
    """
    running, joined, ends = "".join(keys), "\n".join(declared), length.cumsum().tolist()
    long = (length >= _LONG).nonzero()[0].tolist()
    mask = marked(len(keys), [at for at in long if keys[at] in joined])
    for text in declared:
        at = -1
        for _ in range(_MOST_PLACES):
            at = running.find(text, at + 1)
            if at < 0:
                break
            first, last = bisect_right(ends, at), bisect_left(ends, at + len(text))
            begins = at == (ends[first - 1] if first else 0)
            if begins and ends[last] == at + len(text):
                mask[first : last + 1] = True
    return mask


_BARS: Final = tags.table("nav header footer aside".split())
_LONGEST: Final = 80  # characters of a block that is a price, with its label
_NEAR: Final = 60  # blocks between the product's name and its price, below or else above
_OTHERS: Final = 3
"""Blocks like that of the price with other amounts, from which on they are those of a list."""
_LEAST_DESCRIPTION: Final = 60
"""Letters and digits of a description, and of what is added of it: more than a name."""
_MOST_PRODUCT: Final = 2_000  # blocks in which prices are looked for


def product_facts(draft: Draft) -> Mask | None:
    """Return bool[m]: blocks of price, description and specification of a product.

    None where its name isn't among the blocks. Where no source has a price, the first one below
    the headline counts.
    """
    blocks = draft.blocks
    known = sources.Evidence(blocks.page)
    declared = list(product.declared_products(known))
    if not any("price" in one.values for one in declared):
        declared += filter(None, [product.visible_price(known)])
    name = _name_block(known, blocks, declared) if declared else -1
    if name < 0:
        return None
    outside = ~blocks.inside(_BARS)
    mask = _specification(blocks, name) & outside & (draft.score >= LOWEST)
    mask |= _described(known, draft, [text for one in declared for text in one.descriptions])
    found = (one.values.get(key) for one in declared for key in ("price", "highest_price"))
    amounts = frozenset(filter(None, (Decimal(str(value[0])) for value in found if value)))
    price = _price_block(draft, amounts, name, outside)
    if price >= 0:
        mask[price] = True
    return mask


def _described(known: Evidence, draft: Draft, given: list[Any]) -> Mask:
    """Return bool[m]: the blocks of the product's description, where the kept ones lack it."""
    blocks, keep = draft.blocks, draft.keep
    mask = np.zeros(len(keep), dtype=bool)
    longest = max(items.folded(items.texts_in(known, given)), key=len, default="")
    if len(longest) < _LEAST_DESCRIPTION or len(keep) > _MOST_BLOCKS:
        return mask
    keys = [*map(values.fold, blocks.texts())]
    shown = {keys[at] for at in keep.nonzero()[0].tolist()}
    missing = _missing(blocks, keys, (longest,), keep) & (draft.score >= LOWEST)
    new = [at for at in missing.nonzero()[0].tolist() if keys[at] not in shown]
    mask[new] = sum(len(keys[at]) for at in new) >= _LEAST_DESCRIPTION
    return mask


def _price_block(draft: Draft, amounts: frozenset[Decimal], name: int, outside: Mask) -> int:
    """Return the block that shows the price; -1 for none, or where a kept block shows it."""
    blocks, group = draft.blocks, draft.features.group
    if not amounts:
        return -1
    may = (blocks.length <= _LONGEST) & (blocks.length > 0)
    texts = {
        at: set(product.amounts_in(blocks.text(at)))
        for at in may.nonzero()[0][:_MOST_PRODUCT].tolist()
    }
    shown = [at for at, own in texts.items() if not amounts.isdisjoint(own)]
    if not shown or draft.keep[shown].any():
        return -1
    linked = blocks.link_length * 2 > blocks.length
    shown = [at for at in shown if outside[at] and not linked[at]]
    others = np.bincount(
        group[[at for at, own in texts.items() if own and amounts.isdisjoint(own)]],
        minlength=int(group.max()) + 1,
    )
    shown = [at for at in shown if others[group[at]] < _OTHERS]
    below = [at for at in shown if 0 <= at - name <= _NEAR]
    above = [at for at in shown if 0 < name - at <= _NEAR]
    return below[0] if below else above[-1] if above else -1


def _name_block(known: Evidence, blocks: TextBlocks, declared: Iterable[ProductDeclaration]) -> int:
    """Return the block of the product's name: a heading that has it, else the headline; -1."""
    names = {values.fold(str(one.values["name"][0])) for one in declared if "name" in one.values}
    heading = tags.HEADING.take(blocks.owner_tag)
    for at in heading.nonzero()[0].tolist():
        if values.fold(blocks.text(at)) in names:
            return int(at)
    row = known.headline_row
    at = int(np.searchsorted(blocks.first, row))
    return at if row >= 0 and at < len(blocks) else -1


def _specification(blocks: TextBlocks, name: int) -> Mask:
    """Return bool[m]: blocks below the name in data tables and definition lists."""
    page = blocks.page
    marked = page.is_tag("dl")
    for row in marked.nonzero()[0].tolist():
        marked[row] = "_" not in page.text_of(row)  # as in variables of a template
    marked[data_table_rows(page)] = True
    mask: Mask = page.inside(marked)[blocks.first]
    mask[: name + 1] = False
    return mask
