"""``chaffinch explain``: a line a block, one in full, JSON; with models, browsers, odd pages."""

import json

import pytest

import chaffinch
from chaffinch.decision.rules import RULES

PAGE = """<title>Rye</title><article><h2>Rye</h2>
<footer><p>Grown by the millers of the valley since 1901, and sold at the market of Corve, where the
bakers of the town have bought their flour for more than a hundred years.</p></footer>
<p>Rye is a grass, grown for its grain, and hardy in poor soils and in cold winters.</p>
<p>It is sown in autumn and cut in July, and its straw has thatched the roofs of Corve.</p>
</article>
"""


@pytest.fixture
def rye(tmp_path):
    path = tmp_path / "rye.html"
    path.write_text(PAGE)
    return path


def test_the_table_has_a_line_for_each_block(run, rye):
    result = run("explain", rye)
    assert result.exit_code == 0
    first, empty, names, *lines = result.stdout.splitlines()
    found = chaffinch.extract(rye.read_bytes())
    blocks = found.explain()
    kept = sum(one.keep for one in blocks)
    kind = f"page type {found.page_type}"
    assert first.startswith(f"{kept} of {len(blocks)} blocks kept by learned; {kind}")
    assert f"{blocks[0].threshold:.2f}" in first
    assert not empty
    assert names.split() == "block kept score decided by for against text selector".split()
    assert len(lines) == len(blocks)
    for line, one in zip(lines, blocks, strict=True):
        assert ("dropped" in line) != one.keep
        assert f"{one.score:.2f}" in line
        assert one.supporting[0].group in line
    (foot,) = (line for line in lines if "millers" in line)
    assert "page chrome" in foot


def test_one_block_in_full(run, rye):
    by_text = run("explain", rye, "--find", "MILLERS of\nthe").stdout
    assert by_text == run("explain", rye, "--block", "1").stdout
    chrome = next(rule for rule in RULES if rule.name == "page chrome")
    assert "block 1: dropped, score 0." in by_text
    assert f"  because   page chrome: {chrome.effect}" in by_text
    assert "page chrome: dropped" in by_text
    assert "  for       +" in by_text
    assert "  against   -" in by_text
    assert "% of it in links" in by_text
    both = run("explain", rye, "--block", "0", "--find", "millers").stdout
    assert both.count("block ") == 2


def test_json_has_all_that_is_known(run, rye):
    values = json.loads(run("explain", rye, "-f", "json").stdout)
    blocks = chaffinch.extract(rye.read_bytes()).explain()
    assert values["method"] == "learned"
    assert [one["block"] for one in values["blocks"]] == list(range(len(blocks)))
    for given, one in zip(values["blocks"], blocks, strict=True):
        assert given["text"] == one.text
        assert given["rule"] == one.rule
        assert given["contributions"][0]["group"] == one.contributions[0].group
        assert [change["rule"] for change in given["changes"]] == [c.rule for c in one.changes]
    (one,) = json.loads(run("explain", rye, "-f", "json", "--block", "1").stdout)["blocks"]
    assert one == values["blocks"][1]


def test_other_methods_have_their_reasons(run, rye):
    result = run("explain", rye, "-m", "line_blocks")
    assert result.exit_code == 0
    reasons = chaffinch.extract(rye.read_bytes(), method="line_blocks").reasons
    assert all(any(one in line for one in reasons) for line in result.stdout.splitlines()[3:])
