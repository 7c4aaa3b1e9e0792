"""The commands, the snippet and the queries of docs/batch.md work as printed."""

import shlex

import duckdb
import pytest
from click.testing import CliRunner

from bench.lib.archive import Shape, write_archive
from chaffinch.cli import main
from printed import commands, fences, run_snippets


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with an archive, and a run of the docs' first command in it."""
    folder = tmp_path_factory.mktemp("docs")
    shape = Shape(pages=40, files=2, hosts=4, paragraphs=3, large=0, has_perils=False)
    write_archive(folder / "archive", shape)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        printed = shlex.split(commands("batch", "console")[0], comments=True)[1:]
        first = [*printed, "--with", "signatures"]
        done = CliRunner().invoke(main, first)
    assert done.exit_code == 0, done.output
    return folder


def test_the_queries_answer(folder, monkeypatch):
    monkeypatch.chdir(folder)
    queries = fences("batch", "sql")
    assert len(queries) > 5
    answers = [duckdb.sql(query) for query in queries]
    largest = next(
        one
        for one in answers
        if one is not None and "pages" in one.columns and "host" in one.columns
    )
    assert sum(row[1] for row in largest.fetchall()) == 40
    assert duckdb.sql("SELECT count(*) FROM 'corpus.parquet'").fetchall()[0][0] > 0


def test_the_snippet_runs(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    run_snippets("batch")
    assert capsys.readouterr().out.count(" done\n") == 2
