"""Methods side by side on one page: what each kept, how far they agree, where they don't."""

from chaffinch.comparison.comparison import Comparison, compare

__all__ = ["Comparison", "compare"]
