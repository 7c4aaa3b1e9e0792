"""Chaffinch separates grain from chaff on web pages.

The public names; each is loaded with what it needs when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter
from chaffinch.version import __version__

if TYPE_CHECKING:
    from chaffinch.assessment.assessment import Assessment
    from chaffinch.decision.policy import Policy
    from chaffinch.errors import (
        BrowserError,
        ChaffinchError,
        FetchError,
        MissingExtraError,
        OptionError,
        OutOfMemoryError,
        PageError,
        RenderError,
        SetupError,
        TimeLimitError,
        UnwantedPageError,
        WorkerError,
    )
    from chaffinch.evaluate.comparison import Comparison, compare
    from chaffinch.extraction.article_parts import extract_parts
    from chaffinch.extraction.asynchronous import aextract, aextract_many
    from chaffinch.extraction.extract import PageFilter, assess, extract, extract_many, is_readable
    from chaffinch.extraction.extracted import Extract
    from chaffinch.loading.loader import load
    from chaffinch.output.options import OutputOptions
    from chaffinch.page.bounds import Limits
    from chaffinch.page.page import Page
    from chaffinch.page.parsing import parse
    from chaffinch.page.source import PageInput
    from chaffinch.reading.tokens import estimate_tokens
    from chaffinch.site.site import Site
    from chaffinch.verdict import Content, Method, Notes, Verdict
    from chaffinch.web.template_pages import load_parts
else:
    __getattr__ = exporter(__name__)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Assessment",
    "BrowserError",
    "ChaffinchError",
    "Comparison",
    "Content",
    "Extract",
    "FetchError",
    "Limits",
    "Method",
    "MissingExtraError",
    "Notes",
    "OptionError",
    "OutOfMemoryError",
    "OutputOptions",
    "Page",
    "PageError",
    "PageFilter",
    "PageInput",
    "Policy",
    "RenderError",
    "SetupError",
    "Site",
    "TimeLimitError",
    "UnwantedPageError",
    "Verdict",
    "WorkerError",
    "__version__",
    "aextract",
    "aextract_many",
    "assess",
    "compare",
    "estimate_tokens",
    "extract",
    "extract_many",
    "extract_parts",
    "is_readable",
    "load",
    "load_parts",
    "parse",
]
