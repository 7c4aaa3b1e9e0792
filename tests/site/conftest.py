"""Pages of the example site, judged once, for tests of site models."""

import pytest

from chaffinch import parse
from chaffinch.methods import Learned
from chaffinch.site import Site, Statistics, merged


@pytest.fixture(scope="session")
def english(example_site):
    """Rows of the English half of the example site, each with its page, verdict and statistics."""
    rows = [dict(row) for row in example_site if row["lang"] == "en"]  # others read them, too
    judge = Learned()
    for row in rows:
        page = parse(row["html"].encode("latin-1"), url=row["url"])
        verdict = judge(page)
        row |= {"page": page, "verdict": verdict}
        row["part"] = Statistics.of_page(page, verdict=verdict, date="2026-11-01")
    return rows


@pytest.fixture(scope="session")
def learned(english):
    """The model of every other page of it."""
    return Site.of(merged([row["part"] for row in english[::2]]))
