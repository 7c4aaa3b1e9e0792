"""Paths of slots in readable form; the tables of a template hold only their hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.heat_map import path_of
from chaffinch.site.page_summary import LONE_LINKS
from chaffinch.site.slots import slot_hashes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.page import Page
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.slots import SlotStep


def slot_paths(site: SiteModel, page: Page | None = None) -> dict[int, str]:
    """Return slot → path below the body, of the slots whose steps are known.

    The lone links in a slot have its path, too, with a word on them.

    Args:
        site: the model; its sample of pages, if it has one, holds the steps of all slots.
        page: a page, from which the paths of its slots are read in any case.
    """
    steps = site.statistics.steps if site.statistics is not None else {}
    out = {slot: _path(steps, slot) for slot in steps}
    if page is not None:
        hashes = slot_hashes(page)
        out |= {
            int(hashes[row]): path_of(page, row) for row in set(text_blocks(page).owner.tolist())
        }
    lone = int(LONE_LINKS)
    return out | {slot ^ lone: f"{path} (links alone)" for slot, path in out.items()}


def _path(steps: Mapping[int, SlotStep], slot: int) -> str:
    """Return the steps below html and body, as far as they are known."""
    path = []
    while slot in steps:
        path.append(steps[slot].text)
        slot = steps[slot].up
    named = list(reversed(path))
    return " > ".join(named[2:] if named[:2] == ["html", "body"] else named)
