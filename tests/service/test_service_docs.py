"""The commands and the configuration in the docs of the service work as printed."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running_service import PAGE, apart, running

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8000"
PLACE = "https://example.com/"


def fences(page, language):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def lines(page):
    blocks = (block.replace("\\\n", " ") for block in fences(page, "sh"))
    return [line for block in blocks for line in block.splitlines() if line]


@pytest.fixture(autouse=True, scope="module")
def _files(service):
    (service.folder / "page.html").write_text(PAGE)
    (service.folder / "old.html").write_text(PAGE)
    (service.folder / "new.html").write_text(PAGE.replace("birch", "beech"))


def test_requests_work_as_printed(service, web):
    if not shutil.which("curl"):
        pytest.skip("NO curl")
    commands = [line for line in lines("serve.md") if line.startswith("curl ")]
    assert commands
    for command in commands:
        local = command.replace(ADDRESS, f"http://127.0.0.1:{service.port}")
        local = local.replace(PLACE, f"{web.url}/")
        done = subprocess.run(
            ["curl", "-sS", "--fail-with-body", *shlex.split(local)[1:]],
            cwd=service.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        assert done.stdout


def test_commands_work_as_printed(service):
    for command in [line for line in lines("serve.md") if line.startswith("chaffinch ")]:
        verb, *rest = shlex.split(command)[1:]
        if verb == "serve":
            rest = [one for one in rest if one != "&"]
            with running(*rest, "--workers", "1") as another:
                assert another.get("/health").status == 200
            continue
        done = subprocess.run(
            [sys.executable, "-m", "chaffinch", verb, *rest],
            cwd=service.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)


def test_configurations_start_a_server():
    pytest.importorskip("mcp")
    from mcp import Client, StdioServerParameters  # noqa: PLC0415  an extra

    async def tools(entry):
        command = [sys.executable, "-m", "chaffinch", *entry["args"], "--workers", "1"]
        parameters = StdioServerParameters(
            command=command[0], args=command[1:], env=dict(os.environ)
        )
        async with Client(parameters) as client:
            return (await client.list_tools()).tools

    configurations = [json.loads(block) for block in fences("serve.md", "json")]
    entries = [next(iter(next(iter(one.values())).values())) for one in configurations]
    local = [one for one in entries if "command" in one]
    assert len(local) == 1
    for entry in local:
        assert entry["command"] == "chaffinch"
    assert apart(lambda: tools(local[0]))
