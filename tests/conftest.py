"""Fixtures that several test files share."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from elsewhere import fail_if_skipped
from real_browser import browser_path
from sanitizers import built, library
from thread_safety import mark_tests_of_process_state

# No test asserts a time: hypothesis' own limit of 200 ms an example says how busy the machine is.
# The same examples in each run: a change is judged by what it does, not by the luck of a draw.
# Others are drawn by ``pytest --hypothesis-profile=search`` and ``make fuzz``.
settings.register_profile("search", deadline=None)
settings.register_profile("chaffinch", deadline=None, derandomize=True)
settings.load_profile("chaffinch")

EXAMPLES = Path(__file__).parent.parent / "examples"


SLOW = (
    "cli/test_cli_process.py", "cli/test_unwritable.py", "cli/test_terminal.py",
    "corpus/test_batch_runs.py", "corpus/test_engines.py", "corpus/test_isolation.py",
    "corpus/test_kills.py", "corpus/test_sites_at_scale.py", "crawl/test_endless_answers.py",
    "crawl/test_endless_crawls.py", "crawl/test_interrupted_crawls.py",
    "kernels/test_thread_sanitizer.py", "plugins/test_plugin_docs.py", "render/",
    "service/test_hostile_callers.py", "service/test_inspector", "test_docs.py",
    "test_durable_files.py", "test_fuzz.py", "test_growth.py", "test_locales.py",
)  # fmt: skip
"""Files and folders, by the starts of their paths, of tests that need a browser, an engine, kills,
full disks, growth or many processes: ``make slow`` runs them, ``make test`` the others."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark slow tests; where tests run in several threads, let those that share a process not."""
    for item in items:
        is_slow = str(item.path.relative_to(Path(__file__).parent)).startswith(SLOW)
        if is_slow or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
    if config.pluginmanager.hasplugin("run-parallel") or config.getoption("parallel_threads", None):
        mark_tests_of_process_state(items)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of a table of seconds."""
    parser.addoption("--by-folder", action="store_true", help="print seconds and tests by folder")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the seconds and the tests of each folder, fixtures included."""
    if not config.getoption("by_folder"):
        return
    seconds, tests = Counter[str](), Counter[str]()
    for reports in terminalreporter.stats.values():
        for one in reports:
            if isinstance(one, pytest.TestReport):
                folder = "/".join(one.nodeid.partition("::")[0].split("/")[1:-1]) or "(top)"
                seconds[folder] += one.duration
                tests[folder] += one.when == "call"
    terminalreporter.section("seconds by folder")
    for folder, spent in seconds.most_common():
        terminalreporter.write_line(f"{spent:8.1f} {tests[folder]:6} {folder}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Any:
    """Let a skipped test fail where all is required."""
    return fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Any:
    """Let a skipped file fail where all is required."""
    return fail_if_skipped((yield))


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
def example_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example site as a folder of files, as the docs have it made."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(EXAMPLES / "make_site.py"), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def web_maker() -> Any:
    """The package that makes the example web."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))
        import web_maker.faults  # noqa: PLC0415 found only after the line above
        import web_maker.server  # noqa: PLC0415
        import web_maker.texts  # noqa: PLC0415
        import web_maker.traps  # noqa: PLC0415

        yield web_maker


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
