from __future__ import annotations

import gzip
import json
import time

import pytest

from chaffinch.cli.outputs import FORMS, StandardOutput
from chaffinch.cli.pages import Reading
from chaffinch.cli.work import PageTask, work_through
from chaffinch.errors import SetupError
from chaffinch.extraction.extract import extract
from chaffinch.methods import build
from chaffinch.page.bounds import Limits
from chaffinch.web import FetchLimits

READING = Reading(limits=Limits(), fetch=FetchLimits())
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"


def of_file(values, path):
    """The fields of a record, with those that say which file it is of."""
    head = {"version": values.pop("version"), "url": values.pop("url")}
    return {**head, "file": str(path), "member": "", "offset": 0, **values}


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_a_file(run, page, form):
    found = extract(page.read_bytes())
    wanted = {
        "text": found.text,
        "markdown": found.markdown(),
        "html": found.html(),
        "json": json.dumps(of_file(found.to_dict(), page), ensure_ascii=False),
    }[form]
    result = run("extract", page, "--format", form)
    assert result.exit_code == 0
    assert result.stdout == wanted.rstrip("\n") + "\n"
    assert result.stderr == ""
    assert "small bird" in result.stdout


def test_an_address(run, web):
    url = f"http://{web}/b/siskin.htm"
    result = run("extract", url, "-f", "json", "--allow-host", web)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["url"] == url
    assert "hangs on alders" in found["text"]
    assert f"http://{web}/b/more.html" in found["markdown"]


def test_private_addresses_are_refused(run, web):
    result = run("extract", f"http://{web}/b/siskin.htm")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"Error: http://{web}/b/siskin.htm: refused: 127.0.0.1 ")
    assert result.stderr.count("\n") == 1


def test_files_that_are_too_big(run, tmp_path):
    big = tmp_path / "big.html"
    big.write_bytes(b"<p>finch" * (1 << 18))
    result = run("extract", big, "--max-size", "1")
    assert result.exit_code == 1
    assert result.stderr == f"Error: {big}: page too big: more than 1,048,576 bytes\n"


def test_several_pages_are_announced(run, folder):
    result = run("extract", folder / "chaffinch.html", folder / "b" / "siskin.htm")
    lines = result.stdout.splitlines()
    heads = [line for line in lines if line.startswith("==> ")]
    assert heads == [f"==> {folder}/chaffinch.html <==", f"==> {folder}/b/siskin.htm <=="]
    assert lines[0] == heads[0]
    assert lines[lines.index(heads[1]) - 1] == ""


def test_a_folder_gives_its_pages_in_order(run, folder):
    result = run("extract", folder, "-f", "json")
    assert result.exit_code == 0
    titles = [json.loads(line)["title"] for line in result.stdout.splitlines()]
    assert titles == ["The serin", "The siskin", "The chaffinch"]


def test_workers_give_the_same(run, folder):
    alone = run("extract", folder, "-f", "json")
    together = run("extract", folder, "-f", "json", "--workers", "2")
    assert together.exit_code == 0
    assert together.stdout == alone.stdout


# Output


def test_output_to_a_file(run, page, tmp_path):
    out = tmp_path / "new" / "out.txt"
    result = run("extract", page, "-o", out)
    assert result.stdout == ""
    assert out.read_text() == run("extract", page).stdout


def test_output_to_a_folder_keeps_places(run, folder, tmp_path):
    out = tmp_path / "out"
    assert run("extract", folder, "-f", "markdown", "-o", out).exit_code == 0
    made = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert made == ["b/serin.md", "b/siskin.md", "chaffinch.md"]
    assert "smallest of them" in (out / "b" / "serin.md").read_text()


