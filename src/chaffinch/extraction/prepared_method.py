"""Preparation of methods for many pages: by name with settings and siblings, or a callable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from inspect import isroutine
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from chaffinch import methods
from chaffinch.decision.policy import Policy
from chaffinch.errors import OptionError, PageError, require_kind
from chaffinch.extraction.policy_method import PolicyMethod
from chaffinch.method import Method
from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.page.source import page_list
from chaffinch.siblings.other_pages import other_pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.explanation import BlockExplanation
    from chaffinch.page import Page, PageInput
    from chaffinch.result import Content, Verdict


@dataclass(frozen=True, eq=False)
class PreparedMethod(Method):
    """A method by its name, with settings and siblings, ready for many pages.

    What it learns from its siblings it learns once, for all pages that aren't among them.

    Raises:
        OptionError: the method or a setting is unknown or impossible.
    """

    chosen: str
    settings: Mapping[str, Any]
    siblings: tuple[Page, ...] = ()
    _method: Method = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_method", self._with(self.siblings))

    @property
    def name(self) -> str:
        """The name by which the method was chosen, such as ``learned``."""
        return self.chosen

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the method."""
        return self._method.reasons

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``, which is left out of its siblings.

        Raises:
            PageError: the siblings are nothing but the page itself.
        """
        others = other_pages(page, self.siblings) if self.siblings else ()
        if len(others) == len(self.siblings):
            return self._method(page)
        if not others:
            raise PageError("there is no other page among the siblings")
        return self._with(others)(page)

    @property
    def headline(self) -> bool | None:
        """That of the method."""
        return self._method.headline

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return what the method finds in the page's data."""
        return self._method.elsewhere(page, verdict)

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:
        """Return what the method explains, all siblings beside the page."""
        return self._method.explain(page)

    def _with(self, siblings: tuple[Page, ...]) -> Method:
        options = {"siblings": siblings} if siblings else {}
        return methods.build(self.chosen, **self.settings, **options)


@runtime_checkable
class _Named(Protocol):
    """A callable with a name of its own."""

    name: str


@runtime_checkable
class _WithReasons(Protocol):
    """A callable that names the ``why`` codes of its verdicts."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CallableMethod(Method):
    """A plain callable as a method.

    Its name is its attribute ``name``, else that of the function or class; ``reasons`` are its own
    where it has that attribute.
    """

    function: Callable[[Page], Verdict]

    def __call__(self, page: Page) -> Verdict:
        """Return what the callable does."""
        return self.function(page)

    @property
    def name(self) -> str:
        """Name of the callable."""
        if isinstance(self.function, _Named):
            return str(self.function.name)
        named = self.function if isroutine(self.function) else type(self.function)
        return str(named.__name__)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the callable; none where it has none."""
        return tuple(self.function.reasons) if isinstance(self.function, _WithReasons) else ()


def prepare_method(  # noqa: PLR0913  options are keyword-only
    method: str | Callable[[Page], Verdict],
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
        ready = PreparedMethod(name, chosen, others) if chosen or others else _bare(name)
        return ready if after is None else PolicyMethod(ready, after)
    if not callable(method) or isinstance(method, type):
        raise OptionError(
            f"a method is a name or a callable from a page to a verdict, not {method!r}"
        )
    if direct:
        raise OptionError(f"{next(iter(direct))} goes with a method's name; a callable has its own")
    if settings or any(True for _ in pages):
        raise OptionError("settings and siblings go with a method's name; a callable has its own")
    own = method if isinstance(method, Method) else CallableMethod(method)
    return own if after is None else PolicyMethod(own, after)


def with_options(
    method: Method, favor: str | None, policy: Policy | Mapping[str, bool | None] | None
) -> Method:
    """Return a prepared method with another favour or policy; None leaves what it has.

    Raises:
        OptionError: the method has no favour, or one is unknown.
    """
    inner = method.method if isinstance(method, PolicyMethod) else method
    after = method.policy if isinstance(method, PolicyMethod) else None
    wanted = after if policy is None else Policy.of(policy)
    if not isinstance(inner, PreparedMethod):
        if favor is not None:
            raise OptionError(f"favor goes with a method's name; {inner.name} is no name")
        return inner if wanted is None else PolicyMethod(inner, wanted)
    settings = dict(inner.settings)
    before = settings.pop("favor", None), settings.pop("policy", None)
    return prepare_method(
        inner.chosen,
        favor=before[0] if favor is None else favor,
        policy=before[1] if wanted is None else wanted,
        settings=settings,
        siblings=inner.siblings,
    )


def takes(name: str, setting: str) -> bool:
    """Return whether the method ``name``, or "auto", has a setting.

    Raises:
        OptionError: the method is unknown.
    """
    return setting in methods.settings_of(methods.DEFAULT if name == "auto" else name)


def taken_by(name: str, direct: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of ``favor`` and ``policy`` that go with a method: a policy with every one.

    Raises:
        OptionError: the method is unknown.
    """
    return {key: value for key, value in direct.items() if key == "policy" or takes(name, key)}


def joined_settings(
    method: str, direct: Mapping[str, Any], settings: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the settings of a method with those passed as arguments of their own.

    Raises:
        OptionError: one is given twice, or the method doesn't have it.
    """
    if not all(isinstance(name, str) for name in settings):
        raise OptionError(f"settings are named by text, not {settings!r}")
    for name in direct:
        if name in settings:
            raise OptionError(f"{name} is given twice: by itself and in settings")
        if not takes(method, name):
            able = ", ".join(one for one in methods.METHODS if takes(one, name))
            raise OptionError(f"{method} has no {name}; it goes with: {able}")
    return {**settings, **direct}


@cache
def _bare(name: str) -> PreparedMethod:
    """Return a method without settings, made once, since it has no state of any page."""
    return PreparedMethod(name, {})
