"""XPath on the page table."""

import pytest
from hypothesis import given

from chaffinch import parse
from chaffinch.errors import OptionError
from strategies import markup

PAGE = parse(
    '<html><head><meta property="og:title" content=" A  b"></head><body><o:p>x</o:p>'
    '<div class="story a" id=q>Hello <b>you</b> there<p>para<br>next</div><p>\x01odd\x00'
)


@given(html=markup())
def test_each_row_is_selected_by_its_own_xpath(html):
    page = parse(html)
    for row in range(len(page)):
        if "#" not in page.xpath(row) and page.tag[row] > 1:
            assert page.select(page.xpath(row)).tolist() == [row]


@given(html=markup())
def test_it_agrees_with_css(html):
    page = parse(html)
    for css, xpath in (("div p", "//div//p"), ("[class]", "//*[@class]"), ("ul > li", "//ul/li")):
        assert page.select(xpath).tolist() == page.select(css).tolist()


@pytest.mark.parametrize(
    ("select", "texts"),
    [
        ("//meta/@content", ["A b"]),
        ("//div/text()", ["Hello", "there"]),
        ("//b/following-sibling::text()[1]", ["there"]),
        ("(//p)[1]", ["paranext"]),
        ("//*[re:test(@class, 'st.r')]/b", ["you"]),
        ("substring-before(//meta/@content, 'b')", ["A"]),
        ("'someone'", ["someone"]),
        ("//div | //b", ["Hello you thereparanext", "you"]),
        ("//nothing", []),
        ("string(//nothing)", []),
        ("#q b", ["you"]),
    ],
)
def test_texts(select, texts):
    assert PAGE.selected_texts(select) == texts


@pytest.mark.parametrize(
    ("select", "message"),
    [
        ("//p[", "bad XPath"),
        ("//p[re:nothing(.)]", "bad XPath"),
        ("//p[$who]", "bad XPath"),
        ("count(//p)", "is a float"),
        ("string(//p)", "computes a text"),
        ("//p" + "[1" * 5000, "bad XPath"),
    ],
)
def test_what_cannot_be_meant_is_refused(select, message):
    with pytest.raises(OptionError, match=message):
        PAGE.select(select)
