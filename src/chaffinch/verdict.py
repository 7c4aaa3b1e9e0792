"""Methods, what they decide of a page, and what they can explain.

A `Method` is called on a page and gives a `Verdict`, its decision for each row; `Content` is a page
with a verdict on it: the input of renderers, metadata and parts, whatever method made it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property, later_field, put_off
from chaffinch.errors import LARGEST, OptionError, require_between, require_flag, require_whole
from chaffinch.kernels.arrays import frozen
from chaffinch.page import tags
from chaffinch.page.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.kernels.arrays import Floats, Mask, Reasons

Made = TypeVar("Made")

KEPT_BY_SELECTOR: Final = "kept by the caller's selector"
DROPPED_BY_SELECTOR: Final = "dropped by the caller's selector"
"""Reasons of the caller's selectors, which override any method."""
KEPT_BY_POLICY: Final = "kept by the policy"
DROPPED_BY_POLICY: Final = "dropped by the policy"
"""Reasons of a policy over a method that has none of its own."""
REPLACED_BY_EMBEDDED: Final = "gives way to the text that only the page's data has"
"""Reason of rows that a method kept, dropped since embedded content replaces them."""
_MOST_ROWS: Final = 2**31 - 1  # the most rows of a page
LEAVES: Final = tags.VOID | tags.table(["#text"])
"""Rows with a verdict of their own; other elements are kept with their descendants."""


@dataclass(frozen=True)
class Notes:
    """Further results of a method; each method has a subclass with fields of its own."""


@dataclass(frozen=True, slots=True)
class RoleRule:
    """How a site model selects a field on the pages of a template.

    Attributes:
        role: ``record`` (the entries of a list), ``title``, ``author``, ``date``, ``price``,
            ``image`` or ``next`` (the link to the next page).
        select: a CSS selector.
        confidence: 0..1, how often it selects the field; 1 for a rule that a person wrote.
        by_hand: a person wrote it.
    """

    role: str
    select: str
    confidence: float = 1.0
    by_hand: bool = True


def _in_words(value: Any) -> str:
    if isinstance(value, tuple):
        return "; ".join(map(_in_words, value))
    if isinstance(value, float):
        return f"{value:.4g}"
    return "yes" if value is True else str(value)


