from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from chaffinch import cli
from chaffinch.cli import VERBS, main, work
from chaffinch.methods.learned import FAVORS
from chaffinch.site import MODES

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"
COMMANDS = {name: main.get_command(click.Context(main), name) for name in VERBS}
OPTIONS = [
    (name, option)
    for name, command in COMMANDS.items()
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


def test_the_list_of_verbs_has_the_first_line_of_each():
    assert {name: one.get_short_help_str(100) for name, one in COMMANDS.items()} == VERBS


def test_helps_are_full_sentences():
    for name, command in COMMANDS.items():
        assert command.get_short_help_str(100).endswith("."), name
    for name, option in OPTIONS:
        assert option.help.endswith("."), f"{name} {option.name}"


def test_choices_are_those_of_the_library():
    assert tuple(FAVORS) == work.FAVORS
    said = COMMANDS["extract"].get_help(click.Context(COMMANDS["extract"]))
    assert f"[{'|'.join(MODES)}]" in said


@pytest.mark.parametrize(("name", "meant"), cli.SHORT.items())
def test_short_names_stand_for_verbs_and_their_options(run, name, meant):
    short, long = run(name, "--help"), run(*meant.split(), "--help")
    assert (short.exit_code, short.stdout) == (long.exit_code, long.stdout)
