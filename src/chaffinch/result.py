"""What a method says of a page, and what renderers are handed.

`Verdict` is the method's column; `Content` is a page with a verdict on it. Both know nothing of
how the verdict was made.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

import numpy as np

from chaffinch import kernels
from chaffinch.errors import OptionError, require_whole
from chaffinch.page import tags
from chaffinch.page.arrays import frozen
from chaffinch.page.columns import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.page.arrays import Floats, Mask, Reasons


KEPT_BY_SELECTOR: Final = "kept by the caller's selector"
DROPPED_BY_SELECTOR: Final = "dropped by the caller's selector"
"""Reasons that the caller gave, stronger than any method's."""
GIVES_WAY: Final = "gives way to the text that only the page's data has"
"""Why rows that a method kept are dropped after all."""
_MOST_ROWS: Final = 2**31 - 1  # what the columns of a page can number
_SPEAKING: Final = tags.VOID | tags.table(["#text"])
"""Rows that speak for themselves; other elements speak for what is in them."""


@dataclass(frozen=True)
class Notes:
    """What a method found on the way besides what every verdict has; each has fields of its own."""


@dataclass(frozen=True)
class NotedBlock:
    """A block that notes name.

    Attributes:
        path: its tag path.
        row: its row.
    """

    path: str
    row: int

    @classmethod
    def of(cls, page: Page, row: int) -> NotedBlock:
        """Return the block at ``row``."""
        return cls(page.tag_path(row), int(row))

    def __str__(self) -> str:
        return f"{self.path} (row {self.row})"


def _is_told(value: Any) -> bool:
    """Return whether a fact is worth a line: anything but None, False and what is empty."""
    return value is not None and value is not False and value not in ("", ())


def _in_words(value: Any) -> str:
    if isinstance(value, tuple):
        return "; ".join(map(_in_words, value))
    if isinstance(value, float):
        return f"{value:.4g}"
    return "yes" if value is True else str(value)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a method decided, row by row.

    Attributes:
        keep: bool[n], rows that belong to the content. Only what it says of text rows and void
            elements counts; see `Content.kept`.
        score: float32[n] in 0..1, how much each row looks like content to the method.
        why: int8[n], which step decided: an index into the method's ``reasons``.
        page_type: kind of page that the method takes it for, in the method's own terms; None where
            it predicts none. What the page declares is ``declared_type`` of the metadata.
        confidence: word F1 that the method expects of its verdict, 0..1, to two decimals; None
            where it expects none.
        source: where in the page's data the content stands, such as ``JSON-LD: articleBody``; None
            where it stands in rows.
        notes: what else the method found, in typed fields of its own; None for nothing.
        weights: digest of the learned weights that it was made by; None where none were needed.

    Raises:
        OptionError: one of the columns is no array.
    """

    keep: Mask
    score: Floats
    why: Reasons
    page_type: str | None = None
    confidence: float | None = None
    source: str | None = None
    notes: Notes | None = None
    weights: str | None = None

    def __post_init__(self) -> None:
        for name, column in (("keep", self.keep), ("score", self.score), ("why", self.why)):
            if not isinstance(column, np.ndarray):
                raise OptionError(f"{name} of a verdict must be an array, not {column!r}")
            frozen(column)

    @classmethod
    def empty(cls, rows: int) -> Verdict:
        """Return the verdict that keeps none of ``rows`` rows, for the first reason.

        Raises:
            OptionError: ``rows`` is no number of rows.
        """
        require_whole("rows", rows, 0, _MOST_ROWS)
        return cls(
            np.zeros(rows, dtype=bool),
            np.zeros(rows, dtype=np.float32),
            np.zeros(rows, dtype=np.int8),
        )

    @classmethod
    def scored_later(  # noqa: PLR0913  the facts are keyword-only
        cls,
        keep: Mask,
        score: Callable[[], Floats],
        why: Reasons,
        *,
        page_type: str | None = None,
        confidence: float | None = None,
        weights: str | None = None,
    ) -> Verdict:
        """Return the verdict whose ``score`` is what a function returns, once it is read."""
        verdict = cls.__new__(cls)
        columns = {"keep": frozen(keep), "why": frozen(why), "_scored": score}
        vars(verdict).update(columns, page_type=page_type, confidence=confidence, weights=weights)
        return verdict

    if not TYPE_CHECKING:  # `score` is all that may be missing

        def __getattr__(self, name: str) -> Floats:
            if name != "score" or "_scored" not in vars(self):
                raise AttributeError(f"{type(self).__name__} has no {name}")
            return vars(self).setdefault("score", frozen(self._scored()))

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def facts(self) -> dict[str, Any]:
        """Return the typed facts as plain values for JSON, by field; no notes are an empty dict."""
        return {
            "page_type": self.page_type,
            "confidence": self.confidence,
            "source": self.source,
            "notes": {} if self.notes is None else asdict(self.notes),
        }

    def in_words(self) -> dict[str, str]:
        """Return the facts that there are, for people: those of every verdict, then the notes."""
        values = {name: value for name, value in self.facts().items() if name != "notes"}
        if self.notes is not None:
            values |= {one.name: getattr(self.notes, one.name) for one in fields(self.notes)}
        return {name: _in_words(value) for name, value in values.items() if _is_told(value)}

    def with_keep(self, keep: Mask) -> Verdict:
        """Return the verdict with another ``keep``, bool[n]."""
        return replace(self, keep=keep)


def require_verdict(made: object) -> Verdict:
    """Return what a method made of a page.

    Raises:
        OptionError: it is no verdict.
    """
    if not isinstance(made, Verdict):
        raise OptionError(f"a method returns a Verdict, not {type(made).__name__}")
    return made


class Method(Protocol):
    """A way to find content: a frozen dataclass whose fields are its settings.

    Any callable from a `Page` to a `Verdict` may stand for a method; ``reasons`` names its ``why``
    codes.
    """

    reasons: ClassVar[tuple[str, ...]]

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``."""
        ...


