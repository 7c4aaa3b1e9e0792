"""Tables of cases in TOML: by themselves, or as rows of [name, page, value of the table's key]."""

import tomllib
from functools import cache
from pathlib import Path


def cases_of(path):
    """Return id → page and what must come out of it."""
    found = {}
    for name, table in tomllib.loads(path.read_text("utf-8")).items():
        for row, page, value in table.get("rows", ()):
            found[f"{name}: {row}"] = {"page": page, table["key"]: value}
        if "rows" not in table:
            found[name] = table
    return found


@cache
def tables(path):
    return tomllib.loads(path.read_text("utf-8"))


def examples(file, name):
    """Return a table of ``examples.toml`` beside a file: what its rows are, or name → value."""
    table = tables(Path(file).with_name("examples.toml"))[name]
    return table.get("rows", table)
