"""The page of the methods names each with its settings, its source, and how it departs from it."""

import re
from pathlib import Path

import pytest

from chaffinch.methods import METHODS, settings_of

TEXT = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", METHODS)
def test_the_page_lists_every_setting(name):
    (line,) = re.findall(rf"^- \*\*{name}\*\*: (.*)$", TEXT, re.MULTILINE)
    assert re.findall(r"`(\w+)` ", line) == list(settings_of(name))


@pytest.mark.parametrize("name", [*METHODS][1:])
def test_a_published_method_names_its_source_and_its_departures(name):
    assert re.search(rf"^\| \[`{name}`\]\(#{name}\) \| \S", TEXT, re.MULTILINE)
    section = TEXT.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert "*Departures*" in section