def _column(name: str, column: NDArray[Any]) -> NDArray[Any]:
    """Return a column of a verdict, frozen."""
    if not isinstance(column, np.ndarray):
        raise OptionError(f"{name} of a verdict must be an array, not {column!r}")
    return frozen(column)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a method decided, row by row.

    Attributes:
        keep: bool[n], rows that belong to the content. Only its values for text rows and void
            elements count; see `Content.kept`.
        score: float32[n] in 0..1, how much each row looks like content to the method.
        why: int8[n], which step decided: an index into the method's ``reasons``.
        page_type: page type that the method predicts, in the method's own terms; None where it
            predicts none. What the page declares is ``declared_type`` of the metadata.
        confidence: word F1 that the method expects of its verdict, 0..1, to two decimals; None
            where it expects none.
        source: where in the page's data the content is, such as ``JSON-LD: articleBody``; None
            where it is in rows.
        notes: what else the method found, in typed fields of its own; None for nothing.
        weights: digest of the learned weights that it was made by; None where none were needed.
        judges_images: the method keeps images by rules of its own; else they are shown where the
            text around is kept (`chaffinch.elements.images`).
        roles: rules of a site model for fields of the page, by precedence; they have the last word
            over what metadata and records find in general. They are looked up when they are needed.
        title_boilerplate: parts of title elements that a site model has found to return on the
            site's pages, those of most titles first; no page's own title.
        forced: int8[n], rows that a caller's selectors keep (1) or drop (-1), whatever the method
            decides; None without selectors.

    Raises:
        OptionError: one of the columns is no array.
    """

    keep: Mask
    score: Floats
    why: Reasons
    page_type: str | None = later_field()
    confidence: float | None = None
    source: str | None = None
    notes: Notes | None = None
    weights: str | None = None
    judges_images: bool = False
    roles: tuple[RoleRule, ...] = ()
    title_boilerplate: tuple[str, ...] = ()
    forced: Reasons | None = None

    def __post_init__(self) -> None:
        for name, column in (("keep", self.keep), ("score", self.score), ("why", self.why)):
            _column(name, column)

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
        text_score: Callable[[], Floats],
        page_type: str | Callable[[], str] | None = None,
        confidence: float | None = None,
        weights: str | None = None,
    ) -> Verdict:
        """Return the verdict whose ``score`` is computed by a function when it is first read.

        So is its ``page_type`` where a function is given, and `text_score` in any case.
        """
        verdict = cls.__new__(cls)
        own = vars(verdict)
        own.update(keep=frozen(keep), why=frozen(why), confidence=confidence, weights=weights)
        own["_scored"], own["_text_scored"] = score, text_score
        if callable(page_type):
            put_off(verdict, "page_type", page_type)
        else:
            own["page_type"] = page_type
        return verdict

    if not TYPE_CHECKING:  # `score` is all that may be missing but `page_type`

        def __getattr__(self, name: str) -> Floats:
            if name != "score" or "_scored" not in vars(self):
                raise AttributeError(f"{type(self).__name__} has no {name}")
            return vars(self).setdefault("score", frozen(self._scored()))

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @property
    def text_score(self) -> Floats:
        """float32[n]: `score` of rows of text, quicker to compute; others have any number."""
        own = vars(self)
        return self.score if "score" in own else own["_text_scored"]()

    def facts(self) -> dict[str, Any]:
        """Return the typed facts as plain values for JSON, by field; no notes are an empty dict."""
        return {
            "page_type": self.page_type,
            "confidence": self.confidence,
            "source": self.source,
            "notes": {} if self.notes is None else asdict(self.notes),
        }

    def in_words(self) -> dict[str, str]:
        """Return the facts that have a value as text for people, the notes last."""
        values = {name: value for name, value in self.facts().items() if name != "notes"}
        if self.notes is not None:
            values |= {one.name: getattr(self.notes, one.name) for one in fields(self.notes)}
        return {
            name: _in_words(value)
            for name, value in values.items()
            if value not in (None, "", ()) and value is not False
        }

    def with_keep(self, keep: Mask) -> Verdict:
        """Return the verdict with another ``keep``, bool[n]; what is put off stays so."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), keep=_column("keep", keep))
        return made


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
        keep, why = len(self.verdict.keep), len(self.verdict.why)
        if not keep == why == len(self.page.tag):
            of = " and ".join(map(str, sorted({keep, why})))
            raise OptionError(f"a verdict on {of} rows doesn't go with a page of {len(self.page)}")

    @cached_property
    def kept(self) -> Mask:
        """bool[n]: rows that outputs show.

        Text rows and void elements (img, br, hr, …) are kept by their own verdict, if a browser
        would show them; any other element is kept when a descendant is.
        """
        page = self.page
        return kernels.around(page.end, self.verdict.keep & page.shown & LEAVES.take(page.tag))

    def derived(self, name: str, make: Callable[[], Made]) -> Made:
        """Return a value that another package derives from this content, cached by name."""
        if name not in self._derived:
            self._derived[name] = make()
        made: Made = self._derived[name]
        return made

    @cached_property
    def _derived(self) -> dict[str, Any]:
        """Cache of `derived`, by name."""
        return {}

    @cached_property
    def noise(self) -> Content:
        """The same page with the complement kept: what was dropped."""
        return replace(self, verdict=self.verdict.with_keep(~self.verdict.keep))

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def __bool__(self) -> bool:
        """Return whether anything is kept."""
        return bool(self.kept.any())


def require_verdict(result: object) -> Verdict:
    """Return the result of a method, checked to be a verdict."""
    if not isinstance(result, Verdict):
        raise OptionError(f"a method returns a Verdict, not {type(result).__name__}")
    return result


