"""Writes the sections of docs/gallery.md: each page's source beside what becomes of it; for cog."""

from __future__ import annotations

import sys
from pathlib import Path

import chaffinch

sys.path.append(str(Path(__file__).parents[1] / "examples"))

from gallery_pages import FOOT, NAV, PAGES, SIDE

_ADDRESS = "https://courier.example/{}.html"


def sections() -> str:
    """Return a section a page: a line on it, its source, its Markdown."""
    out = []
    for kind, source in PAGES.items():
        html = source
        found = chaffinch.extract(html, url=_ADDRESS.format(kind.lower().replace(" ", "-")))
        facts = [f"title «{found.title}»"]
        facts += [f"by {found.author}"] if found.authors else []
        facts += [f"of {found.date}"] if found.date else []
        facts += [f"taken for {found.page_type}"] if found.page_type else []
        for name in ("tables", "images", "posts", "records"):
            count = len(getattr(found, name))
            facts += [f"{count} {name if count > 1 else name.removesuffix('s')}"] if count else []
        if out:  # the frame, which all have, is shown once
            html = html.replace(f"{NAV}\n", "…\n").replace(f"{SIDE}\n{FOOT}", "…")
        out += [f"## {kind}\n", "; ".join(facts) + ".\n"]
        out += [
            f"````html\n{html.strip()}\n````\n",
            f"````markdown\n{found.markdown().strip()}\n````\n",
        ]
    return "\n".join(out)
