"""What a site's own pages teach about it, without labels: templates, slots, rules."""

from chaffinch.site.rules import Rule
from chaffinch.site.site import MODES, Learning, Site
from chaffinch.site.statistics import Statistics, merged

__all__ = ["MODES", "Learning", "Rule", "Site", "Statistics", "merged"]
