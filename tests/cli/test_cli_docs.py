import click
import pytest

from chaffinch import cli
from chaffinch.cli import VERBS, main, work
from chaffinch.methods.learned import FAVORS
from chaffinch.site import MODES

COMMANDS = {name: main.get_command(click.Context(main), name) for name in VERBS}


def test_the_list_of_verbs_has_the_first_line_of_each():
    assert {name: one.get_short_help_str(100) for name, one in COMMANDS.items()} == VERBS


def test_choices_are_those_of_the_library():
    assert tuple(FAVORS) == work.FAVORS
    said = COMMANDS["extract"].get_help(click.Context(COMMANDS["extract"]))
    assert f"[{'|'.join(MODES)}]" in said


@pytest.mark.parametrize(("name", "meant"), cli.SHORT.items())
def test_short_names_stand_for_verbs_and_their_options(run, name, meant):
    short, long = run(name, "--help"), run(*meant.split(), "--help")
    assert (short.exit_code, short.stdout) == (long.exit_code, long.stdout)
