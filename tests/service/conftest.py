"""Fixtures of the service's tests."""

from __future__ import annotations

import pytest

pytest.importorskip("uvicorn")

from running_service import Web, running

from real_browser import started


@pytest.fixture(scope="module")
def web():
    """A server of pages of one file of tests alone: none finds a page that another file left."""
    server = Web()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def chromium(browser):
    with started(browser) as program:
        yield program


@pytest.fixture(scope="module")
def inspector():
    """A service with the inspector."""
    options = ["--allow-host", "127.0.0.1", "--delay", "0", "--render", "always"]
    with running("-w", "2", "--no-mcp", *options) as one:
        one.url = f"http://127.0.0.1:{one.port}"
        yield one


@pytest.fixture
def tab(chromium, inspector):
    """A tab with the inspector, in whose own scripts nothing may go wrong."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(60_000)
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{inspector.url}/")
    page.wait_for_selector("main form")
    yield page
    context.close()
    assert not wrong


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A service with a folder for data and a cache, for all tests that need no settings of theirs.

    A start loads the web framework and two children.
    """
    folder = tmp_path_factory.mktemp("data")
    options = ["-w", "2", "--allow-host", "127.0.0.1", "--delay", "0"]
    with running(*options, "--data", str(folder), "--cache", "10") as one:
        one.folder = folder
        yield one
