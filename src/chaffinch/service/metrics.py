"""What a service notes of its work: counts for Prometheus, and failures in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from chaffinch.service.json_logs import FIELDS, LOG
from chaffinch.service.problems import problem_of
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.service.problems import ProblemError

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
        self._problems = Counter(
            "chaffinch_problems",
            "Answers that are problems, by kind; lines of streams and calls of tools count, too.",
            ("kind",),
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

    def noted(self, failure: Exception, request_id: str) -> ProblemError:
        """Return the problem that a failure is; it is counted, and logged where it is our own."""
        problem = problem_of(failure)
        self._problems.labels(problem.kind).inc()
        if problem.kind == "bug":
            LOG.error("a request failed", exc_info=failure, extra={FIELDS: {"id": request_id}})
        if problem.kind == "storage":
            fields = {"id": request_id, "error": str(failure)}
            LOG.error("the disk can't be used", extra={FIELDS: fields})
        return problem

    def text(self) -> bytes:
        """Return all counts in the text format of Prometheus."""
        return generate_latest(self._registry)
