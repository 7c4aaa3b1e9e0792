"""Blocks: their ids, paths and text fragments."""

import hashlib
from urllib.parse import unquote

import numpy as np
import pytest
from hypothesis import given, settings

import chaffinch
from chaffinch.reading.blocks import block_ids
from chaffinch.reading.words import text_id, words
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup

HTML = """<title>Grain</title><nav><a href=/a>Home</a></nav><article><h1>Grain</h1>
<p id=a>Rye is <b>grown</b> for its grain.<p>Read on<p>Oats as well, in wet years.<p>Read on
</article><footer>Home</footer>"""


@settings(max_examples=60, deadline=None)
@given(source=markup())
def test_blocks_have_ids_of_their_own_and_paths_that_lead_to_them(source):
    page = chaffinch.parse(f"{source}<!---->")
    found = chaffinch.extract(page, keep="*")
    own = [one.id for one in found.blocks if one.rows is not None]
    assert len(set(own)) == len(own)
    for one in found.blocks:
        if one.rows is not None:
            (row,) = page.select(one.xpath)
            # White space in front, which a pre shows, may stand outside of what holds the words.
            words = [at for at in range(*one.rows) if not page.tag[at] and page.text_of(at).strip()]
            assert row <= [*words, one.rows[0]][0] < page.end[row]
            assert page.select(one.selector).tolist() == [row]


# Fragments


def fragments(html, keep="*"):
    found = chaffinch.extract(html, keep=keep)
    return [(found.text[one.start : one.end], one.fragment) for one in found.blocks]


def directive(fragment):
    """Read a text directive as a browser does: prefix, start, end, suffix."""
    assert fragment.startswith("#:~:text=")
    terms = fragment.removeprefix("#:~:text=").split(",")
    prefix = terms.pop(0)[:-1] if terms[0].endswith("-") else ""
    suffix = terms.pop()[1:] if terms[-1].startswith("-") else ""
    assert 1 <= len(terms) <= 2
    return [unquote(one) for one in (prefix, terms[0], terms[1] if terms[1:] else "", suffix)]


def first_match(blocks, fragment):
    """Return (block, end block) of the first place that a directive fits, word by word."""
    sequence, owner = [], []
    for number, text in enumerate(blocks):
        for word in words(text):
            sequence.append(word[0].casefold())
            owner.append(number)
    prefix, start, end, suffix = ([w[0].casefold() for w in words(t)] for t in directive(fragment))
    for at in range(len(sequence)):
        stop = at + len(start)
        if sequence[at:stop] != start or owner[at] != owner[stop - 1]:
            continue
        if prefix and sequence[max(at - len(prefix), 0) : at] != prefix:
            continue
        if suffix and not end and sequence[stop : stop + len(suffix)] != suffix:
            continue
        if not end:
            return owner[at], owner[stop - 1]
        for last in range(stop, len(sequence)):
            if sequence[last : last + len(end)] == end:
                return owner[at], owner[last]
    return None


def test_short_blocks_are_written_out_and_encoded():
    assert fragments("<p>Grain, rye & oats - a well-kept field") == [
        (
            "Grain, rye & oats - a well-kept field",
            "#:~:text=Grain%2C%20rye%20%26%20oats%20%2D%20a%20well%2Dkept%20field",
        )
    ]


def test_long_blocks_are_named_by_both_ends():
    text = " ".join(f"word{number}" for number in range(40))
    ((_, fragment),) = fragments(f"<p>{text}")
    assert directive(fragment) == [
        "",
        "word0 word1 word2 word3 word4 word5",
        "word34 word35 word36 word37 word38 word39",
        "",
    ]


def test_what_is_said_twice_gets_its_context():
    html = "<nav>Read on</nav><p>Rye is tall.<p>Read on<p>Oats are small."
    found = dict(fragments(html, keep="p"))
    assert directive(found["Read on"]) == ["", "Read on", "", "Oats are small"]


@settings(max_examples=80, deadline=None)
@given(source=markup())
def test_the_first_place_that_fits_is_the_block(source):
    found = chaffinch.extract(f"{source}<!---->", keep="*")
    of_page = text_blocks(found.page)
    blocks = list(of_page.texts())
    for one in found.blocks:
        if one.fragment and one.rows is not None:
            number = int(of_page.block_at(np.array(one.rows[:1]))[0])
            assert first_match(blocks, one.fragment) == (number, number)


def test_ids_are_the_hash_of_the_folded_text():
    found = chaffinch.extract(HTML, keep="article")
    ids = {found.text[one.start : one.end]: one.id for one in found.blocks}
    wanted = hashlib.sha256(b"Rye is grown for its grain.").hexdigest()[:12]
    assert ids["Rye is grown for its grain."] == wanted


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


def test_what_can_not_be_told_apart_has_no_fragment():
    assert [one for _, one in fragments("<p>Read on" * 30)][15] == ""
