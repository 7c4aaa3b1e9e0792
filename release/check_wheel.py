"""Checks an installed wheel: `python release/check_wheel.py`, by the Python it is in.

Everything that a base install does: a page in every output, the command line, data files.
Nothing but the wheel and its dependencies is needed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import chaffinch
from chaffinch.cli import VERBS
from chaffinch.page.parsing import walk_in_use

TEXT = "The owls that live in the old barn have been there for as long as it has stood. "
PAGE = (
    "<!doctype html><html lang=en><title>Owls | The Barn</title><nav><a href=/a>Home</a>"
    "<a href=/b>News</a></nav><article><h1>Owls</h1><p class=byline>By Jane Doe</p>"
    + f"<p>{TEXT * 3}</p>" * 4
    + "<table><tr><th>Year<th>Owls<tr><td>2024<td>4</table></article><footer>Imprint</footer>"
)


def check() -> None:
    """Check the package that is installed.

    Raises:
        SystemExit: something is wrong; the message says what.
    """
    place = Path(chaffinch.__file__).parent
    if not place.is_relative_to(Path(sysconfig.get_path("platlib"))):
        raise SystemExit(f"not the installed package, but {place}")
    found = chaffinch.extract(PAGE, url="https://barn.example/owls")
    outputs = [found.text, found.markdown(), found.html(), found.tei(), found.to_json()]
    if not all("old barn" in one and "Imprint" not in one for one in outputs):
        raise SystemExit(f"not the content: {outputs}")
    if (found.title, found.authors, found.method) != ("Owls", ("Jane Doe",), "learned"):
        raise SystemExit(f"not the metadata: {found.to_dict()}")
    program = [sys.executable, "-m", "chaffinch"]
    read = subprocess.run(
        [*program, "extract", "-", "-f", "json"],
        input=PAGE, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    if json.loads(read.stdout)["text"] != found.text:
        raise SystemExit(f"the command line has another text: {read.stdout}")
    for verb in VERBS:
        subprocess.run([*program, verb, "--help"], capture_output=True, check=True)
    walk, why = walk_in_use()
    print(f"chaffinch {chaffinch.__version__}, Python {sys.version.split()[0]}, {sys.platform}:"
          f" walk {walk} {why}".rstrip())  # fmt: skip


if __name__ == "__main__":
    check()