def test_one_page_into_a_folder_that_exists(run, page, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    run("extract", page, "-f", "json", "-o", out)
    assert json.loads((out / "chaffinch.json").read_text())["title"] == "The chaffinch"


def test_pages_of_one_name_get_files_of_their_own(run, folder, tmp_path):
    (folder / "b" / "chaffinch.html").write_bytes((folder / "b" / "siskin.htm").read_bytes())
    out = tmp_path / "out"
    run("extract", folder / "chaffinch.html", folder / "b" / "chaffinch.html", "-o", out)
    assert "common in Europe" in (out / "chaffinch.txt").read_text()
    assert "hangs on alders" in (out / "chaffinch-2.txt").read_text()


def test_fetched_pages_get_files_named_for_their_addresses(run, web, tmp_path):
    out = tmp_path / "out"
    url = f"http://{web}/b/siskin.htm?a=/../../x"
    assert run("extract", url, "-o", f"{out}/", "--allow-host", web).exit_code == 0
    host = web.replace(".", "_").replace(":", "_")
    assert [path.name for path in out.iterdir()] == [f"{host}_b_siskin_htm_a_x.txt"]


def test_several_pages_and_one_file_do_not_go_together(run, folder, tmp_path):
    out = tmp_path / "out.txt"
    out.write_text("mine")
    result = run("extract", folder, "-o", out)
    assert result.exit_code == 2
    assert out.read_text() == "mine"


def test_a_page_is_not_overwritten_by_its_own_content(run, page):
    before = page.read_bytes()
    for out in (page, page.parent):
        result = run("extract", page, "-f", "html", "-o", out)
        assert result.exit_code == 1
        assert "would overwrite" in result.stderr
    assert page.read_bytes() == before


def test_output_that_cannot_be_written(run, page, tmp_path):
    (tmp_path / "file").write_text("")
    result = run("extract", page, "-o", tmp_path / "file" / "out.txt")
    assert result.exit_code == 1
    assert "can't write" in result.stderr


# Failures and exit codes


def test_a_page_that_fails_does_not_stop_the_others(run, folder):
    (folder / "a.html").write_bytes(PDF)
    result = run("extract", folder)
    assert result.exit_code == 1
    assert result.stderr == f"Error: {folder}/a.html: not HTML: PDF\n"
    assert result.stdout.count("==> ") == 3


def test_a_bug_at_one_page_does_not_stop_the_others(folder, capsys):
    def method(page):
        if "siskin" in page.text:
            return page.parent[len(page)]
        return build("block_density")(page)

    sources = READING.sources([str(folder)])
    task = PageTask(form="text", method=method, limits=Limits())
    where = StandardOutput(FORMS["text"], is_several=True)
    code = work_through(sources, task, where, READING)
    assert code == 1
    out, err = capsys.readouterr()
    assert out.count("==> ") == 2
    assert err.startswith(f"Error: {folder}/b/siskin.htm: a bug of Chaffinch; please report it, ")
    assert "IndexError: " in err
    assert err.count("\n") == 1


def test_a_wrong_setup_stops_at_once(folder):
    def method(_):
        raise SetupError("no page can be read")

    sources = READING.sources([str(folder)])
    task = PageTask(form="text", method=method, limits=Limits())
    where = StandardOutput(FORMS["text"], is_several=True)
    with pytest.raises(SetupError):
        work_through(sources, task, where, READING)


def test_a_name_that_is_too_long_does_not_stop_the_others(run, folder, tmp_path):
    name = f"{'a' * 250}.htm"
    for place in (folder, folder / "b"):
        (place / name).write_bytes((folder / "chaffinch.html").read_bytes())
    out, last = tmp_path / "out", folder / "b" / "siskin.htm"
    result = run("extract", folder / name, folder / "b" / name, last, "-f", "json", "-o", f"{out}/")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Error: {folder}/b/{name}: can't write ")
    assert len(list(out.iterdir())) == 2


def test_inputs_that_are_not_there(run, page):
    result = run("extract", "finch.example/page", page)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: finch.example/page: no such file or folder" in result.stderr
    assert f"Error: {'b' * 300}: no such file" in run("extract", "b" * 300).stderr


def test_no_content_has_an_exit_code_of_its_own(run, page, tmp_path):
    empty = tmp_path / "empty.html"
    empty.write_text("")
    result = run("extract", empty)
    assert result.exit_code == 3
    assert result.stdout == ""
    assert result.stderr == f"{empty}: no main content found\n"
    assert run("extract", empty, page).exit_code == 0


def test_an_empty_page_that_waits_for_scripts_has_a_hint(run, tmp_path):
    shell = tmp_path / "shell.html"
    shell.write_text('<title>App</title><div id="root"></div><script src="/app.js"></script>')
    result = run("extract", shell)
    assert result.exit_code == 3
    assert result.stderr == (
        f"{shell}: no main content found; its scripts build it: try --render auto\n"
    )


def test_standard_input_is_read_where_nothing_is_given(run, page):
    assert run("extract", input=page.read_bytes()).stdout == run("extract", page).stdout


def test_the_suffix_of_the_output_sets_its_form(run, page, tmp_path):
    for suffix, form in (("md", "markdown"), ("xml", "tei"), ("html", "html"), ("txt", "text")):
        out = tmp_path / f"out.{suffix}"
        done = run("extract", page, "-o", out)
        assert (done.exit_code, done.stderr) == (0, f"wrote {out}\n")
        assert out.read_text() == run("extract", page, "-f", form).stdout
    assert run("extract", page, "-f", "md").stdout == run("extract", page, "-f", "markdown").stdout
    assert run("extract", page, "-f", "wav").exit_code == 2


# Options


def test_methods_and_settings(run, page):
    usual = run("extract", page, "-m", "line_blocks")
    assert "small bird" in usual.stdout
    assert "Section 3" not in usual.stdout
    none = run("extract", page, "-m", "line_blocks", "--set", "threshold=100000")
    assert none.exit_code == 3
    words = run("extract", page, "-m", "line_blocks", "--set", "runs=longest")
    assert words.exit_code == 0
    listed = run("extract", page, "-m", "block_density", "--set", 'blocks=["article"]')
    assert "small bird" in listed.stdout


def test_the_time_of_a_page_is_not_that_of_trying_the_options():
    """A method that is loaded for its first page may take longer than a page may."""

    def method(page):
        time.sleep(0.01)
        return build("block_density")(page)

    limits = Limits(seconds=0.001)
    PageTask(form="text", method=method, limits=limits).check()
    with pytest.raises(SetupError, match="selector"):
        PageTask(form="text", method=method, limits=limits, keep=("a[[",)).check()


def test_selectors_have_the_last_word(run, page):
    result = run("extract", page, "--keep", "footer", "--drop", "h1", "--drop", "b")
    assert "Imprint" in result.stdout
    assert "The chaffinch\n" not in result.stdout


def test_the_address_of_a_file(run, page):
    result = run("extract", page, "-f", "markdown", "--url", "https://finch.example/x/y")
    assert "https://finch.example/x/more.html" in result.stdout


def test_the_encoding_of_a_file(run, tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(
        f"<article><p>{'苍头燕雀是一种小型鸟类，在欧洲很常见。' * 20}</article>".encode("gbk")
    )
    result = run("extract", path, "--encoding", "gbk", "-f", "json")
    found = json.loads(result.stdout)
    assert found["encoding"] == "gb18030"
    assert "苍头燕雀" in found["text"]


def test_packed_pages_of_a_folder(run, tmp_path):
    pages, out = tmp_path / "pages", tmp_path / "out"
    pages.mkdir()
    (pages / "a.html.gz").write_bytes(gzip.compress(b"<p>A finch, packed, eats grains of rye."))
    (pages / "b.HTML").write_bytes(b"<p>A finch, not packed, eats grains of rye.")
    assert run("extract", pages, "-f", "markdown", "-o", out).exit_code == 0
    assert sorted(path.name for path in out.iterdir()) == ["a.md", "b.md"]
    assert (out / "a.md").read_text() == "A finch, packed, eats grains of rye.\n"
