"""A process may fork while its threads extract: what the child inherits never keeps it waiting."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import chaffinch

PROGRAM = Path(__file__).with_name("fork_while_threads_extract.py")
CHILDREN = 25


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_children_forked_while_threads_extract_finish():
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(CHILDREN)], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (str(CHILDREN), "")


def test_no_cached_property_has_a_lock():
    for path in Path(chaffinch.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "functools":
                assert "cached_property" not in [one.name for one in node.names], path
