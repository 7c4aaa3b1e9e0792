"""Ray and Spark give the rows that threads give; they run with a loopback interface alone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from engine_run import perilous_plan
from run_tables import rows

from bench.lib.archive import Shape, write_archive
from bench.safety import kills
from chaffinch.corpus import run
from chaffinch.corpus.report import read_report
from chaffinch.corpus.runs import engine_of
from chaffinch.errors import SetupError
from elsewhere import missing


def require(engine):
    """Skip the test where an engine is missing."""
    if missing({"spark": "pyspark"}.get(engine, engine)):
        pytest.skip(f"{engine} is missing: pip install 'chaffinch[{engine}]'")
    if engine == "spark" and not shutil.which("java"):
        pytest.skip("Java is missing: apt-get install default-jre-headless")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Return the folder of an archive with all that does harm."""
    folder = tmp_path_factory.mktemp("archive")
    shape = Shape(pages=30, files=3, hosts=3, share=0.5, paragraphs=3, large=0)
    write_archive(folder, shape)
    return folder


@pytest.fixture(scope="module")
def by_threads(archive, tmp_path_factory):
    """Return what a run of threads makes of it."""
    out = tmp_path_factory.mktemp("threads") / "out"
    run([str(archive)], perilous_plan(out), workers=2)
    return made(out)


def made(out):
    """Return rows, counts and files of a run."""
    found = ([row[name] for name in kills.COLUMNS] for row in rows(out))
    report = read_report(str(out)).to_dict()
    tally = {k: v for k, v in report["tally"].items() if k not in {"seconds", "peak"}}
    left = sorted(path.name for path in out.iterdir())
    return sorted(map(repr, found)), (report["done"], tally), left


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_engines_give_the_same_rows(engine, archive, by_threads, tmp_path, in_a_namespace):
    require(engine)
    done = in_a_namespace(engine, archive, tmp_path / "out")
    assert done.returncode == 0, done.stderr[-3000:]
    assert made(tmp_path / "out") == by_threads
    assert set(by_threads[1][1]["errors"]) == {"record", "time", "exit", "crash", "memory"}
    assert done.stdout.strip() == "listening elsewhere: none"


def test_ray_keeps_to_loopback_on_a_machine_with_a_network():
    require("ray")
    env = {**os.environ, "RAY_worker_niceness": "0"}
    del env["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"]  # which kills.py sets for its own nodes
    script = Path(__file__).with_name("engine_run.py")
    command = [sys.executable, str(script), "alone"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines() == ["listening here: True", "listening elsewhere: none"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # its own pipe
def test_spark_without_java_is_an_error_that_says_so(monkeypatch):
    pytest.importorskip("pyspark")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.delenv("SPARK_HOME", raising=False)
    said = pytest.raises(SetupError, match=r"Spark can't be started: .* needs a Java runtime")
    with engine_of("spark", workers=1) as engine, said:
        list(engine.results(abs, [1]))
