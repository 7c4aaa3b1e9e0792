"""Names of slots, of which tables keep hashes only: paths as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.heat_map import path_of
from chaffinch.site.slots import slot_hashes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.page import Page
    from chaffinch.site.page_summary import Step
    from chaffinch.site.site_model import SiteModel


def named_places(site: SiteModel, page: Page | None = None) -> dict[int, str]:
    """Return slot → path below the body, of those whose names are at hand.

    Args:
        site: the model; its sample of pages, if it has one, knows all slots.
        page: a page, whose own slots are known in any case.
    """
    steps = site.statistics.steps if site.statistics is not None else {}
    out = {slot: _path(steps, slot) for slot in steps}
    if page is not None:
        hashes = slot_hashes(page)
        out |= {
            int(hashes[row]): path_of(page, row) for row in set(text_blocks(page).owner.tolist())
        }
    return out


def _path(steps: Mapping[int, Step], slot: int) -> str:
    """Return the steps below html and body; of a slot without all of them, those there are."""
    path = []
    while slot in steps:
        path.append(steps[slot].text)
        slot = steps[slot].up
    named = list(reversed(path))
    return " > ".join(named[2:] if named[:2] == ["html", "body"] else named)
