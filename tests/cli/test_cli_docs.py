from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from chaffinch.cli import main

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"
OPTIONS = [
    (name, option)
    for name, command in main.commands.items()
    for option in command.params
    if isinstance(option, click.Option)
]


def test_the_reference_is_that_of_the_code():
    done = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", "--diff", str(DOCS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"run cog -r docs/cli.md\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("name", main.commands)
def test_every_command_is_documented(name):
    _, _, section = DOCS.read_text(encoding="utf-8").partition(f"### chaffinch {name}\n")
    assert main.commands[name].help
    assert f"Usage: chaffinch {name} " in section.partition("###")[0]


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=lambda one: getattr(one, "name", one))
def test_every_option_is_documented(name, option):
    _, _, section = DOCS.read_text(encoding="utf-8").partition(f"### chaffinch {name}\n")
    assert option.help
    for spelling in option.opts:
        assert spelling in section.partition("###")[0]


def test_verbs_and_options_are_told_in_full_sentences():
    for name, command in main.commands.items():
        assert command.get_short_help_str(100).endswith("."), name
    for name, option in OPTIONS:
        assert option.help.endswith("."), f"{name} {option.name}"
