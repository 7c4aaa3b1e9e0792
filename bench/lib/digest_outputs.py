"""What is digested of a page and of a site: the table of outputs, each a name and a function.

Only public names of chaffinch are used. Those that may be renamed stand first; where one of them
moves, it is changed here and nowhere else. A function gives a value (text or what JSON
holds), of which a digest is kept, or a float, which is kept as it is and compared with a tolerance:
scores on two processors are equal to about 1e-6 only.
"""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

import chaffinch
from bench.lib.digest_store import INPUT, TOLERANCES, Source, Value, digest, is_site
from chaffinch.output.options import PARTS

# --- names that may move --------------------------------------------------------------------------

JSON_FIELDS: Final = (
    "url title authors published site_name description language text markdown method encoding"
).split()
"""Fields of the JSON that are digested together: without ``version`` and without the facts below,
so that a new field or a renamed fact changes no other digest."""
FORMER_FIELDS: Final = {"declared_type": "page_type"}
"""Fields of the metadata that were renamed → their name in version 0.1.0."""
NEW_FIELDS: Final = ("opt_outs",)
"""Fields of the metadata that came after the digests, which leave them out."""
SINGLE: Final = ("information_blocks", "block_density", "line_blocks", "anchor_blocks")
"""Methods that look at one page alone, less the default."""
COMPARING: Final = ("layout_similarity", "sibling_subtrees", "cluster_rules")
"""Methods that compare pages of one site."""
POLICY: Final = "headline byline captions comments tables cards related notes".split()
VARIANTS: Final[tuple[dict[str, Any], ...]] = (
    {"favor": "precision"},
    {"favor": "recall"},
    {"policy": dict.fromkeys(POLICY, True)},
    {"policy": dict.fromkeys(POLICY, False)},
)
"""Settings of the default method."""
BARE: Final[dict[str, Any]] = dict.fromkeys(("links", "images", "tables", "emphasis"), False)
"""Everything off that an output can leave out."""


def facts(extract: chaffinch.Extract) -> dict[str, str | None]:
    """Return what the method found besides: the predicted type of the page, where it was read."""
    return {name: getattr(extract, name) or None for name in ("page_type", "source")}


def confidence(extract: chaffinch.Extract) -> float:
    """Return the expected word F1; -1 where there is none."""
    return -1.0 if extract.confidence is None else extract.confidence


def site_facts(extract: chaffinch.Extract) -> dict[str, str | None]:
    """Return how a site model read a page."""
    return {name: getattr(extract.notes, name, None) or None for name in ("template",)}


# --- one page -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """One page with what is needed to read it.

    Attributes:
        html: its bytes.
        url: its address.
        siblings: other pages of its site; none where it stands alone.
        site: the model of its site.
    """

    html: bytes
    url: str | None
    siblings: tuple[chaffinch.Page, ...] = ()
    site: chaffinch.Site | None = None

    @cached_property
    def page(self) -> chaffinch.Page:
        """The table of the page; raises PageError."""
        return chaffinch.parse(self.html, url=self.url)

    @cached_property
    def extract(self) -> chaffinch.Extract:
        """What the default method extracts."""
        return chaffinch.extract(self.page)

    @cached_property
    def record(self) -> dict[str, Any]:
        """The JSON with all parts, under the names that the digests were made with."""
        record = self.extract.to_dict(parts=PARTS)
        fields = record["metadata"]
        renamed = {
            FORMER_FIELDS.get(name, name): fields[name] for name in fields if name not in NEW_FIELDS
        }
        return {**record, "metadata": renamed}

    def by(self, method: str) -> chaffinch.Extract:
        """Return what a published method extracts."""
        if method not in self._by:
            siblings = self.siblings if method in COMPARING else ()
            self._by[method] = chaffinch.extract(self.page, method=method, siblings=siblings)
        return self._by[method]

    def by_site(self) -> chaffinch.Extract:
        """Return what the site's model extracts."""
        if self.site is None:
            raise ValueError("the page stands alone")
        return self.site.extract(self.page)

    @cached_property
    def _by(self) -> dict[str, chaffinch.Extract]:
        return {}


def projected(values: Any) -> float:
    """Return a weighted sum of numbers: each change of one shows in it, an error of 1e-6 hardly."""
    array = np.asarray(values, dtype=np.float64)
    return float(array @ np.cos(np.arange(len(array))))


