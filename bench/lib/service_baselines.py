"""Other extractors behind the service's own application, for a bench of the two alike.

They run in the same guarded children, behind the same checks, queue and protocol.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from chaffinch.service.jobs import GivenPage
from chaffinch.service.reader import Reader
from chaffinch.service.settings import ServiceSettings


def trafilatura_record(page: GivenPage) -> bytes:
    """Return what trafilatura's own JSON holds of a page."""
    from trafilatura import extract  # noqa: PLC0415  a baseline

    made = extract(page.html, output_format="json", with_metadata=True)
    return (made or "{}").encode("utf-8", "replace")


def readability_record(page: GivenPage) -> bytes:
    """Return title and content as HTML, which is all that readability-lxml makes."""
    from readability import Document  # noqa: PLC0415  a baseline

    html = page.html
    found = Document(html.decode("utf-8", "replace") if isinstance(html, bytes) else html)
    values = {"title": found.title(), "html": found.summary()}
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "replace")


BASELINES: dict[str, Callable[[GivenPage], bytes]] = {
    "trafilatura": trafilatura_record,
    "readability-lxml": readability_record,
}
"""Name → what makes a record of a page."""


class PeerReader(Reader):
    """Has a baseline extract the pages.

    Args:
        settings: of the service.
        baseline: a key of `BASELINES`.
    """

    def __init__(self, settings: ServiceSettings, baseline: str) -> None:
        super().__init__(settings)
        self._record = BASELINES[baseline]

    async def make(self, job: str, page: GivenPage, options: Mapping[str, Any]) -> bytes:
        """Return the baseline's record."""
        del job, options
        made: bytes = await self.queue.run(self._record, page)
        return made
