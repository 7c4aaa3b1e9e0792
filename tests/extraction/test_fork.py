"""A process may fork while its threads extract: what the child inherits never keeps it waiting."""

import ast
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import chaffinch
from chaffinch.caching import cached_property

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


class Counted:
    def __init__(self):
        self.made = 0

    @cached_property
    def value(self):
        """What is made."""
        self.made += 1
        time.sleep(0.01)
        return [self.made]


def test_a_value_is_made_once_and_kept():
    one = Counted()
    assert one.value is one.value
    assert one.made == 1
    assert Counted.value.__doc__ == "What is made."


def test_threads_that_make_a_value_at_once_get_the_same():
    one, found = Counted(), []
    threads = [threading.Thread(target=lambda: found.append(one.value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(value is one.value for value in found)
