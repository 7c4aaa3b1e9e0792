"""The package with kernels that were compiled under a sanitizer, for processes of their own."""

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# The package's own flags stand after those of the environment, and would optimize: thrice as long.
BUILD = """
import sys
from setuptools import setup
from setuptools.command.build_ext import build_ext
class Sanitized(build_ext):
    def build_extension(self, extension):
        extension.extra_compile_args += sys.argv[-1].split()
        super().build_extension(extension)
setup(cmdclass={"build_ext": Sanitized}, script_args=sys.argv[1:-1])
"""


def library(name):
    """Return the path of a sanitizer's library; the test is skipped where there is none."""
    compiler = shutil.which("gcc")
    found = compiler and subprocess.run(
        [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()  # fmt: skip
    if not found or not Path(found).is_absolute():
        pytest.skip(f"NO {name}")
    return found


def built(flags, temporary, name):
    """Return a folder with the package, kernels compiled once for all processes of a test run."""
    base = temporary.getbasetemp()  # each process of pytest-xdist has its own in one of the run
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"built-{name}"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            command = [
                sys.executable, "-c", BUILD, "-q", "build",
                "--build-lib", str(folder / "lib"), "--build-temp", str(folder / "temp"),
                f"{flags} -g1 -O1 -fno-omit-frame-pointer",
            ]  # fmt: skip
            environment = {**os.environ, "LDFLAGS": flags}
            subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
            assert list((folder / "lib").glob("chaffinch/kernels/_native*"))
            (folder / "done").touch()
    return folder / "lib"
