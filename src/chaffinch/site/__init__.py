"""Site models, learned from a site's pages without labels: templates, slots, rules."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.site.rules import Rule
    from chaffinch.site.sample import Statistics, merged
    from chaffinch.site.site import Site
else:
    __getattr__ = exporter(__name__)

__all__ = ["Rule", "Site", "Statistics", "merged"]
