"""The last step of a slot's path, by which the slots of a template link up to a tree."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SlotStep:
    """The last step of a slot's path.

    Attributes:
        up: hash of the slot that contains it; 0 for the root.
        text: the step as a selector, such as ``div#main.post``; see `chaffinch.site.slots`.
    """

    up: int
    text: str
