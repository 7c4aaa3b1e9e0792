import shlex

import click
import pytest

from chaffinch import cli
from chaffinch.cli import VERBS, main, work
from chaffinch.cli.options import all_verbs
from chaffinch.methods.learned import FAVORS

COMMANDS = {name: main.get_command(click.Context(main), name) for name in VERBS}


def test_the_list_of_verbs_has_the_first_line_of_each():
    assert {name: one.get_short_help_str(100) for name, one in COMMANDS.items()} == VERBS


def test_choices_are_those_of_the_library():
    assert tuple(FAVORS) == work.FAVORS


def test_examples_are_calls_that_can_be_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    for name, verb in all_verbs(main):
        for line in verb.examples:
            call = shlex.split(line.partition("chaffinch ")[2].partition(" >")[0])
            own = name.removeprefix("site.") if name == "site.learn" else name
            verb.make_context(name, call[len(own.split(".")) :])


@pytest.mark.parametrize(("name", "meant"), cli.SHORT.items())
def test_short_names_stand_for_verbs_and_their_options(run, name, meant):
    short, long = run(name, "--help"), run(*meant.split(), "--help")
    assert (short.exit_code, short.stdout) == (long.exit_code, long.stdout)
