"""Made-up sites: the same each time, of many builds, with redesigns that change what they say."""

import pytest

from bench.lib.made_sites import made_site
from bench.quality.sites import made_up_table

SITES = range(12)


@pytest.fixture(scope="module")
def made():
    """Some made-up sites, eight pages each."""
    return {number: list(made_site(number, 8)) for number in SITES}


def test_a_site_is_the_same_each_time(made):
    assert list(made_site(3, 8)) == made[3]
    assert len({page.html for pages in made.values() for page in pages}) == 8 * len(SITES)


def test_a_site_model_reads_them_no_worse_than_the_page_alone(capsys):
    made_up_table("made 13", count=14)
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split("|") for line in lines if "| all |" in line]
    assert [row[1].strip() for row in rows] == ["the same", "another frame", "all rebuilt"]
    for row in rows:
        default, full, rules = map(float, row[4:7])
        assert full >= default - 0.01
        assert rules >= default - 0.02
