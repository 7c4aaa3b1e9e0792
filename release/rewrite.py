"""Rewrites README and pyproject.toml of a checkout for an index: `rewrite.py REPOSITORY REF`."""

from __future__ import annotations

import sys
from pathlib import Path

from artifacts import rewrite

if __name__ == "__main__":
    rewrite(Path(__file__).parents[1], sys.argv[1].rstrip("/"), sys.argv[2])
