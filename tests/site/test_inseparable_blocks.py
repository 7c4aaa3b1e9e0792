"""Rules drop the headline and lone links from a story whose element holds them, as `full` does."""

import random
from dataclasses import replace

import numpy as np
import pytest

from chaffinch import Site, extract, parse
from chaffinch.site import Rule
from chaffinch.site.rules import SiteReason
from chaffinch.site.sample import LONE_LINKS

WORDS = "copper lantern harbour thistle meadow granite willow ember saddle orchard".split()


def story(number, *, links=True):
    """A page of a made-up portal: title, paragraphs and titles of other stories in one element."""
    dice = random.Random(number)  # noqa: S311
    prose = [" ".join(dice.choices(WORDS, k=40)).capitalize() + "." for _ in range(5)]
    title = " ".join(dice.choices(WORDS, k=5)).capitalize()
    others = [" ".join(dice.choices(WORDS, k=6)).capitalize() for _ in range(3 * links)]
    more = "".join(f'<p><a href="/s/{dice.random()}">{one}</a></p>' for one in others)
    body = "".join(f"<p>{one}</p>" for one in prose)
    menu = "".join(f'<li><a href="/m/{n}">Section {n}</a></li>' for n in range(9))
    html = f"""<html><head><title>{title}</title></head><body><ul class="menu">{menu}</ul>
    <div class="story"><h1>{title}</h1>{body}{more}</div>
    <div class="foot"><p>All rights reserved by nobody.</p></div></body></html>"""
    return parse(html, url=f"https://portal.example/s/{number}"), title, prose, others


@pytest.fixture(scope="module")
def portal():
    return Site.learn([story(n)[0] for n in range(12)], mode="rules")


def with_links(site, log_odds):
    """Return the model with other log-odds of lone links in the places of the story."""
    template = site.templates[0]
    slots = template.slots
    twin = slots.indices(slots.slots ^ LONE_LINKS)
    lone = (twin >= 0) & (slots.linked > 0.95)
    assert lone.any()
    own = np.where(lone, np.float32(log_odds), slots.log_odds)
    own[twin[lone]] = 3.0
    changed = replace(template, slots=replace(slots, log_odds=own), lost=0.0, known=1.0)
    rules = (Rule(kind="content", select="div.story", support=12),)
    return replace(site, templates=(replace(changed, rules=rules), *site.templates[1:]))


@pytest.mark.parametrize("log_odds", [-3.0, 1.0])
def test_lone_links_are_dropped_where_the_pages_deny_them(portal, log_odds):
    page, title, prose, others = story(40)
    site = with_links(portal, log_odds)
    verdict, kept = site(page), extract(page, method=site).text
    assert verdict.notes.mode == "rules"
    assert all(one in kept for one in prose)
    assert title not in kept
    assert all((one in kept) == (log_odds > 0) for one in others)
    assert (SiteReason.LONE_LINK in verdict.why) == (log_odds < 0)
    assert SiteReason.TITLE in verdict.why


def test_a_title_that_a_person_keeps_stays(portal):
    page, *_ = story(41)
    site = with_links(portal, 1.0)
    by_hand = Rule(kind="content", select="h1", by_hand=True)
    first = replace(site.templates[0], rules=(*site.templates[0].rules, by_hand))
    verdict = replace(site, templates=(first, *site.templates[1:]))(page)
    row = page.first("h1")
    assert verdict.keep[row + 1]
    assert SiteReason.TITLE not in verdict.why
