"""Outputs of an Extract, each within the limits that the extract was made with."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from chaffinch.page_work import PageWork

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.page.bounds import Limits

Given = ParamSpec("Given")
Made = TypeVar("Made")


def limited(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """Decorate a method of an Extract that makes an output: each call has the whole ``seconds``.

    An output that needs another one makes it within its own time.
    """
    stage = make.__name__

    @wraps(make)
    def within(*args: Given.args, **options: Given.kwargs) -> Made:
        extract: Any = args[0]
        limits: Limits | None = extract.limits
        with PageWork(stage, None if limits is None else limits.seconds):
            return make(*args, **options)

    return within
