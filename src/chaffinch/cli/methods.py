"""``chaffinch methods``: the methods and their settings, read from their own descriptions."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any

import click

from chaffinch.cli.verb import Verb
from chaffinch.decision.rules import RULES
from chaffinch.errors import require_one_of
from chaffinch.methods import METHODS, Learned, settings_of

_BRIEF = 20  # characters of a default value in the list of methods
_PAGES = "pages, given as --siblings DIR|FILE"
_RULES = "The rules of the decision, in the order in which they run:"
_ATTRIBUTE = re.compile(r"^(\w+): (.*)$")


@click.command(cls=Verb)
@click.argument("name", required=False)
def methods(name: str | None) -> None:
    """List the methods, or describe the one called NAME.

    The settings are given to 'chaffinch extract' as --set KEY=VALUE, siblings as --siblings.
    """
    if name is not None:
        require_one_of("method", name, METHODS)
        click.echo(described(name))
        return
    for one in METHODS:
        settings = ", ".join(_brief(*pair) for pair in settings_of(one).items())
        click.echo(f"{one}: {summary(METHODS[one])}")
        click.echo(click.wrap_text(settings or "no settings", 80, "    ", "    "))


def described(name: str) -> str:
    """Return what a method does and its settings with their defaults, as lines."""
    method = METHODS[name]
    meanings = attributes(method)
    lines = [name, "", summary(method), ""]
    module = inspect.getmodule(method)
    if module is not None and module.__doc__:
        lines += [inspect.cleandoc(module.__doc__), ""]
    if method is Learned:
        lines += [_RULES, *rule_lines(), ""]
    for setting, default in settings_of(name).items():
        lines.append(f"{setting} = {_PAGES if setting == 'siblings' else shown(default)}")
        lines.append(f"    {meanings.get(setting, '')}".rstrip())
    return "\n".join(lines)


def rule_lines() -> list[str]:
    """Return a line for each rule of the learned method's decision, in the order they run."""
    return [f"{number:2} {rule.name}: {rule.effect}" for number, rule in enumerate(RULES, 1)]


def summary(method: type[Any]) -> str:
    """Return the first line of a method's description."""
    return (inspect.getdoc(method) or "").partition("\n")[0]


def attributes(method: type[Any]) -> dict[str, str]:
    """Return setting → meaning, from the Attributes sections of a method and what it is made of."""
    found: dict[str, str] = {}
    for kind in reversed(method.__mro__):
        found |= _attributes(inspect.cleandoc(kind.__doc__ or ""))
    return found


def _attributes(description: str) -> dict[str, str]:
    _, _, section = description.partition("Attributes:\n")
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if line and not line.startswith(" "):
            break
        if not line.startswith("     ") and (start := _ATTRIBUTE.match(line.strip())):
            name, found[start[1]] = start[1], start[2]
        elif line.strip() and name:
            found[name] += " " + line.strip()
    return found


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
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple | list | frozenset):
        items = sorted(value) if isinstance(value, frozenset) else value
        return f"[{', '.join(map(shown, items))}]"
    return str(value)
