"""What axe, a checker of accessibility, finds on a page of the inspector."""

import pytest

RULES = {"iframes": False, "runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}


def serious_findings(tab):
    """What the checker calls serious or critical: the rule, and where."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    return [
        (one["id"], [node["html"][:200] for node in one["nodes"]])
        for one in axe.Axe().run(tab, options=RULES).response["violations"]
        if one["impact"] in ("serious", "critical")
    ]
