from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

from chaffinch.cli import VERBS, main, policy_options, render_options
from chaffinch.decision.policy import Policy
from chaffinch.loading.loader import RENDER
from chaffinch.methods.learned import FAVORS
from chaffinch.site.model import MODES

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


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_documented(name):
    _, _, section = DOCS.read_text(encoding="utf-8").partition(f"### chaffinch {name}\n")
    assert COMMANDS[name].help
    assert f"Usage: chaffinch {name} " in section.partition("###")[0]


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=lambda one: getattr(one, "name", one))
def test_every_option_is_documented(name, option):
    _, _, section = DOCS.read_text(encoding="utf-8").partition(f"### chaffinch {name}\n")
    assert option.help
    for spelling in option.opts:
        assert spelling in section.partition("###")[0]


def test_the_list_of_verbs_has_the_first_line_of_each():
    assert {name: one.get_short_help_str(100) for name, one in COMMANDS.items()} == VERBS


def test_helps_are_full_sentences():
    for name, command in COMMANDS.items():
        assert command.get_short_help_str(100).endswith("."), name
    for name, option in OPTIONS:
        assert option.help.endswith("."), f"{name} {option.name}"


def test_choices_are_those_of_the_library():
    assert render_options.WHEN == RENDER
    assert tuple(FAVORS) == policy_options.FAVORS
    assert policy_options.FIELDS.keys() == {field.name for field in fields(Policy)}
    assert f"[{'|'.join(MODES)}]" in COMMANDS["extract"].get_help(
        click.Context(COMMANDS["extract"])
    )
