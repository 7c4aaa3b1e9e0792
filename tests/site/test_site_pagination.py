"""Parts of one article are found and put in order; the next article is none of them."""

import random

from chaffinch import parse
from chaffinch.site.fields import articles


def part(number, *, story="oak", count=3):
    base = f"https://a.test/{story}"
    url = f"{base}.html" if number == 1 else f"{base}_{number}.html"
    turn = f'<a href="{story}_{number + 1}.html">Next page</a>' if number < count else ""
    after = '<a rel=next href="/rye.html">Next article</a>'
    html = (
        f"<title>On {story}s, a story of trees</title><h1>On {story}s</h1><p>By A. Finch</p>"
        f"<p>Part {number} of the {story}.</p>{turn}{after}"
    )
    return parse(html, url=url)


def test_parts_are_put_in_order_whatever_the_order():
    parts = [part(number) for number in (1, 2, 3)]
    pages = [*parts, part(1, story="elm", count=1)]
    for seed in range(6):
        order = list(range(4))
        random.Random(seed).shuffle(order)  # noqa: S311 - no secret
        found = articles([pages[place] for place in order])
        groups = [[order[place] for place in group] for group in found]
        assert sorted(groups, key=len) == [[3], [0, 1, 2]]


def test_the_first_file_stands_before_those_with_numbers():
    urls = ["index_2.html", "index_1.html", "index.html", "index_10.html"]
    title = "<title>A long story of oaks</title>"
    pages = [parse(f"{title}<p>{url}", url=f"https://a.test/oaks/{url}") for url in urls]
    assert articles(pages) == [[2, 1, 0, 3]]


def test_parts_of_other_names_stand_behind_each_other():
    urls = ["moss", "oak", "x9", "leaf"]
    after = {"oak": "leaf", "leaf": "x9", "x9": "moss"}
    pages = [
        parse(
            f"<title>A long story of oaks</title><p>{url}"
            + (f"<a rel=next href={after[url]}>Next page</a>" if url in after else ""),
            url=f"https://a.test/oaks/{url}",
        )
        for url in urls
    ]
    assert articles(pages) == [[1, 3, 2, 0]]


def test_a_page_given_twice_counts_once():
    assert articles([part(1), part(1), part(2)]) == [[0, 2]]
    assert articles([]) == []
