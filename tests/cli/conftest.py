import pytest
from click.testing import CliRunner

from answering_server import files_of, serving
from chaffinch.cli import main

BIRDS = {
    "chaffinch": "The chaffinch is a small bird, common in Europe; its cap is blue and grey.",
    "siskin": "The siskin is a small bird of forests, which hangs on alders like a tit.",
    "serin": "The serin is the smallest of them, and sings from wires like broken glass.",
}


def page_of(bird):
    text = BIRDS[bird]
    links = "".join(f"<li><a href='/{n}'>Section {n} of this site</a></li>" for n in range(12))
    years = (f"So it was in year {year}, and <b>so</b> it is." for year in range(1990, 2000))
    paragraphs = "".join(f"<p>{text} {year}</p>" for year in years)
    return f"""<!doctype html><html lang="en"><head><title>The {bird}</title></head><body>
<nav><ul>{links}</ul></nav>
<article><h1>The {bird}</h1>
{paragraphs}
<p>See <a href="more.html">more</a> of it.</p></article>
<footer><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></footer></body></html>"""


@pytest.fixture
def run():
    """The command line, run in this process: run(*arguments) gives click's result."""

    def invoke(*arguments, **options):
        return CliRunner().invoke(main, [str(one) for one in arguments], **options)

    return invoke


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "chaffinch.html"
    path.write_text(page_of("chaffinch"))
    return path


@pytest.fixture
def folder(tmp_path):
    """Three pages and a file that is none, in a folder and one in it."""
    place = tmp_path / "birds"
    (place / "b").mkdir(parents=True)
    (place / "chaffinch.html").write_text(page_of("chaffinch"))
    (place / "b" / "serin.XHTML").write_text(page_of("serin"))
    (place / "b" / "siskin.htm").write_text(page_of("siskin"))
    (place / "b" / "notes.txt").write_text("no page")
    return place


@pytest.fixture
def web(folder):
    """The folder, served on loopback: its host and port."""
    with serving(files_of(folder)) as log:
        yield f"127.0.0.1:{log.port}"
