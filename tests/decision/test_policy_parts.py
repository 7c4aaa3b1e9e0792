"""Parts that a policy keeps or drops: title, byline, captions, comments; sections and columns."""

from __future__ import annotations

import gc
import time

import numpy as np
import pytest

from chaffinch.decision.discussions import closing_comments, in_comments
from chaffinch.decision.parts import (
    apply_policy,
    captions_between,
    headline,
    in_byline,
    in_captions,
    in_headline,
    kept_title,
)
from chaffinch.decision.policy import Policy
from chaffinch.decision.repeated import columns_as_one
from chaffinch.decision.structure import headings_of_dropped
from chaffinch.model.features import features
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks
from decided import decide

TEXT = "The chaffinch sings from March to July, and each male has a few songs of his own. " * 6
POSTS = "".join(
    f"<li class=c><a class=user href=/users/{name}>{name}</a> <time datetime=2024-05-0{day}>"
    f"{day} May 2024</time><p>I heard one on day {day}, from the top of a tall ash tree.</p></li>"
    for day, name in enumerate(("anna", "bo", "cem", "dora"), 1)
)
PAGE = f"""<html><head><title>Songs of the chaffinch - Garden Post</title></head><body>
<header><a href=/>Garden Post</a></header><article><h1>Songs of the chaffinch</h1>
<p class=byline>By Ada Lindqvist</p><p class=when>3 May 2024</p>
<figure><img src=/a.jpg width=600 height=400><figcaption>A male in spring</figcaption></figure>
<p>{TEXT}</p><h2>Females</h2><p>{TEXT}</p></article>
<section class=comments><h3>Comments</h3><ol>{POSTS}</ol></section>
<footer>Garden Post, a paper for gardens</footer></body></html>"""


def blocks_of(html):
    page = parse(html, url="https://garden.example/songs")
    return text_blocks(page)


def texts(blocks, mask):
    return [blocks.text(number) for number in np.flatnonzero(mask).tolist()]


@pytest.fixture(name="blocks")
def of_page():
    return blocks_of(PAGE)


@pytest.fixture(name="keep")
def running_text(blocks):
    return blocks.length > 200


def test_the_title_is_found_in_its_heading(blocks, keep):
    assert texts(blocks, in_headline(blocks, keep)) == ["Songs of the chaffinch"]
    twice = blocks_of(PAGE.replace("<footer>", "<footer><p>Songs of the chaffinch</p>"))
    kept = twice.length > 200
    assert len(texts(twice, in_headline(twice, kept))) == 2
    assert np.flatnonzero(headline(twice, kept)).tolist() == [1]


def test_a_title_that_no_block_has_is_in_no_block():
    bare = blocks_of(PAGE.replace("<h1>Songs of the chaffinch</h1>", ""))
    assert not in_headline(bare, bare.length > 200).any()


def test_a_byline_is_beside_the_headline_and_no_sentence(blocks, keep):
    assert texts(blocks, in_byline(blocks, keep)) == ["By Ada Lindqvist", "3 May 2024"]
    behind = blocks_of(PAGE.replace("</article>", "<p>责任编辑：王五</p></article>"))
    assert "责任编辑：王五" in texts(behind, in_byline(behind, behind.length > 200))
    assert not in_byline(blocks, np.zeros(len(blocks), dtype=bool)).any()


def test_captions_are_kept_within_the_text_and_dropped_anywhere(blocks, keep):
    assert texts(blocks, in_captions(blocks, keep)) == ["A male in spring"]
    assert not captions_between(blocks, keep).any()  # above the first kept block
    from_top = keep.copy()
    from_top[0] = True
    assert texts(blocks, captions_between(blocks, from_top)) == ["A male in spring"]


def test_posts_below_a_text_are_comments_and_those_of_a_thread_are_not(blocks, keep):
    found = texts(blocks, in_comments(blocks, keep))
    assert sum("tall ash tree" in text for text in found) == 4
    assert "Comments" not in found
    thread = blocks_of(f"<title>Birds</title><h1>Birds</h1><ol class=posts>{POSTS}</ol>")
    assert not in_comments(thread, np.ones(len(thread), dtype=bool)).any()


@pytest.mark.parametrize("name", ["headline", "byline", "captions", "comments"])
@pytest.mark.parametrize("value", [True, False])
def test_a_policy_acts_whatever_was_kept(blocks, name, value):
    for start in (np.ones(len(blocks), dtype=bool), blocks.length > 200):
        keep = start.copy()
        keep[0] = True  # so that captions stand within the kept text
        found = apply_policy(blocks, keep, Policy(**{name: value}))
        part = {
            "headline": in_headline,
            "byline": in_byline,
            "captions": in_captions,
            "comments": in_comments,
        }[name](blocks, keep)
        assert part.any()
        assert (found == (keep | part if value else keep & ~part)).all()


def test_comments_at_the_end_are_no_content_of_an_article(blocks):
    found = features(blocks.page)
    everything = np.ones(len(blocks), dtype=bool)
    everything[-1] = False  # the footer
    dropped = texts(blocks, closing_comments(found, everything))
    assert "Comments" in dropped
    assert sum("tall ash tree" in text for text in dropped) == 4
    assert not any(text in dropped for text in texts(blocks, blocks.length > 200))


