"""Site models, learned from a site's pages without labels: templates, slots, rules."""

from typing import TYPE_CHECKING, Final

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.site.rules import Rule
    from chaffinch.site.sample import Statistics, merged
    from chaffinch.site.site import Site
else:
    __getattr__ = exporter(__name__)

MODES: Final = ("full", "rules")
"""How a model is applied: ``full`` joins the page-level model with the site's slot statistics;
``rules`` applies only its rules."""

__all__ = ["MODES", "Rule", "Site", "Statistics", "merged"]
