"""Calls that can't be meant, or whose page fails: exit code and words of the message, one table."""

import shlex
from pathlib import Path

import pytest

import chaffinch

RICH = """<article><h1>Seeds</h1><p>Finches eat <b>seeds</b> of <a href=/t>thistles</a> all year,
and drink water, more of it in summer than in winter.<table><tr><th>a<th>b<tr><td>1<td>2</table>"""
FILES = {
    "a.html": RICH,
    "b.html": RICH,
    "en.html": "<html lang=en><p>" + "The chaffinch is a small bird, and common in Europe. " * 9,
    "empty.html": "",
    "shell.html": '<title>App</title><div id="root"></div><script src="/app.js"></script>',
    "big.html": "<p>finch" * (1 << 18),
    "lines.jsonl": "not JSON",
    "none.jsonl": '{"id": "no page"}',
    "void.jsonl": "",
    "a.jsonl.xz": "not packed",
    "bad.html": "%PDF-1.7",
    "notes.txt": "no page",
}
CALLS = """
2 extract a.html -m nonsense | unknown method 'nonsense'; known:
2 extract a.html -m line_blocks --set colour=1 | unknown setting of line_blocks 'colour'
2 extract a.html -m line_blocks --set threshold=high | threshold must be a number
2 extract a.html -m line_blocks --set threshold | not KEY=VALUE
2 extract a.html -m line_blocks --set =3 | not KEY=VALUE
2 extract a.html --set threshold=3 | unknown setting of learned 'threshold'
2 extract a.html --keep a[[ | selector
2 extract http://localhost:9/ --keep a[[ | selector
2 extract a.html --encoding latin-1 | no label of an encoding, such as utf-8
2 extract a.html --format pdf | pdf
2 extract a.html --workers 0 | workers
2 extract a.html --timeout 0 | --timeout
2 extract a.html --url finch.example/x | no absolute URL, such as https://grain.example/page
2 explain a.html --url nonsense | no absolute URL, such as https://grain.example/page
2 inspect a.html --url https:// | no absolute URL, such as https://grain.example/page
2 extract a.html --url '' | no absolute URL, such as https://grain.example/page
2 extract a.html b.html --url https://finch.example/ | --url goes with one file
2 extract http://finch.example/ --url https://finch.example/ | --url goes with one file
2 extract http://localhost:9/ --allow-host http://x | not a host
2 extract http://localhost:9/ --contact 'a b\u0007' | contact
1 extract . --max-size 1 | bad.html: not HTML: PDF
1 extract big.html --max-size 1 | Error: big.html: page too big: more than 1,048,576 bytes
3 extract empty.html | empty.html: no main content found
0 extract empty.html a.html | empty.html: no main content found
3 extract shell.html | shell.html: no main content found; its scripts build it: try --render auto
3 extract a.html -m line_blocks --set threshold=100000 | no main content found
3 extract en.html --language de,fr | en.html: left out: its language is en, not de or fr
3 extract a.html --only-with-metadata | left out: it has no date of publication and no address
3 extract a.html --url https://b.example/1 --url-blacklist https://b.example/* | blacklisted
2 extract a.html --language English! | English!
2 extract a.html --url-blacklist barn | barn
3 extract -f records a.html | no list of entries found
2 extract finch.example/page a.html | finch.example/page: no such file or folder
3 crawl --dry-run a.html |
2 crawl --dry-run a.html --from feeds | go with a URL
2 extract nosuch.html | nosuch.html: no such file or folder
2 extract a.html --max-tokens 60 | --max-tokens acts on markdown, json, not on text
2 extract a.html -f html --section 1 | --section acts on markdown, json, not on html
2 extract a.html -f json --chunk-tokens 9 | --chunk-tokens goes with --format json --with
2 extract a.html -f markdown --max-tokens 0 | --max-tokens must be a number from 1, not 0
1 extract a.html -f markdown --section 9 | no section '9'; the page has 0 Seeds
2 extract a.html -f text --no-links | --links acts on markdown, json, html, tei, not on text
2 extract a.html -f csv --rows | --rows acts on markdown, json, html, tei, not on csv
2 extract a.html -f html --with posts | --with acts on json, tei, not on html
2 extract a.html -f tei --front-matter | --front-matter acts on text, markdown, html, not on tei
2 extract a.html -f json --formula-cells | --formula-cells acts on csv, records-csv, not on json
2 extract a.html -f json --with images,pictures | unknown part 'pictures'; known: metadata, outline
2 extract a.html --max-parts 3 | --max-parts goes with --all-parts
2 extract a.html -m block_density --favor recall | block_density has no favor
2 extract a.html --favor nothing | 'nothing' is not one of
2 extract a.html --favor recall --set favor=recall | favor is given twice
2 extract a.html --site none --favor recall | --site goes without --favor
2 extract a.html --site none --set a=1 | --site goes without --set
2 extract a.html -m line_blocks --siblings b.html | --siblings goes with methods that compare:
2 extract a.html -m layout_similarity | compares the page with others of its site: give some
2 extract a.html -m trafilatura | is another tool, not a method
1 extract -f columns bad.html | Error: bad.html: not HTML: PDF
1 extract -f records bad.html | Error: bad.html: not HTML: PDF
3 compare empty.html |
1 compare bad.html | not HTML: PDF
2 compare none.html | no such file
2 compare . | one page is wanted, not a folder
2 compare a.html -m nonsense | known:
2 compare a.html --siblings none | no such file
2 compare a.html --siblings lines.jsonl | Error:
2 compare a.html --siblings none.jsonl | Error:
2 compare a.html --siblings void.jsonl | Error:
2 compare a.html --siblings a.jsonl.xz | Error:
2 compare a.html --siblings bad.html | Error:
2 compare a.html -m line_blocks --favor recall | none of the methods has favor
2 run a.html -o out -m line_blocks --favor recall | line_blocks has no favor
2 compare a.html -m sibling_subtrees | --siblings
2 evaluate a.jsonl -o report.pdf | report.pdf is no .json file
2 explain a.html --block 99 | the page has 6 blocks, from 0
2 explain a.html --block -1 | Invalid value
2 explain a.html --find 'no such text' | no block of the page holds 'no such text'
2 explain a.html -f csv | is not one of
2 explain a.html -m nonsense | known:
2 explain a.html --browser x | --browser goes with --render auto or always
2 explain a.html --siblings b.html | --siblings goes with methods that compare:
2 explain . --render always | one page is wanted, not a folder
2 explain none.html | no such file
1 explain bad.html | Error: not HTML: PDF
2 explain a.html --picture a.svg | --picture goes with --blocks vips
2 explain --blocks vips a.html --pdoc 11 | Invalid value
2 explain --blocks vips a.html --picture a.png | a.png is no .svg file
1 explain --blocks vips a.html --picture none/a.svg | can't write
1 explain --blocks vips bad.html | not HTML: PDF
2 site similarity a.html | at least 2 pages are compared; 1 could be read
2 site similarity a.html b.html -n 0 | Invalid value
2 site similarity a.html b.html --by word | is not one of
2 site similarity none nor | no such file
1 site similarity a.html b.html bad.html | bad.html: not HTML: PDF
2 extract a.html --site-mode rules | --site-mode goes with --site
2 extract a.html --site no | can't read
2 extract a.html --site no -m line_blocks | --site goes without --method
2 extract a.html --save-counts | --save-counts goes with --site
2 learn . -o m --date yesterday | 'yesterday' is no date
2 learn . -o m --update | there is no model
2 learn empty -o m | no page in empty
2 extract http://a.test/ --siblings auto -m line_blocks | looks at one page alone
2 extract http://a.test/ --siblings auto --siblings b.html | without other siblings
2 extract http://a.test/ --siblings auto --render auto | without --render
2 extract http://a.test/ --siblings auto --set pdoc=4 | auto without --method goes without --set
2 extract a.html --wait 3 | --wait goes with --render auto or always
2 extract a.html --expand | --expand goes with --render auto or always
2 compare a.html --browser /nowhere | --browser goes with --render
2 site siblings a.html --browser /nowhere | --browser goes with --render
2 learn a.html -o m --browser /nowhere | --browser goes with --render
2 run a.html -o out --browser /nowhere | --browser goes with --render
2 crawl http://a.test/ -o a.warc.gz --browser /nowhere | --browser goes with --render
2 site rules import empty -o out | no site config (HOST.txt) in
2 methods nonsense | known:
2 evaluate | give corpora to measure on
2 evaluate nonsense | nonsense
2 evaluate nonsense -m nonsense | nonsense
2 evaluate x.jsonl -m auto,nonsense | nonsense
"""
"""Exit code, call, and words of the message behind a stroke."""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHAFFINCH_CORPORA", str(tmp_path))
    (tmp_path / "empty").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)


@pytest.mark.parametrize("line", CALLS.strip().splitlines())
def test_a_call_is_refused_with_its_reason(run, line):
    call, _, words = line.partition(" | ")
    code, *arguments = shlex.split(call.removesuffix(" |"))
    result = run(*arguments)
    said = " ".join(result.stderr.split())
    assert (result.exit_code, words in said) == (int(code), True), said
    assert words != "selector" or "refused" not in said  # nothing is fetched for a wrong call
    assert not Path("m").exists()


def test_names_do_not_break_the_error_line(run):
    result = run("extract", "no\nsuch\x1b[31m")
    assert "no such [31m: no such file" in result.stderr
    assert f"Error: {'b' * 300}: no such file" in run("extract", "b" * 300).stderr
    assert "\x1b" not in result.stderr


def test_a_folder_without_pages_says_what_it_looks_for(run):
    result = run("extract", "empty")
    assert result.exit_code == 1
    assert "no file ends in .html, .htm, .xhtml, .mhtml, .mht, .html.gz" in result.stderr


def test_the_version(run):
    assert run("--version").stdout == f"chaffinch, version {chaffinch.__version__}\n"
