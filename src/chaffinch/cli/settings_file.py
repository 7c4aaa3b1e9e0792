"""Settings of verbs from a TOML file: a table for each verb, and one for all of them.

``[common]`` holds what goes to every verb that has such an option, ``[extract]``, ``[run]`` and
``[site.report]`` what goes to one. Keys are the long names of options without their dashes;
``no-…`` is ``false``. The command line is stronger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from chaffinch.cli.option_names import listed_names, options_of
from chaffinch.errors import OptionError
from chaffinch.saved_data import read_toml
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    import click

COMMON: Final = "common"
"""Table of what goes to every verb."""

_RUN_PROGRAMS: Final = frozenset({"browser", "extractor"})
"""Options whose values are run: they count only in a file that is named, so that a downloaded
folder with a file of settings can't start a program."""


def defaults_of(path: Path, context: click.Context, *, is_named: bool) -> dict[str, Any]:
    """Return the values that a file has for the options of a verb, by the option's parameter.

    Args:
        path: the file.
        context: of the verb.
        is_named: whether the file was named, not found.

    Raises:
        OptionError: it can't be read, is no TOML, or has a table, key or value that no verb has
            (the message lists the known ones), or one that only a named file may have.
    """
    own = options_of(context.command)
    verb = ".".join(context.command_path.split()[1:])
    verbs = {**listed_names(), verb: frozenset(own)}
    tables = dict(_tables(path, {name.partition(".")[0] for name in verbs if "." in name}))
    known = {COMMON: {key for keys in verbs.values() for key in keys}, **verbs}
    for name, table in tables.items():
        if name not in known:
            raise OptionError(f"{path}: no verb {name!r}; known: {', '.join(known)}")
        for key in table:
            if key not in known[name]:
                names = ", ".join(sorted(known[name]))
                raise OptionError(f"{path}: [{name}] has no {key!r}; known: {names}")
            if key in _RUN_PROGRAMS and not is_named:
                raise OptionError(f"{path}: {key} runs a program: name the file by --config")
    values = {key: value for key, value in tables.get(COMMON, {}).items() if key in own}
    values |= tables.get(verb, {})
    return dict(_value(path, key, own[key], value) for key, value in values.items())


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"{path} can't be read: {cause(error)}") from error
    except ValueError as error:
        raise OptionError(f"{path} isn't TOML: {error}") from error


def _tables(path: Path, groups: Collection[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tables of a file; those in the table of a group have its name before their own.

    Raises:
        OptionError: a setting stands in no table.
    """
    for name, value in _read(path).items():
        inside = value.items() if name in groups and isinstance(value, dict) else ()
        for key, table in [(f"{name}.{key}", one) for key, one in inside] or [(name, value)]:
            if not isinstance(table, dict):
                raise OptionError(
                    f"{path}: {key} stands in no table; settings stand in [{COMMON}] or a verb's"
                )
            yield key, table


def _value(path: Path, key: str, option: click.Option, value: Any) -> tuple[str, Any]:
    """Return the parameter of an option and its value as click takes it.

    Raises:
        OptionError: the value is of another kind than the option's.
    """
    parameter = option.name or key
    if option.is_flag:
        if not isinstance(value, bool):
            raise OptionError(f"{path}: {key} is true or false, not {value!r}")
        if option.is_bool_flag:
            return parameter, value
        return parameter, option.flag_value if value else option.default
    if key == "set" and isinstance(value, dict):
        return parameter, [f"{name}={as_toml(one)}" for name, one in value.items()]
    several = value if isinstance(value, list) else [value]
    if any(isinstance(one, bool | dict | list) for one in several) or (
        isinstance(value, list) and not option.multiple
    ):
        raise OptionError(f"{path}: {key} can't be {value!r}")
    return parameter, [str(one) for one in several] if option.multiple else value


def as_toml(value: Any) -> str:
    """Return a value as it is written in TOML, on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(_ESCAPES.get(c, c) for c in value) + '"'
    if isinstance(value, list):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, dict):
        return (
            f"{{{', '.join(f'{as_toml(name)} = {as_toml(one)}' for name, one in value.items())}}}"
        )
    return str(value)


_ESCAPES: Final = {chr(code): f"\\u{code:04x}" for code in (*range(32), 127)} | {
    '"': '\\"',
    "\\": "\\\\",
}
