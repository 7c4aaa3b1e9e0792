"""Tables of cases in TOML: by themselves, or as rows of [name, page, value of the table's key]."""

import tomllib


def cases_of(path):
    """Return id → page and what must come out of it."""
    found = {}
    for name, table in tomllib.loads(path.read_text("utf-8")).items():
        for row, page, value in table.get("rows", ()):
            found[f"{name}: {row}"] = {"page": page, table["key"]: value}
        if "rows" not in table:
            found[name] = table
    return found
