"""Options of verbs, made from the fields that they set; given in a call or in a file of settings.

In a file, ``[common]`` holds what goes to every verb that has such an option, ``[extract]``,
``[run]`` and ``[site.show]`` what goes to one. Keys are the long names of options without their
dashes; ``no-…`` is ``false``. The command line is stronger.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import click
import webencodings
from click.core import ParameterSource

from chaffinch.cli.streams import QUIET
from chaffinch.errors import OptionError
from chaffinch.fields import described
from chaffinch.storage import read_toml
from chaffinch.wording import cause

Kind = TypeVar("Kind")

USUAL_FILE: Final = Path("chaffinch.toml")
"""File of settings that is read where it stands in the working folder and none is named."""
COMMON: Final = "common"
"""Table of a file of settings for every verb."""
_RUN_PROGRAMS: Final = frozenset({"browser", "extractor"})
"""Options whose values are run: they count only in a file that is named, so that a downloaded
folder with a file of settings can't start a program."""
_NOT_IN_FILES: Final = frozenset({"config", "help", "version"})
_PYTHON: Final = re.compile(r"``|`|\b(None (?:for|to) (?=\w)|None: |True: |False: )")
_PLAIN: Final = {"None: ": "Default: ", "True: ": "On: ", "False: ": "Off: "}
_TYPES: Final = {int: click.INT, float: click.FLOAT, Path: click.Path(path_type=Path)}
_METAVARS: Final = {int: "N", float: "SECONDS", Path: "PATH"}


class Option(click.Option):
    """An option; its heading in the help, "" if it matters; what reads what is given.

    ``needs`` is another one without which it does nothing, with its values where not all will do:
    ``--blocks vips``, ``--engine ray or spark``.
    """

    def __init__(
        self, *spellings: str, heading: str = "", reads: Any = None, needs: str = "", **own: Any
    ) -> None:
        if reads is not None:
            own["callback"] = lambda _context, _option, given: reads(given)
        if own.get("default") not in (None, "", ()) and not isinstance(own["default"], bool):
            own.setdefault("show_default", True)
        super().__init__(spellings, **own)
        self.heading, self.needs = heading, needs

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        try:
            return super().process_value(ctx, value)
        except click.BadParameter as error:
            if ctx.get_parameter_source(self.name or "") is not ParameterSource.DEFAULT_MAP:
                raise
            words = f"{error.message} (so in the file of settings)"
            raise click.BadParameter(words, ctx, self) from error


def of_field(options: type, name: str, *spellings: str, **given: Any) -> Option:
    """Return the option that sets a field of a dataclass.

    Type, default and help are the field's, unless they are given; so is its name without
    ``spellings``. Its value is taken out by `made`.
    """
    one = described(options)[name]
    usual = f"--{name.replace('_', '-')}"
    attributes: dict[str, Any] = {"help": _help(one.meaning), "default": one.default}
    if one.type is bool:
        if one.may_be_none or one.default:
            spellings = tuple(
                each if "/" in each else f"{each}/--no-{each[2:]}" for each in spellings or (usual,)
            )
            attributes["show_default"] = False if one.may_be_none else "on"
        else:
            attributes["is_flag"] = True
    elif one.is_several:
        attributes |= {"multiple": True, "metavar": "NAME", "default": ()}
    else:
        is_named = get_origin(one.type) is Literal
        attributes["type"] = click.Choice(get_args(one.type)) if is_named else _TYPES.get(one.type)
        if not is_named:
            attributes["metavar"] = _METAVARS.get(one.type)
    names = (f"{options.__name__}__{name}", *(spellings or (usual,)))
    return Option(*names, **attributes | given)


def form_option(*forms: str, meaning: str, **given: Any) -> Option:
    kind = click.Choice(forms)
    return Option("-f", "--format", "form", type=kind, default=forms[0], help=meaning, **given)


def file_option(*spellings: str, ending: str, **given: Any) -> Option:
    """Return the option of a file that is written, whose name has an ending."""

    def check(path: Path | None) -> Path | None:
        if path is not None and not path.name.lower().endswith(ending):
            raise click.BadParameter(f"{path.name} is no {ending} file")
        return path

    kind = click.Path(dir_okay=False, path_type=Path)
    return Option(*spellings, type=kind, reads=check, **{"metavar": "FILE"} | given)


def _help(meaning: str) -> str:
    text = _PYTHON.sub(lambda found: _PLAIN.get(found[1], "default: ") if found[1] else "", meaning)
    return text[:1].upper() + text[1:]


