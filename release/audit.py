"""Asks advisory databases about all locked versions: `python release/audit.py [--require]`.

By pip-audit, which must be installed; first the index's own database, then OSV's. Where none can
be reached nothing is known: that is said, and is an error with `--require`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from os.path import relpath
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
SERVICES: Final = ("pypi", "osv")
UNKNOWN: Final = "NOT CHECKED"


def audit(lock: Path) -> str:
    """Return what is known against the versions of a lock; "" for nothing.

    A version that a database doesn't know is as good as unasked: one that all databases skip makes
    the lock `UNKNOWN`.
    """
    unasked = ""
    for service in SERVICES:
        call = ["-m", "pip_audit", "--vulnerability-service", service, "--require-hashes"]
        call += ["--disable-pip", "--progress-spinner", "off", "--format", "json"]
        done = subprocess.run(
            [sys.executable, *call, "--requirement", str(lock)],
            capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
        if not done.stdout.startswith("{"):
            unasked = done.stderr.strip().rpartition("\n")[2]
            continue
        found = json.loads(done.stdout)["dependencies"]
        skipped = [one["name"] for one in found if "skip_reason" in one]
        if bad := [one for one in found if one.get("vulns")]:
            return "; ".join(f"{one['name']} {one['version']}: {_ids(one)}" for one in bad)
        if not skipped:
            return ""
        unasked = f"{len(skipped)} of {len(found)} versions are unknown to {service}"
    return f"{UNKNOWN}: {unasked}"


def _ids(found: dict[str, Any]) -> str:
    return ", ".join(one["id"] for one in found["vulns"])


def main() -> None:
    """Check each lock and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--require", action="store_true", help="fail where nothing can be asked")
    parser.add_argument("locks", nargs="*", type=Path, help="default: those of requirements/")
    options = parser.parse_args()
    failed = False
    for lock in options.locks or sorted((ROOT / "requirements").rglob("*.txt")):
        problem = audit(lock)
        found = problem or "nothing known against any version"
        print(f"{relpath(lock, ROOT)}: {found}", flush=True)
        failed |= bool(problem) and (options.require or not problem.startswith(UNKNOWN))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