def table(page: chaffinch.Page) -> list[Any]:
    """Return the columns of the page's table that do not depend on the codes of tags."""
    columns = (page.parent, page.depth, page.end, page.text_at)
    return [page.url, page.encoding, page.text, *(column.tolist() for column in columns)]


def verdict(extract: chaffinch.Extract) -> str:
    """Return the verdict, a line where a row's differs from the row's before: row, kept, code."""
    keep, why = extract.keep, extract.why
    changed = np.ones(len(keep), dtype=bool)
    changed[1:] = (keep[1:] != keep[:-1]) | (why[1:] != why[:-1])
    lines = [f"{row} {'+-'[not keep[row]]} {why[row]}" for row in np.flatnonzero(changed).tolist()]
    return "\n".join([*lines, str(len(keep))])


def explained(extract: chaffinch.Extract) -> list[list[Any]]:
    """Return the blocks of a page with their verdicts, without the words of reasons and scores.

    Nor what spoke for and against each, which takes several times as long as all else.
    """
    code = {reason: number for number, reason in enumerate(extract.reasons)}
    found = replace(extract, found_by=None).explain()
    return [[one.text, one.keep, code.get(one.step), one.selector] for one in found]


def variants(case: Case) -> list[str]:
    """Return the text that the default method finds with other settings."""
    return [chaffinch.extract(case.page, settings=one).text for one in VARIANTS]


def _part(name: str) -> Callable[[Case], Any]:
    return lambda case: case.record[name]


def _of_tables(form: str) -> Callable[[Case], Any]:
    return lambda case: [getattr(one, form)() for one in case.extract.tables]


def _method(name: str) -> Callable[[Case], Any]:
    return lambda case: verdict(case.by(name))


def _scores(names: tuple[str, ...]) -> Callable[[Case], Any]:
    return lambda case: projected([projected(case.by(name).score) for name in names])


def _site(case: Case) -> list[Any]:
    extract = case.by_site()
    return [site_facts(extract), verdict(extract)]


OUTPUTS: Final[dict[str, Callable[[Case], Any]]] = {
    "table": lambda case: table(case.page),
    "readable": lambda case: chaffinch.is_readable(case.page),
    "verdict": lambda case: verdict(case.extract),
    "score": lambda case: projected(case.extract.score),
    "facts": lambda case: facts(case.extract),
    "confidence": lambda case: confidence(case.extract),
    "settings": variants,
    "reasons": lambda case: case.extract.reasons,
    "text": lambda case: case.extract.text,
    "noise": lambda case: case.extract.noise,
    "markdown": lambda case: case.extract.markdown(),
    "markdown_bare": lambda case: case.extract.markdown(**BARE),
    "html": lambda case: case.extract.html(),
    "html_bare": lambda case: case.extract.html(rows=True, **BARE),
    "clean": lambda case: case.extract.clean(),
    "tei": lambda case: case.extract.tei(),
    "front_matter": lambda case: case.extract.front_matter(),
    "json": lambda case: {name: case.record[name] for name in JSON_FIELDS},
    "explain": lambda case: explained(case.extract),
    **{name: _part(name) for name in PARTS if name != "html"},
    "tables_markdown": _of_tables("markdown"),
    "tables_html": _of_tables("html"),
    "tables_csv": _of_tables("csv"),
    **{name: _method(name) for name in SINGLE},
    "method_reasons": lambda case: [case.by(name).reasons for name in SINGLE],
    "method_scores": _scores(SINGLE),
}
"""Output → what it is of a page."""
SITE_OUTPUTS: Final[dict[str, Callable[[Case], Any]]] = {
    **{name: _method(name) for name in COMPARING},
    "sibling_reasons": lambda case: [case.by(name).reasons for name in COMPARING],
    "site_reasons": lambda case: case.by_site().reasons,
    "sibling_scores": _scores(COMPARING),
    "site": _site,
    "site_scores": lambda case: projected(case.by_site().score),
}
"""Output → what it is of a page of a site, with its siblings and the model learned from them."""
# --- one site -------------------------------------------------------------------------------------
_FLOAT: Final = re.compile(r"-?\b\d+\.\d+(?:e-?\d+)?\b|-?\b\d+e-\d+\b")


def learned(pages: list[chaffinch.Page]) -> chaffinch.Site:
    """Return the model that every second page of a site teaches."""
    return chaffinch.Site.learn(pages[::2], date="2026-01-01")


