"""The inspector in a process of its own, on a site and its pages."""

from __future__ import annotations

import contextlib
import http.client
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def inspector(model: Path, pages: Path) -> Iterator[str]:
    """Run ``chaffinch inspect`` on a site; yield its address once it is ready."""
    command = ["-m", "chaffinch", "inspect", str(model), str(pages), "--no-open"]
    with subprocess.Popen([sys.executable, *command], stderr=subprocess.PIPE, text=True) as process:
        try:
            said = process.stderr.readline() if process.stderr is not None else ""
            address = said.split(" is at ")[1].split("/#")[0]
            _wait(address.removeprefix("http://"))
            yield address
        finally:
            process.terminate()


def _wait(host: str) -> None:
    """Wait until a service is ready."""
    while True:
        with contextlib.closing(http.client.HTTPConnection(host)) as connection:
            connection.request("GET", "/ready")
            if connection.getresponse().status == http.HTTPStatus.OK:
                return
        time.sleep(0.05)
