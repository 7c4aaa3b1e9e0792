"""The recipes over Arrow in the page of plug-ins run in the folder of the example site."""

import re

import pytest

from elsewhere import missing
from printed import ROOT, called

PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
ARROW = PAGE.partition("\n## Arrow tables\n")[2].partition("\n## ")[0]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
RECIPES = re.split(r"^#### ", ARROW, flags=re.MULTILINE)
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
    if missing(tool):
        pytest.skip(f"{tool} isn't installed")
    (program,) = PYTHON.findall(recipe)
    done = called(["-c", program], example_folder)
    assert done.returncode == 0, done.stderr
    assert "inch" in done.stdout, done.stdout
