"""The inspector of sites whose folders, files and addresses have hostile names."""

import json
import re
import subprocess
import sys
import urllib.request

import pytest

HOSTILE = "\x1b[31m\u202eevil<img src=x onerror=alert(1)>\u2066'\"\udc9b\udcff\n"
"""Controls, text that is turned around, markup, bytes that aren't UTF-8, a line break."""
COMMAND = [sys.executable, "-m", "chaffinch"]
HTML = "<title>Rye {0}</title><h1>Rye {0}</h1><p>" + "The finch eats seeds, number {0}. " * 30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux alone")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    pages = folder / f"pages{HOSTILE}"
    pages.mkdir()
    for number in range(4):
        (pages / f"{number}{HOSTILE}.html").write_text(HTML.format(number))
    call = [*COMMAND, "learn", pages.name, "--save", f"site{HOSTILE}.toml"]
    subprocess.run(call, cwd=folder, check=True, capture_output=True)
    return folder


def test_names_are_shown_as_json(folder):
    views = {"site/overview": {}, "site/pages": {}, "site/page": {"number": 0}}
    opened = [f"site{HOSTILE}.toml", f"pages{HOSTILE}"]
    call = [*COMMAND, "inspect", "--no-open", "-w", "1", *opened]
    with subprocess.Popen(call, cwd=folder, stderr=subprocess.PIPE) as process:
        try:
            base = re.search(rb"http://[^/]+", process.stderr.readline())[0].decode()
            for view, body in views.items():
                request = urllib.request.Request(  # noqa: S310  of this machine
                    f"{base}/v1/inspect/{view}",
                    json.dumps(body).encode(),
                    {"Content-Type": "application/json"},
                )
                with urllib.request.urlopen(request, timeout=120) as found:  # noqa: S310  the same
                    assert found.headers.get_content_type() == "application/json"
                    assert json.load(found)
        finally:
            process.terminate()
        assert b"Traceback" not in process.stderr.read()
