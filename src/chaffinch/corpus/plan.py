"""The plan of a run: all settings that its rows depend on, stored beside them in run.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from chaffinch.errors import OptionError, require_one_of, require_whole
from chaffinch.lists.labelled import wanted_fields
from chaffinch.loading.loader import LoadingOptions
from chaffinch.workers.protocol import PageLimits

FORMS: Final = ("parquet", "jsonl")
DUPLICATES: Final = ("keep", "mark", "remove")
EXTRACTOR: Final = "chaffinch.corpus.rows:Extraction"

_MAY_DIFFER: Final = frozenset({"browser", "out"})


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
        fields: add fields of one's own, by the labels that they have on a page, as of
            `chaffinch.Extract.fields`.
        signatures: add hash and MinHash signature of the text, by which duplicates are found.
        max_bytes: largest size of a page, bytes.
        site: site model to extract by, as TOML, or a folder of them by host; "" for none.
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
    fields: tuple[str, ...] = ()
    signatures: bool = False
    max_bytes: int = 64 << 20
    site: str = ""

    def __post_init__(self) -> None:
        if self.site and (self.method != "auto" or self.settings):
            raise OptionError("site models are of the default method; leave method and set out")
        wanted_fields(self.fields)


@dataclass(frozen=True, kw_only=True)
class Plan(LoadingOptions):
    """The settings of a run, except its sources and engine. The field names are stored in run.json.

    Of the options of loading, hosts are of pages of address lists.

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
        contact: address (URL or mail) in the user agent, for the servers' owners.
        pause: seconds between two requests to one host.
        corpus: text in ``html`` of JSON lines is bytes decoded as Latin-1, as in labelled corpora.

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
    contact: str = ""
    pause: float = 1.0
    corpus: bool = False

    def __post_init__(self) -> None:
        LoadingOptions.__post_init__(self)
        require_one_of("form", self.form, FORMS)
        require_one_of("duplicates", self.duplicates, DUPLICATES)
        require_whole("buckets", self.buckets, 1, 65_536)
        recipe = self.recipe
        if recipe.site and self.extractor != EXTRACTOR:
            raise OptionError("site models go with Chaffinch's own extractor")
        if recipe.only_metadata and (recipe.signatures or self.duplicates != "keep"):
            raise OptionError("duplicates are found by their text, which only_metadata leaves out")
        if recipe.signatures and self.duplicates == "keep" and self.form != "parquet":
            raise OptionError("signatures are bytes, which only parquet holds")

    def to_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    def differs_in(self, other: Mapping[str, Any]) -> list[str]:
        """Return the fields in which a plan, read from JSON, is another, but where it may be."""
        one = self.to_dict()
        names = (one.keys() | other.keys()) - _MAY_DIFFER
        return sorted(name for name in names if one.get(name) != other.get(name))
