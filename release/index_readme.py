"""Makes README and metadata fit for a package index: links and pictures become absolute.

The repository's own address isn't written in it: whoever releases says where it is.
"""

from __future__ import annotations

import re
from typing import Final

_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_COG: Final = re.compile(r"<!-- \[\[\[cog.*?\]\]\] -->\n|<!-- \[\[\[end\]\]\] -->\n", re.DOTALL)
BADGES: Final = ("tests", "wheels")
"""Workflows whose state is shown."""


def for_index(text: str, repository: str, ref: str) -> str:
    """Return a README whose relative links lead into a repository at a ref, with badges of CI.

    Args:
        text: the README.
        repository: its address, such as ``https://host.example/owner/name``.
        ref: branch or tag.
    """

    def absolute(found: re.Match[str]) -> str:
        mark, label, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found[0]
        way = "raw" if mark else "blob"
        return f"{mark}[{label}]({repository}/{way}/{ref}/{target})"

    badges = " ".join(
        f"[![{name}]({repository}/actions/workflows/{name}.yml/badge.svg)]"
        f"({repository}/actions/workflows/{name}.yml)"
        for name in BADGES
    )
    head, _, body = _COG.sub("", text).partition("\n\n")
    return f"{head}\n\n{badges}\n\n{_LINK.sub(absolute, body)}"


def with_urls(pyproject: str, repository: str) -> str:
    """Return pyproject.toml with the addresses of the project."""
    urls = (
        "[project.urls]\n"
        f'Repository = "{repository}"\n'
        f'Documentation = "{repository}/blob/main/docs/index.md"\n'
        f'Changelog = "{repository}/blob/main/CHANGELOG.md"\n'
        f'Issues = "{repository}/issues"\n\n'
    )
    return pyproject.replace("[project.scripts]", urls + "[project.scripts]", 1)


def changes_of(changelog: str, version: str) -> str:
    """Return the section of a version of the changelog; "" where it has none."""
    found = re.search(
        rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE
    )
    return found[1].strip() if found else ""
