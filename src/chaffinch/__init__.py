"""Chaffinch separates grain from chaff on web pages.

The public names; each is loaded with what it needs when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.lazy import exporter
from chaffinch.version import __version__

if TYPE_CHECKING:
    from chaffinch.assessment.assessment import Assessment
    from chaffinch.comparison.comparison import Comparison, compare
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
    from chaffinch.extraction.article_parts import extract_parts
    from chaffinch.extraction.assess import assess
    from chaffinch.extraction.asynchronous import aextract, aextract_many
    from chaffinch.extraction.extract import Extract
    from chaffinch.extraction.page_filter import PageFilter
    from chaffinch.extraction.trip import extract, extract_many, is_readable
    from chaffinch.loading.loader import load
    from chaffinch.method import Method
    from chaffinch.output.options import OutputOptions
    from chaffinch.page.bounds import Limits
    from chaffinch.page.page import Page
    from chaffinch.page.parsing import parse
    from chaffinch.page.source import PageInput
    from chaffinch.reading.token_estimate import estimate_tokens
    from chaffinch.result import Content, Notes, Verdict
    from chaffinch.site.site import Site
    from chaffinch.web.siblings import load_parts

_MODULES: Final = {
    "Assessment": "chaffinch.assessment.assessment",
    "BrowserError": "chaffinch.errors",
    "ChaffinchError": "chaffinch.errors",
    "Comparison": "chaffinch.comparison.comparison",
    "Content": "chaffinch.result",
    "Extract": "chaffinch.extraction.extract",
    "FetchError": "chaffinch.errors",
    "Limits": "chaffinch.page.bounds",
    "Method": "chaffinch.method",
    "MissingExtraError": "chaffinch.errors",
    "Notes": "chaffinch.result",
    "OptionError": "chaffinch.errors",
    "OutOfMemoryError": "chaffinch.errors",
    "OutputOptions": "chaffinch.output.options",
    "Page": "chaffinch.page.page",
    "PageError": "chaffinch.errors",
    "PageFilter": "chaffinch.extraction.page_filter",
    "PageInput": "chaffinch.page.source",
    "Policy": "chaffinch.decision.policy",
    "RenderError": "chaffinch.errors",
    "SetupError": "chaffinch.errors",
    "Site": "chaffinch.site.site",
    "TimeLimitError": "chaffinch.errors",
    "UnwantedPageError": "chaffinch.errors",
    "Verdict": "chaffinch.result",
    "WorkerError": "chaffinch.errors",
    "aextract": "chaffinch.extraction.asynchronous",
    "aextract_many": "chaffinch.extraction.asynchronous",
    "assess": "chaffinch.extraction.assess",
    "compare": "chaffinch.comparison.comparison",
    "estimate_tokens": "chaffinch.reading.token_estimate",
    "extract": "chaffinch.extraction.trip",
    "extract_many": "chaffinch.extraction.trip",
    "extract_parts": "chaffinch.extraction.article_parts",
    "is_readable": "chaffinch.extraction.trip",
    "load": "chaffinch.loading.loader",
    "load_parts": "chaffinch.web.siblings",
    "parse": "chaffinch.page.parsing",
}
"""Public name → module that has it."""

if not TYPE_CHECKING:
    __getattr__ = exporter(__name__, _MODULES)


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
