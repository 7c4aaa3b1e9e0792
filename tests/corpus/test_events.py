"""Pages about one event are found among others, and what they say is told apart by who says it."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from answering_server import Given, missing, serving
from chaffinch import extract
from chaffinch.cli import main
from chaffinch.corpus.events import Story, group_stories
from rows_of_cases import examples

FLOOD = examples(__file__, "events flood")
STRIKE = (
    "Tram drivers of Altsee stopped work at dawn and asked for a shorter week without less pay.",
    "Their union, led by Jonas Weil, wants a week of thirty-five hours from the first of May.",
    "The company said that it had offered a bonus, and that buses run on the busiest lines.",
    "Shops on the market square reported that half of their customers stayed at home.",
)
HAN = (
    "柳溪水库大坝周二夜间发生管涌,下游三个村庄的居民连夜转移到镇上的中学。",
    "副县长周明远说,共有四百名村民乘坐冲锋舟离开,没有人员伤亡。",
    "水利局工程师预计,抢修工作需要两个星期,其间灌溉渠将停止供水。",
)


def story(site, sentences, *, date="2024-03-13", title="", language="en"):
    return Story(f"https://{site}/a", title, site, date, language, "\n".join(sentences))


def test_pages_of_one_event_are_together_and_others_apart():
    given = [
        story("courier.example", FLOOD[:3], date="2024-03-13", title="Dam broke"),
        story("strike.example", STRIKE, title="Trams stand"),
        story("lake.example", FLOOD[1:], date="2024-03-14", title="After the flood"),
        story("late.example", FLOOD, date="2024-06-01", title="A year of water"),
        story("river.example", HAN[:2], language="zh", title="管涌"),
        story("county.example", HAN[1:], language="zh", title="抢修"),
    ]
    events = group_stories(given)
    found = [[one.site for one in event.stories] for event in events]
    assert sorted(found) == [
        ["courier.example", "lake.example"],
        ["river.example", "county.example"],
    ]
    many = next(event for event in group_stories(given, days=365) if event.sites == 3)
    assert many.stories[-1].site == "late.example"


def test_one_site_is_no_event_unless_asked_for():
    given = [story("a.example", FLOOD[:4]), story("a.example", FLOOD[1:])]
    assert group_stories(given) == []
    (event,) = group_stories(given, sites=1)
    assert (event.sites, len(event.core), len(event.statements)) == (1, 0, 5)
    unknown = [replace(one, site="") for one in given]
    assert [one.sites for one in group_stories(unknown)] == [2]


def test_what_is_common_and_what_each_adds():
    (event,) = group_stories(
        [
            story("lake.example", FLOOD[1:], date="2024-03-14", title="After the flood"),
            story("courier.example", FLOOD[:3], date="2024-03-13", title="Dam broke"),
        ]
    )
    assert [one.text for one in event.core] == list(FLOOD[1:3])
    assert event.core[0].said[0][0] == 0  # the earlier page said it first
    assert [one.text for one in event.added_by(0)] == [FLOOD[0]]
    assert [one.text for one in event.added_by(1)] == list(FLOOD[3:])
    assert json.loads(json.dumps(event.to_dict()))["pages"][0]["site"] == "courier.example"


@pytest.mark.parametrize(("old", "new", "differs"), examples(__file__, "what differs is disputed"))
def test_what_differs_is_disputed(old, new, differs):
    changed = [one.replace(old, new) for one in FLOOD]
    (event,) = group_stories([story("a.example", FLOOD), story("b.example", changed)])
    told = [one for one in event.core if "Mayor" in one.text]
    assert [one.is_disputed for one in told] == [differs]
    assert ("  - differs: " in event.markdown()) == differs


def test_marks_of_a_page_make_no_markdown():
    marked = [f"{one} <img src=x> [a](b) # c" for one in FLOOD]
    (event,) = group_stories([story("a.example", marked), story("b.example", marked[:4])])
    assert "<img" not in event.markdown().replace("\\<", "")
    assert group_stories([]) == group_stories([story("a.example", FLOOD)] * 2) == []


def page(title, sentences, date):
    body = "".join(f"<p>{one}</p>" for one in sentences)
    return (
        f"<!doctype html><html lang=en><title>{title}</title><meta property=article:published_time "
        f"content={date}><body><nav><a href=/>Home</a></nav><article><h1>{title}</h1>{body}"
        "</article><footer>Imprint</footer></body></html>"
    )


PAGES = {
    "/one": page("Dam above Kirnau broke", FLOOD, "2024-03-13"),
    "/two": page("Lower town of Kirnau left by boat", FLOOD[1:], "2024-03-14"),
    "/three": page("Trams of Altsee stand", STRIKE, "2024-03-13"),
}


@pytest.fixture
def web():
    """A page of search results and the pages that it lists; robots.txt forbids one."""
    name = "A report on the water and the town below it"
    items = "".join(
        f"<li><h3><a href={path}>{name}</a></h3><p>{text} And some more words.</p>"
        for path, text in zip((*PAGES, "/no"), FLOOD, strict=False)
    )
    known = {
        **PAGES,
        "/results": f"<title>kirnau</title><main><h1>Results</h1><ul>{items}</ul></main>",
        "/robots.txt": "User-agent: *\nDisallow: /no",
    }

    def answer(target, _root):
        return Given(body=known[target]) if target in known else missing()

    with serving(answer) as log:
        yield log


def test_files_and_search_results_are_grouped(tmp_path, web):
    for path, html in PAGES.items():
        (tmp_path / f"{path[1:]}.html").write_text(html, "utf-8")
    allowed = ["--allow-host", "127.0.0.1", "--delay", "0", "--sites", "1"]
    for given in ([str(tmp_path)], ["--results", f"http://127.0.0.1:{web.port}/results", *allowed]):
        found = CliRunner().invoke(main, ["group", "-f", "json", *given])
        failed = "--results" in given  # robots.txt forbids one
        assert found.exit_code == (1 if failed else 0), found.output
        (event,) = map(json.loads, found.stdout.splitlines())
        assert len(event["pages"]) == 2
    assert "/no" not in web.targets
    nothing = CliRunner().invoke(main, ["group", str(tmp_path / "three.html")])
    assert (nothing.exit_code, nothing.stdout) == (3, "")


def test_a_story_is_made_of_an_extract():
    found = Story.of(extract(PAGES["/one"], url="https://www.courier.example/one"))
    assert (found.site, found.date[:10], found.language) == ("courier.example", "2024-03-13", "en")
    assert FLOOD[0] in found.text
