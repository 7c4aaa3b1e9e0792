"""A broken model stops with an error that says where."""

import io
import json

import numpy as np
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
        (HEAD + RULE + 'kind = "drop"\nselect = "p"\nshare = 3', "share must be a number from 0"),
        (HEAD + 'mode = "slow"', "full, rules"),
    ],
)
def test_what_is_broken_is_named(text, problem):
    with pytest.raises(RulesError) as error:
        Site.from_text(text)
    assert problem in str(error.value)


def changed(data, **arrays):
    """Return an archive with arrays changed by functions, the header as its JSON."""
    with np.load(io.BytesIO(data)) as found:
        own = dict(found)
    for name, change in arrays.items():
        if name == "header":
            header = json.loads(own[name].tobytes())
            header = change(header) or header
            own[name] = np.frombuffer(json.dumps(header).encode(), np.uint8)
        else:
            own[name] = change(own[name].copy())
    file = io.BytesIO()
    np.savez(file, **own)
    return file.getvalue()


def first(value):
    """Return what puts a value at the beginning of a column."""

    def change(column):
        column[0] = value
        return column

    return change


HEADERS = {
    "kind": lambda header: header | {"kind": "other"},
    "version": lambda header: header | {"version": 9},
    "no templates": lambda header: header.pop("templates") and None,
    "no list": lambda _: [1],
    "pages": lambda header: header["templates"][0].update(pages=-1),
    "true": lambda header: header["templates"][0].update(pages=True),
    "share": lambda header: header["templates"][0].update(kept=1.5),
    "nan": lambda header: header["templates"][0].update(kept=float("nan")),
    "example": lambda header: header["templates"][0]["rules"].update({"drop p": [1, 1, 3, ""]}),
    "rules": lambda header: header["templates"][0].update(rules=[]),
    "tables": lambda header: header["templates"][0]["counted"].append(["article 1", 7]),
    "no whole": lambda header: header["templates"][0].update(counted=[["article 1", 7]]),
    "history": lambda header: header.update(learned=[["2026-11-01"]]),
    "huge": lambda header: header["templates"][0].update(longest=1 << 60),
}


@pytest.mark.parametrize("change", HEADERS.values(), ids=HEADERS)
def test_a_broken_header_of_data_is_an_error(learned, change):
    with pytest.raises(RulesError, match=r"broken data|not a file"):
        Site.from_text(learned.to_text(), changed(learned.to_data(), header=change))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pages", first(-1)),
        ("blocks", first(1e30)),
        ("log_odds", first(8.5)),
        ("log_odds", first(-1e30)),
        ("linked", first(1.5)),
        ("length", first(np.inf)),
        ("repeats", first(np.nan)),
        ("masked_on", first(-1)),
        ("slots", lambda column: column[::-1]),
        ("slots", lambda column: column[1:]),
        ("slots", lambda column: column.astype(np.int64)),
        ("slots_sizes", first(-1)),
        ("slots_sizes", first(1 << 62)),
        ("sketch_sizes", lambda sizes: sizes[1:]),
        ("verbatim", lambda column: column[::-1]),
        ("sketch", lambda column: column.reshape(-1, 64)),
        ("keys", lambda column: column.astype(object)),
    ],
)
def test_broken_columns_of_data_are_an_error(learned, name, change):
    with pytest.raises(RulesError, match="broken data"):
        Site.from_text(learned.to_text(), changed(learned.to_data(), **{name: change}))


def test_words_in_data_are_cut_and_cleaned(learned):
    def long(header):
        rules = header["templates"][0]["rules"]
        rules.update({key: [1, 1, "\x1b[2J" + "word " * 999, "https://a.test/" + "x" * 9999]
                      for key in rules})  # fmt: skip

    site = Site.from_text(learned.to_text(), changed(learned.to_data(), header=long))
    rules = [one for one in site.templates[0].rules if one.example]
    assert rules
    assert all(one.example.isprintable() and len(one.example) <= 60 for one in rules)
    assert all(len(one.example_page) <= 300 for one in rules)


def test_what_people_named_and_left_out_stays(learned, english, tmp_path):
    """A template that is given another name keeps its tables, one that is taken out is gone."""
    learned.save(tmp_path)
    path = tmp_path / "rules.toml"
    text = path.read_text(encoding="utf-8")
    name = learned.templates[0].name
    path.write_text(text.replace(f'name = "{name}"', 'name = "ours"'), encoding="utf-8")
    again = Site.load(tmp_path)
    assert again.templates[0].name == "ours"
    for row in english[:6]:
        assert (again(row["page"]).keep == learned(row["page"]).keep).all()
    assert again.update([row["page"] for row in english[:4]]).templates[0].name == "ours"
    last = text.rindex("\n[[template]]")
    path.write_text(text[:last], encoding="utf-8")
    assert len(Site.load(tmp_path).templates) == len(learned.templates) - 1


def test_rules_alone_are_a_model(learned, english):
    """Without its data nothing is known of learned templates: the page-level default decides."""
    site = Site.from_text(learned.to_text())
    assert [one.rules and one.name for one in site.templates]
    assert site(english[0]["page"]).notes.mode == "page-level default"


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(RulesError, match="can't read"):
        Site.load(tmp_path / "no")
    (tmp_path / "file").touch()
    with pytest.raises(RulesError, match="can't write"):
        Site().save(tmp_path / "file" / "site")


def test_an_empty_model_is_saved_and_read(tmp_path):
    Site(name="a.test").save(tmp_path / "site")
    assert Site.load(tmp_path / "site").name == "a.test"


def test_counts_of_another_learning_are_left_alone_and_broken_ones_named(
    tmp_path, english, learned
):
    path = tmp_path / "site"
    learned.save(path)
    site = Site.load(path)
    site(english[1]["page"])
    site.save_counts(path)
    assert Site.load(path).uses.pages == 1
    Site.load(path).save(path)
    assert Site.load(path).uses.pages == 1
    beside = path / "counts.json"
    kept = beside.read_text()
    beside.write_text(kept.replace("2026-11-01", "2026-10-01"))
    assert Site.load(path).uses.pages == 0
    for broken in (kept[:-9], kept.replace("usage", "other"), "[]"):
        beside.write_text(broken)
        with pytest.raises(RulesError, match="counts"):
            Site.load(path)
