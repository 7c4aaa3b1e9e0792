"""Front matter: values as YAML between two lines of dashes, as site makers and editors read it.

Strings and lists are written as JSON, which is YAML 1.2 (section 1.2), so that no value can be
taken for a number, a date or markup.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def render(values: Mapping[str, Any]) -> str:
    """Return the values that are known as front matter, a line each; "" where none is."""
    lines = [
        f"{name}: {_written(value)}\n" for name, value in values.items() if value not in (None, "")
    ]
    return "".join(["---\n", *lines, "---\n\n"]) if lines else ""


def _written(value: Any) -> str:
    told = json.dumps(value, ensure_ascii=False)
    # YAML ends lines at these, JSON doesn't; surrogates and DEL are no characters of YAML.
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in told)
