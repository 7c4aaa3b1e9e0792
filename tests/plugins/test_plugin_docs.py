"""The page of each plug-in: its example runs in the folder of the example site."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from plugin_cases import CASES, is_there

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
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
    text = next(one for one in SECTIONS if f"chaffinch.plugins.{case.name}" in one)
    assert f"chaffinch[{case.extra}]" in text
    program = "\n".join(PYTHON.findall(text))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=site, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


RECIPES = re.split(
    r"^#### ", next(one for one in SECTIONS if one.startswith("Arrow")), flags=re.MULTILINE
)
TOOLS = {
    "pandas": "pandas",
    "Polars": "polars",
    "DuckDB": "duckdb",
    "Ray Data": "ray",
    "Spark": "pyspark",
}


@pytest.mark.parametrize("recipe", RECIPES[1:], ids=lambda recipe: recipe.partition("\n")[0])
def test_a_recipe_runs(recipe, site):
    tool = TOOLS[recipe.partition("\n")[0]]
    if not is_there(tool):
        pytest.skip(f"{tool} isn't installed")
    (program,) = PYTHON.findall(recipe)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=site, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "inch" in done.stdout, done.stdout


def test_the_table_names_every_plugin_with_its_group():
    named = re.findall(r"^\| \[(\w+)\]\(#.*\| `(\w+)` \|$", PAGE, re.MULTILINE)
    assert named == [(one.name, one.group) for one in CASES]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_its_environment_has_its_extra(case):
    wanted = (ROOT / "requirements" / "plugins" / f"{case.group}.in").read_text(encoding="utf-8")
    (own,) = re.findall(r"^\.\[(.+)\]$", wanted, re.MULTILINE)
    assert case.extra in own.split(",")
