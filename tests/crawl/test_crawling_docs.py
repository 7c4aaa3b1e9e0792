"""The commands of docs/crawling.md work as printed, on a port of the test's own."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_commands_run(web, tmp_path):
    text = (ROOT / "docs" / "crawling.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    commands = [line for block in blocks for line in block.splitlines()]
    served, *rest = commands
    assert served.startswith("python examples/serve_web.py --port 8900")
    assert len(rest) >= 6
    for command in rest:
        arguments = shlex.split(command.replace(":8900", f":{web.port}"))
        assert arguments[0] == "chaffinch"
        done = subprocess.run(
            [sys.executable, "-m", "chaffinch", *arguments[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        # 1 says that some page failed, such as a dead link; the crawl itself went well.
        assert done.returncode in ((0, 1) if arguments[1] == "crawl" else (0,)), done.stderr
        assert done.stdout.strip()
        assert "Error" not in done.stderr
    for snippet in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        script = snippet.replace(":8900", f":{web.port}")
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout.startswith(("fetched: ", "2 parts; ", "10 pages"))
    assert {path.name for path in tmp_path.iterdir()} >= {"docs.warc.gz", "shop.warc.gz"}
