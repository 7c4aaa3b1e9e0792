"""The commands and the configuration in the docs of the service work as printed."""

import shlex
import shutil
import subprocess

import pytest
from running_service import PAGE, running

from printed import called, commands

ADDRESS = "http://127.0.0.1:8000"
PLACE = "https://example.com/"

pytestmark = pytest.mark.usefixtures("kept")


@pytest.fixture(autouse=True, scope="module")
def _files(service):
    (service.folder / "page.html").write_text(PAGE)
    (service.folder / "old.html").write_text(PAGE)
    (service.folder / "new.html").write_text(PAGE.replace("birch", "beech"))


def test_requests_work_as_printed(service, web):
    if not shutil.which("curl"):
        pytest.skip("NO curl")
    asked = [line for line in commands("serve") if line.startswith("curl ")]
    assert asked
    for command in asked:
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
    for command in [line for line in commands("serve") if line.startswith("chaffinch ")]:
        verb, *rest = shlex.split(command)[1:]
        if verb == "serve":
            rest = [one for one in rest if one != "&"]
            with running(*rest, "--workers", "1") as another:
                assert another.get("/health").status == 200
            continue
        done = called(["-m", "chaffinch", verb, *rest], service.folder)
        assert done.returncode == 0, (command, done.stderr)
