import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from plans import PLANS, scored

from chaffinch import extract

TABLE = tomllib.loads(Path(__file__).with_name("differences.toml").read_text("utf-8"))
LINES = [
    "Rye is a grass that is grown for its grain.",
    "Oats like wet years and cool summers.",
    "Barley is sown in March, and cut in August.",
    "Wheat came from the hills in the south.",
]


def version(*lines, title="Grain", above="", beside="", keep="h1, h2, p, div, pre"):
    body = "".join(line if line.startswith("<") else f"<p>{line}</p>" for line in lines)
    html = f"<title>{title}</title><nav>{beside}</nav><h1>{title}</h1><div>{above}</div>{body}"
    return extract(html, keep=keep, drop="nav")


def changes(old, new):
    return [(one.kind, one.before, one.after) for one in old.difference(new).changes]


@settings(max_examples=30, deadline=None)
@given(plan=PLANS)
def test_a_version_is_no_different_from_itself(plan):
    found = scored(plan)
    assert not found.difference(scored(plan))
    assert found.difference(scored(plan)).text() == ""
    assert found.difference(scored(plan)).markdown() == ""


@pytest.mark.parametrize(("old", "new"), TABLE["no_change"])
def test_counters_and_dates_from_now_do_not_count(old, new):
    assert not version(*LINES, above=old).difference(version(*LINES, above=new))


@pytest.mark.parametrize(("old", "new"), TABLE["change"])
def test_other_numbers_count(old, new):
    (one,) = version(old, *LINES).difference(version(new, *LINES)).changes
    assert (one.kind, one.before, one.after) == ("changed", old, new)
    for line, other in ((old, "added"), (new, "removed")):
        said = "".join(word.text for word in one.words if word.kind != other)
        assert "".join(said.split()) == "".join(line.split())


@pytest.mark.parametrize(("there", "gone"), TABLE["stock"])
def test_the_stock_of_a_product_counts_and_that_of_others_does_not(there, gone):
    def shop(own, other):
        html = f"<h1>Oak board</h1><p>€48.00</p><div>{own}</div><button>Add to basket</button>"
        html += "".join(f"<p>{line}</p>" for line in LINES)
        return extract(f"{html}<ul><li><a href=/1>Beech pin</a> €9.00 <i>{other}</i></ul>")

    assert shop(there, there).difference(shop(gone, there))
    assert not shop(there, there).difference(shop(there, gone))


def test_indents_of_code_count():
    old, new = (
        version("<pre>if a:\n  b()\n" + end, *LINES) for end in ("c()</pre>", "  c()</pre>")
    )
    (one,) = old.difference(new).changes
    assert one.after == "if a:\n  b()\n  c()"


URL = "https://grain.example/a/"
LINKED = "<p>The <a href='{}'>list of mills</a> is kept by the parish.</p>"


def linked(href, url=URL):
    html = f"<title>Grain</title><h1>Grain</h1><p>{LINES[0]}</p>{LINKED.format(href)}"
    return extract(html, keep="h1, p", url=url)


@pytest.mark.parametrize(("old", "new"), TABLE["links"])
def test_a_link_that_leads_elsewhere_is_a_change_if_wanted(old, new):
    (change,) = linked(old).difference(linked(new)).changes
    assert (change.kind, change.before, change.words) == ("changed", change.after, ())
    ((text, before, after),) = [(one.text, one.before, one.after) for one in change.links]
    assert text == "list of mills"
    assert before != after
    found = linked(old).difference(linked(new))
    assert found.text() == f"@@ Grain\n- {text} <{before}>\n+ {text} <{after}>"
    assert found.markdown().count("**") == 2
    assert not linked(old).difference(linked(new), links=False)


@pytest.mark.parametrize(("old", "new"), TABLE["same_links"])
def test_tracking_and_spelling_of_a_link_are_none(old, new):
    assert not linked(old).difference(linked(new))


def test_what_is_dropped_or_moved_does_not_count():
    old = version(*LINES, beside="Our offers of today")
    new = version(LINES[2], *LINES[:2], LINES[3], beside="Other offers")
    assert not old.difference(new)
    fewer = version(*LINES[:3], f"<aside>{LINES[3]}</aside>")
    assert not old.difference(fewer)


def test_changes_name_their_section_block_and_rows():
    old = version("<h2>Seeds</h2>", LINES[0])
    new = version("<h2>Seeds</h2>", LINES[0], LINES[1])
    (change,) = old.difference(new).changes
    assert change.section == ("Grain", "Seeds")
    block = next(one for one in new.blocks if new.text[one.start : one.end] == LINES[1])
    assert (change.id, change.rows) == (block.id, block.rows)
    assert old.difference(new).text() == f"@@ Grain > Seeds\n+ {LINES[1]}"
    assert old.difference(new).markdown() == (
        f"## Grain > Seeds\n\n- added: **{LINES[1]}**\n".replace("**", "")
    )


def page(*parts, title="Grain"):
    return extract(f"<title>{title}</title><h1>{title}</h1>{''.join(parts)}")


ARTICLE = "".join(
    f"<p>{line} {'The rain of May came late to the fields in the south. ' * 4}</p>"
    for line in LINES * 3
)
TEASERS = "<ul class=more>{}</ul>"


def teasers(*names):
    items = (f"<li><h4><a href=/{n}>{n} and chaff</a></h4><p>How {n} grows here.</p></li>"
             for n in names)  # fmt: skip
    return TEASERS.format("".join(items))


OFFERS = "Boots of the best leather, now a fifth off at the mill.", "Coats that keep out the rain."


@pytest.mark.parametrize("box", [
    "<div class=ad-slot>", "<div id=cookie-bar>", "<div role=dialog>", "<div class=newsletter>",
    "<div class='gdpr-consent'>", "<div class='box sponsored'>",
])  # fmt: skip
@pytest.mark.parametrize("place", [0, 2, len(ARTICLE)])
def test_what_comes_and_goes_in_boxes_beside_the_text_does_not_count(box, place):
    lines = [ARTICLE.find("<p>", place) if place < len(ARTICLE) else place] * 2
    old, new, none = (
        page(ARTICLE[:at], f"{box}<p>{offer} {offer}</p></div>" if offer else "", ARTICLE[at:])
        for at, offer in zip([*lines, lines[0]], [*OFFERS, ""], strict=True)
    )
    assert not old.difference(new)
    assert not none.difference(new)


def test_teasers_below_an_article_do_not_count():
    old, new = page(ARTICLE, teasers("Rye", "Oats")), page(ARTICLE, teasers("Emmer", "Spelt"))
    kept = replace(old, content=wholly_kept(old)), replace(new, content=wholly_kept(new, 0.6))
    assert not kept[0].difference(kept[1])
    sure = replace(new, content=wholly_kept(new, 0.9))
    assert kept[0].difference(sure)


def wholly_kept(found, score=0.6):
    count = len(found.page)
    verdict = replace(
        found.content.verdict,
        keep=np.ones(count, dtype=bool),
        score=np.full(count, score, dtype=np.float32),
        page_type="article",
    )
    return replace(found.content, verdict=verdict)
