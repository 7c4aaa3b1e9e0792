"""A rendered page is the same table as a parsed one, with what scripts built and layout columns."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from chaffinch import extract
from chaffinch.errors import PageError
from chaffinch.page import layout_columns, parse
from rows_of_cases import examples
from strategies import markup

BASE = "http://saved.test/page"


def attributes(page):
    return [
        {name: value or "" for name, value in page.attributes(row).items()}
        for row in range(len(page))
    ]


def assert_same_table(rendered, parsed):
    for column in ("tag", "parent", "depth", "end", "text_at"):
        assert np.array_equal(getattr(rendered, column), getattr(parsed, column)), column
    assert rendered.text == parsed.text
    assert attributes(rendered) == attributes(parsed)
    assert rendered.sources == parsed.sources
    assert rendered.names == parsed.names
    assert rendered.url == parsed.url
    assert rendered.encoding == parsed.encoding


def test_without_scripts_example_pages_are_the_parsed_tables(renderer, example_site):
    for row in example_site[::9]:
        data = row["html"].encode("latin-1")
        rendered = renderer.render(data, base_url=row["url"], scripts=False)
        assert_same_table(rendered, parse(data, url=row["url"]))
        assert rendered.layout.shape == (len(rendered), len(layout_columns.COLUMNS))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(markup())
def test_any_markup_is_the_parsed_table(renderer, source):
    rendered = renderer.render(source, base_url=BASE, scripts=False)
    parsed = parse(source, url=BASE)
    if parsed.is_tag("template", "frameset").any():
        return  # see the departures in chaffinch.render.snapshot
    assert_same_table(rendered, parsed)


def row_of(page, selector):
    row = page.first(selector)
    assert row >= 0, selector
    return dict(zip(layout_columns.COLUMNS, page.layout[row].tolist(), strict=True))


def test_boxes_fonts_and_colours(renderer):
    page = renderer.render(
        "<body style='margin:0'><div id=a style='position:absolute;left:30px;top:2000px;"
        "width:200px;height:50px;background:#102030;color:rgb(1,2,3);font:bold 20px serif'>x</div>"
        "<p id=b>no background",
        base_url=BASE,
    )
    box = row_of(page, "#a")
    assert [box[name] for name in ("x", "y", "width", "height")] == [30, 2000, 200, 50]
    assert (box["font_size"], box["font_weight"]) == (20, 700)
    assert (box["colour"], box["background"]) == (0x010203, 0x102030)
    assert np.isnan(row_of(page, "#b")["background"])
    text = page.layout[page.first("#a") + 1]
    assert text[layout_columns.FONT_SIZE] == 20
    assert 0 < text[layout_columns.WIDTH] < 30


HIDDEN = examples(__file__, "rendered pages hidden")
SHOWN = examples(__file__, "rendered pages shown")


@pytest.mark.parametrize("is_shown", [False, True])
def test_what_is_visible(renderer, is_shown):
    cases = SHOWN if is_shown else HIDDEN
    words = [case.replace("{}", f"<span id=it{n}>word</span>") for n, case in enumerate(cases)]
    page = renderer.render("<body style='overflow:hidden'>" + "\n".join(words), base_url=BASE)
    for number, case in enumerate(cases):
        text = page.first(f"#it{number}") + 1
        assert page.layout[text, layout_columns.VISIBLE] == is_shown, case
        if "font-size" not in case:
            assert page.layout[text - 1, layout_columns.VISIBLE] == is_shown, case


def test_scripts_build_pages_and_data_is_kept(renderer):
    page = renderer.render(
        "<!doctype html><div id=root></div><noscript><p>Turn scripts on.</noscript>"
        '<script id=s type=application/json>{"t":"A finch"}</script><script>'
        "const said = JSON.parse(document.getElementById('s').textContent).t;"
        "setTimeout(() => document.getElementById('root').append(said, ' sings'), 100);</script>",
        base_url=BASE,
    )
    assert page.folded(page.first("#root")) == "A finch sings"
    assert len(page.children(page.first("#root"))) == 1
    assert page.head.state == {"s": {"t": "A finch"}}
    assert "Turn scripts on" not in page.text


def test_shadow_trees_are_read_in_the_order_they_are_shown(renderer):
    page = renderer.render(
        "<x-card><b>light</b></x-card><script>"
        "const host = document.querySelector('x-card');"
        "host.attachShadow({mode: 'closed'}).innerHTML = '<p>before</p><slot></slot><p>after';"
        "</script>",
        base_url=BASE,
    )
    assert page.text == "beforelightafter"


def test_deeper_than_the_bound_is_kept_at_the_bound(renderer):
    page = renderer.render(
        "<script>let at = document.body || document.documentElement;"
        "for (let n = 0; n < 700; n++) { const one = document.createElement('div');"
        "at.append(one); at = one; } at.append('deep')</script>",
        base_url=BASE,
    )
    assert page.depth.max() == 512
    assert page.text.endswith("deep")
    assert (page.depth[1:] == page.depth[page.parent[1:]] + 1).all()


def test_frames_and_what_they_hold_are_one_row(renderer):
    page = renderer.render("<iframe srcdoc='<p>inside'></iframe><p>out", base_url=BASE)
    assert page.size[page.first("iframe")] == 1
    assert page.text == "out"


def test_too_many_rows(browser):
    from chaffinch.page.bounds import Limits  # noqa: PLC0415
    from chaffinch.render import Renderer, RenderLimits  # noqa: PLC0415

    limits = RenderLimits(page=Limits(max_rows=500))
    with Renderer(browser=browser, limits=limits) as one:
        with pytest.raises(PageError, match="more than 500 rows"):
            one.render("<script>document.write('<p>a'.repeat(1000))</script>", base_url=BASE)
        assert one.render("<p>small", base_url=BASE).text == "small"


@pytest.mark.parametrize("kind", ["app", "late", "state"])
def test_pages_that_scripts_build_equal_their_static_twins(renderer, web, kind):
    for number in (3, 17):
        where = f"http://app.test:{web.port}"
        built = renderer.render(f"{where}/{kind}/{number}.html")
        twin = renderer.render(f"{where}/plain/{number}.html")
        assert extract(built).text == extract(twin).text
        assert built.folded(built.first("article")) == twin.folded(twin.first("article"))


def test_lists_that_load_by_scrolling_are_loaded(renderer, web):
    where = f"http://app.test:{web.port}"
    scrolled = renderer.render(f"{where}/scroll.html")
    plain = renderer.render(f"{where}/plain-scroll.html")
    assert len(scrolled.select("li")) == len(plain.select("li")) == 120
    row, twin = scrolled.first("#list"), plain.first("#list")
    assert scrolled.folded(row) == plain.folded(twin)


def test_pictures_that_wait_to_be_seen_get_their_address(renderer, web):
    page = renderer.render(f"http://app.test:{web.port}/lazy/2.html")
    sources = [page.attribute(row, "src") for row in page.select("figure img")]
    assert sources == [f"/picture/2-{number}.png" for number in range(8)]


def test_trackers_get_no_request(renderer, web):
    web.asked.clear()
    page = renderer.render(f"http://app.test:{web.port}/plain/4.html")
    assert "chainsaw" not in page.text
    assert {one["host"] for one in web.asked} == {"app.test"}
    agent = web.asked[0]["headers"]["user-agent"]
    assert "Chaffinch/" in agent
    assert "Chrome/" in agent
