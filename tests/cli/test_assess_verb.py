"""``extract --with assessment``: whether pages are content, beside what they hold."""

from __future__ import annotations

import json

import pytest

import chaffinch

GONE = "<title>404 Not found</title><h1>404</h1><p>The page was not found.</p>"
APP = "<title>App</title><div id=root></div><script src=/app.js></script>"


@pytest.fixture
def pages(tmp_path):
    (tmp_path / "app.html").write_text(APP)
    (tmp_path / "gone.html").write_text(GONE)
    return tmp_path


def test_every_page_has_it(run, pages):
    call = ("extract", pages, "-f", "json", "--with", "assessment", "--status", "503")
    first, second = map(json.loads, run(*call).stdout.splitlines())
    assert first["file"].endswith("app.html")
    found = second["assessment"]
    assert (found["state"], found["next_step"]) == ("error_page", "retry_later")
    assert found["probabilities"] == chaffinch.assess(GONE, status=503).probabilities
