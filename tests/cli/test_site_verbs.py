"""chaffinch learn, and extraction with what it learned."""

import json

import pytest

from chaffinch import Site, parse
from chaffinch.methods import ClusterRules
from rows_of_cases import examples


@pytest.fixture
def folder(example_site, tmp_path):
    """Some pages of the example site as files."""
    rows = [row for row in example_site if row["lang"] == "en" and row["template"] == "article"]
    for number, row in enumerate(rows[:6]):
        (tmp_path / f"page{number}.html").write_bytes(row["html"].encode("latin-1"))
    return tmp_path


def test_rules_of_clusters_are_learned_once(run, folder):
    rules = folder / "rules.json"
    learned = ClusterRules.learn([parse(page) for page in sorted(folder.glob("*.html"))])
    rules.write_text(learned.learned.to_json(), encoding="utf-8")
    given = ("extract", folder / "page3.html", "-m", "cluster_rules", "-f", "json")
    saved = run(*given, "--set", f"rules='{rules}'")
    beside = run(*given, "--siblings", folder)
    assert json.loads(saved.stdout)["text"] == json.loads(beside.stdout)["text"]
    assert run(*given, "--set", "rules='none.json'").exit_code == 2
    assert run(*given).exit_code == 2


def test_learn_save_extract_update(run, folder):
    model = folder / "site"
    done = run("learn", folder, "--output", model, "--date", "2026-11-01")
    assert done.exit_code == 0
    assert "content " in done.output
    assert Site.load(model).history[0].pages == 6
    done = run("extract", folder / "page3.html", "--site", model, "-f", "json")
    assert done.exit_code == 0
    found = json.loads(done.output)
    assert found["notes"]["template"]
    assert found["method"] == "site"  # as of a folder of models, of a run and of the service
    (folder / "later").mkdir()
    for number in range(6):  # the same pages are counted once
        source = (folder / f"page{number}.html").read_text("utf-8")
        (folder / "later" / f"{number}.html").write_text(source.replace("<p>", "<p>Later: "))
    done = run("learn", folder / "later", "--output", model, "--update", "--date", "2026-11-02")
    assert done.exit_code == 0
    assert [one.date for one in Site.load(model).history] == ["2026-11-01", "2026-11-02"]


def test_learn_does_not_overwrite_rules_of_people(run, folder):
    model = folder / "taught"
    assert run("learn", folder, "--output", model).exit_code == 0
    assert run("learn", folder, "--output", model).exit_code == 0
    assert run("site", "rules", "add", model, "--as", "drop", "--select", "aside").exit_code == 0
    again = run("learn", folder, "--output", model)
    assert (again.exit_code, "--update keeps them" in again.stderr) == (2, True)
    assert run("learn", folder, "--output", model, "--update").exit_code == 0
    assert Site.load(model).rules
    one = run(
        "learn", folder / "page0.html", "-o", folder / "one", "--url", "https://finch.example/"
    )
    assert one.stdout.startswith("finch.example: 1 template")


def test_learn_from_lines_of_json(run, folder, example_site):
    rows = [row for row in example_site if row["lang"] == "zh"][:5]
    lines = "".join(json.dumps({"url": r["url"], "html": r["html"]}) + "\n" for r in rows)
    (folder / "zh.jsonl").write_text(lines, encoding="utf-8")
    as_text = run("learn", folder / "zh.jsonl", "--output", folder / "zh.toml")
    assert as_text.exit_code == 2
    assert "looks like bytes that were decoded as Latin-1" in as_text.stderr
    done = run("learn", folder / "zh.jsonl", "--corpus", "--output", folder / "zh.toml")
    assert done.exit_code == 0
    assert Site.load(folder / "zh.toml").host == "zh.grain.example"
    many = (lines * 2).splitlines(keepends=True)
    more = [one.replace(">", f"> {number} ", 1) for number, one in enumerate(many)]
    (folder / "zh.jsonl").write_text("".join(more), encoding="utf-8")
    done = run("learn", folder / "zh.jsonl", "--corpus", "--by-host", "-o", folder / "hosts")
    assert (done.exit_code, done.stdout) == (0, "zh.grain.example: 10 pages\n")


def test_what_has_changed_is_told(run, folder, example_site):
    model = folder / "site"
    assert run("learn", folder, "--output", model).exit_code == 0
    rows = [row for row in example_site if row["lang"] == "en" and row["template"] == "thread"]
    foreign = folder / "foreign"
    foreign.mkdir()
    for count in range(1, 6):
        (foreign / f"{count}.html").write_bytes(rows[0]["html"].encode("latin-1"))
        done = run("extract", foreign, "--site", model)
        # One page says nothing of the site; five of five that don't fit do.
        assert ("fit no template" in done.stderr) == (count >= 5)
    assert "fit no template" in run("site", "show", model, foreign).output


def test_rules_by_example_kept_and_taken_back(run, folder):
    model = folder / "site"
    run("learn", folder, "--output", model)
    before = (model / "rules.toml").read_text(encoding="utf-8")
    url = Site.load(model).templates[0].page
    call = ["site", "rules", "propose", model, folder, "--on", url, "--at", "h1", "--as", "title"]
    listed = run(*call)
    assert listed.exit_code == 0
    assert "*" in listed.output
    assert (model / "rules.toml").read_text(encoding="utf-8") == before
    assert run(*call, "--save").exit_code == 0
    (rule,) = Site.load(model).rules
    assert (rule.kind, rule.select, rule.share) == ("title", "h1", 1.0)
    found = json.loads(run("extract", folder / "page0.html", "--site", model, "-f", "json").output)
    assert found["title"]
    gone = run("site", "rules", "remove", model, "--as", "title", "--select", "h1")
    assert gone.exit_code == 0
    assert (model / "rules.toml").read_text(encoding="utf-8") == before
    assert run("site", "rules", "add", model, "--as", "drop", "--select", ".x").exit_code == 0
    assert Site.load(model).rules[0].select == ".x"


@pytest.mark.parametrize(("more", "problem"), examples(__file__, "proposals that cannot be made"))
def test_proposals_that_cannot_be_made(run, folder, more, problem):
    model = folder / "site"
    run("learn", folder, "--output", model)
    url = Site.load(model).templates[0].page
    more = [url if one == "URL" else one for one in more]
    done = run("site", "rules", "propose", model, folder, "--as", "drop", *more)
    assert done.exit_code == 2
    assert problem in done.stderr
