"""Site models, learned from a site's pages without labels: templates, slots, rules."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.site.rules import Rule
    from chaffinch.site.site import Site
    from chaffinch.site.statistics import Statistics, merged
else:
    __getattr__ = exporter(
        __name__,
        {
            "Rule": "chaffinch.site.rules",
            "Site": "chaffinch.site.site",
            "Statistics": "chaffinch.site.statistics",
            "merged": "chaffinch.site.statistics",
        },
    )

__all__ = ["Rule", "Site", "Statistics", "merged"]
