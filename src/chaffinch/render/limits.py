"""What a browser does with one page, and the bounds of it: time, memory, traffic."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields

from chaffinch.errors import OptionError
from chaffinch.page.bounds import Limits


@dataclass(frozen=True, kw_only=True)
class RenderLimits:
    """Bounds of rendering one page.

    Attributes:
        total: seconds in all, the start of the browser left out.
        load: seconds until the document is parsed; then the page is captured as far as it is.
        settle: seconds that the page may go on changing; then it is captured as it is.
        slow: seconds that a page with little text may wait for answers to its scripts.
        quiet: seconds without a change or a request after which the page has settled.
        bare: the same for a page with scripts and next to no text, which may still come.
        answer: seconds that the page's scripts may block the browser at a time.
        scrolls: times that a page which grows at its end is scrolled to it; 0 never scrolls.
        clicks: controls that are clicked where a page is to be expanded.
        memory: bytes of the browser's own memory, all its processes together.
        max_bytes: bytes of everything that the page loads, as transferred.
        max_requests: requests; further ones are aborted.
        max_redirects: redirects of the page, by the server or by scripts.
        page: bounds of the page's table.

    Raises:
        OptionError: one is negative, or one but ``scrolls``, ``clicks`` and ``max_redirects`` zero.
    """

    total: float = 60.0
    load: float = 30.0
    settle: float = 8.0
    slow: float = 20.0
    quiet: float = 0.5
    bare: float = 2.0
    answer: float = 15.0
    scrolls: int = 10
    clicks: int = 5
    memory: int = 2 << 30
    max_bytes: int = 64 << 20
    max_requests: int = 500
    max_redirects: int = 10
    page: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in {"scrolls", "clicks", "max_redirects"}:
                if value < 0:
                    raise OptionError(f"{one.name} must be 0 or more, not {value}")
            elif one.name != "page" and not value > 0:
                raise OptionError(f"{one.name} must be above 0, not {value}")


@dataclass(frozen=True, kw_only=True)
class RenderJob:
    """What to render, and how: options of `chaffinch.render.Renderer` and of its `rendered`."""

    images: bool
    wait: str | float | None
    expand: bool
    scripts: bool = True
    url: str = ""  # address; of a given source, the one that the browser loads it under
    html: bytes | None = None  # the source in UTF-8; None where the address is fetched
    agent: str = ""  # the User-Agent

    def __post_init__(self) -> None:
        wait = self.wait
        if isinstance(wait, str):
            is_fit = bool(wait.strip())
        else:
            is_fit = wait is None or (isinstance(wait, int | float) and 0 <= wait < math.inf)
        if not is_fit:
            raise OptionError(f"wait is a selector, or seconds from 0 on, not {wait!r}")
