"""Reports of site models, also of hostile ones, and the command."""

import json

import pytest
from click.testing import CliRunner

from chaffinch import Site, parse
from chaffinch.cli import main


@pytest.mark.parametrize("html", ["", "<p>one", "<title>only</title>"])
def test_small_models_have_reports(html):
    assert Site.learn([parse(html)]).report().to_text()
    assert Site().report().to_text()


def test_the_command_writes_the_report_and_what_changed(learned, english, tmp_path):
    model = tmp_path / "site.toml"
    learned.save(model)
    for number, row in enumerate(english):
        (tmp_path / f"{number}.html").write_bytes(row["html"].encode("latin-1"))
    arguments = ["site", "show", str(model), str(tmp_path / "0.html")]
    done = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert [one["name"] for one in said["templates"]] == [one.name for one in learned.templates]
    assert sum(one["pages"] for one in said["usage"].values()) == 1
