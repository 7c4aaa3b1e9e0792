"""Fixtures that several test files share."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from real_browser import browser_path
from sanitizers import built, library
from thread_safety import mark_tests_of_process_state

# No test asserts a time: hypothesis' own limit of 200 ms an example says how busy the machine is.
settings.register_profile("chaffinch", deadline=None)
settings.load_profile("chaffinch")

EXAMPLES = Path(__file__).parent.parent / "examples"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where tests run in several threads (`make threads`), let those that share the process not."""
    if config.pluginmanager.hasplugin("run-parallel") or config.getoption("parallel_threads", None):
        mark_tests_of_process_state(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Return what gives tests to the workers of pytest-xdist."""
    from files_to_workers import FilesToWorkers  # noqa: PLC0415  where there are workers

    return FilesToWorkers(config, log)


@pytest.fixture(scope="session")
def browser() -> str:
    """Path of a browser."""
    return browser_path()


@pytest.fixture(scope="session")
def example_site() -> list[dict[str, Any]]:
    """The pages of the example site, in the format of the labelled corpora."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        from site_maker import pages  # noqa: PLC0415 found only after the line above
    finally:
        sys.path.remove(str(EXAMPLES))
    rows: list[dict[str, Any]] = pages()
    return rows


@pytest.fixture(scope="session")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Environment of a process whose kernels run under the address and undefined sanitizers."""
    preloaded = f"{library('libasan.so')} {library('libubsan.so')}"
    flags = "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
    package = built(flags, tmp_path_factory, "asan")
    return {
        "ASAN_OPTIONS": "detect_leaks=0,malloc_context_size=0",  # else each object walks the stack
        "LD_PRELOAD": preloaded,
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": f"{package}{os.pathsep}{Path(__file__).parents[1]}",
    }
