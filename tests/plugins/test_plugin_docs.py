"""The page of each plug-in: its example runs in the folder of the example site."""

import re

import pytest
from plugin_cases import CASES, is_there

from printed import ROOT, called

PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
SECTIONS = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_example_runs(case, example_folder):
    case.driver()
    text = next(one for one in SECTIONS if f"chaffinch.plugins.{case.name}" in one)
    assert f"chaffinch[{case.extra}]" in text
    program = "\n".join(PYTHON.findall(text))
    done = called(["-c", program], example_folder)
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
def test_a_recipe_runs(recipe, example_folder):
    tool = TOOLS[recipe.partition("\n")[0]]
    if not is_there(tool):
        pytest.skip(f"{tool} isn't installed")
    (program,) = PYTHON.findall(recipe)
    done = called(["-c", program], example_folder)
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
