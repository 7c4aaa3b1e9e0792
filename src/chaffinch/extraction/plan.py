"""How a page is decided: by a method, a policy after it, and rows that a caller selects.

Methods are prepared for many pages: by name with settings and siblings, or a callable. What decided
is explained, and decided again by another favour or policy, by the same method.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from inspect import isroutine
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch import kernels, methods
from chaffinch.decision import policy_parts, rules
from chaffinch.decision.policy import Policy
from chaffinch.elements.hidden import folded, hidden
from chaffinch.errors import OptionError, PageError, require_kind
from chaffinch.page import parse, tags
from chaffinch.page.bounds import Limits
from chaffinch.page.source import page_list
from chaffinch.page_work import begin_stage, checked
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.siblings import other_pages
from chaffinch.verdict import (
    DROPPED_BY_POLICY,
    DROPPED_BY_SELECTOR,
    KEPT_BY_POLICY,
    KEPT_BY_SELECTOR,
    REPLACED_BY_EMBEDDED,
    BlockExplanation,
    Content,
    Method,
    MethodWrapper,
    Verdict,
    require_verdict,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.extraction.extracted import Extract
    from chaffinch.kernels.arrays import Mask, Reasons
    from chaffinch.page import Page, PageInput
    from chaffinch.verdict import Contribution, RuleChange


@dataclass(frozen=True, eq=False)
class PreparedMethod(MethodWrapper):
    """A method by its name, with settings and siblings, ready for many pages.

    What it learns from its siblings it learns once, for all pages that aren't among them.
    """

    chosen: str
    settings: dict[str, Any]
    siblings: tuple[Page, ...] = ()

    @property
    def name(self) -> str:
        """The name by which the method was chosen, such as ``learned``."""
        return self.chosen

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``, which is left out of its siblings."""
        others = other_pages(page, self.siblings) if self.siblings else ()
        if len(others) == len(self.siblings):
            return self.method(page)
        if not others:
            raise PageError("there is no other page among the siblings")
        return methods.build(self.chosen, **self.settings, siblings=others)(page)


def _prepared(name: str, settings: dict[str, Any], siblings: tuple[Page, ...]) -> PreparedMethod:
    method = methods.build(name, **settings, **({"siblings": siblings} if siblings else {}))
    return PreparedMethod(method, name, settings, siblings)


@dataclass(frozen=True, eq=False)
class CallableMethod(Method):
    """A plain callable as a method; its name and ``reasons`` are its own where it has them.

    It returns a `Verdict`, or bool[n]: rows that are content, each with all its descendants.
    """

    function: Callable[[Page], Verdict | Mask]

    def __call__(self, page: Page) -> Verdict:
        """Return what the callable does: a verdict, or a mask of the page's rows, made one."""
        made = self.function(page)
        if not isinstance(made, np.ndarray):
            return require_verdict(made)
        if made.dtype != bool or made.shape != (len(page),):
            raise OptionError(
                f"a mask of the page is bool[{len(page)}], not {made.dtype}{list(made.shape)}"
            )
        keep = page.inside(made)
        return Verdict(keep, keep.astype(np.float32), np.zeros(len(page), dtype=np.int8))

    @property
    def name(self) -> str:
        """Name of the callable, else of the function or class."""
        named = self.function if isroutine(self.function) else type(self.function)
        return str(getattr(self.function, "name", named.__name__))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the callable."""
        return tuple(getattr(self.function, "reasons", ()))


@dataclass(frozen=True, eq=False)
class PolicyMethod(MethodWrapper):
    """A method whose verdicts a policy changes; those that take a policy themselves need none."""

    policy: Policy

    def __call__(self, page: Page) -> Verdict:
        """Return the method's verdict, with the parts of the policy kept or dropped.

        Rows without text that stand between two blocks which change, such as an image in a card, go
        with them.
        """
        verdict = require_verdict(self.method(page))
        blocks = text_blocks(page)
        before = verdict.keep[blocks.first]
        after = policy_parts.apply_policy(blocks, before, self.policy)
        if self.policy.hidden is False:
            after = after & ~(hidden(page) | folded(page))[blocks.first]
        if (after == before).all():
            return verdict
        keep, why = verdict.keep.copy(), verdict.why.copy()
        for value, changed in ((True, after & ~before), (False, before & ~after)):
            edges = blocks.first, blocks.last, changed
            rows = blocks.spread(changed)
            rows |= kernels.tags_between(page.tag, tags.VOID, page.shown, *edges)
            keep[rows] = value
            why[rows] = len(self.reasons) - (2 if value else 1)
        return replace(verdict, keep=keep, why=why)

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:
        """Return what the method explains, and the policy where that decides."""
        found = self.method.explain(page)
        if found is None:
            return None
        own, why = len(self.method.reasons), self(page).why[text_blocks(page).first]
        return [
            replace(one, rule="policy", effect=self.reasons[code]) if code >= own else one
            for one, code in zip(found, why.tolist(), strict=True)
        ]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the method, and the policy's."""
        return (*self.method.reasons, KEPT_BY_POLICY, DROPPED_BY_POLICY)

    @property
    def headline(self) -> bool | None:
        """The policy for the headline."""
        return self.policy.headline


