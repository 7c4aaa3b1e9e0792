"""Articles in parts: all are found, fetched once and joined, nothing of the author's is lost."""

import json
from collections import Counter

import jsonschema
import pytest
from article_web import COUNT, EN, FORMS, ZH, body, numbers_in, web, whole_page
from click.testing import CliRunner
from lxml import etree

from answering_server import Given, missing, serving
from chaffinch import extract, extract_parts, load_parts, parse
from chaffinch.cli import main
from chaffinch.errors import PageError
from chaffinch.record import schema
from chaffinch.web import Politeness

HOST = "birds.test"
AT = {"allow": (HOST,), "resolve": (f"{HOST}=127.0.0.1",)}
QUICK = Politeness(delay=0, back_off=0.001)


def loaded(answer, target, **options):
    """Return the parts of an article, and what the server was asked for."""
    with serving(answer) as log:
        pages = load_parts(f"http://{HOST}:{log.port}{target}", politeness=QUICK, **AT, **options)
    return pages, log


@pytest.mark.parametrize(
    ("form", "numbers", "language"),
    [
        (form, numbers, ZH if (at % 2 == 0) == numbers else EN)
        for at, form in enumerate(FORMS)
        for numbers in (True, False)
    ],
)
def test_every_form_of_addresses(form, numbers, language):
    pages, log = loaded(web(form, language, numbers=numbers), FORMS[form](1))
    targets = [FORMS[form](n) for n in range(1, COUNT + 1)]
    assert [page.url.partition(f":{log.port}")[2] for page in pages] == targets
    assert max(Counter(log.asked).values()) == 1
    assert log.asked[0] == (HOST, "/robots.txt")
    found = extract_parts(pages)
    assert numbers_in(found.text, language) == [1, 2, 3, 4]
    assert [part.number for part in found.article_parts] == [1, 2, 3, 4]
    lines = Counter(found.text.split("\n"))
    assert lines[language.lead] <= 1
    assert lines[language.about] <= 1
    assert lines[language.refrain] == 2 * COUNT
    assert lines["import nest"] == COUNT
    assert found.title == language.title
    assert language.next not in found.text


@pytest.mark.parametrize("form", ["underscore", "p key", "index"])
def test_any_part_leads_to_all(form):
    pages, _ = loaded(web(form), FORMS[form](3))
    tables = [page.folded(page.first("table")) for page in pages]
    assert ["".join(filter(str.isdigit, one))[:1] for one in tables] == list("1234")


@pytest.mark.parametrize("language", [EN, ZH], ids=["en", "zh"])
def test_a_page_of_all_parts_is_preferred(language):
    pages, log = loaded(web("underscore", language, view_all=True), "/a/nest_2.html")
    assert [page.url.rpartition("/")[2] for page in pages] == ["all.html"]
    assert log.targets == ["/a/nest_2.html", "/a/all.html"]
    assert numbers_in(extract_parts(pages).text, language) == [1, 2, 3, 4]


def test_a_page_that_only_says_that_it_has_all_is_not():
    answer = web("underscore", view_all=True)

    liar = Given(body=whole_page(EN, "<p>Subscribe!", EN.title, ""))
    pages, _ = loaded(lambda at, root: liar if "all" in at else answer(at, root), "/a/nest.html")
    assert len(pages) == COUNT


def test_the_next_article_is_no_part():
    pages, log = loaded(web("other names", numbers=False), "/a/x9")
    assert len(pages) == 1
    assert log.targets[1:] == ["/a/other.html"]
    assert extract_parts(pages).article_parts == ()


def test_as_many_as_are_allowed_and_what_robots_allows():
    pages, log = loaded(web("underscore"), "/a/nest.html", max_parts=2)
    assert len(pages) == 2
    assert len(log.targets) == 2
    answer = web("underscore")

    rules = Given(body="User-agent: *\nDisallow: /a/nest_3.html\n", kind="text/plain")

    def closed(target, root):
        return rules if target == "/robots.txt" else answer(target, root)

    pages, log = loaded(closed, "/a/nest.html")
    assert len(pages) == COUNT - 1
    assert "/a/nest_3.html" not in log.targets
    with pytest.raises(PageError, match="robots"):
        loaded(closed, "/a/nest_3.html")


