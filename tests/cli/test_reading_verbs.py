"""Outlines, ``verify``, ``diff``, and the options of ``extract`` that select of the Markdown."""

import json

import pytest

import chaffinch

HTML = """<title>Rye</title><article><p>Rye is a grass, grown for its grain, hardy in poor soils.
<h2>Sowing</h2><p>It is sown in autumn, and stands green under the snow until the spring comes.
<p>Its straw has thatched the roofs of Corve for more than a hundred years, and does so still.
<h2>Harvest</h2><p>It is cut in July, when the chaffinches have left the hedges of the valley.
</article>"""


@pytest.fixture
def rye(tmp_path):
    path = tmp_path / "rye.html"
    path.write_text(HTML)
    return path


def test_outline(run, rye):
    lines = run("extract", "--format", "outline", rye).stdout.splitlines()
    assert lines[0].split() == ["number", "tokens", "characters", "id", "heading"]
    entries = chaffinch.extract(rye.read_bytes()).outline()
    assert [line.split()[0] for line in lines[1:]] == [one.number for one in entries]
    values = json.loads(run("extract", rye, "-f", "json", "--with", "outline").stdout)
    assert [one["id"] for one in values["outline"]] == [one.id for one in entries]


def test_a_section_and_a_budget(run, rye):
    found = chaffinch.extract(rye.read_bytes())
    text = run("extract", rye, "-f", "markdown", "--section", "Harvest").stdout
    assert text == found.section("Harvest").markdown
    text = run("extract", rye, "-f", "markdown", "--max-tokens", "60").stdout
    assert text == found.markdown(max_tokens=60)
    record = json.loads(run("extract", rye, "-f", "json", "--max-tokens", "60").stdout)
    assert record["markdown"] == found.markdown(max_tokens=60)
    cut = ("--with", "chunks,outline", "--chunk-tokens", "40")
    record = json.loads(run("extract", rye, "-f", "json", *cut).stdout)
    assert record["chunks"][-1]["text"].startswith("## Harvest\n\nIt is cut")
    assert len(record["outline"]) == len(found.outline())


def test_verify(run, rye):
    result = run("verify", rye, "sown in autumn, and stands green")
    assert result.exit_code == 0
    assert result.stdout.startswith("exact\n  text       sown in autumn, and stands green\n")
    values = json.loads(
        run(
            "verify", rye, "It is sown in winter, and stands green under the snow", "-f", "json"
        ).stdout
    )
    assert values["status"] == values["passage"]["status"] == "changed"
    result = run("verify", rye, "Barley is another matter altogether")
    assert (result.exit_code, result.stdout) == (3, "absent\n")


def test_diff(run, rye, tmp_path):
    new = tmp_path / "new.html"
    new.write_text(HTML.replace("July", "August"))
    lines = run("diff", rye, new).stdout.splitlines()
    assert lines[0] == "@@ Rye > Harvest"
    assert lines[1].startswith("- It is cut in July")
    assert lines[2].startswith("+ It is cut in August")
    values = json.loads(run("diff", rye, new, "-f", "json").stdout)
    assert values["changes"][0]["kind"] == "changed"
    assert "~~July,~~ **August,**" in run("diff", rye, new, "-f", "markdown").stdout
    same = run("diff", rye, rye)
    assert (same.exit_code, same.stdout) == (0, "")
    assert "nothing of the content changed" in same.stderr