def prepare_method(  # noqa: PLR0913  options are keyword-only
    method: str | Callable[[Page], Verdict | Mask],
    *,
    favor: str | None = None,
    policy: Policy | Mapping[str, bool | None] | None = None,
    settings: Mapping[str, Any] | None = None,
    siblings: Iterable[PageInput] = (),
    limits: Limits | None = None,
) -> Method:
    """Return a method ready for many pages; arguments and errors are those of `extract`."""
    is_plain = favor is None and policy is None and settings is None and limits is None
    if is_plain and isinstance(method, str) and isinstance(siblings, tuple) and not siblings:
        return _bare(methods.DEFAULT if method == "auto" else method)
    require_kind("settings", settings, Mapping)
    require_kind("limits", limits, Limits)
    pages = page_list("siblings", siblings)
    direct: dict[str, Any] = {} if favor is None else {"favor": favor}
    after = None if policy is None else Policy.of(policy)
    ready: Method
    if isinstance(method, str):
        name = methods.DEFAULT if method == "auto" else method
        if after is not None and takes(name, "policy"):
            direct, after = direct | {"policy": after}, None
        chosen = joined_settings(name, direct, settings or {})
        others = tuple(parse(sibling, limits=limits) for sibling in pages)
        if others and not takes(name, "siblings"):
            comparing = ", ".join(one for one in methods.METHODS if takes(one, "siblings"))
            raise OptionError(
                f"method={method!r} extracts from one page alone; siblings need a method that "
                f"compares pages: {comparing}"
            )
        ready = _prepared(name, chosen, others) if chosen or others else _bare(name)
    elif not callable(method) or isinstance(method, type):
        raise OptionError(
            f"a method is a name or a callable from a page to a verdict, not {method!r}"
        )
    elif direct:
        raise OptionError(f"{next(iter(direct))} goes with a method's name; a callable has its own")
    elif settings or any(True for _ in pages):
        raise OptionError("settings and siblings go with a method's name; a callable has its own")
    else:
        ready = method if isinstance(method, Method) else CallableMethod(method)
    return ready if after is None else PolicyMethod(ready, after)


@cache
def _bare(name: str) -> PreparedMethod:
    """Return a method without settings, made once, since it has no state of any page."""
    return _prepared(name, {}, ())


def with_options(
    method: Method, favor: str | None, policy: Policy | Mapping[str, bool | None] | None
) -> Method:
    """Return a prepared method with another favour or policy; None leaves what it has."""
    after = None if policy is None else Policy.of(policy)
    if isinstance(method, PolicyMethod):
        after = after or method.policy
        method = method.method
    if isinstance(method, PreparedMethod):
        given = method.settings | ({} if favor is None else {"favor": favor})
        if after is not None and takes(method.chosen, "policy"):
            given, after = given | {"policy": after}, None
        method = _prepared(
            method.chosen, joined_settings(method.chosen, given, {}), method.siblings
        )
    elif favor is not None:
        raise OptionError(f"favor goes with a method's name; {method.name} is no name")
    return method if after is None else PolicyMethod(method, after)


def takes(name: str, setting: str) -> bool:
    """Return whether the method ``name``, or "auto", has a setting."""
    return setting in methods.settings_of(methods.DEFAULT if name == "auto" else name)


