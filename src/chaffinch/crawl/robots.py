"""robots.txt of each host, requested once a run: what it forbids, its Crawl-delay, its sitemaps.

Source: RFC 9309. A file that doesn't exist (4xx) forbids nothing; an unreachable one (5xx, no
response) forbids everything. Five redirects are followed. Departure: not to hosts outside the
scope of the crawl; such a redirect forbids everything. ``Crawl-delay`` and ``Sitemap`` are no part
of the RFC but in wide use. The host's ``tdmrep.json`` is read as well; see
`chaffinch.crawl.opt_outs`. A host whose ``Crawl-delay`` is longer than `Politeness.longest_wait`
is left.
"""

from __future__ import annotations

import asyncio
import codecs
import math
import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from protego import Protego

from chaffinch.crawl.opt_outs import TdmFile, read_tdm_file
from chaffinch.errors import FetchError
from chaffinch.fetch.raw_request import decoded_body
from chaffinch.fetch.request import REDIRECT_STATUSES
from chaffinch.metadata.page_fields import AGENT
from chaffinch.siblings.url_shapes import host_of, plain_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.crawl.frontier import Scope
    from chaffinch.crawl.polite_client import Download, PoliteClient

_HOPS: Final = 5
_MAX_BYTES: Final = 512 << 10  # bytes that are parsed; the RFC requires 500 KiB at least
_OK: Final = 200
_LINE_END: Final = re.compile(r"\r\n?|\n")
_AGENT_LINE: Final = re.compile(r"\A\s*+user[- ]?agent\s*+[:\s]([^\n]*)", re.IGNORECASE)
_OWN: Final = re.compile(rf"(?<![\w-]){AGENT}(?![\w-])", re.IGNORECASE)
_CLIENT, _SERVER = range(400, 500), range(500, 600)


@dataclass(frozen=True)
class RobotsRules:
    """The rules of a host.

    Attributes:
        problem: why robots.txt is unreachable, so that nothing is allowed; "" where it isn't.
        sitemaps: addresses of sitemaps.
        delay: Crawl-delay in seconds; 0 where there is none.
        tdm: the host's tdmrep.json.
    """

    problem: str = ""
    sitemaps: tuple[str, ...] = ()
    delay: float = 0.0
    tdm: TdmFile = field(default_factory=TdmFile)
    _file: Protego | None = None

    def refusal(self, url: str) -> str:
        """Return why ``url`` may not be requested; "" where it may."""
        if self.problem:
            return f"robots.txt can't be had: {self.problem}"
        if self._file is not None and not self._file.can_fetch(url, AGENT):
            return "robots.txt forbids it"
        return ""


@dataclass
class RobotsCache:
    """The rules of each host, requested when they are first needed.

    Attributes:
        client: sends the requests.
        scope: the hosts that may be requested; None for all.
    """

    client: PoliteClient
    scope: Scope | None
    _rules: dict[str, asyncio.Task[RobotsRules]] = field(default_factory=dict)

    async def rules(self, url: str) -> RobotsRules:
        """Return the rules of the host of ``url``; a Crawl-delay is applied to the client."""
        root = f"{urlsplit(url).scheme}://{host_of(url)}"
        if root not in self._rules:
            reading = self._rules[root] = asyncio.create_task(self._read(root))
            reading.add_done_callback(partial(self._forget_failure, root))
        return await asyncio.shield(self._rules[root])  # who stops waiting stops for itself alone

    def _forget_failure(self, root: str, reading: asyncio.Task[RobotsRules]) -> None:
        """Let the next who asks try again: a failure is of those who wait for it."""
        if reading.cancelled() or reading.exception() is not None:
            self._rules.pop(root, None)

    def delays(self) -> dict[str, float]:
        """Return host → Crawl-delay in seconds, of the hosts that set one."""
        return {
            host_of(root): delay
            for root, known in self._rules.items()
            if known.done() and (delay := known.result().delay)
        }

    async def _read(self, root: str) -> RobotsRules:
        status, body, problem = await self._file(f"{root}/robots.txt")
        if problem:
            return RobotsRules(problem=problem)
        file = Protego.parse(of_this_crawler(body[:_MAX_BYTES] if status == _OK else b""))
        delay = float(file.crawl_delay(AGENT) or 0.0)
        self.client.slow_down(host_of(root), math.inf if math.isnan(delay) else delay)
        sitemaps = tuple(filter(None, (plain_url(one, root) for one in file.sitemaps)))
        tdm = TdmFile()
        target = f"{root}/.well-known/tdmrep.json"
        if file.can_fetch(target, AGENT):
            status, body, _ = await self._file(target)
            tdm = read_tdm_file(body) if status == _OK and len(body) <= _MAX_BYTES else tdm
        return RobotsRules(sitemaps=sitemaps, delay=delay, tdm=tdm, _file=file)

    async def _file(self, url: str) -> tuple[int, bytes, str]:
        """Return (status, body, problem) of a file of a host; redirects are followed."""
        for _ in range(_HOPS + 1):
            try:
                download: Download = await self.client.get(url, reads_body=_is_good)
                response = download.response
                if response is None or response.status in _SERVER:
                    return 0, b"", download.problem or f"HTTP status {response and response.status}"
                if response.status in REDIRECT_STATUSES and (
                    location := response.header("location")
                ):
                    url = plain_url(urljoin(url, location))
                    if self.scope is not None and host_of(url) not in self.scope.hosts:
                        return 0, b"", "it is on another host"
                    continue
                if response.status == _OK:
                    return _OK, decoded_body(response, self.client.limits), ""
            except (FetchError, ValueError) as error:
                return 0, b"", str(error)
            problem = "" if response.status in _CLIENT and response.status != 429 else "no file"  # noqa: PLR2004 too many requests
            return response.status, b"", problem
        return 404, b"", ""


def of_this_crawler(body: bytes) -> str:
    """Return robots.txt as text, its groups named as the parser compares names.

    A byte order mark is no text. Versions and what else stands beside this crawler's name don't
    count. Other crawlers get one name: the parser copies each rule to every agent of its group, so
    that many agents above many rules would take time and memory in the product of both.
    """
    encoding = "utf-16" if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    lines = _LINE_END.split(body.decode(encoding, "replace").replace("\ufeff", ""))
    for place, line in enumerate(lines):
        if found := _AGENT_LINE.match(line):
            name = found[1].partition("#")[0].strip()
            if name != "*":
                lines[place] = f"User-agent: {AGENT if _OWN.search(name) else 'others'}"
    return "\n".join(lines)


def _is_good(status: int, _: Mapping[str, str]) -> bool:
    return status == _OK
