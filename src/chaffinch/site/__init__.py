"""Site models, learned from a site's pages without labels: templates, slots, rules."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.site.modes import MODES
    from chaffinch.site.rules import Rule
    from chaffinch.site.site import Site
    from chaffinch.site.site_model import Learning
    from chaffinch.site.statistics import Statistics, merged
else:
    __getattr__ = exporter(
        __name__,
        {
            "Learning": "chaffinch.site.site_model",
            "MODES": "chaffinch.site.modes",
            "Rule": "chaffinch.site.rules",
            "Site": "chaffinch.site.site",
            "Statistics": "chaffinch.site.statistics",
            "merged": "chaffinch.site.statistics",
        },
    )

__all__ = ["MODES", "Learning", "Rule", "Site", "Statistics", "merged"]
