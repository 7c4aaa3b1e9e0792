"""Nothing that a page says of itself raises, and every value is clean."""

import json
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.metadata import FIELDS, read_metadata
from chaffinch.page import parse

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
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=25,
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


def test_endless_lists_are_cut():
    node = {"@type": "Article", "author": ["Jane Doe", ["x"] * 10_000], "keywords": ["k"] * 10_000}
    nodes = json.dumps([node] * 300)
    check(parse(f'<script type="application/ld+json">{nodes}</script>'))