@dataclass(frozen=True, eq=False, repr=False)
class Method:
    """A way to find content: a frozen dataclass whose fields are its settings.

    A subclass has `__call__`, and whatever else differs from the defaults here. A plain callable
    from a `Page` to a `Verdict` is taken in place of a method, too, and made one when it is passed.

    Attributes:
        needs_siblings: it can't be made without other pages of the site.
        bounds: setting that is a number → the least and the most that it may be; others are at
            least 0.
    """

    needs_siblings: ClassVar[bool] = False
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {}

    def __post_init__(self) -> None:
        for one in fields(self):
            value, kind = getattr(self, one.name), one.type
            if kind == float | None:
                kind = float if value is not None else None
            low, high = self.bounds.get(one.name, (0, LARGEST))
            if kind is bool:
                require_flag(one.name, value)
            elif kind is int:
                require_whole(one.name, value, int(low), high)
            elif kind is float:
                require_between(one.name, value, low, high)

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """Name of the method, as extracts have it."""
        return type(self).__name__

    @property
    def reasons(self) -> tuple[str, ...]:
        """Names of the ``why`` codes of its verdicts."""
        return ()

    @property
    def headline(self) -> bool | None:
        """Whether the headline is in the text; None: it heads those outputs that have headings."""
        return None

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:  # noqa: ARG002  subclasses use them
        """Return content that is in the page's data alone, not in its rows; None for none.

        Args:
            page: the page.
            verdict: of this method on it.
        """
        return None

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:  # noqa: ARG002  subclasses use it
        """Return why each text block of ``page`` is kept or dropped; None where reasons suffice.

        The verdict is made anew, with a record of what decided.
        """
        return None


@dataclass(frozen=True, eq=False, repr=False)
class MethodWrapper(Method):
    """A method around another one, whose name, reasons and further results it has."""

    method: Method

    @property
    def name(self) -> str:
        """That of the method."""
        return self.method.name

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the method."""
        return self.method.reasons

    @property
    def headline(self) -> bool | None:
        """That of the method."""
        return self.method.headline

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return what the method finds in the page's data."""
        return self.method.elsewhere(page, verdict)

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:
        """Return what the method explains."""
        return self.method.explain(page)


@dataclass(frozen=True)
class Contribution:
    """What one group of features, or one piece of evidence, adds to the score of a block.

    Attributes:
        group: its name, such as ``links``.
        log_odds: how much lower the block's log-odds are without it: positive is evidence of
            content, negative against.
        value: what the block has of it, in words, such as ``92 % of it in links``; "" for nothing.
    """

    group: str
    log_odds: float
    value: str = ""


@dataclass(frozen=True)
class RuleChange:
    """What one rule of the decision changed of a block.

    Attributes:
        rule: its name, as in `chaffinch.decision.rules.RULES`.
        effect: what the rule does, in one line.
        before, after: the block's score in 0..1 before and after the rule.
        keep: whether the block was kept after the rule, where that changed, or where the rule was
            the first to decide it; None elsewhere.
    """

    rule: str
    effect: str
    before: float
    after: float
    keep: bool | None = None


@dataclass(frozen=True)
class BlockExplanation:
    """Why a method kept or dropped a text block.

    Attributes:
        own_score: 0..1, the score before any rule; None where the method has no rules.
        rule: name of the rule that decided.
        effect: what that rule does, in one line.
        threshold: the score from which blocks were kept, 0..1; None where there is none.
        changes: what rules changed, in their order.
        contributions: what adds to ``own_score``, the strongest first.
        slot: the place of a site's template that the block stands in, or the selector of the site's
            rule; "" without a site model.
    """

    own_score: float | None = None
    rule: str = ""
    effect: str = ""
    threshold: float | None = None
    changes: tuple[RuleChange, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    slot: str = ""


@dataclass(frozen=True)
class ArticlePart:
    """A page that an article in parts was joined of.

    Attributes:
        number: its place in the article, from 1.
        url: its address; null if unknown.
        rows: half-open range of its rows in the joined page.
    """

    number: int
    url: str | None
    rows: tuple[int, int]