def made(options: Callable[..., Kind], given: Mapping[str, Any], **more: Any) -> Kind:
    """Return a dataclass of the values of its options, those that were left out by its defaults."""
    prefix = f"{getattr(options, '__name__', '')}__"
    values = {
        name.removeprefix(prefix): value
        for name, value in given.items()
        if name.startswith(prefix) and value is not None
    }
    try:
        return options(**values | more)
    except OptionError as error:
        name, _, rest = str(error).partition(" ")
        for parameter in click.get_current_context().command.params:
            if parameter.name == prefix + name:
                raise OptionError(f"{parameter.opts[-1]} {rest}") from error
        raise


def is_written(context: click.Context, parameter: click.Parameter) -> bool:
    return context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE


def refuse(words: str, options: Iterable[click.Parameter] = (), *, but: Sequence[str] = ()) -> None:
    """Refuse options that were written and do nothing here: some, or all but those of some names.

    The words stand behind the option: ``goes with --blocks text``. In a file of settings it may be.
    """
    context = click.get_current_context()
    acting = {*but, *(one.name for one in _SHARED)}
    for one in options or context.command.params:
        if one.name not in acting and is_written(context, one):
            raise click.UsageError(f"{one.opts[-1]} {words}")


# --- Values -----------------------------------------------------------------------------------


def read_settings(given: Sequence[str]) -> dict[str, Any]:
    """Return the settings of KEY=VALUE, values as in TOML where they are that."""
    settings = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"{one!r} is not KEY=VALUE")
        try:
            settings[name] = read_toml(f"value = {value}")["value"]
        except ValueError:
            settings[name] = value
    return settings


def read_label(given: str | None) -> str | None:
    if given is not None and webencodings.lookup(given) is None:
        raise click.BadParameter(
            f"{given!r} is no label of an encoding, such as utf-8, latin1 or gbk"
        )
    return given


def read_date(given: str) -> str:
    try:
        return date.fromisoformat(given).isoformat() if given else ""
    except ValueError as error:
        raise click.BadParameter(f"{given!r} is no date, such as 2026-11-25") from error


def read_names(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for one in given for name in one.split(",") if name.strip())


# --- Verbs ------------------------------------------------------------------------------------


class Verb(click.Command):
    """A command whose options may stand in a file of settings, and which may be quiet."""

    examples: tuple[str, ...] = ()

    def invoke(self, ctx: click.Context) -> Any:
        """Run it, unless an option was written without the one that it needs.

        What stands in a file of settings may, for it holds for other calls, too.
        """
        options = options_of(self)
        for one in options.values():
            needs: str = getattr(one, "needs", "")
            name, _, values = needs.removeprefix("--").partition(" ")
            if needs and is_written(ctx, one):
                given = ctx.params[options[name].name or ""]
                if not given or (values and given not in values.split(" or ")):
                    raise click.UsageError(f"{one.opts[-1]} goes with {needs}")
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, those that matter first."""
        headings: dict[str, list[tuple[str, str]]] = {"": []}
        for one in self.get_params(ctx):
            is_option = isinstance(one, click.Option)  # the line of usage has the arguments
            if is_option and (record := one.get_help_record(ctx)) is not None:
                heading = getattr(one, "heading", "Other")
                headings.setdefault(heading, []).append(record)
        headings["Other"] = headings.pop("Other", [])
        for heading, records in headings.items():
            if records:
                with formatter.section(heading or "Options"):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        if self.examples:
            with formatter.section("Examples"), formatter.indentation():
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def verb(
    *parameters: click.Parameter, name: str | None = None, examples: Sequence[str] = ()
) -> Callable[[Callable[[dict[str, Any]], int | None]], Verb]:
    """Return a decorator that makes a verb of a function.

    The function gets the values of all parameters by name, and returns the exit code; its
    docstring is the help.
    """

    def make(function: Callable[[dict[str, Any]], int | None]) -> Verb:
        def call(**given: Any) -> None:
            click.get_current_context().exit(function(given) or 0)

        made = Verb(
            name or function.__name__,
            params=[*parameters, *_SHARED],
            callback=call,
            help=function.__doc__,
            short_help=(function.__doc__ or "").partition("\n\n")[0],
        )
        made.examples = tuple(examples)
        return made

    return make


def _read_file(context: click.Context, _option: click.Parameter, given: Path | None) -> None:
    path = given or USUAL_FILE
    if given is not None or path.is_file():
        context.default_map = defaults_of(path, context, is_named=given is not None)


def _be_quiet(context: click.Context, _option: click.Parameter, given: bool) -> None:  # noqa: FBT001
    if given:
        context.meta[QUIET] = True


_SHARED: Final = (
    Option(
        "--config", metavar="FILE", type=click.Path(path_type=Path), is_eager=True,
        expose_value=False, callback=_read_file, heading="Other",
        help=f"TOML file of settings; default: {USUAL_FILE} in the working folder, if there.",
    ),
    Option(
        "-q", "--quiet", is_flag=True, is_eager=True, expose_value=False, callback=_be_quiet,
        heading="Other", help="Write nothing on standard error but errors.",
    ),
)  # fmt: skip
"""Options that all verbs have; that of the file is read before those whose values it has."""


# --- Files of settings ------------------------------------------------------------------------


def options_of(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a verb by their long names without dashes, as settings name them."""
    return {
        spelling.removeprefix("--"): option
        for option in command.params
        if isinstance(option, click.Option)
        for spelling in option.opts
        if spelling.startswith("--") and spelling[2:] not in _NOT_IN_FILES
    }


