"""The commands of docs/crawling.md work as printed, on a port of the test's own."""

import shlex

import pytest
from click.testing import CliRunner

from chaffinch.cli import main
from printed import commands, fences


@pytest.mark.slow
def test_the_commands_run(web, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    served, *rest = commands("crawling")
    assert served.startswith("python examples/serve_web.py --port 8900")
    assert len(rest) >= 6
    for command in rest:
        name, *arguments = shlex.split(command.replace(":8900", f":{web.port}"))
        assert name == "chaffinch"
        done = CliRunner().invoke(main, arguments)
        # 1 says that some page failed, such as a dead link; the crawl itself went well.
        assert done.exit_code in ((0, 1) if arguments[0] == "crawl" else (0,)), done.stderr
        assert done.stdout.strip()
        assert "Error" not in done.stderr
    for snippet in fences("crawling", "python"):
        exec(snippet.replace(":8900", f":{web.port}"), {})  # noqa: S102
        assert capsys.readouterr().out.startswith(("fetched: ", "2 parts; ", "10 pages"))
    assert {path.name for path in tmp_path.iterdir()} >= {"docs.warc.gz", "shop.warc.gz"}
