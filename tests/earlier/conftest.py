"""Files of each earlier version, in a folder of the test's own, and the example web beside them."""

from __future__ import annotations

import errno
import shutil
import sys
import tarfile
import threading
from contextlib import contextmanager

import pytest
from click.testing import CliRunner
from kept_files import EXAMPLES, HERE, PORT, date_sources, move_runs

from chaffinch.cli import main

VERSIONS = sorted(path.parent.name for path in HERE.glob("*/README.md"))


@pytest.fixture(params=VERSIONS)
def kept(request, tmp_path, monkeypatch):
    """A copy of what a version wrote; the working directory, as it was when it was made."""
    folder = tmp_path / "work"
    shutil.copytree(HERE / request.param, folder)
    with tarfile.open(folder / "batch.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    date_sources(folder)
    move_runs(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run():
    """The command line, run in this process: run(*arguments) gives what it prints."""

    def invoke(*arguments, code=0):
        done = CliRunner().invoke(main, [str(one) for one in arguments])
        assert done.exit_code == code, done.output
        return done.stdout

    return invoke


@pytest.fixture
def web():
    """The example web on the port that the kept crawls name; ``host`` is its address."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        from web_maker.server import WebServer  # noqa: PLC0415 found only after the line above

        with _serving(WebServer) as server:
            yield server
    finally:
        sys.path.remove(str(EXAMPLES))


@contextmanager
def _serving(kind):
    """Serve on the first address of loopback where the port is free."""

    class Server(kind):
        def server_bind(self):
            for last in range(1, 255):
                self.server_address = (f"127.0.0.{last}", PORT)
                try:
                    super().server_bind()
                except OSError as error:
                    if error.errno != errno.EADDRINUSE:
                        raise
                else:
                    self.host = self.server_address[0]
                    return
            pytest.fail(f"port {PORT} is taken on all of loopback")

    with Server(PORT) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.gate.set()
            server.shutdown()
            thread.join()
