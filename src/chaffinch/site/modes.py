"""The ways to apply a site model to a page."""

from typing import Final

MODES: Final = ("full", "rules")
"""``full`` joins the page-level model with the site's slots; ``rules`` follows its rules alone."""
FALLBACK: Final = "page-level default"
"""Mode of a verdict that no template had a part in."""
