"""Why one block was kept or dropped, as the inspector shows it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from chaffinch.errors import OptionError
from chaffinch.extraction.explained import explained

if TYPE_CHECKING:
    from chaffinch.extraction.explained import Explained
    from chaffinch.extraction.extract import Extract


def reasons_of(found: Extract, known: list[Explained], block: int) -> dict[str, Any]:
    """Return why a block of the page that was given was kept or dropped.

    Args:
        found: the extract.
        known: explanations of all blocks; made and put there where it is empty.
        block: number of the block.

    Raises:
        OptionError: the page has no such block.
    """
    if not known:
        known += explained(found.in_rows, found.found_by)
    if block >= len(known):
        raise OptionError(f"the page has no block {block}")
    return asdict(known[block])