def test_parts_without_end_end():
    def endless(target, _):
        n = int(target.partition("=")[2] or 1)
        links = f'<a rel=next href="/story?page={n + 1}">Next page</a> '
        links += f'<a href="/story?page={n + 7}">{n + 7}</a>'
        page = Given(body=whole_page(EN, body(EN, n), EN.title, links))
        return page if "story" in target else missing()

    pages, log = loaded(endless, "/story", max_parts=9)
    assert len(pages) == 9
    assert len(log.targets) <= 10  # the next article is looked at once, too


def test_all_outputs_are_of_the_whole_article():
    pages, log = loaded(web("underscore"), "/a/nest.html")
    found = extract_parts(pages, keep=".text")
    numbers = [found.part_of(block.rows[0]).number for block in found.blocks]
    assert {*numbers} == {1, 2, 3, 4}
    assert numbers == sorted(numbers)
    assert [found.part_of(table.row).number for table in found.tables] == [1, 2, 3, 4]
    assert [table.records()[0]["eggs"] for table in found.tables] == ["1", "2", "3", "4"]
    root = f"http://{HOST}:{log.port}"
    assert [image.url for image in found.images] == [f"{root}/a/pic{n}.jpg" for n in range(1, 5)]
    assert len(found.code_blocks) == 4
    chunks = "\n".join(one.text for one in found.chunks())
    for output in (found.markdown(), found.html(), found.tei(), chunks):
        assert numbers_in(" ".join(output.split()), EN) == [1, 2, 3, 4]
        assert output.count("import nest") == 4
    etree.fromstring(found.tei().encode())
    values = json.loads(found.to_json(parts=["blocks", "chunks", "tables", "images", "html"]))
    assert [part["url"] for part in values["article_parts"]] == [page.url for page in pages]
    jsonschema.Draft202012Validator(schema()).validate(values)
    alone = extract(pages[0], keep=".text").to_dict(parts=["blocks"])
    assert "article_parts" not in alone
    assert {found.part_of(chunk.rows[0]).number for chunk in found.chunks()} == {1, 2, 3, 4}


def test_relative_links_and_ids_mean_what_they_meant_in_their_part():
    text = (
        '<p id=n>{0} {1}</p><p><a href="#n">note</a> <a href="?x">query</a> <a href="up/{0}">rel'
        '</a> <img srcset="i{0}.jpg 2x" src=i{0}.png></p>'
    )
    pages = [parse(text.format(n, "word " * 50), url=f"https://a.test/s/{n}/") for n in (1, 2)]
    found = extract_parts(pages, keep="p")
    page = found.page
    assert [href for _, href in page.having("href")] == [
        "#n", "?x", "up/1", "#part-2-n", "https://a.test/s/2/?x", "https://a.test/s/2/up/2",
    ]  # fmt: skip
    assert page.first("#part-2-n") > page.first("#n")
    assert page.attribute(page.having("srcset")[1][0], "srcset") == "https://a.test/s/2/i2.jpg 2x"
    assert page.attribute(page.having("src")[1][0], "src") == "https://a.test/s/2/i2.png"


def test_saved_parts_are_found_beside_each_other(tmp_path):
    answer = web("index")
    for n in range(1, 5):
        target = FORMS["index"](n)
        html = answer(target, "").body.replace('href="/a/', 'href="')
        (tmp_path / target.rpartition("/")[2]).write_text(html, "utf-8")
    (tmp_path / "secret.txt").write_text("no page")
    pages = load_parts(tmp_path / "index_2.html")
    assert [page.folded(page.first("td"))[0:5] for page in pages] == ["finch"] * 4
    assert numbers_in(extract_parts(pages).text, EN) == [1, 2, 3, 4]
    run = CliRunner().invoke(main, ["extract", str(tmp_path / "index.html"), "--all-parts"])
    assert run.exit_code == 0
    assert numbers_in(run.stdout, EN) == [1, 2, 3, 4]
    run = CliRunner().invoke(main, ["extract", str(tmp_path), "--all-parts"])
    assert (run.exit_code, "with one file" in run.stderr) == (2, True)


def test_a_saved_part_does_not_lead_out_of_its_folder(tmp_path):
    inside, outside = tmp_path / "site", tmp_path / "oak_2.html"
    inside.mkdir()
    outside.write_text("<title>Nests of chaffinches</title><p>Secret.")
    (inside / "oak.html").write_text(
        "<title>Nests of chaffinches</title><p>Part one."
        "<a rel=next href='../oak_2.html'>Next page</a>"
        "<a rel=next href='file:///etc/passwd'>Next</a>"
    )
    assert len(load_parts(inside / "oak.html")) == 1
