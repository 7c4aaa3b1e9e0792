"""The command in a process of its own, with a terminal at its streams."""

import os
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-W", "error", "-m", "chaffinch"]
STREAMS = ("stdout", "stderr")


def on_a_terminal(*arguments, streams=STREAMS, cwd=None):
    """Run the command, some of its streams on a terminal; return its code and what that got."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    ends = {name: theirs if name in streams else subprocess.DEVNULL for name in STREAMS}
    with subprocess.Popen([*COMMAND, *map(str, arguments)], cwd=cwd, **ends) as process:
        os.close(theirs)
        got = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # how Linux ends a terminal's stream
                break
            if not piece:
                break
            got += piece
    os.close(ours)
    return process.returncode, got.decode("utf-8", "surrogateescape")
