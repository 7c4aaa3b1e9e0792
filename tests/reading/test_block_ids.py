import hashlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import chaffinch
from chaffinch.reading.blocks import block_ids
from chaffinch.reading.words import folded, folded_each, text_id
from strategies import markup

HTML = """<title>Grain</title><nav><a href=/a>Home</a></nav><article><h1>Grain</h1>
<p id=a>Rye is <b>grown</b> for its grain.<p>Read on<p>Oats as well, in wet years.<p>Read on
</article><footer>Home</footer>"""


def ids(found):
    return {found.text[one.start : one.end]: one.id for one in found.blocks}


def test_ids_are_the_hash_of_the_folded_text():
    found = chaffinch.extract(HTML, keep="article")
    wanted = hashlib.sha256(b"Rye is grown for its grain.").hexdigest()[:12]
    assert ids(found)["Rye is grown for its grain."] == wanted


def test_the_second_of_equal_texts_has_a_number():
    found = chaffinch.extract(HTML, keep="*")
    own = [one.id for one in found.blocks if found.text[one.start : one.end] == "Read on"]
    assert own == [text_id("Read on"), f"{text_id('Read on')}-2"]
    assert len({one.id for one in found.blocks}) == len(found.blocks)


@pytest.mark.parametrize("options", [
    {"method": "information_blocks"}, {"method": "block_density"}, {"policy": {"headline": True}},
    {"favor": "recall"}, {"drop": "b"}, {"keep": "p"}, {"keep": "p:last-child"},
])  # fmt: skip
def test_ids_are_the_same_however_the_content_is_found(options):
    page = chaffinch.parse(HTML)
    every = block_ids(chaffinch.extract(page, keep="*").content)
    found = chaffinch.extract(page, **options)
    for one in found.blocks:
        if one.rows is not None:
            assert one.id == every.of_row(one.rows[0])


def test_a_block_of_which_a_part_is_kept_has_the_id_of_the_whole():
    found = chaffinch.extract(HTML, keep="p", drop="b")
    assert ids(found)["Rye is for its grain."] == text_id("Rye is grown for its grain.")


@settings(max_examples=60, deadline=None)
@given(source=markup())
def test_blocks_have_ids_of_their_own_and_paths_that_lead_to_them(source):
    page = chaffinch.parse(f"{source}<!---->")
    found = chaffinch.extract(page, keep="*")
    own = [one.id for one in found.blocks if one.rows is not None]
    assert len(set(own)) == len(own)
    for one in found.blocks:
        if one.rows is not None:
            row = page.row_at(one.xpath)
            # White space in front, which a pre shows, may stand outside of what holds the words.
            words = [at for at in range(*one.rows) if not page.tag[at] and page.text_of(at).strip()]
            assert row <= [*words, one.rows[0]][0] < page.end[row]
            assert page.select(one.selector).tolist() == [row]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" a\n b\xa0c ", "a b c"),
        ("ﬁne ½", "fine 1⁄2"),
        ("谷物 和\n燕雀。 好", "谷物和燕雀。好"),
        ("ab 谷物 cd", "ab 谷物 cd"),
        ("한국 말", "한국 말"),
        ("e\u0301", "é"),
    ],
)
def test_folding(text, expected):
    assert folded(text) == expected


@given(
    st.lists(
        st.text(st.sampled_from("ab 谷燕。，\u3000\xa0´½ﬁé\u0301\u0323\u034fก한\ud800 \n"))
        | st.text()
    )
)
@example(["\u0301" * 61, "a", "谷" + "\u0323" * 31, "´", "\u0301 x"])
def test_texts_folded_together_are_as_each_by_itself(texts):
    texts = [" ".join(text.split()) for text in texts]
    assert folded_each(texts) == [folded(text) for text in texts]


def test_many_marks_are_folded_in_linear_time():
    assert len(folded("a" + "\u0301\u0323" * 200_000)) > 1000
