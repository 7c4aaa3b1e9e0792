"""Ray and Spark give the rows that threads give; they run with a loopback interface alone."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.safety import kills
from chaffinch.batch import run

REQUIRED = os.environ.get("CHAFFINCH_REQUIRE_ALL") == "1"


@pytest.fixture(scope="module")
def wanted(archive, tmp_path_factory):
    out = tmp_path_factory.mktemp("threads") / "out"
    folder, _ = archive
    run([str(folder)], kills.perilous_plan(out), workers=2)
    return kills.rows_of(out)


def missing(engine):
    if engine == "ray" and not importlib.util.find_spec("ray"):
        return "Ray is missing: pip install 'chaffinch[ray]'"
    if engine == "spark" and not importlib.util.find_spec("pyspark"):
        return "Spark is missing: pip install 'chaffinch[spark]'"
    if engine == "spark" and not shutil.which("java"):
        return "Java is missing: apt-get install default-jre-headless"
    return ""


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_engines_give_the_same_rows(engine, archive, wanted, tmp_path, in_a_namespace):
    if (reason := missing(engine)) and not REQUIRED:
        pytest.skip(reason)
    assert not reason
    done = in_a_namespace(engine, archive[0], tmp_path / "out")
    assert done.returncode == 0, done.stderr[-3000:]
    assert kills.rows_of(tmp_path / "out") == wanted
    assert done.stdout.strip() == "listening elsewhere: none"


def test_ray_keeps_to_loopback_on_a_machine_with_a_network():
    if (reason := missing("ray")) and not REQUIRED:
        pytest.skip(reason)
    assert not reason
    env = {**os.environ, "RAY_worker_niceness": "0"}
    del env["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"]  # which kills.py sets for its own nodes
    script = Path(__file__).with_name("ray_alone.py")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines() == ["listening here: True", "listening elsewhere: none"]
