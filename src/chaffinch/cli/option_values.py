"""Values of options as the command line gives them, read and checked."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.inputs import is_address
from chaffinch.lazy import lazy_module
from chaffinch.saved_data import read_toml

if TYPE_CHECKING:
    import tomllib
    from collections.abc import Sequence

    import webencodings
else:
    tomllib = lazy_module("tomllib")
    webencodings = lazy_module("webencodings")


def read_settings(
    _context: click.Context, _option: click.Parameter, given: Sequence[str]
) -> dict[str, Any]:
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


def read_label(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
    """Return the label of an encoding."""
    if given is not None and webencodings.lookup(given) is None:
        raise click.BadParameter(
            f"{given!r} is no label of an encoding, such as utf-8, latin1 or gbk"
        )
    return given


def read_address(
    _context: click.Context, _option: click.Parameter, given: str | None
) -> str | None:
    """Return an absolute address."""
    if given is not None and not is_address(given):
        raise click.BadParameter(
            f"{given!r} is no absolute address, such as https://grain.example/page"
        )
    return given


def read_date(_context: click.Context, _option: click.Parameter, given: str) -> str:
    """Return a date as YYYY-MM-DD; "" for none."""
    try:
        return date.fromisoformat(given).isoformat() if given else ""
    except ValueError as error:
        raise click.BadParameter(f"{given!r} is no date, such as 2026-11-25") from error


def read_parts(
    _context: click.Context, _option: click.Parameter, given: Sequence[str]
) -> list[str]:
    """Return the names of parts, parted by commas or given one by one."""
    return [name.strip() for one in given for name in one.split(",") if name.strip()]
