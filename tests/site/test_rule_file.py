"""Rules put into a site's file and taken out of it: everything else in it stays to the letter."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import Site
from chaffinch.errors import RulesError
from chaffinch.site import Rule
from chaffinch.site.file import keep_rule, remove_rule, with_rule, without_rule

RULE = Rule(kind="drop", select='div[class="a"]', by_hand=True, taught="2026-11-22", share=0.5)
FILE = """# Ours, since May.
kind = "chaffinch site"  # the kind
version = 1
site = 'grain.example'

# keep the notes
[[rule]]
kind = "content"
select = "div.notes"   # not the [[rule]] of old

[[replace]]
find = '''
[[rule]]
kind = "no"
'''
put = ""

[[test]]
url = "https://grain.example/"
contains = [
  "[[template]]",   # a text
  "rye ] #",
]

# Stories.
[[template]]
name = "stories"
signs = ["div.story"]

# The lead stays.
[[template.rule]]
kind = "content"
select = "p.lead"

[[template]]
name = "shop"
signs = [
  "div.shop",
]
# the end
"""


@pytest.mark.parametrize("template", ["", "stories", "shop"])
def test_a_rule_goes_in_and_out_again(template):
    changed = with_rule(FILE, RULE, template)
    assert without_rule(changed, RULE.kind, RULE.select, template) == FILE
    lines = changed.splitlines()
    for line in FILE.splitlines():
        assert lines.count(line) >= FILE.splitlines().count(line)
    site = Site.from_text(changed)
    place = next((one.rules for one in site.templates if one.name == template), site.rules)
    assert place[-1] == RULE
    assert len(lines) - len(FILE.splitlines()) == 6


def test_each_stands_with_its_own_kind():
    changed = with_rule(FILE, RULE)
    assert changed.index("div.notes") < changed.index("taught") < changed.index("[[replace]]")
    changed = with_rule(FILE, RULE, "stories")
    assert changed.index("p.lead") < changed.index("taught") < changed.index('name = "shop"')


def test_the_first_rule_of_a_file_stands_behind_its_tables():
    bare = 'kind = "chaffinch site"\nversion = 1\nsite = ""\n# Templates follow.\n\n[[template]]\n'
    bare += 'name = "a"\nsigns = []\n'
    changed = with_rule(bare, RULE)
    assert changed.startswith(bare)
    assert without_rule(changed, RULE.kind, RULE.select) == bare


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_endings_of_lines_stay(ending, tmp_path):
    path = tmp_path / "rules.toml"
    path.write_bytes(FILE.replace("\n", ending).encode())
    keep_rule(tmp_path, RULE)
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(ending.encode())
    remove_rule(tmp_path, RULE.kind, RULE.select)
    assert path.read_bytes() == FILE.replace("\n", ending).encode()


def test_a_learned_model_keeps_its_tables(learned, tmp_path):
    path = tmp_path / "site"
    learned.save(path)
    before = tomllib.loads((path / "rules.toml").read_text(encoding="utf-8"))
    name = learned.templates[1].name
    keep_rule(path, RULE, name)
    after = tomllib.loads((path / "rules.toml").read_text(encoding="utf-8"))
    assert after["template"][1]["rule"].pop()["taught"] == "2026-11-22"
    assert after == before
    assert Site.load(path).templates[1].rules[-1] == RULE
    saved = tmp_path / "again"
    Site.load(path).save(saved)
    assert Site.load(saved).templates[1].rules[-1] == RULE


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda text: with_rule(with_rule(text, RULE), RULE), "there already"),
        (lambda text: with_rule(text, RULE, "news"), "no template 'news'"),
        (lambda text: without_rule(text, "drop", "p"), "no rule that a person wrote: drop p"),
        (lambda text: without_rule(text, "drop", "p", "shop"), "no rule that a person wrote"),
        (lambda text: with_rule(text + "[", RULE), "not TOML"),
        (lambda text: with_rule('rule = "x"\n' + text.split("# keep")[0], RULE), "no tables"),
        (
            lambda text: with_rule(
                "rule = [{kind='drop', select='p'}]\n" + text.split("# keep")[0], RULE
            ),
            "edit",
        ),
    ],
)
def test_what_cannot_be_done_is_said(change, problem):
    with pytest.raises(RulesError, match=problem):
        change(FILE)


def test_a_learned_rule_is_not_taken_out(learned):
    rule = next(one for one in learned.templates[0].rules if not one.by_hand)
    with pytest.raises(RulesError, match="no rule that a person wrote"):
        without_rule(learned.to_text(), rule.kind, rule.select, learned.templates[0].name)


def test_a_file_that_would_not_load_is_not_written(tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(FILE, encoding="utf-8")
    with pytest.raises(RulesError, match=r"rules\.toml: rule 2 of the site"):
        keep_rule(tmp_path, Rule(kind="drop", select="p >", by_hand=True))
    assert path.read_text(encoding="utf-8") == FILE
    with pytest.raises(RulesError, match="can't read"):
        keep_rule(tmp_path / "absent", RULE)


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
COMMENTS = st.lists(TEXTS, max_size=2).map(lambda some: "".join(f"# {one}\n" for one in some))


@given(st.lists(st.tuples(COMMENTS, TEXTS, TEXTS), max_size=4))
def test_whatever_people_write_around_them(tables):
    text = 'kind = "chaffinch site"\nversion = 1\nsite = ""\n'
    for number, (comment, first, second) in enumerate(tables):
        quoted = "".join(c for c in first + "'''\n[[rule]]\n" if c != "'")
        text += f"\n{comment}[[replace]]\nfind = '''{number}{quoted}'''\n{comment}"
        text += f'put = """{second.replace(chr(92), "").replace(chr(34), "")}\n[x]\n"""\n'
    changed = with_rule(text, RULE)
    assert tomllib.loads(changed)["rule"][0]["kind"] == "drop"
    assert without_rule(changed, RULE.kind, RULE.select) == text
