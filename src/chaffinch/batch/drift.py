"""Drift of the sites of a run: how far its pages depart from the site models used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chaffinch.site.model import Usage, findings

if TYPE_CHECKING:
    from chaffinch.batch.site_store import SiteStore
    from chaffinch.batch.tally import Uses


def drift_of(uses: Uses, store: SiteStore) -> dict[str, Any]:
    """Return what has changed on the sites of a run since their models were learned.

    Args:
        uses: counts of use by host, from the tally of the run.
        store: the models that the run used.

    Returns:
        ``sites``, the number of hosts whose model was used; ``findings``, host → what has changed,
        in words, for hosts with changes only.
    """
    changed: dict[str, list[str]] = {}
    for host in sorted(uses):
        site = store.model(host)
        if site is None:
            continue
        if found := findings(Usage.from_dict(uses[host]), site.templates, site.rules):
            changed[host] = found
    return {"sites": len(uses), "findings": changed}
