"""The commands and snippets of docs/site-report.md work as printed."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "site-report.md").read_text(encoding="utf-8")


def fences(language):
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_commands_and_snippets_run(tmp_path, monkeypatch, capsys):
    maker = [sys.executable, "examples/make_site.py", str(tmp_path)]
    subprocess.run(maker, cwd=ROOT, check=True, capture_output=True)
    lines = [line for block in fences("sh") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("chaffinch ")]
    assert len(commands) == 5
    for command in commands:
        arguments = shlex.split(command.replace("/tmp", str(tmp_path)))[1:]  # noqa: S108
        done = subprocess.run(
            [sys.executable, "-m", "chaffinch", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        # Of the rules of a small site, some may be worth a remark.
        most = 1 if "rules check" in command else 0
        assert done.returncode <= most, (command, done.stderr)
        assert done.stdout.strip(), command
    monkeypatch.chdir(tmp_path)
    for number, snippet in enumerate(fences("python")):
        exec(compile(snippet, f"site-report.md, snippet {number + 1}", "exec"), {})  # noqa: S102
    assert "templates, learned from" in capsys.readouterr().out
