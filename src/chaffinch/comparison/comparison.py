"""Comparison of methods on one page.

A block is disputed where some methods keep at least half of its characters and others don't. Times
are of one call on a page that is parsed and has no derived column yet, the shortest of up to three
calls, so that loading of weights and learning from siblings, done once, don't count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.comparison.compared_columns import ComparedColumns
from chaffinch.comparison.method_column import MethodColumn
from chaffinch.comparison.report import as_html
from chaffinch.comparison.terminal import as_text
from chaffinch.errors import (
    MissingExtraError,
    OptionError,
    PageError,
    require_text,
    require_whole,
)
from chaffinch.extraction.prepared_method import prepare_method, taken_by, takes
from chaffinch.extraction.trip import extract
from chaffinch.loading.own_address import addressed
from chaffinch.methods import DEFAULT, METHODS
from chaffinch.page import Page, parse
from chaffinch.page.page_input import page_list
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.siblings.other_pages import other_pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.decision.policy import Policy
    from chaffinch.method import Method
    from chaffinch.page import PageInput
    from chaffinch.page.guard.limits import Limits
    from chaffinch.result import Verdict
    from chaffinch.segment.text_blocks import TextBlocks

    MethodLike = str | Callable[[Page], Verdict]

_CALLS: Final = 3
_SLOW: Final = 1.0  # seconds; a method that takes longer is called once
_NO_SIBLINGS: Final = "compares the page with others of its site, and there are no siblings"


@dataclass(frozen=True, eq=False)
class Comparison(ComparedColumns):
    """Methods side by side on one page.

    Attributes:
        blocks: the page's text blocks.
        columns: the result of each method on them.
        left_out: method → why it isn't among the columns.
        siblings: how many other pages of the site the methods could use.
    """

    def table(self, *, limit: int | None = 20) -> str:
        """Return the comparison as text: figures, agreement, the longest disputed blocks.

        Args:
            limit: disputed blocks to show; None for all.

        Raises:
            OptionError: it is no whole number.
        """
        if limit is not None:
            require_whole("limit", limit, 0)
        return as_text(self, limit=limit)

    def to_html(self, *, title: str = "") -> str:
        """Return the comparison as a page that needs nothing else: no scripts, no resources.

        Args:
            title: heading of the page; default: title of the page compared.

        Raises:
            OptionError: it is no text.
        """
        require_text("title", title)
        return as_html(self, title=title)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values for JSON."""
        names = [column.name for column in self.columns]
        return {
            "url": self.page.url or None,
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
                    **column.verdict.facts(),
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
            "selector": self.blocks.selectors[number],
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
    html: PageInput,
    *,
    methods: Sequence[MethodLike] | None = None,
    favor: str | None = None,
    policy: Policy | Mapping[str, bool | None] | None = None,
    siblings: Iterable[PageInput] = (),
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Run methods over one page and compare what they keep.

    Args:
        html: the page as `chaffinch.extract` takes it.
        methods: names, "auto" for the default, or callables from a page to a verdict; default: all
            of `chaffinch.methods.METHODS`, less those that can't be run, see ``left_out``.
        favor: as of `chaffinch.extract`, for those of the named methods that have it.
        policy: likewise.
        siblings: other pages of the site, for the methods that compare with them; others ignore
            them. The page itself may be among them and is left out.
        url: as of `chaffinch.extract`.
        encoding: the label the transport gave.
        limits: bounds on size and structure, and on the time of each call of a method; one that
            takes longer is left out.

    Raises:
        PageError: the page can't be parsed.
        OptionError: a method is unknown or given twice, a named one needs siblings, none has
            ``favor`` or ``policy``, or an argument is of a wrong type.
    """
    chosen = _chosen(methods)
    if favor is not None and not any(isinstance(m, str) and takes(m, "favor") for m in chosen):
        raise OptionError("none of the methods has favor")
    direct = {"favor": favor, "policy": policy}
    page = addressed(parse(html, url=url, encoding=encoding, limits=limits))
    pages = [parse(one, limits=limits) for one in page_list("siblings", siblings)]
    others = other_pages(page, pages)
    blocks = text_blocks(page)
    columns: dict[str, MethodColumn] = {}
    left_out: dict[str, str] = {}
    for method in chosen:
        name = method if isinstance(method, str) else prepare_method(method).name
        if methods is None and not others and METHODS[name].needs_siblings:
            left_out[name] = _NO_SIBLINGS
            continue
        if name in columns:
            raise OptionError(f"method {name} is given twice")
        try:
            columns[name] = _column(name, _prepared(method, others, direct), blocks, limits)
        except (PageError, MissingExtraError) as error:
            left_out[name] = str(error)
    return Comparison(blocks, tuple(columns.values()), left_out, len(others))


def _chosen(methods: Sequence[MethodLike] | None) -> list[MethodLike]:
    """Return the methods to run."""
    if methods is None:
        return list(METHODS)
    if isinstance(methods, str | bytes | Mapping) or not isinstance(methods, Iterable):
        raise OptionError(f"methods are names or callables in a list, not {methods!r}")
    return [DEFAULT if isinstance(one, str) and one == "auto" else one for one in methods]


def _prepared(method: MethodLike, siblings: tuple[Page, ...], direct: Mapping[str, Any]) -> Method:
    """Return a prepared method, with the siblings and ``direct`` options if it takes them."""
    if not isinstance(method, str):
        return prepare_method(method, policy=direct["policy"])
    others = siblings if takes(method, "siblings") else ()
    return prepare_method(method, siblings=others, **taken_by(method, direct))


def _column(name: str, method: Method, blocks: TextBlocks, limits: Limits | None) -> MethodColumn:
    """Run one method on a copy of the page without columns derived by other methods."""
    times: list[float] = []
    while not times or (len(times) < _CALLS and times[0] < _SLOW):
        fresh = replace(blocks.page)
        start = perf_counter()
        found = extract(fresh, method=method, limits=limits)
        times.append(perf_counter() - start)
    return MethodColumn.of(found, blocks, name=name, milliseconds=1000 * min(times))
