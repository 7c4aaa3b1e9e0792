"""One output of a page as a function that other processes can import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import require_one_of
from chaffinch.extraction.trip import OPTIONS, extract

if TYPE_CHECKING:
    from chaffinch.page import PageInput

OUTPUTS: Final = (
    *("text", "markdown", "html", "plain", "tei", "clean", "front_matter"),
    *("chunks", "to_dict", "to_json"),
)
"""Outputs of an Extract that hold plain values."""


def output_of(html: PageInput, *, output: str = "markdown", **options: Any) -> Any:
    """Return one output of a page's content: for guarded children, queues and pools.

    Args:
        html: the page as `chaffinch.extract` takes it.
        output: one of `OUTPUTS`, an attribute of `chaffinch.Extract`.
        **options: as of `chaffinch.extract`.

    Raises:
        PageError: the page can't be processed.
        OptionError: the output is unknown, or an option is unknown or impossible.
    """
    require_one_of("output", output, OUTPUTS)
    for name in options:
        require_one_of("option", name, OPTIONS)
    made = getattr(extract(html, **options), output)
    return made() if callable(made) else made
