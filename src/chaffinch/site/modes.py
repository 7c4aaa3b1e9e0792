"""The ways to apply a site model to a page."""

from typing import Final

MODES: Final = ("full", "rules")
"""``full`` joins the page-level model with the site's slot statistics; ``rules`` applies only its
rules."""
FALLBACK: Final = "page-level default"
"""Mode of a verdict of the page-level default, where no template applies."""
