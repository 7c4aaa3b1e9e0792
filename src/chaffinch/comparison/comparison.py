"""Runs methods over one page and holds what they made of it.

A block is disputed where some methods keep at least half of its characters and others don't. Times
are of one call on a page that is parsed and has no derived column yet, the shortest of up to three
calls, so that what is loaded, or learned from siblings, once doesn't count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.comparison.column import Column, agreement
from chaffinch.comparison.report import as_html
from chaffinch.comparison.terminal import as_text
from chaffinch.errors import MissingExtraError, OptionError, PageError
from chaffinch.extraction.trip import extract, prepared
from chaffinch.methods import DEFAULT, METHODS, settings_of
from chaffinch.page import Page, parse
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.siblings.other_pages import other_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from chaffinch.page.guard.limits import Limits
    from chaffinch.result import Verdict
    from chaffinch.segment.text_blocks import TextBlocks

    Finder = str | Callable[[Page], Verdict]

_CALLS: Final = 3
_PATIENCE: Final = 1.0  # seconds; what takes longer is called once
_NO_SIBLINGS: Final = "compares the page with others of its site, and there are no siblings"


@dataclass(frozen=True, eq=False)
class Comparison:
    """Methods side by side on one page.

    Attributes:
        blocks: the page's text blocks.
        columns: what each method made of them.
        left_out: method → why it isn't among the columns.
        siblings: how many other pages there were to compare with.
    """

    blocks: TextBlocks
    columns: tuple[Column, ...]
    left_out: dict[str, str]
    siblings: int = 0

    @property
    def page(self) -> Page:
        """The page."""
        return self.blocks.page

    @cached_property
    def agreement(self) -> NDArray[np.float64]:
        """float64[k, k]: how far the k methods agree, Jaccard index of the characters kept."""
        length = self.page.own_length
        return np.array(
            [[agreement(one, other, length) for other in self.columns] for one in self.columns]
        ).reshape(len(self.columns), len(self.columns))

    @cached_property
    def disputed(self) -> list[int]:
        """Numbers of the blocks that some methods keep and others don't, the longest first."""
        if not self.columns:
            return []
        votes = np.sum([column.keep for column in self.columns], axis=0)
        numbers = np.flatnonzero((votes > 0) & (votes < len(self.columns)))
        return sorted(numbers.tolist(), key=lambda number: -int(self.blocks.length[number]))

    def table(self, *, limit: int | None = 20) -> str:
        """Return the comparison as text: figures, agreement, the longest disputed blocks.

        Args:
            limit: disputed blocks to show; None for all.
        """
        return as_text(self, limit=limit)

    def to_html(self, *, title: str = "") -> str:
        """Return the comparison as a page that needs nothing else: no scripts, no resources.

        Args:
            title: heading of the page; default: title of the page compared.
        """
        return as_html(self, title=title)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values for JSON."""
        names = [column.name for column in self.columns]
        return {
            "url": self.page.url,
            "title": self.page.head.title,
            "rows": len(self.page),
            "length": int(self.page.own_length.sum()),
            "siblings": self.siblings,
            "methods": [
                {
                    "name": column.name,
                    "rows": column.rows,
                    "length": column.length,
                    "share": round(column.share, 4),
                    "blocks": int(column.keep.sum()),
                    "milliseconds": round(column.milliseconds, 3),
                    "agreement": dict(zip(names, np.round(line, 4).tolist(), strict=True)),
                    "notes": column.notes,
                    "embedded": column.embedded,
                }
                for column, line in zip(self.columns, self.agreement, strict=True)
            ],
            "left_out": self.left_out,
            "blocks": [self._block(number) for number in range(len(self.blocks))],
        }

    def _block(self, number: int) -> dict[str, Any]:
        return {
            "row": int(self.blocks.first[number]),
            "selector": self.page.selector(int(self.blocks.owner[number])),
            "text": self.blocks.text(number),
            "length": int(self.blocks.length[number]),
            "disputed": len({bool(column.keep[number]) for column in self.columns}) > 1,
            "verdicts": {
                column.name: {
                    "state": column.state(number),
                    "kept_share": round(float(column.kept_share[number]), 4),
                    "score": round(float(column.score[number]), 4),
                    "reason": column.reasons[number],
                }
                for column in self.columns
            },
        }


def compare(  # noqa: PLR0913  options are keyword-only
    html: bytes | str | Page,
    *,
    methods: Sequence[Finder] | None = None,
    siblings: Sequence[bytes | str | Page] = (),
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Run methods over one page and compare what they keep.

    Args:
        html: the page as `chaffinch.extract` takes it.
        methods: names, "auto" for the default, or callables from a page to a verdict; default: all
            of `chaffinch.methods.METHODS`, less those that can't be run, see ``left_out``.
        siblings: other pages of the site, for the methods that compare with them; others ignore
            them. The page itself may be among them and is left out.
        url: the page's address.
        encoding: the label the transport gave.
        limits: bounds on size and structure.

    Raises:
        PageError: the page can't be parsed.
        OptionError: a method is unknown or given twice, or a named one needs siblings.
    """
    page = html if isinstance(html, Page) else parse(html, encoding=encoding, limits=limits)
    page = replace(page, url=url or page.url)
    given = [s if isinstance(s, Page) else parse(s, limits=limits) for s in siblings]
    others = other_pages(page, given)
    blocks = text_blocks(page)
    columns: dict[str, Column] = {}
    left_out: dict[str, str] = {}
    for method in METHODS if methods is None else methods:
        finder = DEFAULT if method == "auto" else method
        name = _name(finder)
        if methods is None and not others and _needs_siblings(name):
            left_out[name] = _NO_SIBLINGS
            continue
        if name in columns:
            raise OptionError(f"method {name} is given twice")
        try:
            columns[name] = _column(name, finder, blocks, others)
        except (PageError, MissingExtraError) as error:
            left_out[name] = str(error)
    return Comparison(blocks, tuple(columns.values()), left_out, len(others))


def _column(name: str, method: Finder, blocks: TextBlocks, siblings: tuple[Page, ...]) -> Column:
    """Run one method, on a page that no other method has warmed up."""
    takes_siblings = isinstance(method, str) and "siblings" in settings_of(method)
    finder = prepared(method, siblings=siblings if takes_siblings else ())
    times: list[float] = []
    while not times or (len(times) < _CALLS and times[0] < _PATIENCE):
        fresh = replace(blocks.page)
        start = perf_counter()
        found = extract(fresh, method=finder)
        times.append(perf_counter() - start)
    return Column.of(found, blocks, name=name, milliseconds=1000 * min(times))


def _name(method: Finder) -> str:
    if isinstance(method, str):
        return method
    return str(getattr(method, "name", getattr(method, "__name__", type(method).__name__)))


def _needs_siblings(name: str) -> bool:
    return bool(getattr(METHODS.get(name), "needs_siblings", False))
