"""Pages made of hostile pieces: extraction and all outputs raise errors of the project, or none.

What is found in them is what each part promises: rows of the page in order, clean values.
"""

import csv
import io
import json
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import chaffinch
from chaffinch import PageError, SetupError, Verdict
from chaffinch.metadata import FIELDS
from chaffinch.methods import METHODS
from chaffinch.output.options import PARTS

TAGS = (
    "html head body div p a span table tr td th tbody thead caption colgroup ul ol li dl dt dd h1 "
    "h2 pre code blockquote img picture source figure figcaption video iframe form select option "
    "svg math mi mo mn mfrac msup mtable mtr mtd semantics annotation template script style title "
    "meta base details summary ruby rt time b i font sub br hr frameset noscript object textarea "
    "article section nav footer aside"
).split()
NUMBERS = ("0", "-1", "2", "1000", "9" * 500, "1e400", "²", "٣", "NaN", "50%")
ATTRIBUTES = {
    "class": ("post", "comment", "highlight-source-python", "katex", "@" * 50, "\u202e"),
    "href": ("/a", "http://[", "javascript:x", "?", "http://a:99999/", "a" * 3000, "\\\\x"),
    "src": ("/i.jpg", "data:image/gif;base64,R0", "http://[::1", "x y"),
    "srcset": ("a 1x, b 2x", ",,,,", "a 9999999999999999999w", "a -1x,b NaNx", "a 1e400x"),
    **dict.fromkeys(("width", "height", "rowspan", "colspan", "start", "value"), NUMBERS),
    "style": ("display:none", "width:" + "9" * 500 + "px", "font-size:1e400px"),
    "datetime": ("2020-01-01", "0000-00-00", "9999-12-31T23:59:59+99:99", "2020-02-30", "12020"),
    "role": ("table", "row", "cell", "grid", "main", "heading"),
    "aria-level": NUMBERS,
    "property": ("og:title", "article:published_time", "og:image", "article:author"),
    "name": ("author", "description", "date", "robots"),
    "content": ("x", "2020-01-01", "@" * 80, "9" * 5000, "noai"),
    "itemprop": ("author", "datePublished", "headline", "image"),
    "alttext": ("x^2", "\\("),
    "id": ("main", "1", "\x00"),
}
PARTED = (
    "<div class=comment><b class=user>Ann</b><time>2024-01-01</time><p>Rye is tall, I think.</div>",
    "<li class=card><a href=/a><h3>Rye</h3></a><img src=/i.jpg><b class=price>7.50 €</b>",
    "<figure><img src=a.jpg width=640 height=480><figcaption>©</figcaption></figure>", "<article>",
    "<p class=byline>By Ann Lee,</p>", "<p itemprop=datePublished>2021-13-45</p>", "<dl><dt>a<dd>b",
    "<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>=1+1<td>e<td>f</table>",
    "<meta name=date content='Thu, 99 Mar 2021 99:99:99 +9999'>", "<meta name=keywords content=a>",
)  # fmt: skip
TEXTS = (
    "Rye is a grass, grown for its grain. " * 4, "\\(x", "$$", "2020-01-01", "31 February 2020",
    "By John Smith", "\x00", "\ud800", "\u202e\u2066", "字" * 30, "|", "```", "* * *", "]]>", "-->",
    "99999999999999999999. ", "3 hours ago", "999999999999999999 days ago", "2020年13月45日",
    "12/31/9999", "١٤٠٢/٠١/٠١", "พ.ศ. 2563", "\u2028",
)  # fmt: skip
DATA = (
    [{"@type": "Article", "author": [{"name": [[1]]}], "datePublished": 10**400}],
    {"@graph": [{"@type": ["Article", 3], "headline": {"a": 1}, "articleBody": ["x"]}]},
    {"@type": "DiscussionForumPosting", "comment": [{"text": "x", "datePublished": "9999-99"}]},
    {"@type": "Recipe", "recipeInstructions": [None, 3, {"text": {}}], "image": [{"url": []}]},
    {"@type": "FAQPage", "mainEntity": [{"acceptedAnswer": {"text": 5}}]},
    [[[[]]]],
)

