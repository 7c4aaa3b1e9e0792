"""Builds the docs as a site, by Zensical: `make site`; the site is in build/site.

The pages are those of the repository, unchanged: what they link to outside of docs/ goes with them,
at the same place, so that their links stay as they are. A link that leads nowhere, in a page as
written or in the site as built, is an error.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

ROOT: Final = Path(__file__).resolve().parents[1]
SOURCE: Final = ROOT / "build" / "site-source"
SITE: Final = ROOT / "build" / "site"
BESIDE: Final = (
    "README.md", "README.zh.md", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md",
    "examples/README.md", "training/EXPERIMENTS.md",
)  # fmt: skip
"""Pages outside of docs/."""
FIRST: Final = (
    ("Chaffinch", "README.md"), ("中文", "README.zh.md"), ("Tour", "docs/tour.md"),
    ("导览", "docs/tour.zh.md"), ("Gallery", "docs/gallery.md"),
    ("Docs by reader", "docs/index.md"), ("Install", "docs/installing.md"),
)  # fmt: skip
"""The first entries of the navigation; the others stand by the sections of docs/index.md."""
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_FENCE: Final = re.compile(r"^(`{3,}).*?^\1", re.MULTILINE | re.DOTALL)
_TARGET: Final = re.compile(r"<(?:a|img|link|script)\b[^>]*?\s(?:href|src)=[\"']?([^\s\"'>]+)")
_ID: Final = re.compile(r"\s(?:id|name)=[\"']?([^\s\"'>]+)")
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)


def copy_pages() -> list[str]:
    """Copy the pages and what they link to; return the paths of the pages."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    pages = [path for path in ROOT.glob("docs/**/*") if path.is_file() and path.suffix != ".py"]
    waiting = [*pages, *(ROOT / name for name in BESIDE if (ROOT / name).exists())]
    known: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in known or not path.is_file():
            continue
        known.add(path)
        target = SOURCE / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
        if path.suffix == ".md" and (path.is_relative_to(ROOT / "docs") or _is_beside(path)):
            waiting += _linked_files(path)
    return sorted(str(p.relative_to(ROOT)) for p in known if p.suffix == ".md")


def _is_beside(path: Path) -> bool:
    return str(path.relative_to(ROOT)) in BESIDE


def _linked_files(page: Path) -> list[Path]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = (one.partition("#")[0] for one in _LINK.findall(text) if "://" not in one)
    found = ((page.parent / unquote(one)).resolve() for one in targets if one)
    return [one for one in found if one.is_relative_to(ROOT)]


def navigation(pages: list[str]) -> list[object]:
    """Return the navigation: the first pages, then those of each section of the index by reader."""
    placed = {path for _, path in FIRST}
    groups: dict[str, list[str]] = {}
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for part in index.split("\n## ")[1:]:
        name, _, text = part.partition("\n")
        found = (_path_of(one) for one in _LINK.findall(text))
        for path in found:
            if path in pages and path not in placed:
                placed.add(path)
                groups.setdefault(name, []).append(path)
    for path in pages:
        if path not in placed:
            groups.setdefault("More", []).append(path)
    first: list[object] = [{title: path} for title, path in FIRST if path in pages]
    return first + [{name: [{_title(one): one} for one in group]} for name, group in groups.items()]


def _path_of(link: str) -> str:
    """Return the path of what the index links to, from the root of the repository."""
    target = (ROOT / "docs" / link.partition("#")[0]).resolve()
    return str(target.relative_to(ROOT)) if target.is_relative_to(ROOT) else ""


def _title(path: str) -> str:
    found = _TITLE.search((SOURCE / path).read_text(encoding="utf-8"))
    return re.sub(r"[`*]", "", found[1]) if found else path


def broken_links() -> list[str]:
    """Return the links of the built site that lead to no file, or to no place in one."""
    texts = {path: path.read_text(encoding="utf-8") for path in SITE.rglob("*.html")}
    ids = {path: {html.unescape(one) for one in _ID.findall(text)} for path, text in texts.items()}
    wrong = set()
    for path, text in texts.items():
        if path.name == "404.html":  # its links are of the root of a server
            continue
        for written in _TARGET.findall(text):
            link = urlsplit(html.unescape(written))
            if link.scheme or link.netloc:
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            target = target / "index.html" if target.is_dir() else target
            place = unquote(link.fragment)
            if not target.exists() or (place and target in ids and place not in ids[target]):
                wrong.add(f"{path.relative_to(SITE)}: {written}")
    return sorted(wrong)


def main() -> None:
    """Build the site and check its links."""
    pages = copy_pages()
    config = {
        "site_name": "Chaffinch",
        "site_description": "Separates grain from chaff on web pages",
        "docs_dir": str(SOURCE.relative_to(ROOT / "build")),
        "site_dir": SITE.name,
        "use_directory_urls": False,
        "nav": navigation(pages),
        "theme": {"features": ["navigation.indexes", "search.highlight", "content.code.copy"]},
        "plugins": ["search"],
        "markdown_extensions": ["tables", "fenced_code", "attr_list", "toc"],
    }
    path = ROOT / "build" / "mkdocs.yml"  # JSON is YAML
    path.write_text(json.dumps(config, ensure_ascii=False, indent=1), encoding="utf-8")
    shutil.rmtree(SITE, ignore_errors=True)
    call = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(path)]
    subprocess.run(call, cwd=ROOT / "build", check=True)
    wrong = broken_links()
    print("\n".join(wrong))
    if wrong:
        raise SystemExit(f"{len(wrong)} links lead nowhere")
    print(f"{len(list(SITE.rglob('*.html')))} pages in {SITE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
