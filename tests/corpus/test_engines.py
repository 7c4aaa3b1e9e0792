"""Ray and Spark give the rows that threads give; they run with a loopback interface alone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from engine_run import marking_plan
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
def doubled(tmp_path_factory):
    """Return the folder of an archive with all that does harm, of which one file is there twice."""
    folder = tmp_path_factory.mktemp("doubled")
    shape = Shape(pages=30, files=3, hosts=3, share=0.5, paragraphs=3, large=0)
    write_archive(folder, shape)
    shutil.copy(folder / "part-00001.warc.gz", folder / "part-00001b.warc.gz")
    return folder


@pytest.fixture(scope="module")
def marked(doubled, tmp_path_factory):
    """Return what a run of threads makes of it."""
    out = tmp_path_factory.mktemp("marked") / "out"
    run([str(doubled)], marking_plan(out), workers=2)
    return made(out)


def made(out):
    """Return rows, counts and files of a run that marks duplicates."""
    columns = [*kills.COLUMNS, "cluster"]
    found = ([row[name] for name in columns] for row in rows(out))
    report = read_report(str(out)).to_dict()
    tally = {k: v for k, v in report["tally"].items() if k not in {"seconds", "peak"}}
    left = sorted(path.name for path in out.iterdir())
    return sorted(map(repr, found)), (report["done"], report["duplicates"], tally), left


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_engines_give_the_same_rows_and_duplicates(
    engine, doubled, marked, tmp_path, in_a_namespace
):
    require(engine)
    done = in_a_namespace(engine, doubled, tmp_path / "out")
    assert done.returncode == 0, done.stderr[-3000:]
    assert made(tmp_path / "out") == marked
    assert marked[1][1]["clusters"] > 4
    assert set(marked[1][2]["errors"]) == {"record", "time", "exit", "crash", "memory"}
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
