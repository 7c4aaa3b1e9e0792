"""``extract``, ``verify`` and ``diff``: what they read, what they make of it, where that goes."""

import csv
import gzip
import io
import json

import pytest

import chaffinch
from chaffinch.cli.outputs import FORMS, StandardOutput
from chaffinch.cli.pages import Reading
from chaffinch.cli.work import PageTask, work_through
from chaffinch.errors import SetupError
from chaffinch.extraction.extract import extract
from chaffinch.methods import build
from chaffinch.page.bounds import Limits
from chaffinch.web import FetchLimits
from records_pages import cards

READING = Reading(limits=Limits(), fetch=FetchLimits())
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"


def records(result):
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


# Where pages come from


def test_a_file_and_an_address(run, page, web):
    found = extract(page.read_bytes())
    for form in ("text", "markdown", "html"):
        wanted = found.text if form == "text" else getattr(found, form)()
        result = run("extract", page, "--format", form)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == wanted.rstrip("\n") + "\n"
    (record,) = records(run("extract", page, "-f", "json"))
    place = {"file": str(page), "member": "", "offset": 0}
    assert record == json.loads(json.dumps({**found.to_dict(), **place}))
    assert list(record)[:5] == ["version", "url", *place]
    assert run("extract", input=page.read_bytes()).stdout == run("extract", page).stdout
    url = f"http://{web}/b/siskin.htm"
    (record,) = records(run("extract", url, "-f", "json", "--allow-host", web))
    assert record["url"] == url
    assert f"http://{web}/b/more.html" in record["markdown"]
    refused = run("extract", url)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    assert refused.stderr.startswith(f"Error: {url}: refused: 127.0.0.1 ")


def test_a_folder_gives_its_pages_in_order_whoever_works(run, folder):
    alone = run("extract", folder, "-f", "json")
    assert [one["title"] for one in records(alone)] == [
        "The serin", "The siskin", "The chaffinch",
    ]  # fmt: skip
    assert run("extract", folder, "-f", "json", "--workers", "2").stdout == alone.stdout
    lines = run("extract", folder / "chaffinch.html", folder / "b" / "siskin.htm").stdout
    heads = [line for line in lines.splitlines() if line.startswith("==> ")]
    assert heads == [f"==> {folder}/chaffinch.html <==", f"==> {folder}/b/siskin.htm <=="]
    assert lines.startswith(heads[0])
    assert f"\n\n{heads[1]}\n" in lines


def test_encodings_and_packed_pages(run, tmp_path):
    pages, out = tmp_path / "pages", tmp_path / "out"
    pages.mkdir()
    chinese = f"<article><p>{'苍头燕雀是一种小型鸟类，在欧洲很常见。' * 20}</article>"
    (tmp_path / "page.html").write_bytes(chinese.encode("gbk"))
    (found,) = records(run("extract", tmp_path / "page.html", "--encoding", "gbk", "-f", "json"))
    assert (found["encoding"], "苍头燕雀" in found["text"]) == ("gb18030", True)
    (pages / "a.html.gz").write_bytes(gzip.compress(b"<p>A finch, packed, eats grains of rye."))
    (pages / "b.HTML").write_bytes(b"<p>A finch, not packed, eats grains of rye.")
    assert run("extract", pages, "-f", "markdown", "-o", out).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["a.md", "b.md"]
    assert (out / "a.md").read_text() == "A finch, packed, eats grains of rye.\n"


# Where outputs go


def test_the_suffix_of_the_output_sets_its_form(run, page, tmp_path):
    for suffix, form in (("md", "markdown"), ("xml", "tei"), ("html", "html"), ("txt", "text")):
        out = tmp_path / "new" / f"out.{suffix}"
        done = run("extract", page, "-o", out)
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", f"wrote {out}\n")
        assert out.read_text() == run("extract", page, "-f", form).stdout
    assert run("extract", page, "-f", "md").stdout == run("extract", page, "-f", "markdown").stdout


def test_output_to_a_folder_keeps_places(run, folder, page, web, tmp_path):
    out = tmp_path / "out"
    assert run("extract", folder, "-f", "markdown", "-o", out).exit_code == 0
    made = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert made == ["b/serin.md", "b/siskin.md", "chaffinch.md"]
    assert "smallest of them" in (out / "b" / "serin.md").read_text()
    run("extract", page, "-f", "json", "-o", out)
    assert json.loads((out / "chaffinch.json").read_text())["title"] == "The chaffinch"
    (folder / "b" / "chaffinch.html").write_bytes((folder / "b" / "siskin.htm").read_bytes())
    run("extract", folder / "chaffinch.html", folder / "b" / "chaffinch.html", "-o", out)
    assert "common in Europe" in (out / "chaffinch.txt").read_text()
    assert "hangs on alders" in (out / "chaffinch-2.txt").read_text()
    url = f"http://{web}/b/siskin.htm?a=/../../x"
    assert run("extract", url, "-o", f"{tmp_path}/fetched/", "--allow-host", web).exit_code == 0
    host = web.replace(".", "_").replace(":", "_")
    (path,) = (tmp_path / "fetched").iterdir()
    assert path.name == f"{host}_b_siskin_htm_a_x.txt"