def all_verbs(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield each verb below a command by its name, such as ``site.show``; all are loaded."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    for one in command.list_commands(context := click.Context(command)):
        if (found := command.get_command(context, one)) is not None:
            yield from all_verbs(found, f"{name}.{one}".lstrip("."))


def defaults_of(path: Path, context: click.Context, *, is_named: bool) -> dict[str, Any]:
    """Return the values that a file has for the options of a verb, by the option's parameter.

    A file that wasn't named was found.
    """
    name = ".".join(context.command_path.split()[1:])
    own, tables = options_of(context.command), _tables(path)
    root = context.find_root().command
    verbs = root.list_commands(context) if isinstance(root, click.Group) else []
    known: dict[str, Collection[str]] = {name: own.keys()}
    if tables.get(COMMON, {}).keys() - own.keys():
        every = [options_of(found).keys() for _, found in all_verbs(root)]
        known[COMMON] = {key for keys in every for key in keys}
    for table, values in tables.items():
        if table != COMMON and table.partition(".")[0] not in verbs:
            listed = ", ".join((COMMON, *verbs))
            raise OptionError(f"{path}: no verb {table!r}; known: {listed}")
        for key in values:
            if table in known and key not in known[table]:
                listed = ", ".join(sorted(known[table]))
                raise OptionError(f"{path}: [{table}] has no {key!r}; known: {listed}")
            if key in _RUN_PROGRAMS and not is_named:
                raise OptionError(f"{path}: {key} runs a program: name the file by --config")
    common = {key: value for key, value in tables.get(COMMON, {}).items() if key in own}
    chosen = common | tables.get(name, {})
    return dict(_value(path, key, own[key], value) for key, value in chosen.items())


def _tables(path: Path) -> dict[str, dict[str, Any]]:
    try:
        read = read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"{path} can't be read: {cause(error)}") from error
    except ValueError as error:
        raise OptionError(f"{path} isn't TOML: {error}") from error
    tables: dict[str, dict[str, Any]] = {}
    for name, value in read.items():
        if not isinstance(value, dict):
            raise OptionError(
                f"{path}: {name} stands in no table; settings stand in [{COMMON}] or a verb's"
            )
        inner = {key: one for key, one in value.items() if name == "site" and isinstance(one, dict)}
        tables |= {f"{name}.{key}": one for key, one in inner.items()}
        if len(inner) < len(value) or not value:
            tables[name] = {key: one for key, one in value.items() if key not in inner}
    return tables


def _value(path: Path, key: str, option: click.Option, value: Any) -> tuple[str, Any]:
    parameter = option.name or key
    if option.is_flag:
        if not isinstance(value, bool):
            raise OptionError(f"{path}: {key} is true or false, not {value!r}")
        return parameter, value
    if key == "set" and isinstance(value, dict):
        return parameter, [f"{name}={as_toml(one)}" for name, one in value.items()]
    several = value if isinstance(value, list) else [value]
    if any(isinstance(one, bool | dict | list) for one in several) or (
        isinstance(value, list) and not option.multiple
    ):
        raise OptionError(f"{path}: {key} can't be {value!r}")
    return parameter, [str(one) for one in several] if option.multiple else value


def as_toml(value: Any) -> str:
    """Return a setting's value as ``--set`` takes it; «none» for what is given in no other way."""
    if value is None:
        return "none"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple | frozenset):
        items = sorted(value) if isinstance(value, frozenset) else value
        return f"[{', '.join(map(as_toml, items))}]"
    if is_dataclass(value):
        value = {name: one for name, one in vars(value).items() if one is not None}
    if isinstance(value, dict):
        pairs = (f"{as_toml(name)} = {as_toml(one)}" for name, one in value.items())
        return f"{{{', '.join(pairs)}}}"
    return str(value)
