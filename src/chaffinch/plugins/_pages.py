"""What plug-ins have in common: pages extracted by options that are checked once.

Options are those of `chaffinch.extract`, but those of single pages; one that is unknown or
impossible is an `OptionError` at once. Tools for retrieval get passages, Markdown with whole tables
and listings in it, and flat metadata: values are text or numbers, for many stores take nothing
else; what is unknown is left out. Those of a page are ``title``, ``url``, ``language``,
``authors``, ``published``, ``site_name``, ``page_type``, ``confidence``; a passage that is cut to
``max_tokens`` (as `chaffinch.estimate_tokens` counts) has ``headings`` and ``block_ids``, too.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import chaffinch
from chaffinch.corpus import rows
from chaffinch.errors import OptionError, require_one_of, require_whole
from chaffinch.extraction import extract

if TYPE_CHECKING:
    from os import PathLike

    from chaffinch.extraction.extracted import Extract
    from chaffinch.page import PageInput


_OF_PASSAGES = "title url language authors published site_name page_type confidence".split()


class Passage(NamedTuple):
    """A piece of a page, without the headings above it."""

    text: str
    metadata: dict[str, str | int | float]


class Pages:
    """Extracts pages by options of `chaffinch.extract`; picklable.

    ``fields`` are names of what `values` gives, keys of `chaffinch.corpus.rows.VALUES`; without
    ``max_tokens`` a whole page is one passage.
    """

    def __init__(
        self,
        options: Mapping[str, Any],
        *,
        fields: Sequence[str] = (),
        max_tokens: int | None = None,
    ) -> None:
        if not isinstance(options, Mapping):
            raise OptionError(f"options are a mapping, not {options!r}")
        if max_tokens is not None:
            require_whole("max_tokens", max_tokens, 1)
        for name in fields:
            require_one_of("field", name, rows.VALUES)
        self._fields, self._max_tokens = tuple(fields), max_tokens
        self._options = extract.prepared_options(options)

    def extract(self, page: PageInput, **about: Any) -> Extract:
        """Return the extract of bytes, a path, or text, which is never taken for an address."""
        given = io.StringIO(page) if isinstance(page, str) else page
        return extract.extract(given, **about, **self._options)

    def values(self, found: Extract) -> dict[str, Any]:
        return {name: rows.VALUES[name](found) for name in self._fields}

    def passages(self, page: PageInput, **about: Any) -> list[Passage]:
        """Return the passages of a page, in order; none where it has no content."""
        found = self.extract(page, **about)
        known = {name: rows.VALUES[name](found) for name in _OF_PASSAGES}
        known["authors"] = "; ".join(known["authors"])
        values = {name: value for name, value in known.items() if value not in (None, "")}
        if self._max_tokens is None:
            whole = found.markdown()
            return [Passage(whole, values)] if whole else []
        return [
            Passage(
                one.text,
                {**values, "headings": " > ".join(one.headings), "block_ids": " ".join(one.ids)},
            )
            for one in found.chunks(max_tokens=self._max_tokens)
        ]

    def passages_at(
        self, source: str | PathLike[str], *, url: str | None = None, **loading: Any
    ) -> list[Passage]:
        """Return the passages of the page at an address or path, loaded as by `chaffinch.load`."""
        page = chaffinch.load(source, url=url, **loading)
        return self.passages(page, url=page.url)