def saved(site: chaffinch.Site) -> str:
    """Return the rules as they are saved, and what is learned beside them."""
    with tempfile.TemporaryDirectory() as folder:
        site.save(folder)
        text = (Path(folder) / "rules.toml").read_text(encoding="utf-8")
        with np.load(Path(folder) / "data.npz") as data:
            columns = {name: data[name] for name in data.files if not name.startswith("sample")}
    header = columns.pop("header").tobytes().decode()
    hashes = "\n".join(f"{name}: {one.tolist()}" for name, one in sorted(columns.items()))
    return f"{text}\n{header}\n{hashes}"


def rules(site: chaffinch.Site) -> list[list[Any]]:
    """Return the rules of each template, as people read them."""
    return [
        [
            one.name,
            one.pages,
            one.page,
            [[rule.kind, rule.select, rule.support] for rule in one.rules],
        ]
        for one in site.templates
    ]


MODEL_OUTPUTS: Final[dict[str, Callable[[chaffinch.Site], Any]]] = {
    "learned_rules": rules,
    "learned_model": lambda site: _FLOAT.sub("#", saved(site)),
    "learned_numbers": lambda site: projected([float(one) for one in _FLOAT.findall(saved(site))]),
}
"""Output → what it is of the model of a site."""
_SIBLINGS: Final = 5


class Cases:
    """Pages that have nothing to do with each other."""

    outputs: Mapping[str, Callable[[Case], Any]] = OUTPUTS

    def __init__(self, pages: Sequence[Source]) -> None:
        self.pages = pages

    def case(self, number: int) -> Case:
        """Return a page with what is needed to read it."""
        page = self.pages[number]
        return Case(page.html, page.url)

    def output(self, number: int, name: str) -> Any:
        """Return an output of a page; the error in words where it raises one."""
        try:
            return self.outputs[name](self.case(number))
        except chaffinch.ChaffinchError as error:
            return f"{type(error).__name__}: {error}"

    def values(self, number: int) -> tuple[str, dict[str, Value]]:
        """Return the id of a page and the digests (and numbers) of all its outputs."""
        page, case = self.pages[number], self.case(number)
        own = f"{page.id}\n{page.url}\n".encode()
        values: dict[str, Value] = {INPUT: digest(own + page.html)}
        for name, read in self.outputs.items():
            try:
                values[name] = _value(name, read, case)
            except Exception as error:
                error.add_note(f"output {name} of page {page.id}, {page.url}")
                raise
        return page.id, values

    def model_output(self, name: str) -> Any:
        """Return an output of the model of the site."""
        raise SystemExit(f"these pages are of many sites: there is no model to show {name} of")

    def model_values(self) -> dict[str, Value]:
        """Return the digests (and numbers) of the model of the site."""
        return {}


class SiteCases(Cases):
    """Pages of one site, compared with the pages before them and read by its model."""

    outputs = OUTPUTS | SITE_OUTPUTS

    @cached_property
    def tables(self) -> dict[int, chaffinch.Page]:
        """Number → table of each page that can be parsed."""
        tables = {}
        for number, page in enumerate(self.pages):
            try:
                tables[number] = chaffinch.parse(page.html, url=page.url)
            except chaffinch.PageError:
                continue
        return tables

    @cached_property
    def site(self) -> chaffinch.Site:
        """The model of the site."""
        return learned(list(self.tables.values()))

    def case(self, number: int) -> Case:
        """Return a page with the pages before it (for the first ones: after) and the model."""
        page = self.pages[number]
        others = [other for other in self.tables if other != number]
        start = max(0, sum(other < number for other in others) - _SIBLINGS)
        siblings = tuple(self.tables[other] for other in others[start:][:_SIBLINGS])
        return Case(page.html, page.url, siblings, self.site)

    def model_output(self, name: str) -> Any:
        """Return an output of the model of the site."""
        return MODEL_OUTPUTS[name](self.site)

    def model_values(self) -> dict[str, Value]:
        """Return the digests (and numbers) of the model of the site."""
        return {name: _value(name, read, self.site) for name, read in MODEL_OUTPUTS.items()}


def cases_of(collection: str, pages: Sequence[Source]) -> Cases:
    """Return the cases of a collection."""
    return SiteCases(pages) if is_site(collection) else Cases(pages)


def _value(name: str, read: Callable[[Any], Any], of: Any) -> Value:
    """Return the digest of an output, or its number; of an error, its class."""
    try:
        found = read(of)
    except chaffinch.ChaffinchError as error:
        return math.nan if name in TOLERANCES else digest(type(error).__name__)
    return float(found) if name in TOLERANCES else digest(found)
