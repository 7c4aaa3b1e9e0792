"""The folder of a run that an operator opened: its report, its rows, and the pages of these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from chaffinch.batch.plan import Plan
from chaffinch.batch.recipe import Recipe
from chaffinch.lazy import lazy_module
from chaffinch.service.inspector.subjects import nearest
from chaffinch.service.page_jobs import GivenPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.batch import run_rows
    from chaffinch.batch.sources import at_place
    from chaffinch.page.guard.limits import Limits
else:
    run_rows = lazy_module("chaffinch.batch.run_rows")
    at_place = lazy_module("chaffinch.batch.sources.at_place")

_LOOKED_AT: Final = 500
"""Rows of a page's host among which those of the most similar addresses are looked for."""


@dataclass(frozen=True)
class RunSubject:
    """The folder of a run.

    Attributes:
        out: the folder.
        corpus: text in JSON lines is bytes decoded as Latin-1: the run had ``--corpus``.
    """

    out: str
    corpus: bool = False

    @property
    def kind(self) -> str:
        """``run``."""
        return "run"

    @property
    def address(self) -> str:
        """The view of the run."""
        return "#/run"

    def about(self) -> dict[str, Any]:
        """Return the name of the folder."""
        return {"name": Path(self.out).name}

    def page(self, given: str, limits: Limits) -> GivenPage:
        """Return the page of a row, from the source that it stands in.

        Raises:
            OptionError: there is no such row.
            PageError: the page can't be read.
            SetupError: a file of the run is broken.
        """
        row = run_rows.row_of(self.out, given)
        plan = Plan(out="", recipe=Recipe(max_bytes=limits.max_bytes), corpus=self.corpus)
        url = row.get("url") or ""
        member, offset = str(row.get("member") or ""), int(row.get("offset") or 0)
        file = str(row["file"])
        record = at_place.page_at(file, plan, member=member, offset=offset, url=url)
        return GivenPage(html=record.html, url=url or None, encoding=record.encoding, limits=limits)

    def siblings(self, given: str) -> Sequence[str]:
        """Return the ids of rows of the same host that were read without an error.

        Raises:
            OptionError: there is no such row.
            SetupError: a file of the run is broken.
        """
        row = run_rows.row_of(self.out, given)
        if not row.get("host"):
            return []
        wanted = run_rows.RowFilter(host=str(row["host"]), error="")
        found = run_rows.run_rows(self.out, wanted, most=_LOOKED_AT).rows
        others = ((one["id"], one["url"]) for one in found if one["id"] != given)
        return nearest(row.get("url"), others)
