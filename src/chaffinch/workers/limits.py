"""What one page may cost in a guarded child."""

from __future__ import annotations

from dataclasses import dataclass, fields

from chaffinch.errors import require_whole


@dataclass(frozen=True, kw_only=True)
class PageLimits:
    """What one page may cost in its child; see docs/batch.md for how each is held.

    Attributes:
        wall: seconds by the clock.
        cpu: seconds of processor time.
        memory: MiB on top of what the loaded program takes.
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
