"""What a method says of a page, and what renderers are handed.

`Verdict` is the method's column; `Content` is a page with a verdict on it. Both know nothing of
how the verdict was made.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

import numpy as np

from chaffinch import kernels
from chaffinch.errors import OptionError
from chaffinch.page import tags
from chaffinch.page.arrays import frozen

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Reasons


KEPT_BY_SELECTOR: Final = "kept by the caller's selector"
DROPPED_BY_SELECTOR: Final = "dropped by the caller's selector"
"""Reasons that the caller gave, stronger than any method's."""
GIVES_WAY: Final = "gives way to the text that only the page's data has"
"""Why rows that a method kept are dropped after all."""
_SPEAKING: Final = tags.VOID | tags.table(["#text"])
"""Rows that speak for themselves; other elements speak for what is in them."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a method decided, row by row.

    Attributes:
        keep: bool[n], rows that belong to the content. Only what it says of text rows and void
            elements counts; see `Content.kept`.
        score: float32[n] in 0..1, how much each row looks like content to the method.
        why: int8[n], which step decided: an index into the method's ``reasons``.
        notes: what the method found on the way, such as the page's kind; for people.
    """

    keep: Mask
    score: Floats
    why: Reasons
    notes: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for column in (self.keep, self.score, self.why):
            frozen(column)

    @classmethod
    def empty(cls, rows: int) -> Verdict:
        """Return the verdict that keeps none of ``rows`` rows, for the first reason."""
        return cls(
            np.zeros(rows, dtype=bool),
            np.zeros(rows, dtype=np.float32),
            np.zeros(rows, dtype=np.int8),
        )

    @classmethod
    def scored_later(
        cls,
        keep: Mask,
        score: Callable[[], Floats],
        why: Reasons,
        notes: tuple[tuple[str, str], ...] = (),
    ) -> Verdict:
        """Return the verdict whose ``score`` is what a function returns, once it is asked for."""
        verdict = cls.__new__(cls)
        vars(verdict).update(keep=frozen(keep), why=frozen(why), notes=notes, _scored=score)
        return verdict

    if not TYPE_CHECKING:  # `score` is all that may be missing

        def __getattr__(self, name: str) -> Floats:
            if name != "score" or "_scored" not in vars(self):
                raise AttributeError(f"{type(self).__name__} has no {name}")
            return vars(self).setdefault("score", frozen(self._scored()))

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def with_keep(self, keep: Mask) -> Verdict:
        """Return the verdict with another ``keep``, bool[n]."""
        return replace(self, keep=keep)


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
