"""How pytest-xdist gives tests to its workers: a file as a whole, parts of long tests alone.

Tests of a file share what takes long to make: a service, a browser, a session of an engine.
"""

from xdist.scheduler import LoadScopeScheduling

ALONE = frozenset(["tests/test_fuzz.py", "tests/test_patterns.py"])
"""Files whose tests share nothing, and take long."""


class FilesToWorkers(LoadScopeScheduling):  # type: ignore[misc]
    """Files with many tests first, those of `ALONE` test by test."""

    def _split_scope(self, nodeid: str) -> str:
        """Return the name of what is given to a worker as a whole."""
        path = nodeid.partition("::")[0]
        return nodeid if path in ALONE else path
