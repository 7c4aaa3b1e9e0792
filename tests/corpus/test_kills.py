"""What is killed at a random point and goes on has the same rows, once each.

``make soak`` does sixty rounds of the same.
"""

import importlib.util
import random

import pytest

from bench.safety import kills
from chaffinch.corpus import run


@pytest.fixture(scope="module")
def wanted(clean_archive, tmp_path_factory):
    folder, _ = clean_archive
    out = tmp_path_factory.mktemp("untouched") / "out"
    run([str(folder)], kills.plan_for(out), workers=2)
    return kills.rows_of(out)


def test_a_run(clean_archive, wanted, tmp_path):
    killed = kills.kill_run(clean_archive[0], tmp_path / "out", random.Random(0))  # noqa: S311
    assert killed
    assert kills.rows_of(tmp_path / "out") == wanted


def test_children(clean_archive, wanted, tmp_path):
    killed = kills.kill_children(clean_archive[0], tmp_path / "out", random.Random(1))  # noqa: S311
    assert killed
    assert kills.rows_of(tmp_path / "out") == wanted


@pytest.mark.skipif(
    not importlib.util.find_spec("ray"), reason="Ray is missing: pip install 'chaffinch[ray]'"
)
def test_a_node(clean_archive, wanted, tmp_path, in_a_namespace):
    done = in_a_namespace("node", clean_archive[0], tmp_path / "out")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "a node was lost" in done.stdout
    assert kills.rows_of(tmp_path / "out") == wanted
