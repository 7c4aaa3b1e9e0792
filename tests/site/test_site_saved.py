"""A broken model file stops with an error that says where."""

import pytest

from chaffinch import Site
from chaffinch.errors import RulesError

HEAD = 'kind = "chaffinch site"\nversion = 1\nsite = "a.test"\n'
RULE = '[[template]]\nname = "x"\nsigns = []\n[[template.rule]]\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kind = ", "not TOML"),
        ('kind = "other"', "not a file of kind"),
        ('kind = "chaffinch site"\nversion = 9', "of version 9"),
        (HEAD + "template = 3", "template is missing or no list"),
        (HEAD + '[[template]]\nsigns = ["p"]', "template 1: name is missing"),
        (HEAD + '[[template]]\nname = "x"', "template 'x': signs is missing"),
        (HEAD + RULE + 'kind = "content"', "rule 1 of template 'x': select is missing"),
        (HEAD + RULE + 'kind = "keep"\nselect = "p"', "unknown kind of rule 'keep'"),
        (HEAD + RULE + 'kind = "drop"\nselect = "p["', "rule 1 of template 'x': bad CSS selector"),
        (HEAD + RULE + 'kind = "drop"\nselect = "p"\nweight = 3', "unknown 'weight'"),
        (HEAD + '[[template]]\nname = "x"\nsigns = [3]', "signs of template 'x'"),
        (HEAD + '[[template]]\nname = "x"\nsigns = []\nkept = 3', "kept must be a number from 0"),
        (HEAD + 'mode = "slow"', "full, rules"),
    ],
)
def test_what_is_broken_is_named(text, problem):
    with pytest.raises(RulesError) as error:
        Site.from_text(text)
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("name", "line"), [("slots", "zz 1 2"), ("layout", "12"), ("dropped", "2\n1"), ("masked", "5")]
)
def test_broken_data_is_named(learned, name, line):
    text = learned.to_text()
    start = text.index(f'{name} = """')
    stop = text.index('"""', start + len(name) + 6)
    broken = text[:start] + f'{name} = """\n{line}\n' + text[stop:]
    with pytest.raises(RulesError, match=r"data of template .* is broken"):
        Site.from_text(broken)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(RulesError, match="can't read"):
        Site.load(tmp_path / "no.toml")
    with pytest.raises(RulesError, match="can't write"):
        Site().save(tmp_path / "no" / "site.toml")


def test_an_empty_model_is_saved_and_read(tmp_path):
    Site(name="a.test").save(tmp_path / "site.toml")
    assert Site.load(tmp_path / "site.toml").name == "a.test"


def test_counts_of_another_learning_are_left_alone_and_broken_ones_named(
    tmp_path, english, learned
):
    path = tmp_path / "site.toml"
    learned.save(path)
    site = Site.load(path)
    site(english[1]["page"])
    site.save_counts(path)
    assert Site.load(path).uses.pages == 1
    Site.load(path).save(path)
    assert Site.load(path).uses.pages == 1
    beside = tmp_path / "site.counts"
    kept = beside.read_text()
    beside.write_text(kept.replace("2026-11-01", "2026-10-01"))
    assert Site.load(path).uses.pages == 0
    for broken in (kept[:-9], kept.replace("chaffinch site counts", "other"), "[]"):
        beside.write_text(broken)
        with pytest.raises(RulesError, match="counts"):
            Site.load(path)


@pytest.mark.parametrize(
    ("place", "value"),
    [(1, "-1"), (2, "1e300"), (3, "8.5"), (3, "-1e30"), (4, "1.5"), (5, "inf"), (6, "nan")],
)
def test_numbers_of_slots_have_bounds(learned, place, value):
    text = learned.to_text()
    start = text.index('slots = """') + len('slots = """\n')
    stop = text.index("\n", start)
    cells = text[start:stop].split()
    broken = " ".join([*cells[:place], value, *cells[place + 1 :]])
    with pytest.raises(RulesError, match="of slots must be from"):
        Site.from_text(text[:start] + broken + text[stop:])
