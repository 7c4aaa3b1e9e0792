"""The test archive, which ``bench/lib/archive.py`` writes, and what reads results."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from run_tables import CHEAP, LIMITS

from bench.lib.archive import Shape, write_archive
from chaffinch.corpus import Plan, run

ROOT = str(Path(__file__).parents[2])  # for processes that the tests start
os.environ["PYTHONPATH"] = os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")]).rstrip(":")

SHAPE = Shape(pages=160, files=4, hosts=10, paragraphs=4, large=400_000)
CLEAN = Shape(pages=120, files=4, hosts=10, paragraphs=3, large=0, has_perils=False)


@pytest.fixture(scope="session")
def archive(tmp_path_factory):
    """Return the folder of an archive with all that does harm, and what it holds."""
    folder = tmp_path_factory.mktemp("archive")
    return folder, write_archive(folder, SHAPE)


@pytest.fixture(scope="session")
def clean_archive(tmp_path_factory):
    """Return the folder of an archive in which all is well, and what it holds."""
    folder = tmp_path_factory.mktemp("clean")
    return folder, write_archive(folder, CLEAN)


@pytest.fixture(scope="session")
def perilous(archive, tmp_path_factory):
    """Return the folder of a run over the archive with all that does harm."""
    folder, manifest = archive
    out = tmp_path_factory.mktemp("runs") / "local"
    plan = Plan(out=str(out), extractor="bench.lib.perils:Perilous", recipe=CHEAP, limits=LIMITS)
    return out, manifest, run([str(folder)], plan, workers=2)


@pytest.fixture
def in_a_namespace():
    """Return what runs an engine where no network but loopback is."""

    def start(*arguments):
        script = Path(__file__).with_name("engine_run.py")
        command = [sys.executable, str(script), *map(str, arguments)]
        alone = ["unshare", "--net", "--map-root-user", "sh", "-c"]
        alone += ['ip link set lo up && exec "$@"', "-"]
        can = subprocess.run([*alone, "true"], capture_output=True, check=False).returncode == 0
        if not can and os.environ.get("CHAFFINCH_REQUIRE_ALL") == "1":
            pytest.fail("no network namespaces here: unshare --net fails")
        return subprocess.run(
            [*(alone if can else []), *command],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "RAY_worker_niceness": "0"},  # else they wait for all others
        )

    return start
