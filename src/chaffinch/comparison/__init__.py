"""Comparison of methods on one page: what each keeps, their agreement and the disputed blocks."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.comparison.comparison import Comparison, compare
else:
    __getattr__ = exporter(
        __name__,
        {
            "Comparison": "chaffinch.comparison.comparison",
            "compare": "chaffinch.comparison.comparison",
        },
    )

__all__ = ["Comparison", "compare"]