@pytest.mark.parametrize(
    ("kind", "certainty", "policy", "stay"),
    [
        ("article", 0.9, Policy(), False),
        ("product", 0.9, Policy(), False),
        ("article", 0.6, Policy(), True),
        ("forum", 0.9, Policy(), True),
        ("forum", 0.9, Policy(comments=False), True),
        ("service", 0.9, Policy(), True),
        ("service", 0.9, Policy(comments=False), False),
        ("article", 0.9, Policy(comments=True), True),
        ("article", 0.9, None, True),
    ],
)
def test_where_the_kind_of_page_is_in_doubt_comments_stay(blocks, kind, certainty, policy, stay):
    found = features(blocks.page)
    score = np.full(len(blocks), 0.9, dtype=np.float32)
    decision = decide(score, found, kind=kind, certainty=certainty, policy=policy)
    kept = texts(blocks, decision.keep)
    assert any("tall ash tree" in text for text in kept) == stay
    assert all(text in kept for text in texts(blocks, blocks.length > 200))


@pytest.mark.parametrize("name", ["komentarze", "coment-list", "kommentarii", "yorumlar"])
def test_comments_are_known_by_their_name_in_other_languages(name):
    html = PAGE.replace(
        "</section>", f"</section><div class='{name}'><p>Not all of us do.</p></div>"
    )
    found = features(parse(html))
    everything = np.ones(len(found), dtype=bool)
    last = [text == "Not all of us do." for text in found.blocks.texts()].index(True)
    everything[last + 1 :] = False
    dropped = closing_comments(found, everything)
    assert dropped is not None
    assert dropped[last]


def test_comments_in_the_middle_or_on_top_stay():
    everything = np.ones(0, dtype=bool)
    for html in (
        PAGE.replace("</section>", f"</section><p>{TEXT}</p>"),
        PAGE.replace("<article>", f"<section class=comments><ol>{POSTS}</ol></section><article>"),
    ):
        found = features(parse(html))
        everything = np.ones(len(found), dtype=bool)
        dropped = closing_comments(found, everything)
        top = found.blocks.text(1)
        assert dropped is None or not dropped[1], top


def test_code_that_is_named_a_comment_stays():
    code = "<pre><code><div class=comment># sings</div></code></pre>"
    found = features(parse(f"<p>{TEXT}</p>{code}"))
    assert closing_comments(found, np.ones(len(found), dtype=bool)) is None


def test_a_kept_heading_that_is_the_title_goes_and_a_section_stays():
    html = f"<title>Songs of the chaffinch | Garden</title><h1>Songs of the chaffinch</h1><p>{TEXT}"
    found = features(parse(f"{html}<h2>Garden</h2><h2>Songs</h2><p>{TEXT}"))
    everything = np.ones(len(found), dtype=bool)
    dropped = kept_title(found.blocks, found.units, everything)
    assert texts(found.blocks, dropped) == ["Songs of the chaffinch"]
    short = features(parse("<title>Songs of it</title><h1>Songs of it</h1><p>Few words"))
    assert kept_title(short.blocks, short.units, np.ones(len(short), dtype=bool)) is None


def test_a_heading_goes_with_its_section():
    blocks = blocks_of(f"<h2>A</h2><p>{TEXT}</p><h2>B</h2><h3>C</h3><p>gone</p><h2>D</h2><p>{TEXT}")
    keep = np.array([text != "gone" for text in blocks.texts()])
    assert texts(blocks, headings_of_dropped(blocks, keep)) == ["B", "C"]
    assert headings_of_dropped(blocks, np.ones(len(blocks), dtype=bool)) is None
    entries = blocks_of("<h2>A</h2><h2>B</h2><h2>C</h2>")  # without text nothing was dropped
    assert headings_of_dropped(entries, np.ones(len(entries), dtype=bool)) is None


def test_a_field_of_entries_is_kept_or_dropped_in_all():
    entry = "<li class=item><h3>Feeder {0}</h3><p class=price>{0}.50</p><p class=code>X{0}</p></li>"
    blocks = blocks_of(f"<p>{TEXT}</p><ul>{''.join(entry.format(n) for n in range(9))}</ul>")
    found = features(blocks.page)
    keep = np.ones(len(blocks), dtype=bool)
    prices = np.array([".50" in text for text in blocks.texts()])
    codes = np.array([text.startswith("X") for text in blocks.texts()])
    keep[np.flatnonzero(prices)[:2]] = False
    keep[np.flatnonzero(codes)[2:]] = False
    after = columns_as_one(found, keep)
    assert after[prices].all()
    assert not after[codes].any()
    assert (after[~prices & ~codes] == keep[~prices & ~codes]).all()


def test_many_comments_side_by_side_take_linear_time():
    def dropped(size):
        found = features(parse(f"<p>{TEXT}</p>" + "<div class=comment><p>yes no</p></div>" * size))
        everything = np.ones(len(found), dtype=bool)
        start = time.process_time()
        mask = closing_comments(found, everything)
        assert np.count_nonzero(mask) == size
        return time.process_time() - start

    gc.disable()
    try:
        small, large = (min(dropped(size) for _ in range(3)) for size in (2_000, 16_000))
    finally:
        gc.enable()
    assert large < 20 * small  # eight times the size; the square of it would be 64
