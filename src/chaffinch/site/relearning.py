"""A model learned anew from statistics of its site's pages: what people named and wrote stays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from chaffinch.site.learning import learn_templates
from chaffinch.site.site_model import Learning, SiteModel
from chaffinch.site.title_boilerplate import title_boilerplate
from chaffinch.site.usage import Usage

if TYPE_CHECKING:
    from chaffinch.site.statistics import Statistics

AnySite = TypeVar("AnySite", bound=SiteModel)


def relearned(site: AnySite, statistics: Statistics) -> AnySite:
    """Return ``site`` learned anew from statistics; names and rules by hand stay."""
    history = tuple(Learning(date, count) for date, count in sorted(statistics.pages.items()))
    hosts = {host: count for host, count in statistics.hosts.items() if host}
    return replace(
        site,
        name=site.name or max(sorted(hosts), key=hosts.__getitem__, default=""),
        templates=learn_templates(statistics.kept, statistics.steps, before=site.templates),
        title_boilerplate=title_boilerplate(statistics.kept),
        history=history,
        statistics=statistics,
        usage=Usage(),
        counted=Usage(),
    )
