"""Leads and entries are told by their places; a template that fits loosely drops little."""

from dataclasses import replace

import numpy as np
import pytest

from chaffinch import Site, parse
from chaffinch.site.evidence import (
    BlockEvidence,
    are_repeated_links,
    returning_texts,
    shipped_weights,
    slot_table,
)
from chaffinch.site.sample import block_summary

BOXES = 3
"""Elements unknown to the template that make a page of it fit loosely."""
WORDS = "barley river mill council bridge winter harvest market garden ferry stone lantern".split()


def sentence(seed, length=14):
    dice = np.random.default_rng(seed)
    return " ".join(dice.choice(WORDS, length)).capitalize() + f" {WORDS[seed % 12]}."


def story(number, *, note="", cards=()):
    body = "".join(f"<p>{sentence(1000 * number + at, 40)}</p>" for at in range(6))
    entries = "".join(f"<li class=card><h3>{title}</h3></li>" for title in cards)
    return (
        f"<body><div class=top><a href=/>Home</a></div><div class=story>"
        f"<h1>{sentence(number, 6)}</h1>"
        f"<div class=lead>{sentence(7000 + number, 20)}</div><div class=text>{body}</div>"
        f"<div class=note>{note}</div><ul class=list>{entries}</ul></div></body>"
    )


def summaries(sources, score):
    """Return summaries of pages, ``score`` the probability of every block."""
    pages = [parse(source) for source in sources]
    return [block_summary(page, np.full(len(page), score, dtype=np.float32)) for page in pages]


def told(pages, function):
    """Return what a function of places says of the blocks of the first page."""
    slots, texts = slot_table(pages), returning_texts(pages)
    returns = texts.shares(pages[0].texts, own=True)
    return function(pages[0], slots, returns, texts.pages)


@pytest.mark.parametrize(
    ("more", "score", "found"),
    [
        ("<a href=/{}>More</a>", 0.4, True),
        ("<a href=/{}>More</a>", 0.6, False),
        ("More", 0.4, False),
        ("<a href=/{0}>More {0}</a>", 0.4, False),
    ],
)
def test_links_of_one_text_below_each_entry_are_boilerplate(more, score, found):
    entries = "".join(f"<div><p>{sentence(at)}</p>{more.format(at)}</div>" for at in range(4))
    (page,) = summaries([f"<body>{entries}"], score)
    assert are_repeated_links(page).tolist() == 4 * [False, found]
    evidence = BlockEvidence.of(page, slot_table([page]), returning_texts([page]))
    share = evidence.return_share(shipped_weights())[1::2]
    assert not found or (share == 1).all()


@pytest.mark.parametrize(("boxes", "mode"), [(BOXES, "page-level default"), (0, "full")])
def test_a_template_that_fits_loosely_does_not_drop_what_the_page_alone_keeps(boxes, mode):
    note = sentence(3, 120)
    site = Site.learn([story(number, note=note) for number in range(8)], date="2026-11-22")
    further = "".join(f"<section class=b{n}>{sentence(n, 2)}</section>" for n in range(boxes))
    page = parse(story(20, note=note).replace("<body>", f"<body>{further}"))
    assert site.template_of(page) is site.templates[0]
    found = site.extract(page)
    assert found.notes.mode == mode
    assert (note in found.text) == (mode != "full")
    if mode != "full":
        assert "alike only and would drop" in found.notes.because


def test_a_template_whose_own_pages_are_hardly_more_alike_is_not_loose():
    note = sentence(3, 120)
    site = Site.learn([story(number, note=note) for number in range(8)], date="2026-11-22")
    further = "".join(f"<section class=b{n}>{sentence(n, 2)}</section>" for n in range(BOXES))
    page = parse(story(20, note=note).replace("<body>", f"<body>{further}"))
    assert site(page).notes.mode != "full"
    loose = replace(site, templates=tuple(replace(t, likeness=0.6) for t in site.templates))
    assert loose(page).notes.mode == "full"


def test_lone_links_have_a_slot_of_their_own_but_not_in_lists_and_headings():
    links = "<p><a href=/a>More of the mill</a></p><ul><li><a href=/b>River</a><li>Mill</ul>"
    text = f"<div class=text>{links}<h2><a href=/c>Stone</a></h2><p>{sentence(1, 20)}</p></div>"
    (page,) = summaries([f"<body>{text}"], 0.5)
    assert page.lone.tolist() == [True, False, False, False, False]
    link, _, _, _, paragraph = page.places.tolist()
    assert link != paragraph
    assert page.slots[page.slot[0]] == page.slots[page.slot[4]] == paragraph
    assert (page.places[1:] == page.slots[page.slot][1:]).all()


def paragraph(number, at):
    title = sentence(500 * number + at, 8)
    return f"<p>{sentence(1000 * number + at, 40)}</p><p><a href=/{number}-{at}>{title}</a></p>"
