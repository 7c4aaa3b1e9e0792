"""Names of all verbs' options, listed in a file so that no verb is loaded to know them.

``option_names.json`` beside this module is made from the verbs by ``make docs``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE: Final = Path(__file__).with_suffix(".json")
_NOT_IN_FILES: Final = frozenset({"config", "help", "version"})


def listed_names() -> Mapping[str, frozenset[str]]:
    """Return the listed names, by verb, such as ``extract`` and ``site.report``."""
    listed = json.loads(FILE.read_text(encoding="utf-8"))
    return {verb: frozenset(names) for verb, names in listed.items()}


def options_of(verb: click.Command) -> dict[str, click.Option]:
    """Return the options of a verb by their long names without dashes, as settings name them."""
    return {
        spelling.removeprefix("--"): option
        for option in verb.params
        if isinstance(option, click.Option)
        for spelling in option.opts
        if spelling.startswith("--") and spelling[2:] not in _NOT_IN_FILES
    }


def all_names(command: click.Command, name: tuple[str, ...] = ()) -> Iterator[tuple[str, set[str]]]:
    """Yield each verb below ``command`` and the names of its options; all verbs are loaded."""
    if not isinstance(command, click.Group):
        yield ".".join(name), set(options_of(command))
        return
    context = click.Context(command)
    for one in command.list_commands(context):
        found = command.get_command(context, one)
        if found is not None:
            yield from all_names(found, (*name, one))


def write_names(command: click.Command) -> None:
    """Write the file of the names of all verbs below ``command``, a line a verb."""
    lines = (
        f"{json.dumps(verb)}: {json.dumps(sorted(names))}" for verb, names in all_names(command)
    )
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
