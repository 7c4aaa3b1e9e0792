"""The files that build and run the container: linted, and closed as the docs say."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]


def test_the_dockerfile_is_linted():
    program = shutil.which("hadolint", path=Path(sys.executable).parent)
    if program is None:
        pytest.skip("HADOLINT ISN'T INSTALLED")
    done = subprocess.run(
        [program, "Dockerfile"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_containers_are_closed():
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    services = compose["services"]
    for name, one in services.items():
        assert one["read_only"]
        assert one["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in one["security_opt"]
        assert all(port.startswith("127.0.0.1:") for port in one.get("ports", ()))
        assert (name == "proxy") == ("ports" in one)
        assert name == "proxy" or ":?" in one["environment"]["CHAFFINCH_TOKEN"]
    proxy = " ".join(compose["configs"]["proxy"]["content"].split())
    told = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    table = told[told.index("### What a proxy holds") :].partition("\n\nWithout a proxy")[0]
    settings = re.findall(r"`(\w+ [\w ]+)`", table)
    assert len(settings) >= 6
    assert [one for one in settings if f" {one};" not in proxy] == []
    stages = (ROOT / "Dockerfile").read_text().split("\nFROM ")[1:]
    for stage in stages[1:]:
        users = [line.split()[1] for line in stage.splitlines() if line.startswith("USER ")]
        assert users[-1] == "10001"


def test_what_is_copied_is_not_ignored():
    lines = (ROOT / ".dockerignore").read_text().split()
    for line in (ROOT / "Dockerfile").read_text().splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert f"!{source}" in lines, source
                assert (ROOT / source).exists()
