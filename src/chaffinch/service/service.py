"""A running service: its settings and what its endpoints share."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from chaffinch.service.callers import Callers
from chaffinch.service.inspector.held_pages import HeldPages
from chaffinch.service.inspector.open_sites import OpenSites
from chaffinch.service.reader import Reader
from chaffinch.service.request_bodies import HeldBodies
from chaffinch.service.site_samples import SiteSamples
from chaffinch.service.site_store import SiteStore

if TYPE_CHECKING:
    from chaffinch.service.inspector.subjects import Subject
    from chaffinch.service.settings import ServiceSettings


class Service:
    """What the endpoints of one service share.

    Attributes:
        settings: of the operator.
        reader: finds pages and makes something of them.
        bodies: bodies that are held.
        callers: who may call.
        metrics: counts.
        sites: site models; None where the operator has given no folder.
        held: pages that are open in the inspector.
        subject: what the inspector shows of the operator's own; None for nothing.
        samples: pages of these sites, which rules are tried on; None likewise.
        open_sites: the sites that can be looked at and taught.
        is_ready: whether it takes requests: its children have started, and it isn't being stopped.

    Args:
        settings: of the operator.
        reader: None to make one.
        subject: what the inspector shows of the operator's own; None for nothing.

    Raises:
        OptionError: the folder for data can't be written to.
    """

    def __init__(
        self,
        settings: ServiceSettings,
        reader: Reader | None = None,
        subject: Subject | None = None,
    ) -> None:
        self.settings = settings
        self.subject = subject
        self.held = HeldPages()
        self.reader = reader or Reader(settings)
        self.sites = SiteStore(settings.data / "sites") if settings.data is not None else None
        self.samples = SiteSamples(self.sites) if self.sites is not None else None
        self.open_sites = OpenSites(settings, subject, self.sites, self.samples)
        self.bodies = HeldBodies(settings)
        self.callers = Callers(settings.tokens)
        self.metrics = self.reader.metrics
        self.is_ready = False

    async def start(self) -> None:
        """Start the children."""
        await self.reader.start()
        await self.open_sites.start()
        gc.collect()
        gc.freeze()  # what is loaded stays: the collector needn't walk it again
        self.is_ready = True

    async def close(self) -> None:
        """End the children, once the pages in work are done."""
        self.is_ready = False
        await self.reader.close()
        await self.open_sites.close()