def test_nothing_is_overwritten_that_is_not_meant(run, folder, page, tmp_path):
    out = tmp_path / "out.txt"
    out.write_text("mine")
    assert run("extract", folder, "-o", out).exit_code == 2
    assert out.read_text() == "mine"
    before = page.read_bytes()
    for out in (page, page.parent):
        result = run("extract", page, "-f", "html", "-o", out)
        assert (result.exit_code, "would overwrite" in result.stderr) == (1, True)
    assert page.read_bytes() == before
    result = run("extract", page, "-o", page / "out.txt")
    assert (result.exit_code, "can't write" in result.stderr) == (1, True)


# Failures


def test_a_page_that_fails_does_not_stop_the_others(run, folder, tmp_path):
    name, out = f"{'a' * 250}.htm", tmp_path / "out"
    for place in (folder, folder / "b"):  # the second's output has a longer name
        (place / name).write_bytes((folder / "chaffinch.html").read_bytes())
    given = (folder / name, folder / "b" / name, folder / "b" / "siskin.htm")
    result = run("extract", *given, "-f", "json", "-o", f"{out}/")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {folder}/b/{name}: can't write ")
    assert len(list(out.iterdir())) == 2
    (folder / "b" / name).unlink()
    (folder / name).write_bytes(PDF)
    result = run("extract", folder)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {folder}/{name}: not HTML: PDF\n"
    assert result.stdout.count("==> ") == 3


def test_a_bug_at_one_page_does_not_stop_the_others_a_wrong_setup_does(folder, capsys):
    def method(page):
        if "siskin" in page.text:
            return page.parent[len(page)]
        return build("block_density")(page)

    def wrong(_):
        raise SetupError("no page can be read")

    sources = READING.sources([str(folder)])
    where = StandardOutput(FORMS["text"], is_several=True)
    task = PageTask(form="text", method=method, limits=Limits())
    assert work_through(sources, task, where, READING) == 1
    out, err = capsys.readouterr()
    assert (out.count("==> "), err.count("\n")) == (2, 1)
    assert err.startswith(f"Error: {folder}/b/siskin.htm: a bug of Chaffinch; please report it, ")
    assert "IndexError: " in err
    with pytest.raises(SetupError):
        work_through(sources, PageTask(form="text", method=wrong, limits=Limits()), where, READING)


# Which pages, and what JSON has besides


def test_pages_that_are_not_wanted_are_left_out(run, page, tmp_path):
    (tmp_path / "x.html").write_text("<p>" + "Die Eule und der Fink sind auf dem Dach. " * 9)
    result = run("extract", tmp_path, "--language", "en", "-f", "json", "-w", "2")
    assert [one["file"] for one in records(result)] == [str(page)]
    assert "x.html: left out: its language is de, not en" in result.stderr
    assert "Error" not in result.stderr


def test_json_has_what_is_asked_for(run, page, tmp_path):
    given = ("-f", "json", "--with", "tables,comments", "--with", "embeds")
    (found,) = records(run("extract", page, *given))
    assert found["comments"] == found["embeds"] == []
    owls = tmp_path / "owls.html"
    owls.write_text(
        "<meta name=author content='Will Barnes'><meta name=byl content='Jane Doe'><h1>Owls</h1><p>"
        + "The owls have been there for as long as the barn has stood. " * 9
    )
    (found,) = records(run("extract", owls, "-f", "json", "--author-blacklist", "will barnes"))
    assert found["authors"] == ["Jane Doe"]
    gone = "<title>404 Not found</title><h1>404</h1><p>The page was not found.</p>"
    owls.write_text(gone)
    assessed = ("-f", "json", "--with", "assessment", "--status", "503")
    (found,) = records(run("extract", owls, *assessed))
    assert found["assessment"]["next_step"] == "retry_later"
    wanted = chaffinch.assess(gone, status=503).probabilities
    assert found["assessment"]["probabilities"] == wanted


# Entries of lists

MODEL = """kind = "chaffinch site"
version = 1
site = ""
[[template]]
name = "all"
signs = []
[[template.rule]]
kind = "record"
select = "nav li"
"""


