"""Calls that can't be meant, or whose page fails: exit code and words of the message, one table."""

import shlex
from pathlib import Path

import pytest

import chaffinch

RICH = """<article><h1>Seeds</h1><p>Finches eat <b>seeds</b> of <a href=/t>thistles</a> all year,
and drink water, more of it in summer than in winter.<table><tr><th>a<th>b<tr><td>1<td>2</table>"""
FILES = {
    "a.html": RICH,
    "b.html": RICH,
    "en.html": "<html lang=en><p>" + "The chaffinch is a small bird, and common in Europe. " * 9,
    "empty.html": "",
    "frames.html": '<frameset><frame src="menu.html"><frame src="text.html"></frameset>',
    "shell.html": '<title>App</title><div id="root"></div><script src="/app.js"></script>',
    "big.html": "<p>finch" * (1 << 18),
    "lines.jsonl": "not JSON",
    "none.jsonl": '{"id": "no page"}',
    "void.jsonl": "",
    "two.jsonl": '{"html": "<p>a"}\n' * 2,
    "a.jsonl.xz": "not packed",
    "bad.html": "%PDF-1.7",
    "notes.txt": "no page",
}
CALLS = Path(__file__).with_name("wrong_calls.txt").read_text("utf-8").replace(r"\u0007", "\a")
"""Exit code, call, and words of the message behind a stroke."""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHAFFINCH_CORPORA", str(tmp_path))
    (tmp_path / "empty").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)


@pytest.mark.parametrize("line", CALLS.strip().splitlines())
def test_a_call_is_refused_with_its_reason(run, line):
    call, _, words = line.partition(" | ")
    code, *arguments = shlex.split(call.removesuffix(" |"))
    result = run(*arguments)
    said = " ".join(result.stderr.split())
    assert (result.exit_code, words in said) == (int(code), True), said
    assert words != "selector" or "refused" not in said  # nothing is fetched for a wrong call
    assert not Path("m").exists()


def test_names_do_not_break_the_error_line(run):
    result = run("extract", "no\nsuch\x1b[31m")
    assert "no such [31m: no such file" in result.stderr
    assert f"Error: {'b' * 300}: no such file" in run("extract", "b" * 300).stderr
    assert "\x1b" not in result.stderr


def test_a_hint_names_options_of_the_verb_alone(run):
    assert "holds several: name one by --record" in run("explain", "two.jsonl").stderr
    said = run("diff", "two.jsonl", "a.html").stderr
    assert "two.jsonl holds several" in said
    assert "--record" not in said


def test_a_folder_without_pages_says_what_it_looks_for(run):
    result = run("extract", "empty")
    assert result.exit_code == 1
    assert "no file ends in .html, .htm, .xhtml, .mhtml, .mht, .html.gz" in result.stderr


def test_the_version(run):
    assert run("--version").stdout == f"chaffinch, version {chaffinch.__version__}\n"
