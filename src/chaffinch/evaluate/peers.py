"""Extractors of other projects (peers), each in its best documented setting.

Every peer is a function ``(html bytes, url) -> text``. A peer that decodes pages well itself gets
the bytes; the others get text decoded by :func:`chaffinch.page.decoding.decode`, so that
no peer loses for its decoding. Decoding counts into a peer's time: all start from bytes. No peer
may use the network, and none gets the corpora's labels; a peer that takes the language as an
option gets it from :func:`chaffinch.evaluate.languages.page_language`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from typing import TYPE_CHECKING

from chaffinch.errors import MissingExtraError, OptionError, require_one_of
from chaffinch.evaluate import adapters
from chaffinch.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.evaluate.adapters import Extractor


@dataclass(frozen=True)
class Peer:
    """One peer: its name, its package, its setting, and a note on its figures."""

    name: str
    distribution: str
    make: Callable[[], Extractor]
    setting: str
    note: str = ""
    variant: bool = False
    """A further setting of a peer, left out of «all»."""

    def version(self) -> str:
        """Return the installed version.

        Raises:
            MissingExtraError: it isn't installed; the message names the pip command.
        """
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            raise MissingExtraError.of(self.distribution, "peers") from None

    def load(self) -> Extractor:
        """Import the peer and return its extractor.

        Raises:
            MissingExtraError: it isn't installed; the message names the pip command.
        """
        self.version()
        # Warnings of a peer's import (old escapes, optional parts) concern its own code.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.make()


_TRAFILATURA = "include_comments=False, include_tables=True, bytes in"

_ALL = (
    Peer(
        "trafilatura", "trafilatura", adapters.trafilatura,
        f"{_TRAFILATURA}: the setting of its own evaluation",
    ),
    Peer(
        "trafilatura_fast", "trafilatura", partial(adapters.trafilatura, fast=True),
        f"fast=True, {_TRAFILATURA}", variant=True,
    ),
    Peer(
        "trafilatura_precision", "trafilatura", partial(adapters.trafilatura, favor_precision=True),
        f"favor_precision=True, {_TRAFILATURA}", variant=True,
    ),
    Peer(
        "trafilatura_recall", "trafilatura", partial(adapters.trafilatura, favor_recall=True),
        f"favor_recall=True, {_TRAFILATURA}", variant=True,
    ),
    Peer(
        "readability-lxml", "readability-lxml", adapters.readability,
        "summary(html_partial=True), its HTML to text by resiliparse",
    ),
    Peer(
        "resiliparse", "resiliparse", adapters.resiliparse,
        "main_content=True, alt_texts=False; its own detection of the encoding",
    ),
    Peer(
        "justext", "jusText", adapters.justext,
        "as in trafilatura's evaluation: 50, 200, 0.1, 0.2, 0.2, 200, all stop lists at once, "
        "no headings; zh, ja and th, for which it has no list, language-independent",
    ),
    Peer("boilerpy3", "boilerpy3", adapters.boilerpy3, "ArticleExtractor"),
    Peer(
        "newspaper4k", "newspaper4k", adapters.newspaper,
        "told the page's language (jieba for zh, tinysegmenter for ja), no images",
    ),
    Peer(
        "goose3", "goose3", adapters.goose,
        "stop words of the page's language (jieba for zh, fugashi for ja), no images",
    ),
    Peer(
        "chromerag", "chromerag", adapters.chromerag,
        "priority balanced, without front matter, marks of Markdown taken out",
        note="chromerag's model was trained on the development pages of WCXB: its wcxb figure is "
        "of pages it has seen",
    ),
    Peer("gne", "gne", adapters.gne, "GeneralNewsExtractor().extract, content"),
)  # fmt: skip
PEERS: dict[str, Peer] = {one.name: one for one in _ALL}
"""Every peer by name; the extra ``chaffinch[peers]`` installs them all."""


def peer_names(spec: str) -> list[str]:
    """Return the peers that an option names, each once.

    Args:
        spec: names with commas between; ``all`` stands for one setting of each; "" for none.

    Raises:
        OptionError: a name is unknown; the message lists the known ones.
    """
    names: list[str] = []
    for name in filter(None, (part.strip() for part in spec.split(","))):
        if name == "all":
            names += [one.name for one in _ALL if not one.variant]
        elif name in PEERS:
            names.append(name)
        else:
            if name in METHODS:
                raise OptionError(f"{name} is a method, not a peer: give it with --method")
            require_one_of("peer", name, ("all", *PEERS))
    return list(dict.fromkeys(names))
