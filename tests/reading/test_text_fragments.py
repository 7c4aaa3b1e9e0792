from urllib.parse import unquote

import numpy as np
import pytest
from hypothesis import given, settings

import chaffinch
from chaffinch.reading.blocks import text_fragments
from chaffinch.reading.words import words
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup


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


def test_what_can_not_be_told_apart_has_no_fragment():
    assert [one for _, one in fragments("<p>Read on" * 30)][15] == ""


def test_scripts_without_spaces_are_cut_at_marks():
    text = "苍头燕雀在冬天吃谷物，春天吃昆虫和蜘蛛。" * 2 + "它们在树上筑巢，每年产下四到五个蛋。"
    ((_, fragment),) = fragments(f"<p>{text}")
    _, start, end, _ = directive(fragment)
    assert start == "苍头燕雀在冬天吃谷物"
    assert end == "每年产下四到五个蛋"


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


@pytest.mark.parametrize("wrong", [(0, 0), (3, 2), (0, 99), (-1, 2)])
def test_no_range_no_fragment(wrong):
    found = chaffinch.extract("<p>a b c", keep="p")
    assert text_fragments(found.content).fragment(*wrong) == ""
