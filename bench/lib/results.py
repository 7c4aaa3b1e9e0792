"""Figures as the docs show them: the tables that a bench prints, kept as JSON with their origin.

    python -m bench.lib.results records -- python -m bench.quality.records

runs the command and keeps its tables in ``bench/results/records.json``; `shown` makes Markdown of
them for ``docs/quality.md``.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import shlex
import subprocess
import sys
from typing import Final

from bench import ROOT
from chaffinch.evaluate.evaluation import provenance

FOLDER: Final = ROOT / "bench" / "results"


def tables_of(printed: str) -> list[list[list[str]]]:
    """Return the tables of Markdown: rows of cells, the header first, without the rule below it."""
    tables: list[list[list[str]]] = []
    is_inside = False
    for line in printed.splitlines():
        is_row = line.startswith("|")
        if is_row and not is_inside:
            tables.append([])
        is_inside = is_row
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if is_row and not all(set(cell) <= set("-:") and cell for cell in cells):
            tables[-1].append(cells)
    return tables


def keep(name: str, command: list[str]) -> None:
    """Run a command and keep its tables."""
    run = [sys.executable if one == "python" else one for one in command]
    done = subprocess.run(run, capture_output=True, text=True, check=True, cwd=ROOT)
    about = provenance(shlex.join(command))
    values = {
        "command": shlex.join(command),
        "date": f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}",
        "made_by": str(about),
        "tables": tables_of(done.stdout),
    }
    text = json.dumps(values, ensure_ascii=False, indent=1)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def shown(
    name: str, number: int = 0, *, columns: int | None = None, rows: int | None = None
) -> str:
    """Return a kept table as Markdown, with the command and date below it."""
    values = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    head, *body = [row[:columns] for row in values["tables"][number]]
    lines = ["", f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += [f"| {' | '.join(row)} |" for row in body[:rows]]
    return "\n".join([*lines, "", f"`{values['command']}`, {values['date']}", ""])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.lib.results", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    command = options.command[options.command[0] == "--" :]
    keep(options.name, command)


if __name__ == "__main__":
    main()
