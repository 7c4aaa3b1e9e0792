"""Resolves every extra by itself and all together: `python release/extras.py`.

With the newest and with the oldest versions that pyproject.toml allows, for the oldest and the
newest Python that is supported. Nothing is installed; `--install EXTRA` installs one of them with
its oldest versions in an environment of its own and tries it on a page.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PYTHONS: Final = ("3.11", "3.13")
RESOLUTIONS: Final = ("highest", "lowest-direct")
TRY: Final = (
    "import chaffinch; f = chaffinch.extract('<p>' + 'The owls have been here for long. ' * 9);"
    " assert f.text; print(chaffinch.__version__, len(f.text))"
)


def extras() -> list[str]:
    """Return the names of the extras; "" is the base install."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return ["", *sorted(tomllib.loads(text)["project"]["optional-dependencies"])]


def resolve(extra: str, python: str, resolution: str) -> str:
    """Return why an extra can't be resolved; "" where it can."""
    call = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "pyproject.toml",
            "--python-version", python, "--resolution", resolution]  # fmt: skip
    call += ["--extra", extra] if extra else []
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr.strip()


def install(extra: str) -> None:
    """Install the project with the oldest versions of an extra, and extract a page."""
    with tempfile.TemporaryDirectory() as folder:
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--quiet", folder, "--python", sys.executable], check=True)
        what = f"{ROOT}[{extra}]" if extra else str(ROOT)
        own = ["--python", f"{folder}/bin/python", "--resolution", "lowest-direct"]
        subprocess.run([*uv, "pip", "install", "--quiet", *own, what], check=True)
        subprocess.run([f"{folder}/bin/python", "-c", TRY], cwd=folder, check=True)


def main() -> None:
    """Resolve, or install one."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--install", metavar="EXTRA", help="one of them, or 'base'")
    chosen = parser.parse_args().install
    if chosen is not None:
        install("" if chosen == "base" else chosen)
        return
    failed = 0
    for extra in extras():
        for python in PYTHONS:
            for resolution in RESOLUTIONS:
                why = resolve(extra, python, resolution)
                failed += bool(why)
                print(f"{extra or 'base'}, Python {python}, {resolution}: {why or 'resolved'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
