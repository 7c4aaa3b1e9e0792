"""Preparation of methods for many pages: by name with settings and siblings, or a callable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from chaffinch import methods
from chaffinch.errors import OptionError, PageError, require_kind
from chaffinch.page import parse
from chaffinch.page.guard.limits import Limits
from chaffinch.page.page_input import page_list
from chaffinch.siblings.other_pages import other_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chaffinch.decision.policy import Policy
    from chaffinch.page import Page, PageInput
    from chaffinch.result import Content, Verdict


@dataclass(frozen=True, eq=False)
class PreparedMethod:
    """A method by its name, with settings and siblings, ready for many pages.

    What it learns from its siblings it learns once, for all pages that aren't among them.

    Raises:
        OptionError: the method or a setting is unknown or impossible.
    """

    name: str
    settings: Mapping[str, Any]
    siblings: tuple[Page, ...] = ()

    def __post_init__(self) -> None:
        self.reasons: tuple[str, ...]
        object.__setattr__(self, "reasons", tuple(getattr(self._method, "reasons", ())))

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

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return content that the method finds outside the page's rows, in its data; else None."""
        find = getattr(self._method, "elsewhere", None)
        content: Content | None = find(page, verdict) if find else None
        return content

    @cached_property
    def _method(self) -> Callable[[Page], Verdict]:
        return self._with(self.siblings)

    def _with(self, siblings: tuple[Page, ...]) -> Callable[[Page], Verdict]:
        options = {"siblings": siblings} if siblings else {}
        return methods.build(self.name, **self.settings, **options)


def prepare_method(  # noqa: PLR0913  options are keyword-only
    method: str | Callable[[Page], Verdict],
    *,
    favor: str | None = None,
    policy: Policy | Mapping[str, bool | None] | None = None,
    settings: Mapping[str, Any] | None = None,
    siblings: Iterable[PageInput] = (),
    limits: Limits | None = None,
) -> Callable[[Page], Verdict]:
    """Return a method ready for many pages; arguments and errors are those of `extract`."""
    require_kind("settings", settings, Mapping)
    require_kind("limits", limits, Limits)
    pages = page_list("siblings", siblings)
    direct = {"favor": favor, "policy": policy}
    direct = {name: value for name, value in direct.items() if value is not None}
    if isinstance(method, str):
        name = methods.DEFAULT if method == "auto" else method
        chosen = joined_settings(name, direct, settings or {})
        others = tuple(parse(sibling, limits=limits) for sibling in pages)
        return PreparedMethod(name, chosen, others) if chosen or others else _without_settings(name)
    if not callable(method) or isinstance(method, type):
        raise OptionError(
            f"a method is a name or a callable from a page to a verdict, not {method!r}"
        )
    if direct:
        raise OptionError(f"{next(iter(direct))} goes with a method's name; a callable has its own")
    if settings or any(True for _ in pages):
        raise OptionError("settings and siblings go with a method's name; a callable has its own")
    return method


def takes(name: str, setting: str) -> bool:
    """Return whether the method ``name``, or "auto", has a setting.

    Raises:
        OptionError: the method is unknown.
    """
    return setting in methods.settings_of(methods.DEFAULT if name == "auto" else name)


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
def _without_settings(name: str) -> PreparedMethod:
    """Return a method without settings, made once, since it has no state of any page."""
    return PreparedMethod(name, {})