def taken_by(name: str, direct: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of ``favor`` and ``policy`` that go with a method: a policy with every one."""
    return {key: value for key, value in direct.items() if key == "policy" or takes(name, key)}


def joined_settings(
    method: str, direct: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings of a method with those passed as arguments of their own."""
    if not all(isinstance(name, str) for name in settings):
        raise OptionError(f"settings are named by text, not {settings!r}")
    for name in direct:
        if name in settings:
            raise OptionError(f"{name} is given twice: by itself and in settings")
        if not takes(method, name):
            able = ", ".join(one for one in methods.METHODS if takes(one, name))
            raise OptionError(f"{method} has no {name}; it goes with: {able}")
    return {**settings, **direct}


# Deciding


def decided(
    method: Method, page: Page, forced: Reasons | None = None
) -> tuple[Content, Content | None]:
    """Return the content of a page by a method, and the page given, where data replaces its rows.

    ``forced`` is as of `Verdict`; data replaces nothing where there is any.
    """
    begin_stage("the method")
    content = Content(page, require_verdict(method(page)), method.reasons)
    if forced is not None:
        return _with_forced(content, forced), None
    begin_stage("embedded data")
    embedded = method.elsewhere(page, content.verdict)
    if embedded is None:
        return content, None
    return embedded, _without_replaced(content, embedded)


def forced_rows(page: Page, keep: Iterable[str], drop: Iterable[str]) -> Reasons:
    """Return what selectors force, all descendants with each match; drop is stronger."""
    forced = np.zeros(len(page), dtype=np.int8)
    for selectors, value in ((keep, 1), (drop, -1)):
        rows = np.zeros(len(page), dtype=bool)
        for selector in selectors:
            rows[page.select(selector)] = True
        forced[page.inside(rows)] = value
    return forced


def _with_forced(content: Content, forced: Reasons) -> Content:
    verdict, reasons = content.verdict, (*content.reasons, KEPT_BY_SELECTOR, DROPPED_BY_SELECTOR)
    keep, score, why = verdict.keep.copy(), verdict.score.copy(), verdict.why.copy()
    for value, code in ((1, len(reasons) - 2), (-1, len(reasons) - 1)):
        rows = forced == value
        keep[rows], score[rows], why[rows] = value > 0, float(value > 0), code
    made = replace(verdict, keep=keep, score=score, why=why, forced=forced)
    return Content(content.page, made, reasons)


def _without_replaced(content: Content, embedded: Content) -> Content:
    """Return ``content``, keeping only rows whose text is in ``embedded``, which replaces it."""
    page, verdict = content.page, content.verdict
    whole = " ".join(embedded.page.text.split())
    blocks = text_blocks(page)
    in_embedded = [blocks.text(number) in whole for number in range(len(blocks))]
    keep = verdict.keep & blocks.spread(np.array(in_embedded, dtype=bool))
    why = verdict.why.copy()
    why[verdict.keep & ~keep] = len(content.reasons)
    remaining = replace(verdict, keep=keep, why=why)
    return Content(page, remaining, (*content.reasons, REPLACED_BY_EMBEDDED))


# Explaining


@dataclass(frozen=True)
class Explained:
    """Why one text block was kept or dropped.

    Attributes:
        text: its text, white space folded.
        keep: whether its first row is kept.
        score: 0..1, how much it looks like content to the method; before any rule, for the default.
        reason: what decided, in words: the rule that changed what the score alone would have come
            to, else ``step``.
        selector: a CSS selector of the element around it.
        row: its first row.
        step: the step of the method that the verdict names, one of `Extract.reasons`.
        rule: name of the rule that decided (docs/decision.md lists them); "" where the method has
            none, or something after it decided: a policy, a selector, text of the page's data.
        threshold: the score from which blocks were kept on this page, 0..1; None for no rules.
        changes: what rules changed of it, in their order.
        contributions: what spoke for and against it, in log-odds, the strongest first.
        slot: the place of a site's template that it stands in, or the selector of a site's rule.
    """

    text: str
    keep: bool
    score: float
    reason: str
    selector: str
    row: int = 0
    step: str = ""
    rule: str = ""
    threshold: float | None = None
    changes: tuple[RuleChange, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    slot: str = ""

    def __repr__(self) -> str:
        return f"<{'kept' if self.keep else 'dropped'} {self.score:.2f} {self.reason}: {self.text}>"

    @property
    def supporting(self) -> tuple[Contribution, ...]:
        """What spoke for it, the strongest first."""
        return tuple(one for one in self.contributions if one.log_odds > 0)

    @property
    def opposing(self) -> tuple[Contribution, ...]:
        """What spoke against it, the strongest first."""
        return tuple(one for one in self.contributions if one.log_odds < 0)


_NOTHING: Final = BlockExplanation()


def explained(content: Content, method: Method | None = None) -> list[Explained]:
    """Return each text block of a page with its verdict and why, in order.

    ``method`` made the verdict, before selectors; None for the verdict's own reasons.
    """
    page, verdict, reasons = content.page, content.verdict, content.reasons
    blocks = text_blocks(page)
    because = method.explain(page) if method is not None else None
    own_reasons = len(method.reasons) if method is not None else 0
    out = []
    for number, row in enumerate(checked(blocks.first.tolist(), every=8)):
        code = int(verdict.why[row])
        step = reasons[code] if code < len(reasons) else str(code)
        found = because[number] if because else _NOTHING
        is_after = code >= own_reasons  # a selector decided, or text of the page's data
        rule = "" if is_after else found.rule
        out.append(
            Explained(
                text=blocks.text(number),
                keep=bool(verdict.keep[row]),
                score=float(verdict.score[row]),
                reason=f"{rule}: {found.effect}" if rule not in {"", rules.CHOICE} else step,
                selector=blocks.selectors[number],
                row=row,
                step=step,
                rule=rule,
                threshold=found.threshold,
                changes=found.changes,
                contributions=found.contributions,
                slot=found.slot,
            )
        )
    return out


def explained_values(
    found: Extract, chosen: Iterable[tuple[int, Explained]] | None = None
) -> dict[str, Any]:
    """Return why blocks, all or ``chosen`` ones, were kept or dropped, as plain values for JSON."""
    some = enumerate(found.explain()) if chosen is None else chosen
    values = {
        "url": found.url,
        "method": found.method,
        "page_type": found.page_type,
        "confidence": found.confidence,
        "source": found.source,
        "blocks": [{"block": number, **asdict(one)} for number, one in some],
    }
    rounded: dict[str, Any] = json.loads(
        json.dumps(values), parse_float=lambda digits: round(float(digits), 4)
    )
    return rounded
