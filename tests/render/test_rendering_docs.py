"""The commands and snippets of docs/rendering.md work as printed."""

import os
import shlex

from printed import called, commands, run_snippets


def test_snippets_run(browser, example_folder, monkeypatch, capsys):
    monkeypatch.chdir(example_folder)
    monkeypatch.setenv("CHAFFINCH_BROWSER", browser)
    run_snippets("rendering")
    said = capsys.readouterr().out
    assert said.startswith("A finch sings.")
    assert "Nobody sees this. True" in said
    assert said.endswith("True\n")


def test_commands_run(browser, example_folder):
    printed = commands("rendering")
    assert printed
    for command in printed:
        environment = {**os.environ, "CHAFFINCH_BROWSER": browser}
        done = called(["-m", *shlex.split(command)], example_folder, env=environment)
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout.strip()
