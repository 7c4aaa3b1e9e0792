"""``chaffinch methods``: the methods and their settings, read from their own descriptions."""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass
from typing import Any, Final

import click

from chaffinch.cli.options import as_toml, verb
from chaffinch.decision.rules import RULES
from chaffinch.errors import require_one_of
from chaffinch.fields import meanings_of
from chaffinch.methods import METHODS, Learned, settings_of

_BRIEF: Final = 20  # characters of a default value in the list of methods
_PAGES: Final = "pages, given as --siblings DIR|FILE"


@verb(
    click.Argument(["name"], required=False),
    examples=("chaffinch methods", "chaffinch methods sibling_subtrees"),
)
def methods(given: dict[str, Any]) -> None:
    """List the methods, or describe the one called NAME.

    The settings are given to 'chaffinch extract' as --set KEY=VALUE, siblings as --siblings.
    """
    if given["name"] is not None:
        require_one_of("method", given["name"], METHODS)
        click.echo(_described(given["name"]))
        return
    for name in METHODS:
        settings = ", ".join(_brief(*pair) for pair in settings_of(name).items())
        click.echo(f"{name}: {summary(METHODS[name])}")
        click.echo(click.wrap_text(settings or "no settings", 80, "    ", "    "))


def _described(name: str) -> str:
    """Return what a method does and its settings with their defaults, as lines."""
    method = METHODS[name]
    meanings = meanings_of(method)
    lines = [name, "", summary(method), ""]
    module = inspect.getmodule(method)
    if module is not None and module.__doc__:
        lines += [inspect.cleandoc(module.__doc__), ""]
    if method is Learned:
        lines.append("The rules of the decision, in the order in which they run:")
        lines += [f"{number:2} {rule.name}: {rule.effect}" for number, rule in enumerate(RULES, 1)]
        lines.append("")
    for setting, default in settings_of(name).items():
        lines.append(f"{setting} = {_PAGES if setting == 'siblings' else shown(default)}")
        lines.append(f"    {meanings.get(setting, '')}".rstrip())
    return "\n".join(lines)


def summary(method: type[Any]) -> str:
    return (inspect.getdoc(method) or "").partition("\n")[0]


def _brief(setting: str, default: Any) -> str:
    if setting == "siblings":
        return "--siblings=…"
    value = shown(default)
    return f"{setting}={value}" if len(value) <= _BRIEF else f"{setting}=…"


def shown(value: Any) -> str:
    """Return a setting's value as ``--set`` takes it; «none» for what is given in no other way."""
    if value is None:
        return "none"
    if is_dataclass(value):
        pairs = ((one.name, getattr(value, one.name)) for one in fields(value))
        known = (f"{name} = {shown(item)}" for name, item in pairs if item is not None)
        return f"{{{', '.join(known)}}}"
    if isinstance(value, tuple | list | frozenset):
        items = sorted(value) if isinstance(value, frozenset) else value
        return f"[{', '.join(map(shown, items))}]"
    return as_toml(value)
