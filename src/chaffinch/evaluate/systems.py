"""The systems of a run by name: Chaffinch's methods, peers, and any callable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chaffinch.errors import OptionError, PageError, require_one_of
from chaffinch.evaluate.peers import PEERS
from chaffinch.evaluate.sibling_pool import MOST
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chaffinch.evaluate.adapters import Extractor
    from chaffinch.page import Page

METHOD_PREFIX = "chaffinch:"
"""What stands before a method's name in tables."""

WARM_UP = (
    """<html lang=en><body><h1>Finches</h1>
    <p>The chaffinch is a small bird, common in Europe, and the male is brightly coloured.</p>
    <p>Its song is loud, and it builds its nest in the fork of a tree.</p></body></html>""",
    """<html lang=zh><body><h1>苍头燕雀</h1>
    <p>苍头燕雀是一种小型鸟类，在欧洲很常见，雄鸟羽色鲜艳，歌声响亮。</p>
    <p>它在树杈上筑巢，雌鸟每次产四到五枚卵。</p></body></html>""",
)
"""Two small pages, extracted untimed: no page's time contains lazy imports and word lists."""


@dataclass(frozen=True, kw_only=True)
class System:
    """One column of the comparison."""

    name: str
    version: str
    setting: str
    extract: Extractor
    note: str = ""
    with_siblings: Callable[[tuple[Page, ...]], Extractor] | None = None
    """Of a method that compares pages: what extracts a page with these siblings; ``extract`` fails
    without."""


def method_system(name: str, direct: Mapping[str, Any]) -> System:
    """Return a method of Chaffinch as a system, its text as ``chaffinch.extract`` gives it.

    Args:
        name: of the method.
        direct: ``favor`` and ``policy``; what the method doesn't have is left out.

    Raises:
        OptionError: the method is unknown, or a value is impossible.
    """
    from chaffinch.extraction.extract import extract  # noqa: PLC0415  the same
    from chaffinch.extraction.plan import prepare_method, taken_by  # noqa: PLC0415  the same
    from chaffinch.methods import DEFAULT, METHODS  # noqa: PLC0415  the same

    taken = taken_by(name, direct)

    def with_siblings(pages: tuple[Page, ...]) -> Extractor:
        finder = prepare_method(name, siblings=pages, **taken)
        return lambda html, url: extract(html, url=url, method=finder).text

    chosen = DEFAULT if name == "auto" else name
    if chosen in PEERS:
        raise OptionError(f"{chosen} is a peer, not a method: give it with --peers")
    require_one_of("method", chosen, METHODS)
    compares = METHODS[chosen].needs_siblings
    setting = ", ".join(f"{key} {value}" for key, value in taken.items()) or "published defaults"
    return System(
        name=METHOD_PREFIX + name,
        version=__version__,
        setting=f"{setting}, up to {MOST} siblings" if compares else setting,
        extract=_without_siblings if compares else with_siblings(()),
        note=f"{METHOD_PREFIX}{name} is measured on pages with siblings alone" if compares else "",
        with_siblings=with_siblings if compares else None,
    )


def _without_siblings(_html: bytes, _url: str | None) -> str:
    """Extract nothing: the runner leaves pages without siblings out."""
    raise PageError("there are no siblings")


def peer_system(name: str) -> System:
    """Return a peer as a system.

    Raises:
        MissingExtraError: the peer isn't installed; the message names the pip command.
    """
    peer = PEERS[name]
    return System(
        name=peer.name,
        version=peer.version(),
        setting=peer.setting,
        extract=peer.load(),
        note=peer.note,
    )


def gather(
    *,
    methods: Sequence[str],
    peers: Iterable[str],
    extractors: Mapping[str, Extractor],
    direct: Mapping[str, Any],
) -> list[System]:
    """Return all systems of a run in the order of the table: methods, callables, peers.

    Raises:
        OptionError: one is unknown, or none of the methods has what ``direct`` sets.
    """
    from chaffinch.extraction.plan import taken_by  # noqa: PLC0415  loads the methods

    for key in direct:
        if not any(key in taken_by(name, direct) for name in methods):
            raise OptionError(f"none of the methods has {key}")
    return [
        *(method_system(name, direct) for name in methods),
        *(
            System(name=name, version="", setting="a callable", extract=extract)
            for name, extract in extractors.items()
        ),
        *(peer_system(name) for name in peers),
    ]
