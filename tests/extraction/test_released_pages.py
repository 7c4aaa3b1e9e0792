"""A page that nobody holds any more is gone at once, without the garbage collector."""

import gc
import weakref
from collections.abc import Callable

import pytest

import chaffinch
from chaffinch.extraction.extracted import Extract

PAGE = (
    "<html lang=en><title>The mill</title><article><h1>The mill</h1>"
    + "<p>The wheat is ground at night by a mill on the river, and the flour goes to town.</p>" * 5
    + "<table><tr><th>a<th>b<tr><td>1<td>2</table><figure><img src=mill.png alt='A mill'></figure>"
    "<pre><code>x = 1</code></pre></article><footer><a href=/>Home</a></footer>"
)
OUTPUTS: dict[str, Callable[[Extract], object]] = {
    "text": lambda found: found.text,
    "markdown": lambda found: found.markdown,
    "html": lambda found: found.html,
    "metadata": lambda found: (found.title, found.authors, found.date, found.language),
    "json": lambda found: found.to_json(parts=("chunks", "images", "tables", "posts", "records")),
}


@pytest.mark.parametrize("output", OUTPUTS)
def test_no_cycle_holds_a_page(output):
    def page_after() -> weakref.ref[chaffinch.Page]:
        page = chaffinch.parse(PAGE)
        assert OUTPUTS[output](chaffinch.extract(page))
        return weakref.ref(page)

    page_after()  # what is loaded and kept on first use is no page's
    gc.collect()
    gc.disable()
    try:
        assert page_after()() is None
    finally:
        gc.enable()
