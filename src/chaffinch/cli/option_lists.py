"""Several options of a verb at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Command = TypeVar("Command", bound="Callable[..., Any]")


def stacked(options: Sequence[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    """Return a decorator that adds ``options`` to a verb, in their order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
