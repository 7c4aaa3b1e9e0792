"""Draw a page as it stands, kept text on green and dropped text on grey.

``python examples/picture.py PAGE.html OUT.html [METHOD [SIBLING.html ...]]`` writes the drawing as
HTML; given an OUT.png, a Chromium on this machine takes its picture. docs/pictures/ holds what it
drew.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

import chaffinch
from chaffinch.page import tags

STYLE = """
body { font: 14px/1.3 Georgia, "Noto Serif CJK SC", serif; max-width: 78em; margin: 8px auto; }
h1 { font-size: 22px; } h2, h3, h4 { font-size: 16px; } h1, h2, h3, h4 { margin: .4em 0; }
p, ul, ol, figure, blockquote { margin: .4em 0; }
.page, .frame, .columns { display: flex; gap: 2em; flex-wrap: wrap; }
.page > main, .page > .column-main { flex: 3 1 34em; } .page > aside { flex: 1 1 14em; }
nav ul, .share ul { display: flex; gap: 1em; list-style: none; padding: 0; margin: .3em 0; }
.breadcrumb { width: 100%; } img { background: #e4e4e4; width: 120px; height: 24px; }
.hidden, [hidden], iframe { display: none; }
.chaffinch-keep { background: #c9efcf; color: #0a3316; }
.chaffinch-drop { background: #ececec; color: #8d8d8d; text-decoration: line-through #bbb; }
"""
LEFT_OUT = {"script", "style", "link", "noscript"}
WIDTH, HEIGHT = 1180, 1100


def drawing(extract: chaffinch.Extract, *, marked: bool = True) -> str:
    """Return the page of ``extract`` as HTML, with each text ``marked`` as kept or dropped."""
    page, out = extract.page, ["<!DOCTYPE html>"]
    open_rows: list[int] = []
    for row in range(len(page)):
        while open_rows and page.end[open_rows[-1]] <= row:
            out.append(_end(page.name(open_rows.pop())))
        if page.tag[row] == tags.TEXT:
            text = escape(page.text_of(row))
            kind = "keep" if extract.keep[row] else "drop"
            shown = marked and page.written[row] and page.shown[row]
            out.append(f'<span class="chaffinch-{kind}">{text}</span>' if shown else text)
        elif page.name(row) not in LEFT_OUT:
            pairs = page.attributes(row).items()
            attributes = "".join(f' {n}="{escape(v or "")}"' for n, v in pairs if n[:2] != "on")
            out.append(f"<{page.name(row)}{attributes}>")
            if page.name(row) == "head":
                out.append(f"<meta charset=utf-8><style>{STYLE}</style>")
            if not tags.VOID[page.tag[row]]:
                open_rows.append(row)
    out.extend(_end(page.name(row)) for row in reversed(open_rows))
    return "".join(out)


def _end(name: str) -> str:
    return f"</{name}>"


def photograph(html: str, target: Path) -> None:
    """Take a picture of a page's source with Chromium, as PNG."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("no Chromium found: apt-get install chromium, or ask for an .html")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(html, encoding="utf-8")
        subprocess.run(
            [
                browser,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                f"--user-data-dir={folder}/profile",
                f"--window-size={WIDTH},{HEIGHT}",
                f"--screenshot={target}",
                source.as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )


def main() -> None:
    """Draw one page."""
    source, target, method, siblings = (*sys.argv[1:3], *(sys.argv[3:4] or ["auto"]), sys.argv[4:])
    extract = chaffinch.extract(
        Path(source).read_bytes(),
        method=method,
        siblings=[Path(sibling).read_bytes() for sibling in siblings],
    )
    if target.endswith(".png"):
        photograph(drawing(extract), Path(target))
    else:
        Path(target).write_text(drawing(extract), encoding="utf-8")


if __name__ == "__main__":
    main()
