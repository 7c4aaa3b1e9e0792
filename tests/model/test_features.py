"""Features: the right shape and finite on any page, in any script, and what they count."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.kernels.codes import NEAR_ROWS as NEAR
from chaffinch.model import features, head_signals, name_hashes, words
from chaffinch.model.features import features as features_of
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
    found = features_of(parse(html))
    count = len(found.blocks)
    assert count >= 1
    width = len(features.TEXT_NAMES) + len(features.TREE_NAMES)
    assert found.numbers.shape == (count, width)
    assert found.numbers.dtype == np.float32
    assert np.isfinite(found.numbers).all()
    assert np.abs(found.numbers).max() < 20
    assert found.near.shape == (count, NEAR)
    assert (found.low <= np.arange(count)).all()
    assert (np.arange(count) < found.high).all()
    assert (found.units >= 1).all()
    assert found.words.shape == (words.SLOTS, count)
    assert found.words.max() <= words.NONE
    assert found.facts.shape == (len(head_signals.FACTS),)
    assert (found.section <= count).all()


@settings(max_examples=60)
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
        found = features_of(page)
        assert np.isfinite(found.numbers).all()
        assert len(found.numbers) == len(found.units) == len(found.group)


def test_features_do_not_depend_on_what_ran_before():
    first = features_of(parse(PAGES["wide"]))
    features_of(parse(PAGES["chinese"]))
    again = features_of(parse(PAGES["wide"]))
    assert first.numbers.tobytes() == again.numbers.tobytes()
    assert first.words.tobytes() == again.words.tobytes()


def test_units_are_words_or_characters_of_scripts_without_spaces():
    found = features_of(parse("<p>The small bird</p><p>苍头燕雀</p><p>かわいい鳥 bird</p><p>!</p>"))
    assert found.units.tolist() == [3, 4, 6, 1]


def test_link_share_counts_units():
    found = features_of(parse("<p>one two <a href=x>three four</a></p>"))
    share = found.numbers[0, features.TEXT_NAMES.index("link_share")]
    assert share == pytest.approx(0.5)


def test_a_body_in_json_ld_marks_its_blocks():
    found = features_of(parse(PAGES["json-ld"]))
    assert found.numbers[:, features.TEXT_NAMES.index("body")].tolist() == [1, 0]


def test_hidden_blocks_are_a_feature():
    numbers = features_of(parse(PAGES["hidden"])).numbers
    hidden = numbers[:, len(features.TEXT_NAMES) + features.TREE_NAMES.index("hidden")]
    assert (hidden > 0).tolist() == [True, True, False]


def test_names_are_cut_at_case_hyphens_and_digits():
    parts = set(name_hashes.words_of(("articleBody post-12", None)))
    for name in ("article", "body", "post"):
        assert set(name_hashes.words_of((name, None))) <= parts


def test_roles_are_no_classes():
    assert name_hashes.words_of((None, None, "main", None)) != name_hashes.words_of(("main", None))


def test_same_words_same_buckets_wherever_they_stand():
    found = features_of(parse("<p>Read more</p><div>  READ&nbsp;more, please</div><li>More</li>"))
    one, two, three = (set(found.words[: words.READ, k].tolist()) - {words.NONE} for k in range(3))
    assert one < two
    assert three < one


def test_words_do_not_run_on_into_the_next_block():
    close, apart = (features_of(parse(f"<p>one</p>{gap}<p>two</p>")) for gap in ("", "\n"))
    assert close.words.tolist() == apart.words.tolist()
    assert close.units.tolist() == [1, 1]


def test_characters_of_scripts_without_spaces_count_in_pairs():
    found = features_of(parse("<p>小鸟</p><p>小鸟飞</p><p>鸟小</p>"))
    assert found.words[0, 0] == found.words[0, 1]
    assert found.words[0, 0] != found.words[1, 2]


def test_words_beyond_what_is_read_do_not_count():
    start = "word " * words.READ
    one, two = (features_of(parse(f"<p>{start}{end}")).words for end in ("abc", "def"))
    assert one.tolist() == two.tolist()


def test_the_head_is_a_feature():
    page = parse(
        '<meta property="og:type" content="product"><meta name=description content="A red bird">'
        '<script type="application/ld+json">{"@type": "Product", "articleBody": 3}</script>'
        "<svg><title>no</title></svg><title>Birds</title><p>red birds"
    )
    found = head_signals.read_head_signals(page)
    told = {name for name, fact in zip(head_signals.FACTS, found.facts, strict=True) if fact}
    assert told == {"json_ld", "json_ld_product", "og_product"}
    assert (found.title.strip(), found.description, found.body) == ("Birds", "A red bird", "")
    shares = features_of(page).numbers[-1]
    assert shares[features.TEXT_NAMES.index("title")] == pytest.approx(1 / 2)
    assert shares[features.TEXT_NAMES.index("description")] == pytest.approx(1 / 2)


def test_kinds_of_characters():
    kinds = words.kinds_table()[words.code_points("Ab 1。鸟")]
    assert kinds.tolist() == [
        words.CAPITAL,
        words.LETTER,
        words.SPACE,
        words.DIGIT,
        words.SENTENCE_END,
        words.UNIT,
    ]


def test_groups_are_blocks_with_the_same_names_around_them():
    page = parse("<ul>" + "<li class=card><b>a</b>" * 3 + "<li class=last><b>b</b></ul><p>c")
    groups = features_of(page).groups
    assert len(set(groups.of_block[:3].tolist())) == 1
    assert len(set(groups.of_block.tolist())) == 3
    assert groups.sizes[groups.of_block].tolist() == [3, 3, 3, 1, 1]
