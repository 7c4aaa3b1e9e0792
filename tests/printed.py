"""What a page of the docs prints between fences: commands and snippets, run as they stand."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def fences(page, language):
    """Return the fenced blocks of a language in a page of the docs."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(page, language="sh"):
    """Return the lines of its shells, those that go on in the next joined."""
    blocks = (block.replace("\\\n", " ") for block in fences(page, language))
    return [line for block in blocks for line in block.splitlines() if line]


def called(arguments, folder, **options):
    """Run Python in a folder, with ``-m chaffinch …`` or another program."""
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, **options
    )


def run_snippets(page):
    """Run the snippets of Python one after the other, with the names of those before."""
    names: dict[str, object] = {}
    for number, snippet in enumerate(fences(page, "python")):
        exec(compile(snippet, f"{page}, snippet {number + 1}", "exec"), names)  # noqa: S102
