"""Each method's page in docs/ lists its settings with their defaults."""

import re
from pathlib import Path

import pytest

from chaffinch.methods import METHODS, settings_of

DOCS = Path(__file__).parents[2] / "docs" / "methods"


@pytest.mark.parametrize("name", METHODS)
def test_page_lists_every_setting_with_its_default(name):
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    table = text[text.index("## Settings") :]
    rows = re.findall(r"^\| `(\w+)` \| `(.+?)` \| \S", table, re.MULTILINE)
    listed = dict(rows)
    defaults = {key: repr(value).replace("'", '"') for key, value in settings_of(name).items()}
    assert listed == defaults
