"""Made-up sites: the same each time, of many builds, with redesigns that change what they say."""

import pytest

from bench.lib import site_sources
from bench.lib.made_sites import made_site
from bench.lib.made_sites.design import HABITS, Design
from bench.lib.made_sites.kinds import KINDS
from bench.lib.made_up_sites import made_up_sites, made_up_table
from chaffinch import parse
from chaffinch.evaluate.tokens import tokenize
from chaffinch.segment.text_blocks import text_blocks

SITES = range(12)


@pytest.fixture(scope="module")
def made():
    """Some made-up sites, eight pages each."""
    return {number: list(made_site(number, 8)) for number in SITES}


def test_a_site_is_the_same_each_time(made):
    assert list(made_site(3, 8)) == made[3]
    assert len({page.html for pages in made.values() for page in pages}) == 8 * len(SITES)


def test_every_word_of_the_content_is_on_its_page(made):
    for pages in made.values():
        for page in pages:
            blocks = text_blocks(parse(page.html))
            words = {word for text in blocks.texts() for word in tokenize(text)}
            assert page.gold
            assert set(tokenize(page.gold)) <= words, page.url


def test_sites_differ_in_habit_kind_and_language():
    pages = [next(made_site(number, 1)) for number in range(60)]
    assert {page.kind for page in pages} >= set(KINDS) - {"missing"}
    assert len({parse(page.html).head.lang for page in pages}) == 5
    assert {Design(f"made site {number}").habit for number in range(60)} == set(HABITS)


def test_another_frame_leaves_the_stories_and_their_names():
    old, new = (list(made_site(3, 8, frame=frame)) for frame in (0, 1))
    assert [page.gold for page in old] == [page.gold for page in new]
    assert all(a.html != b.html for a, b in zip(old, new, strict=True))
    before, after = Design("made site 3"), Design("made site 3", frame=1)
    assert before.attributes("body") == after.attributes("body")
    assert [before.attributes(role) for role in ("header", "footer", "side", "menu")] != [
        after.attributes(role) for role in ("header", "footer", "side", "menu")
    ]


def test_a_site_model_reads_them_no_worse_than_the_page_alone(capsys):
    made_up_table("made 13", count=14)
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split("|") for line in lines if "| all |" in line]
    assert [row[1].strip() for row in rows] == ["the same", "another frame", "all rebuilt"]
    for row in rows:
        default, full, rules = map(float, row[4:7])
        assert full >= default - 0.01
        assert rules >= default - 0.02
    assert lines[-1].startswith("rules a template: ")


def test_choices_are_made_with_each_source_left_out(capsys, monkeypatch):
    numbers = {"one": 4, "two": 5}
    sources = {
        name: lambda _, number=number: made_up_sites(f"made {number}", number + 1)
        for name, number in numbers.items()
    }
    choices = ("labels of rows head their values", "a vote against the model counts")
    some = {name: site_sources.CHOICES[name] for name in choices}
    before = [vars(one.module)[one.name] for one in some.values()]
    monkeypatch.setattr(site_sources, "SOURCES", sources)
    monkeypatch.setattr(site_sources, "CHOICES", some)
    site_sources.source_table("")
    for one, value in zip(some.values(), before, strict=True):
        assert vars(one.module)[one.name] is value
    lines = capsys.readouterr().out.splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines]
    values = [row for row in rows if row[0] in choices and len(row) == 2 + 3 * len(numbers)]
    chosen = [row for row in rows if row[0] in choices and row[1] in numbers]
    assert [row[:2] for row in values] == [
        [name, value] for name, one in some.items() for value in one.values
    ]
    assert len(chosen) == len(choices) * len(numbers)
    assert all(row[2] in some[row[0]].values for row in chosen)
