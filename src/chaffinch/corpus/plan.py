"""The options of the default extractor of a run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import OptionError, require_one_of, require_whole
from chaffinch.loading.loader import RENDER
from chaffinch.workers.protocol import PageLimits

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Options of the default extractor. The names of the fields are stored in run.json.

    Attributes:
        method: name of the method.
        settings: tunables of the method, by name.
        policy: what belongs to the content, by field of `chaffinch.Policy`.
        languages: codes of the languages to keep; empty for all.
        only_metadata: leave text and Markdown out.
        images: add the images.
        tables: add the tables.
        assessment: add whether the page is content, or a wall or an error in its place; pages
            that servers sent for failures are assessed, too.
        records: add the entries of lists.
        signatures: add hash and MinHash signature of the text, by which duplicates are found.
        max_bytes: largest size of a page, bytes.
        site: site model to extract by, as TOML, or a folder of them by host; "" for none.
        site_models: folder of site models to extract by, which are learned; "" for none.
        support: least pages for a site to have a model, and a template to be extracted by rules.
        statistics: add the statistics from which site models are learned to the rows.
        date: of the crawl, ISO 8601: the generation of the learned pages; "" for the day on which
            the run began.
    """

    method: str = "auto"
    settings: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, bool | None] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    only_metadata: bool = False
    images: bool = False
    tables: bool = False
    assessment: bool = False
    records: bool = False
    signatures: bool = False
    max_bytes: int = 64 << 20
    site: str = ""
    site_models: str = ""
    support: int = 10
    statistics: bool = False
    date: str = ""

    def __post_init__(self) -> None:
        require_whole("support", self.support, 1)
        if (self.site or self.site_models) and (self.method != "auto" or self.settings):
            raise OptionError("site models are of the default method; leave method and set out")
        if self.site and self.site_models:
            raise OptionError("site and site_models exclude each other")


FORMS: Final = ("parquet", "jsonl")
DUPLICATES: Final = ("keep", "mark", "remove")

_MAY_DIFFER: Final = frozenset({"browser", "out"})

EXTRACTOR: Final = "chaffinch.corpus.rows:Extraction"
BY_SITE: Final = "chaffinch.corpus.sites:BySite"
"""Extractors: of single pages, and by site models."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The settings of a run, except its sources and engine. The field names are stored in run.json.

    Attributes:
        out: folder of the results; a path or an address that fsspec knows.
        form: ``parquet`` or ``jsonl``.
        buckets: number of buckets that the hosts are divided into.
        duplicates: ``keep`` doesn't search for them; ``mark`` adds the cluster of each page;
            ``remove`` keeps one page of each cluster.
        extractor: ``module:name`` of a callable that makes, from the recipe, a callable from a
            `chaffinch.corpus.sources.Record` to the fields of a row.
        recipe: options of the extractor.
        limits: of one page.
        allow_hosts: hosts of private networks that pages of address lists may be fetched from.
        contact: address (URL or mail) in the user agent, for the servers' owners.
        pause: seconds between two requests to one host.
        corpus: text in ``html`` of JSON lines is bytes decoded as Latin-1, as in labelled corpora.
        update_sites: update existing site models with this crawl; where there are none, they are
            learned in any case.
        one_pass: read the sources once: pages are extracted by the existing models, and those
            learned from this crawl serve the next one.
        render: when a browser runs the scripts of a page: ``auto``, where it waits for them,
            ``always`` or ``never``.
        browser: path or name of the browser's program; "" to look for one.

    Raises:
        OptionError: a value is unknown or impossible.
    """

    out: str
    form: str = "parquet"
    buckets: int = 16
    duplicates: str = "keep"
    extractor: str = EXTRACTOR
    recipe: Recipe = field(default_factory=Recipe)
    limits: PageLimits = field(default_factory=PageLimits)
    allow_hosts: tuple[str, ...] = ()
    contact: str = ""
    pause: float = 1.0
    corpus: bool = False
    update_sites: bool = False
    one_pass: bool = False
    render: str = "never"
    browser: str = ""

    def __post_init__(self) -> None:
        require_one_of("form", self.form, FORMS)
        require_one_of("duplicates", self.duplicates, DUPLICATES)
        require_one_of("render", self.render, RENDER)
        require_whole("buckets", self.buckets, 1, 65_536)
        if (self.recipe.site or self.recipe.site_models) and self.extractor != EXTRACTOR:
            raise OptionError("site models go with Chaffinch's own extractor")
        for name in ("update_sites", "one_pass"):
            if getattr(self, name) and not self.recipe.site_models:
                raise OptionError(f"{name} goes with site_models")
        signed = self.recipe.signatures or self.duplicates != "keep"
        if signed and self.recipe.only_metadata:
            raise OptionError("duplicates are found by their text, which only_metadata leaves out")
        if self.recipe.signatures and self.duplicates == "keep" and self.form != "parquet":
            raise OptionError("signatures are bytes, which only parquet holds")

    @property
    def pages_extractor(self) -> str:
        """The extractor that makes the rows of pages."""
        return BY_SITE if self.recipe.site_models else self.extractor

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as they come back from JSON."""
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    def differs_in(self, other: Mapping[str, Any]) -> list[str]:
        """Return the fields in which a plan, read from JSON, is another, but where it may be."""
        one = self.to_dict()
        names = one.keys() | other.keys()
        return sorted(n for n in names - _MAY_DIFFER if one.get(n) != other.get(n))
