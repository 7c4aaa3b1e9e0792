"""The pages that a site is learned from: folders, files, addresses, archives, tables, lists."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chaffinch.cli.archives import of_record
from chaffinch.cli.found_siblings import layer_pages
from chaffinch.cli.inputs import at_hand, find, is_address, is_folder, is_there
from chaffinch.cli.messages import print_error
from chaffinch.cli.render_options import page_loader, require_browser_fits
from chaffinch.cli.sibling_pages import own_address
from chaffinch.cli.source_options import fetching
from chaffinch.corpus.sources import kind_of
from chaffinch.errors import PageError
from chaffinch.loading.replaced_source import nothing_replaced
from chaffinch.page.bounds import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chaffinch.cli.source import Source
    from chaffinch.cli.source_options import Fetching
    from chaffinch.loading.loader import Loader
    from chaffinch.page import Page
    from chaffinch.site.site import Site


class SitePages:
    """The pages that inputs name, one at a time; one that fails has a line on standard error.

    Folders, pages, addresses, archives and tables are read as by other verbs; anything else is a
    pattern, or a list of addresses, as the verb ``run`` takes them.

    Args:
        inputs: what is given.
        given: values of `source_options`; of `politeness_options`, too, to find further pages.
        same_layer: pages of the same layer to find for each address.
        site: the model whose replacements act on their sources; None for none.

    Attributes:
        count: pages that passed so far.
        failed: pages that failed so far.
    """

    def __init__(
        self,
        inputs: Sequence[str],
        given: Mapping[str, Any],
        *,
        same_layer: int = 0,
        site: Site | None = None,
    ) -> None:
        require_browser_fits(given.get("render", "never"), given.get("browser"))
        self._inputs, self._given, self._same_layer = inputs, given, same_layer
        self._replacements = nothing_replaced if site is None else site.replacements
        self._limits = Limits(max_bytes=given["max_size"] << 20)
        self._loader: Loader | None = None
        self.count = self.failed = 0

    def __iter__(self) -> Iterator[Page]:
        """Yield the pages.

        Raises:
            OptionError: there is no such file.
            SetupError: pages have to be rendered, and there is no browser.
        """
        renders = self._given.get("render", "never") != "never"
        loader = page_loader(self._given, self._replacements) if renders else nullcontext()
        with loader as self._loader:
            for one in self._inputs:
                for page in self._read(one):
                    self.count += 1
                    yield page

    def _read(self, name: str) -> Iterator[Page]:
        if self._same_layer and is_address(name):
            yield from layer_pages(name, self._same_layer, self._given, self._replacements)
            return
        how = fetching(self._given)
        for source in _sources(name, how, is_corpus=self._given["is_corpus"]):
            try:
                page = self._page(source)
            except PageError as error:
                self.failed += 1
                print_error(f"{source.name}: {error}")
            else:
                yield page if page.url else replace(page, url=own_address(page, source.path))

    def _page(self, source: Source) -> Page:
        if self._loader is None or source.kind == "address":
            html = source.read(max_bytes=self._limits.max_bytes)
            page = source.replaced(html, self._limits, self._replacements)
            return page if self._loader is None else self._loader.rendered(page)
        html = source.read(max_bytes=self._limits.max_bytes)
        return self._loader.source(html, url=source.url, encoding=source.encoding)


def _sources(given: str, fetching: Fetching, *, is_corpus: bool) -> Iterator[Source]:
    is_list = is_there(given) and not is_folder(given) and kind_of(given) == "addresses"
    if is_list or (not is_there(given) and _is_pattern(given)):
        return _listed(given, fetching, is_corpus=is_corpus)
    return at_hand(find([given], url=None, encoding=None, is_corpus=is_corpus), fetching)


def _is_pattern(given: str) -> bool:
    return any(mark in given for mark in "*[") and not given.startswith(("http://", "https://"))


def _listed(given: str, fetching: Fetching, *, is_corpus: bool) -> Iterator[Source]:
    """Yield the pages of a pattern or of a list of addresses."""
    from chaffinch.corpus.plan import Plan, Recipe  # noqa: PLC0415  an extra
    from chaffinch.corpus.sources import Record, find_shards, read  # noqa: PLC0415  an extra

    plan = Plan(
        out="",
        recipe=Recipe(max_bytes=fetching.limits.max_bytes),
        corpus=is_corpus,
        allow_hosts=fetching.allow,
        contact=fetching.contact,
    )
    for shard in find_shards([given]):
        for record in read(shard, plan):
            if isinstance(record, Record):
                source = of_record(record, shard.kind)
                is_fetched = shard.kind == "addresses" and not record.error
                yield replace(source, kind="address") if is_fetched else source
