"""Each plug-in is listed, in its docs and with an environment, and where its tool isn't is said."""

import os
import re

import pytest
from plugin_cases import CASES

from elsewhere import require
from printed import ROOT

PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("group", sorted({one.group for one in CASES}))
def test_the_tools_of_a_group_are_there(group):
    tools = [tool for one in CASES if one.group == group for tool in one.tools]
    is_here = os.environ.get("CHAFFINCH_PLUGINS") == group
    require(tools, f"make plugins GROUPS={group}", is_here=is_here)


def test_every_plugin_is_in_the_list():
    files = {path.stem for path in (ROOT / "src/chaffinch/plugins").glob("*.py")} - {"__init__"}
    assert {one.name for one in CASES} == {name for name in files if not name.startswith("_")}
    named = re.findall(r"^\| \[(\w+)\]\(#.*\| `(\w+)` \|$", PAGE, re.MULTILINE)
    assert named == [(one.name, one.group) for one in CASES]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_its_environment_has_its_extra(case):
    wanted = (ROOT / "requirements" / "plugins" / f"{case.group}.in").read_text(encoding="utf-8")
    (own,) = re.findall(r"^\.\[(.+)\]$", wanted, re.MULTILINE)
    assert case.extra in own.split(",")