@dataclass(frozen=True, eq=False)
class Content:
    """A page and a verdict on it: what renderers, parts and metadata take.

    Attributes:
        page: the page.
        verdict: the verdict, of the page's length.
        reasons: names of the verdict's ``why`` codes.

    Raises:
        OptionError: the verdict is of another page, for it has another number of rows.
    """

    page: Page
    verdict: Verdict
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.page, Page) or not isinstance(self.verdict, Verdict):
            raise OptionError("content is a Page with a Verdict on it")
        lengths = {len(self.verdict.keep), len(self.verdict.why)}
        if lengths != {len(self.page)}:
            of = " and ".join(map(str, sorted(lengths)))
            raise OptionError(f"a verdict on {of} rows doesn't go with a page of {len(self.page)}")

    @cached_property
    def kept(self) -> Mask:
        """bool[n]: rows that outputs show.

        Text rows and void elements (img, br, hr, …) speak for themselves, if a browser would show
        them; any other element is kept when a descendant is.
        """
        page = self.page
        return kernels.kept_rows(page.tag, page.end, self.verdict.keep, page.shown, _SPEAKING)

    def derived(self, name: str, make: Callable[[], Any]) -> Any:
        """Return what another package makes of this content: made once, kept by name."""
        if name not in self._derived:
            self._derived[name] = make()
        return self._derived[name]

    @cached_property
    def _derived(self) -> dict[str, Any]:
        """Name → what was made of it elsewhere."""
        return {}

    @cached_property
    def noise(self) -> Content:
        """The same page with the complement kept: what was dropped."""
        return replace(self, verdict=self.verdict.with_keep(~self.verdict.keep))

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __bool__(self) -> bool:
        """Tell whether anything is kept."""
        return bool(self.kept.any())
