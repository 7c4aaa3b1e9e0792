"""Raw text that a start tag closes, as XML writers leave it, doesn't take the rest of a page."""

import pytest

from chaffinch.page import parse
from chaffinch.page.bounds import with_ends
from chaffinch.segment.text_blocks import text_blocks
from rows_of_cases import examples

STORY = "<h1>Finches</h1>" + "".join(
    f"<p>The chaffinch number {n} sings from February on, and every valley has a dialect.</p>"
    for n in range(6)
)
NAMES = ["iframe", "noembed", "noframes", "style", "textarea", "title", "xmp"]


def words(page: str | bytes) -> str:
    """Return the text that a page's table holds."""
    return " ".join(text_blocks(parse(page)).texts())


@pytest.mark.parametrize("kind", [str, str.encode])
@pytest.mark.parametrize("name", NAMES)
def test_what_follows_is_read(name, kind):
    page = kind(f'<html><body><{name} src="a"/><main>{STORY}</main></body></html>')
    assert "number 5 sings" in words(page)


@pytest.mark.parametrize("page", examples(__file__, "other pages are left alone"))
def test_other_pages_are_left_alone(page):
    data = page.encode()
    assert with_ends(data) is data
