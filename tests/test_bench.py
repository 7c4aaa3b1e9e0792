"""Every bench starts and is in the index; what the docs tell to run is there."""

import os
import re
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def programs(folder):
    return sorted(
        str(path.relative_to(ROOT).with_suffix("")).replace("/", ".")
        for path in ROOT.glob(f"{folder}/**/*.py")
        if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
    )


BENCHES = programs("bench")
TEXTS = [
    path
    for pattern in (
        "*.md", "Makefile", "bench/**/*", "docs/**/*.md", "examples/*", "src/**/*.py",
        "tests/**/*.py", "training/*",
    )
    for path in ROOT.glob(pattern)
    if path.suffix in {".md", ".py"} or path.name == "Makefile"
]  # fmt: skip


@pytest.fixture
def environment():
    """Put variables back that a bench sets."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.usefixtures("environment")
@pytest.mark.parametrize("name", BENCHES)
def test_help(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    monkeypatch.delitem(sys.modules, name, raising=False)  # runs anew, as by its command
    try:
        with pytest.raises(SystemExit) as ended:
            runpy.run_module(name, run_name="__main__")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in {"bench", "chaffinch", "training", "site_maker", "web_maker"}:
            raise
        pytest.skip(f"NO {missing}, WHICH {name} NEEDS")
    assert not ended.value.code
    assert capsys.readouterr().out.lower().startswith("usage: ")


def test_the_index_has_every_program_once():
    index = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\|.*`python -m (bench[\w.]+)", index, re.MULTILINE)
    assert sorted([*listed, "bench.lib.archive", "bench.lib.results"]) == BENCHES
    trained = re.findall(r"^\|.*`python -m (training\.\w+)", index, re.MULTILINE)
    assert sorted(trained) == programs("training")


def test_benches_that_are_named_are_there():
    missing = []
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        named = {name.replace(".", "/") + ".py" for name in re.findall(r"-m (bench[\w.]*\w)", text)}
        named |= set(re.findall(r"\bbench/[\w/]+\.\w+", text))
        missing += [(path.name, one) for one in sorted(named) if not (ROOT / one).exists()]
    assert not missing
