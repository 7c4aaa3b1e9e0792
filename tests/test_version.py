"""The version stands in one place, and the build reads it there."""

import re
import subprocess
import sys
from pathlib import Path

import chaffinch

ROOT = Path(__file__).parents[1]
BUILT = """
import sys
from setuptools.config.expand import read_attr
print(read_attr("chaffinch.version.__version__", {"": "src"}, "."), "numpy" in sys.modules)
"""


def test_the_version_is_written_once():
    written = [
        path.relative_to(ROOT).as_posix()
        for path in [ROOT / "pyproject.toml", *ROOT.glob("src/**/*.py")]
        if re.search(rf"""["']{re.escape(chaffinch.__version__)}["']""", path.read_text("utf-8"))
    ]
    assert written == ["src/chaffinch/version.py"]


def test_the_build_reads_it_without_loading_the_package():
    done = subprocess.run(
        [sys.executable, "-c", BUILT], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [chaffinch.__version__, "False"]


def test_the_changelog_has_the_version():
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert chaffinch.__version__ in versions
