"""Ray and Spark give the rows that threads give; they run with a loopback interface alone."""

import importlib.util
import os
import shutil

import pytest

import kills
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
