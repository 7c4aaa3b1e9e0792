"""Bodies of a thread's posts are kept together; what is no body, or no thread, isn't."""

import numpy as np
import pytest

from chaffinch.decision.discussions import bodies_of_posts
from chaffinch.decision.policy import Policy
from chaffinch.decision.rules import SURE
from chaffinch.model.features import features
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks
from decided import decide

POST = """<li class="post" id="post-{0}"><div class="author"><a href="/user/{1}">{1}</a></div>
<time datetime="2026-03-0{0}T10:00:00Z">0{0} March 2026</time>
<div class="body"><p>{2}</p></div><a class="report" href="/report/{0}">Report</a></li>"""
SAID = (
    "Which seed do finches like best in a cold winter, when nothing else is to be found?",
    "Sunflower hearts, for they have no shell, and the birds needn't work for them.",
    "@bert: thanks, that is what I wanted to know.",
    "Mine take nothing but nyjer, from a feeder with small holes that hangs in the hedge.",
)
NAMES = ("anna", "bert", "anna", "cleo")


def thread(said=SAID):
    posts = "".join(POST.format(k + 1, NAMES[k % 4], text) for k, text in enumerate(said))
    return (
        f"<html><body><nav><a href='/'>Forum</a></nav><ol class='thread'>{posts}</ol></body></html>"
    )


def blocks_and_keep(html, *kept):
    blocks = text_blocks(parse(html))
    keep = np.array([text in kept for text in blocks.texts()])
    return blocks, np.array([len(t.split()) for t in blocks.texts()], dtype=np.float32), keep


def added(html, *kept):
    blocks, units, keep = blocks_and_keep(html, *kept)
    mask = bodies_of_posts(blocks, units, keep)
    return None if mask is None else [t for t, one in zip(blocks.texts(), mask, strict=True) if one]


def test_a_post_that_looks_like_furniture_is_kept_with_the_others():
    assert added(thread(), SAID[0], SAID[1], SAID[3]) == list(SAID)


def test_authors_dates_and_buttons_are_no_bodies():
    found = added(thread(), *SAID)
    assert found == list(SAID)
    assert not {"anna", "Report", "01 March 2026"} & set(found)


def test_posts_of_which_next_to_none_is_kept_are_something_else():
    assert added(thread(), SAID[0]) is None
    assert added(thread(), SAID[0], SAID[1]) == list(SAID)


@pytest.mark.parametrize("html", ["<p>One text.</p><p>Another.</p>", thread(SAID[:1])])
def test_without_posts_nothing_changes(html):
    assert added(html, "One text.", SAID[0]) is None


def kept_by_decision(kind, certainty, policy):
    found = features(parse(thread().replace("<p>@bert", "<p class='short'>@bert")))
    texts = list(found.blocks.texts())
    score = np.array([0.9 if t in SAID and t != SAID[2] else 0.01 for t in texts], np.float32)
    decision = decide(score, found, kind=kind, certainty=certainty, policy=policy)
    return [text for text, one in zip(texts, decision.keep.tolist(), strict=True) if one]


def test_the_rule_acts_in_threads_that_are_sure_alone():
    others = [text for text in SAID if text != SAID[2]]
    assert kept_by_decision("forum", SURE, Policy()) == list(SAID)
    assert kept_by_decision("forum", SURE - 0.01, Policy()) == others
    assert kept_by_decision("article", 1.0, Policy()) == others
    assert kept_by_decision("forum", 1.0, None) == others


def test_each_block_is_looked_at_once_however_posts_nest():
    nested = thread().replace("</li>", "", 3).replace("</ol>", "</li></li></li></ol>")
    blocks, units, keep = blocks_and_keep(nested, *SAID)
    mask = bodies_of_posts(blocks, units, keep)
    assert mask is None or mask.sum() <= len(SAID)


FLOOR = """<li class="post" id="p{0}"><a class="author" href="/u/{1}">{1}</a>
<time datetime="2026-03-0{0}T10:00">{0} March</time><p>{2}</p></li><li class="sub">
<div class="comments"><div class="comment"><a class="author" href="/u/{3}">{3}</a>
<time datetime="2026-03-0{0}T11:00">{0} March</time><p>{4}</p></div></div></li>"""
REPLIES = ("which hedge is that?", "the same with mine", "it is a year by now")


def floors(named="post"):
    names = ("lise", "oskar", "maren")
    page = "".join(
        FLOOR.format(at + 1, NAMES[at], SAID[at], names[at], REPLIES[at]) for at in range(3)
    )
    return f"<html><body><main><h1>Seed</h1>{page}</main></body></html>".replace(
        'class="post"', f'class="{named}"'
    )


def test_replies_on_the_floors_of_a_board_are_kept_where_nothing_of_them_is():
    assert set(added(floors(), *SAID)) == {*SAID[:3], *REPLIES}


def test_comments_on_answers_stay_as_they_are():
    assert not {*REPLIES} & {*(added(floors("answer"), *SAID) or ())}
