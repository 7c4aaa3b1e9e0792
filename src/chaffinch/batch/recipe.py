"""The options of the default extractor of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chaffinch.errors import OptionError, require_whole

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
