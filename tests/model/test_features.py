"""Features: the right shape and finite on any page, in any script, and what they count."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.model import marks, scripts, text_features, tree_features, words
from chaffinch.model.ancestors import sums_above
from chaffinch.model.features import SLOTS, features
from chaffinch.page import parse

PAGES = {
    "one word": "a",
    "one mark": "<p>!</p>",
    "deep": "<div>" * 600 + "deep",
    "wide": "<ul>" + "<li><a href=x>one</a>" * 300 + "</ul>",
    "brs": "a<br>" * 50,
    "chinese": "<title>苍头燕雀</title><h1>苍头燕雀</h1><p>苍头燕雀是一种小鸟，在欧洲很常见。</p>",
    "beyond the basic plane": "<p>𠀀𠀁 😀 text</p>",
    "arabic": "<p dir=rtl>طائر صغير، شائع في أوروبا.</p>",
    "json-ld": '<script type="application/ld+json">{"@type":"Article","articleBody":"Its song is'
    ' loud and long"}</script><p>Its song is loud and long</p><p>Share</p>',
    "hidden": '<div style="display:none"><p>hidden</p></div><p hidden>too</p><p>shown</p>',
    "long word": "<p>" + "x" * 5000 + "</p>",
    "many classes": f'<p class="{" ".join(f"c-{k}" for k in range(500))}">a</p>',
}


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_shapes_and_finite_numbers(html):
    found = features(parse(html))
    count = len(found.blocks)
    assert count >= 1
    width = len(text_features.NAMES) + len(tree_features.NAMES)
    assert found.numbers.shape == (count, width)
    assert found.numbers.dtype == np.float32
    assert np.isfinite(found.numbers).all()
    assert np.abs(found.numbers).max() < 20
    assert found.near.shape == (count, SLOTS)
    assert (found.low <= np.arange(count)).all()
    assert (np.arange(count) < found.high).all()
    assert (found.units >= 1).all()
    assert found.words.bucket.max(initial=0) < words.BUCKETS


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("p div span a li td h1 br img table script article".split()),
            st.text(max_size=12),
        ),
        min_size=1,
        max_size=25,
    )
)
def test_any_page_has_finite_numbers(pieces):
    page = parse("".join(f"<{tag} class='{tag}-x'>{text}" for tag, text in pieces))
    if page.own_length.any():
        found = features(page)
        assert np.isfinite(found.numbers).all()
        assert len(found.numbers) == len(found.units) == len(found.group)


def test_features_do_not_depend_on_what_ran_before():
    first = features(parse(PAGES["wide"]))
    features(parse(PAGES["chinese"]))
    again = features(parse(PAGES["wide"]))
    assert first.numbers.tobytes() == again.numbers.tobytes()
    assert first.words.bucket.tobytes() == again.words.bucket.tobytes()


def test_units_are_words_or_characters_of_scripts_without_spaces():
    found = features(parse("<p>The small bird</p><p>苍头燕雀</p><p>かわいい鳥 bird</p><p>!</p>"))
    assert found.units.tolist() == [3, 4, 6, 1]


def test_link_share_counts_units():
    found = features(parse("<p>one two <a href=x>three four</a></p>"))
    share = found.numbers[0, text_features.NAMES.index("link_share")]
    assert share == pytest.approx(0.5)


def test_a_body_in_json_ld_marks_its_blocks():
    found = features(parse(PAGES["json-ld"]))
    assert found.numbers[:, text_features.NAMES.index("body")].tolist() == [1, 0]


def test_hidden_blocks_are_told():
    numbers = features(parse(PAGES["hidden"])).numbers
    hidden = numbers[:, len(text_features.NAMES) + tree_features.NAMES.index("hidden")]
    assert (hidden > 0).tolist() == [True, True, False]


def test_names_are_cut_at_case_hyphens_and_digits():
    parts = set(marks.words_of(("articleBody post-12", None)))
    for name in ("article", "body", "post"):
        assert set(marks.words_of((name, None))) <= parts


def test_roles_are_no_classes():
    assert marks.words_of((None, None, "main", None)) != marks.words_of(("main", None))


def test_same_words_same_buckets_wherever_they_stand():
    found = features(parse("<p>Read more</p><div>  Read more, please</div>"))
    first = set(found.words.bucket[found.words.text == 0].tolist())
    second = set(found.words.bucket[found.words.text == 1].tolist())
    assert len(first & second) >= 2


def test_words_beyond_what_is_read_do_not_count():
    start = "x" * words.READ
    one, two = (features(parse(f"<p>{start}{end}")).words for end in ("abc", "def"))
    assert one.bucket.tolist() == two.bucket.tolist()


def test_kinds_of_characters():
    kinds = scripts.kinds_of(scripts.code_points("Ab 1。"))
    assert kinds.tolist() == [
        scripts.CAPITAL + 7,
        scripts.LETTER,
        scripts.SPACE,
        scripts.DIGIT + 7,
        scripts.SENTENCE_END,
    ]


def test_sums_above_equal_a_walk_over_ancestors():
    page = parse("<div><p>a<b>b</b></p><p>c</p></div><p>d<i><u>e</u></i></p>")
    rows = np.flatnonzero(page.tag > 0)
    values = (rows[:, None] * [1, 10]).astype(np.int64)
    at = np.flatnonzero(page.tag == 0).astype(np.int32)
    sums = sums_above(rows, page.end[rows], values, at)
    for row, found in zip(at.tolist(), sums.tolist(), strict=True):
        expected = sum(page.ancestors(row))
        assert found == [expected, 10 * expected]
