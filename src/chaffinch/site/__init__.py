"""What a site's own pages teach about it, without labels: templates, slots, rules."""

from chaffinch.site.rules import Rule
from chaffinch.site.site import Site
from chaffinch.site.site_model import MODES, Learning
from chaffinch.site.statistics import Statistics, merged

__all__ = ["MODES", "Learning", "Rule", "Site", "Statistics", "merged"]