def test_entries_of_lists(run, tmp_path):
    shop, model, out = tmp_path / "shop.html", tmp_path / "mill", tmp_path / "out"
    shop.write_text(cards(4).replace("The mill", "=The mill"), encoding="utf-8")

    def rows(*options):
        result = run("extract", "-f", "records-csv", shop, *options)
        return list(csv.DictReader(result.stdout.splitlines()))

    assert [row["number"] for row in rows()] == ["1", "2", "3", "4"]
    assert rows()[0]["title"] == "'=The mill number 1 grinds again"
    assert rows("--formula-cells")[0]["title"].startswith("=The")
    lines = records(run("extract", "-f", "records", "--url", "https://mill.test/", shop))
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    assert lines[3]["fields"]["price"]["value"] == "49.50 €"
    assert (lines[3]["url"], lines[3]["file"]) == ("https://mill.test/", str(shop))
    (tmp_path / "article.html").write_text("<p>Only prose, and no list at all.", encoding="utf-8")
    assert run("extract", "-f", "records-csv", tmp_path, "-o", f"{out}/").exit_code == 0
    assert [path.name for path in out.rglob("*.csv")] == ["shop.csv"]
    model.mkdir()
    (model / "rules.toml").write_text(MODEL, encoding="utf-8")
    assert [row["title"] for row in rows("--site", model)] == ["Home", "Birds"]
    (found,) = records(run("extract", shop, "--site", model, "-f", "json", "--with", "records"))
    assert len(found["records"]) == 2


def test_tables_go_to_files_of_their_own(run, tmp_path):
    rich, out = tmp_path / "rich.html", tmp_path / "out"
    cells = "<table><tr><th>{0}<th>{1}<tr><td>{2}<td>{3}</table>"
    rich.write_text(f"<article>{cells.format(*'ab12')}<p>And{cells.format(*'cd34')}</article>")
    call = ("extract", rich, "-f", "csv", "--keep", "article")
    assert run(*call, "-o", f"{out}/").exit_code == 0
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "rich-1.csv": "a,b\n1,2\n",
        "rich-2.csv": "c,d\n3,4\n",
    }
    printed = list(csv.reader(io.StringIO(run(*call).stdout)))
    assert printed == [["a", "b"], ["1", "2"], [], ["c", "d"], ["3", "4"]]


# Outlines, sections, budgets, quotes and differences

RYE = """<title>Rye</title><article><p>Rye is a grass, grown for its grain, hardy in poor soils.
<h2>Sowing</h2><p>It is sown in autumn, and stands green under the snow until the spring comes.
<p>Its straw has thatched the roofs of Corve for more than a hundred years, and does so still.
<h2>Harvest</h2><p>It is cut in July, when the chaffinches have left the hedges of the valley.
</article>"""


@pytest.fixture
def rye(tmp_path):
    path = tmp_path / "rye.html"
    path.write_text(RYE)
    return path


def test_outlines_sections_and_budgets(run, rye):
    found = chaffinch.extract(rye.read_bytes())
    head, *lines = run("extract", "--format", "outline", rye).stdout.splitlines()
    assert head.split() == ["number", "tokens", "characters", "id", "heading"]
    assert [line.split()[0] for line in lines] == [one.number for one in found.outline()]
    for given, wanted in (
        (("--section", "Harvest"), found.markdown(section="Harvest")),
        (("--max-tokens", "60"), found.markdown(max_tokens=60)),
    ):
        assert run("extract", rye, "-f", "markdown", *given).stdout == wanted
    cut = ("--with", "chunks,outline", "--chunk-tokens", "40", "--max-tokens", "60")
    (record,) = records(run("extract", rye, "-f", "json", *cut))
    assert record["markdown"] == found.markdown(max_tokens=60)
    assert record["chunks"][-1]["text"].startswith("## Harvest\n\nIt is cut")
    assert [one["id"] for one in record["outline"]] == [one.id for one in found.outline()]


def test_verify(run, rye):
    result = run("verify", rye, "sown in autumn, and stands green")
    assert result.exit_code == 0
    assert result.stdout.startswith("exact\n  text       sown in autumn, and stands green\n")
    quote = "It is sown in winter, and stands green under the snow"
    changed = run("verify", rye, quote, "-f", "json")
    values = json.loads(changed.stdout)
    assert (changed.exit_code, values["passage"]["status"]) == (4, "changed")
    result = run("verify", rye, "Barley is another matter altogether")
    assert (result.exit_code, result.stdout) == (3, "absent\n")


def test_diff(run, rye, tmp_path):
    new = tmp_path / "new.html"
    new.write_text(RYE.replace("July", "August"))
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
