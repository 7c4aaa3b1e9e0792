"""``chaffinch assess``: a page a line with its evidence, JSON, what can't be read."""

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


def test_a_line_a_page_and_its_evidence(run, pages):
    result = run("assess", pages)
    assert result.exit_code == 0
    lines = [one for one in result.stdout.splitlines() if not one.startswith(" ")]
    assert [one.split()[0] for one in lines] == ["shell", "error_page"]
    assert [one.split()[2] for one in lines] == ["render", "give_up"]
    assert "waits for scripts" in result.stdout


def test_json_is_a_line_a_page(run, pages):
    result = run("assess", pages, "--format", "json", "--status", "503")
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["file"].endswith("app.html")
    assert second["state"] == "error_page"
    assert second["status"] == 503
    assert second["next_step"] == "retry_later"
    assert second["probabilities"] == chaffinch.assess(GONE, status=503).probabilities


def test_what_cant_be_read_has_its_line(run, pages):
    result = run("assess", pages / "none.html", pages / "gone.html")
    assert result.exit_code == 1
    assert "none.html" in result.stderr
    assert result.stdout.startswith("error_page")


def test_records_have_it_where_it_is_asked_for(run, pages):
    result = run("extract", pages / "gone.html", "--format", "json", "--with", "assessment")
    assert json.loads(result.stdout)["assessment"]["state"] == "error_page"
