from itertools import pairwise

from chaffinch.page import parse
from chaffinch.siblings.sibling_links import pagination_links, sibling_links, spread

OWN = "http://a.test/birds/2025/finch-12.html"
MENU = "".join(f'<li><a href="/{name}/index.html">{name}</a></li>' for name in ("birds", "mills"))
RELATED = "".join(
    f'<li><a href="/birds/{year}/a-title-of-words-{n}.html">A title of some words {n}</a></li>'
    for year, n in ((2023, 1), (2024, 2), (2025, 3))
)
PAGE = f"""<title>Finch</title><nav><ul>{MENU}</ul></nav><h1>Finch</h1>
<p>Text with <a href="/birds/2025/inline-99.html">a link</a>, <a href="/about.html">about</a>,
<a href="https://elsewhere.test/birds/2025/finch-13.html">elsewhere</a>.</p>
<div class="pages"><a href="finch-12_2.html">2</a> <a href="finch-12.html?utm_source=x">1</a></div>
<ul class="related">{RELATED}</ul>"""


def test_siblings_stand_before_menus_and_other_pages():
    near = sibling_links(OWN, [parse(PAGE, url=OWN)])
    assert [link.url.rpartition("-")[2] for link in near.links[:4]] == [
        "3.html", "1.html", "2.html", "99.html",
    ]  # fmt: skip
    assert all("/birds/" in link.url for link in near.links)
    assert "in a list of such links" in near.links[0].reasons
    assert "in a list of such links" not in near.links[3].reasons


def test_numbers_in_addresses_are_not_parts_by_themselves():
    url = "http://a.test/news-12.html"
    html = "".join(f'<li><a href="/news-{n}.html">News of day {n}</a></li>' for n in range(5))
    near = sibling_links(url, [parse(html, url=url)])
    assert not near.parts
    assert len(near.links) == 5
    with_first = sibling_links(url, [parse(f'{html}<a href="/news.html">1</a>', url=url)])
    assert len(with_first.parts) == 6


def test_the_choice_is_spread_over_time():
    links = "".join(
        f'<li><a href="/birds/2025/a-title-of-words-{n}.html">A title of words</a></li>'
        for n in range(100, 200)
    )
    near = sibling_links(OWN, [parse(f"<ul>{links}</ul>", url=OWN)])
    numbers = sorted(int(link.url[-8:-5]) for link in spread(near.links, 8))
    assert numbers[0] == 100
    assert numbers[-1] == 199
    gaps = [b - a for a, b in pairwise(numbers)]
    assert max(gaps) - min(gaps) <= 1


def test_further_pages_of_a_list_come_in_order():
    html = "".join(f'<a href="?page={n}">{n}</a>' for n in (3, 10, 2, 1)) + '<a href="?q=2">x</a>'
    page = parse(html, url="http://a.test/birds/")
    assert [one.rpartition("=")[2] for one in pagination_links(page)] == ["2", "3", "10"]


def test_links_of_more_directories_than_are_followed_are_left_out():
    links = "".join(f"<p><a href='oats-{n}.html'>The oats of {n} mills</a>" for n in range(4))
    base = "<base href='https://farm.example/{}'>"
    long = f"<a href='{'../rye/' * 40}a.html'>Rye</a>"

    def found(html):
        page = parse(html, url="https://farm.example/mill/oats-9.html")
        return [link.url for link in sibling_links(page.url, [page]).links]

    assert len(found(base.format("a/" * 20) + links)) == 0  # of another shape
    own = [f"https://farm.example/mill/oats-{n}.html" for n in range(4)]
    assert sorted(found(base.format("a/" * 40) + links + long)) == own
