"""Counts of a service for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The counts, each in a registry of this service's own.

    Args:
        pages: returns the pages in work or waiting.
    """

    def __init__(self, pages: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "chaffinch_requests",
            "Requests by route, method and status.",
            ("route", "method", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "chaffinch_request_seconds",
            "Time from a request's head to the end of its response.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        waiting = Gauge(
            "chaffinch_pages_in_work", "Pages in work or waiting.", registry=self._registry
        )
        waiting.set_function(pages)
        build = Gauge("chaffinch_build", "The version.", ("version",), registry=self._registry)
        build.labels(__version__).set(1)

    def count(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request.

        Args:
            route: the path as it is declared, so that there are few.
            method: of HTTP.
            status: of the response.
            seconds: from its head to the end of its response.
        """
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """Return all counts in the text format of Prometheus."""
        return generate_latest(self._registry)
