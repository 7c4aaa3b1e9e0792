"""The sites that can be looked at and taught: the one that an operator opened, and kept ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from chaffinch.service.inspector.site_subject import KeptSite, SiteSubject
from chaffinch.service.inspector.site_work import SiteWork, site_queue
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from chaffinch.service.inspector.subjects import Subject
    from chaffinch.service.settings import ServiceSettings
    from chaffinch.service.site_samples import SiteSamples
    from chaffinch.service.site_store import SiteStore


class OpenSites:
    """The sites of a service, each with its work in one child that they share.

    Args:
        settings: of the service.
        subject: what the operator opened; None for nothing.
        store: the kept sites; None where there is no folder for them.
        samples: their pages.
    """

    def __init__(
        self,
        settings: ServiceSettings,
        subject: Subject | None,
        store: SiteStore | None,
        samples: SiteSamples | None,
    ) -> None:
        self._settings = settings
        self._store, self._samples = store, samples
        self._queue = site_queue(settings)
        self._works: dict[str, SiteWork] = {}
        self._own: SiteWork | None = None
        if isinstance(subject, SiteSubject):
            self._own = SiteWork(subject, self._queue, settings)

    async def start(self) -> None:
        """Start the child, if it is sure to be needed."""
        if self._own is not None:
            await asyncio.to_thread(self._queue.start)

    async def close(self) -> None:
        """End the child."""
        await asyncio.to_thread(self._queue.close)

    def work(self, name: str | None) -> SiteWork:
        """Return the work on a kept site, or with None on the one that the operator opened.

        Raises:
            ProblemError: there is none.
        """
        if name is None:
            if self._own is None:
                raise ProblemError("not-found", "no site was given to be inspected")
            return self._own
        if self._store is None or self._samples is None:
            raise ProblemError("not-found", "this service keeps no sites: it has no --data")
        self._store.file(name)
        if name not in self._works:
            site = KeptSite(name, self._store, self._samples)
            self._works[name] = SiteWork(site, self._queue, self._settings)
        return self._works[name]
