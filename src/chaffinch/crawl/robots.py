"""robots.txt of each host, asked once a run: what it forbids, its delay, its site maps.

Source: RFC 9309. A file that isn't there (4xx) forbids nothing; one that can't be had (5xx, no
answer) forbids everything. It may redirect five times. Departure: not to hosts outside the crawl,
which forbids everything, too. ``Crawl-delay`` and ``Sitemap`` are no part of the RFC and in wide
use. Beside it, the host's ``tdmrep.json`` is read; see `wishes`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from protego import Protego

from chaffinch.crawl.opt_outs import AGENT, TdmFile, read_tdm_file
from chaffinch.errors import FetchError
from chaffinch.fetch.line import unpacked
from chaffinch.fetch.request import REDIRECTS
from chaffinch.siblings.url_shapes import host_of, plain_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.crawl.frontier import Scope
    from chaffinch.crawl.polite_line import PoliteLine, Reply

_HOPS: Final = 5
_MOST: Final = 512 << 10  # bytes that are read; the RFC asks for 500 KiB at least
_OK: Final = 200
_CLIENT, _SERVER = range(400, 500), range(500, 600)


@dataclass(frozen=True)
class Rules:
    """What a host allows.

    Attributes:
        problem: why nothing is allowed; "" where the file decides.
        sitemaps: addresses of site maps.
        delay: seconds between two requests; 0 where it doesn't say.
        tdm: the host's tdmrep.json.
    """

    problem: str = ""
    sitemaps: tuple[str, ...] = ()
    delay: float = 0.0
    tdm: TdmFile = field(default_factory=TdmFile)
    _file: Protego | None = None

    def refusal(self, url: str) -> str:
        """Return why ``url`` may not be asked for; "" where it may."""
        if self.problem:
            return f"robots.txt can't be had: {self.problem}"
        if self._file is not None and not self._file.can_fetch(url, AGENT):
            return "robots.txt forbids it"
        return ""


@dataclass
class RobotsBook:
    """The rules of hosts, each read when first asked for."""

    line: PoliteLine
    scope: Scope
    _rules: dict[str, asyncio.Future[Rules]] = field(default_factory=dict)

    async def rules(self, url: str) -> Rules:
        """Return the rules of the host of ``url``; the host is slowed down as it asks."""
        split = urlsplit(url)
        root = f"{split.scheme}://{split.netloc}"
        known = self._rules.get(root)
        if known is not None:
            return await asyncio.shield(known)
        waiting = self._rules[root] = asyncio.get_running_loop().create_future()
        try:
            rules = await self._read(root)
        except BaseException as error:
            waiting.set_exception(error)
            waiting.exception()  # whoever waits gets it, too; nobody need wait
            raise
        waiting.set_result(rules)
        return rules

    def delays(self) -> dict[str, float]:
        """Return host → seconds between requests, of the hosts that ask for any."""
        return {
            host_of(root): delay
            for root, known in self._rules.items()
            if known.done() and known.exception() is None and (delay := known.result().delay)
        }

    async def _read(self, root: str) -> Rules:
        status, body, problem = await self._file(f"{root}/robots.txt")
        if problem:
            return Rules(problem=problem)
        text = body[:_MOST].decode("utf-8", "replace") if status == _OK else ""
        file = Protego.parse(text)
        delay = float(file.crawl_delay(AGENT) or 0.0)
        self.line.slow_down(host_of(root), delay)
        sitemaps = tuple(filter(None, (plain_url(one, root) for one in file.sitemaps)))
        tdm = TdmFile()
        target = f"{root}/.well-known/tdmrep.json"
        if file.can_fetch(target, AGENT):
            status, body, _ = await self._file(target)
            tdm = read_tdm_file(body) if status == _OK else tdm
        return Rules(sitemaps=sitemaps, delay=delay, tdm=tdm, _file=file)

    async def _file(self, url: str) -> tuple[int, bytes, str]:
        """Return the status and body of a file of a host, redirects followed, or the problem."""
        for _ in range(_HOPS + 1):
            try:
                reply: Reply = await self.line.get(url, wants=_is_good)
                answer = reply.exchange
                if answer is None or answer.status in _SERVER:
                    return 0, b"", reply.problem or f"HTTP status {answer and answer.status}"
                if answer.status in REDIRECTS and (place := answer.header("location")):
                    url = plain_url(urljoin(url, place))
                    if host_of(url) not in self.scope.hosts:
                        return 0, b"", "it is on another host"
                    continue
                if answer.status == _OK:
                    return _OK, unpacked(answer, self.line.limits), ""
            except (FetchError, ValueError) as error:
                return 0, b"", str(error)
            problem = "" if answer.status in _CLIENT and answer.status != 429 else "no file"  # noqa: PLR2004 too many requests
            return answer.status, b"", problem
        return 404, b"", ""


def _is_good(status: int, _: Mapping[str, str]) -> bool:
    return status == _OK
