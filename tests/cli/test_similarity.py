"""``chaffinch site similarity``: Table 1 of same-layer-similarity for anyone's pages."""

import json

import pytest


@pytest.fixture
def site(example_site, tmp_path):
    """Six pages of the example site's first section, as files."""
    folder = tmp_path / "site"
    folder.mkdir()
    rows = [row for row in example_site if row["lang"] == "en" and row["template"] == "article"]
    for row in rows[:6]:
        (folder / f"{row['id']}.html").write_bytes(row["html"].encode("latin-1"))
    return folder


def rows_of(run, *arguments):
    result = run("site", "similarity", *arguments, "-f", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_pages_of_one_layer_are_alike(run, site):
    values = rows_of(run, site)
    assert len(values["pages"]) == 6
    for row in values["pages"]:
        assert row["compared"] == 4
        assert row["nearest"] != row["page"]
        assert row["similarity"] >= 0.9
        assert row["with_text"] <= row["similarity"]
        assert 0 < row["paths"] <= 1
        assert 0 < row["equal_nodes"] < 1
    assert values["all"]["compared"] == 24


def test_other_pages_are_not(run, site, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.html").write_text(
        "<nav><a href=/a>One</a> <a href=/b>Two</a></nav><main><p>"
        + "Rye is a grass, grown for its grain. " * 20
        + "</main><footer><p>Imprint of the owner</footer>"
    )
    (other / "b.html").write_text("<table><tr><td>x<td>" + "<i>y</i>" * 200 + "</table>")
    alike, unlike = rows_of(run, site)["all"], rows_of(run, other)["all"]
    assert unlike["paths"] < 0.5 < alike["paths"]
    assert (unlike["similarity"] or 0) < alike["similarity"]


def test_fewer_are_compared_where_asked(run, site):
    assert {row["compared"] for row in rows_of(run, site, "-n", "2")["pages"]} == {2}


def test_pages_of_other_hosts_arent_compared(run, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.html").write_text(
            f"<link rel=canonical href='https://{name}.example/{name}'><p>Rye {name}"
        )
    values = rows_of(run, tmp_path)
    assert [row["similarity"] for row in values["pages"]] == [None, None]
    assert "–" in run("site", "similarity", tmp_path).stdout