attributes = st.sampled_from(sorted(ATTRIBUTES)).flatmap(
    lambda name: st.sampled_from(ATTRIBUTES[name]).map(lambda value: f' {name}="{value}"')
)
starts = st.builds(
    lambda tag, own, times: f"<{tag}{''.join(own)}>" * times,
    st.sampled_from(TAGS),
    st.lists(attributes, max_size=3),
    st.sampled_from([1] * 20 + [40, 600]),
)
scripts = st.builds(
    lambda head, data: f"{head}{json.dumps(data)}</script>",
    st.sampled_from(
        ["<script type=application/ld+json>", "<script>window.__INITIAL_STATE__=", "<script>"]
    ),
    st.sampled_from(DATA),
)
pages = st.lists(
    st.one_of(
        starts,
        starts,
        st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
        st.sampled_from(TEXTS),
        st.builds(str.__mul__, st.sampled_from(PARTED), st.integers(1, 4)),
        scripts,
    ),
    min_size=1,
    max_size=60,
).map("".join)


def all_outputs(found):
    """Make every output of an extract."""
    for output in (
        *(found.text, found.noise, found.markdown(front_matter=True), found.html(), found.clean()),
        *(found.tei(parts=["posts"]), found.to_json(parts=list(PARTS)), found.front_matter()),
    ):
        output.encode("utf-8")
    return found.blocks, found.chunks(max_length=10), found.explain()


def check_metadata(data, page):
    for name in FIELDS:
        found = data.field_value(name)
        if found is None:
            continue
        assert -1 <= found.row < len(page)
        assert 0 < found.confidence <= 1
        assert ":" in found.source or found.source in {"h1", "title", "url", "time", "text", "line"}
        values = found.value if isinstance(found.value, tuple) else (found.value,)
        assert values
        for value in (getattr(one, "name", one) for one in values):  # contributors have roles, too
            if name in {"published", "modified"}:
                assert isinstance(value, date)
            elif name != "product":
                assert value == " ".join(value.split()) != ""
                assert "\x00" not in value
    assert json.loads(json.dumps(data.to_dict(fields=FIELDS))).keys() == set(FIELDS)


def check_parts(found):
    page = found.page
    rows = [image.row for image in found.images]
    assert rows == sorted(set(rows))
    assert all(page.shown[rows])
    assert len({image.url for image in found.images} - {""}) == len(found.images)
    for number, post in enumerate(found.posts, start=1):
        assert post.number == number
        assert 0 <= post.rows[0] < post.rows[1] <= len(found.in_rows.page)
        assert post.reply_to is None or 1 <= post.reply_to < number
        assert post.kind in {"question", "answer", "comment", "post"}
    for one, other in pairwise(found.records):
        is_behind = one.rows[1] <= other.rows[0]
        assert is_behind or one.list_number != other.list_number
        assert is_behind or not {*range(*one.rows)} & {*range(*other.rows)}
    for number, one in enumerate(found.records, start=1):
        assert one.number == number
        for name, field in one.fields.items():
            assert field.value
            inside = one.rows[0] <= field.rows[0] < field.rows[1] <= one.rows[1]
            assert inside or name == "link"  # which may stand around its entry
    assert [table.row for table in found.tables] == sorted({one.row for one in found.tables})
    for table in found.tables:
        table.markdown(), table.html()
        assert {len(line) for line in table.cells} == {len(set(table.names))}
        records = table.records()
        assert len(records) < 2 or all(list(one) == table.names for one in records)
        assert list(csv.reader(io.StringIO(table.csv(defused=False), newline=""))) == table.texts
        own = range(table.row + 1, page.end[table.row])
        assert all(cell.row in own for line in table.cells for cell in line if cell is not None)


def keep_all(page):
    verdict = Verdict.empty(len(page))
    return verdict.with_keep(~verdict.keep)


@pytest.mark.parametrize("method", [*METHODS, keep_all])
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(html=pages, other=pages, url=st.sampled_from([None, "http://a.b/c", "http://[", "x", ""]))
def test_extraction_and_outputs_raise_errors_of_the_project_or_none(method, html, other, url):
    compares = isinstance(method, str) and "siblings" in METHODS[method].__dataclass_fields__
    siblings = [other, html + "<p>more"] if compares else ()
    try:
        found = chaffinch.extract(html, method=method, siblings=siblings, url=url)
        all_outputs(found)
        check_parts(found)
        check_metadata(found.metadata, found.in_rows.page)
    except (PageError, SetupError) as error:
        assert str(error)  # noqa: PT017 - either will do
