"""Nothing that a page says of itself raises, and every value is clean."""

import html
import json
from datetime import date

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chaffinch.metadata import FIELDS, read_metadata
from chaffinch.page import parse
from strategies import markup

KEYS = [
    "@type", "@id", "@graph", "@value", "headline", "name", "author", "creator", "publisher",
    "datePublished", "dateModified", "image", "url", "mainEntity", "mainEntityOfPage",
    "keywords", "articleSection", "license", "inLanguage", "itemListElement", "item",
]  # fmt: skip
TEXTS = st.one_of(
    st.sampled_from(
        [
            "NewsArticle", "Person", "BreadcrumbList", "WebSite", "#a", "2021-03-04", "2021-13-45",
            "20210304T99:99", "https://[", "//", "By Jane Doe,", "<b>x</b>", "a\nb", "\x00",
                       "0000-00-00", "Thu, 99 Mar 2021 99:99:99 +9999", "2021-03-04T10:00:00+99:99",
        ]
    ),
    st.text(max_size=30),
)  # fmt: skip
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    ),
    max_leaves=25,
)
NAMES = st.sampled_from(
    [
        "og:title", "og:type", "og:url", "og:image", "og:locale", "author", "article:tag", "date",
        "article:published_time", "citation_author", "twitter:label1", "twitter:data1", "keywords",
        "og:site_name", "description", "datemodified",
    ]
)  # fmt: skip
MARKS = st.sampled_from(
    ["class=byline", "itemprop=author", "rel=author", "class=post-date", "itemprop=datePublished"]
)


def check(page):
    data = read_metadata(page)
    for name in FIELDS:
        found = data.field_value(name)
        if found is None:
            continue
        assert -1 <= found.row < len(page)
        assert 0 < found.confidence <= 1
        assert ":" in found.source or found.source in {"h1", "title", "url", "time", "text"}
        values = found.value if isinstance(found.value, tuple) else (found.value,)
        assert values
        for value in (getattr(one, "name", one) for one in values):  # contributors have roles, too
            if name in {"published", "modified"}:
                assert isinstance(value, date)
            else:
                assert value
                assert value == " ".join(value.split())
                assert "\x00" not in value
    assert json.loads(json.dumps(data.to_dict(fields=FIELDS))).keys() == set(FIELDS)


@settings(max_examples=150)
@given(VALUES, VALUES, st.sampled_from(["", "https://a.example/2021/03/04/x", "https://[", "x"]))
def test_any_json_ld(value, other, url):
    source = json.dumps([{"@type": "Article", "author": other, "headline": value}, value])
    source = source.replace("</", "<\\/")
    check(parse(f'<script type="application/ld+json">{source}</script><h1>A b</h1>', url=url))


@settings(max_examples=100)
@given(st.lists(st.tuples(NAMES, TEXTS), max_size=6), st.lists(st.tuples(MARKS, TEXTS), max_size=4))
def test_any_metas_and_marks(metas, marks):
    head = "".join(f'<meta name="{n}" content="{html.escape(v)}">' for n, v in metas)
    body = "".join(f'<p {m} datetime="{html.escape(v)}">{html.escape(v)}</p>' for m, v in marks)
    check(parse(f"<head>{head}</head><h1>A b</h1>{body}"))


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(markup())
def test_any_page(source):
    check(parse(source))


def test_endless_lists_are_cut():
    node = {"@type": "Article", "author": ["Jane Doe", ["x"] * 10_000], "keywords": ["k"] * 10_000}
    nodes = json.dumps([node] * 300)
    check(parse(f'<script type="application/ld+json">{nodes}</script>'))
