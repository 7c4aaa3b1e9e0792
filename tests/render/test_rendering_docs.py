"""The commands and snippets of docs/rendering.md work as printed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/rendering.md").read_text(encoding="utf-8")


def fences(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    maker = [sys.executable, "examples/make_site.py", str(folder)]
    subprocess.run(maker, cwd=ROOT, check=True, capture_output=True)
    return folder


def test_snippets_run(browser, site, monkeypatch, capsys):
    monkeypatch.chdir(site)
    monkeypatch.setenv("CHAFFINCH_BROWSER", browser)
    names: dict[str, object] = {}
    for number, snippet in enumerate(fences("python")):
        exec(compile(snippet, f"snippet {number + 1}", "exec"), names)  # noqa: S102
    said = capsys.readouterr().out
    assert said.startswith("A finch sings.")
    assert "Nobody sees this. True" in said
    assert said.endswith("True\n")


def test_commands_run(browser, site):
    commands = [line for block in fences("sh") for line in block.splitlines()]
    assert commands
    for command in commands:
        arguments = shlex.split(command)
        assert arguments[0] == "chaffinch"
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=site,
            env={**os.environ, "CHAFFINCH_BROWSER": browser},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout.strip()
