"""The page of each plug-in: its example runs in the folder of the example site."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from plugin_cases import CASES

from docs.plugins import versions

ROOT = Path(__file__).resolve().parents[2]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    maker = [sys.executable, "examples/make_site.py", str(folder)]
    subprocess.run(maker, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_example_runs(case, site):
    case.driver()
    text = (ROOT / "docs" / "plugins" / f"{case.name}.md").read_text(encoding="utf-8")
    assert f"chaffinch[{case.extra}]" in text
    program = "\n".join(PYTHON.findall(text))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=site, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_table_names_every_plugin_with_its_group():
    assert [name for name, *_ in versions.GIVES] == [one.name for one in CASES]
    assert set(versions.IN_DEV) == {one.name for one in CASES if one.is_in_dev}
    for case, (_, package, group, _) in zip(CASES, versions.GIVES, strict=True):
        assert group == case.group
        assert package in versions.pins(group)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_its_environment_is_locked_with_hashes_and_has_its_extra(case):
    locked = ROOT / "requirements" / "plugins" / f"{case.group}.txt"
    lines = locked.read_text(encoding="utf-8").splitlines()
    named = [number for number, line in enumerate(lines) if line[:1] not in {" ", "#", ""}]
    assert named
    assert [lines[number] for number in named if "--hash=sha256:" not in lines[number + 1]] == []
    wanted = locked.with_suffix(".in").read_text(encoding="utf-8")
    (own,) = re.findall(r"^\.\[(.+)\]$", wanted, re.MULTILINE)
    assert case.extra in own.split(",")
