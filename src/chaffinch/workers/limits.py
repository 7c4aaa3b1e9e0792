"""Limits of time, memory and size for one page in a guarded child."""

from __future__ import annotations

from dataclasses import dataclass, fields

from chaffinch.errors import require_whole


@dataclass(frozen=True, kw_only=True)
class PageLimits:
    """Limits for one page in its child; docs/batch.md describes how each is enforced.

    Attributes:
        wall: seconds of elapsed time.
        cpu: seconds of processor time.
        memory: MiB in addition to what the loaded program uses.
        size: MiB of a page, unpacked; a larger one is an error of kind ``page``.

    Raises:
        OptionError: one is below 1.
    """

    wall: int = 60
    cpu: int = 30
    memory: int = 3072
    size: int = 64

    def __post_init__(self) -> None:
        for one in fields(self):
            require_whole(one.name, getattr(self, one.name), 1)
