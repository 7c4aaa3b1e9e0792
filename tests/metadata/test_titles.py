"""Titles: what a page calls itself, without the site's name."""

import numpy as np
import pytest

from chaffinch import extract
from chaffinch.metadata import read_metadata
from chaffinch.page import parse
from chaffinch.verdict import Content, RoleRule, Verdict
from rows_of_cases import examples

QUIET = "A quiet harvest"


def test_the_heading_near_the_content_wins():
    page = parse(
        "<body><h1>Weather today</h1>" + "<p>Sun and rain all day.</p>" * 50 + "<h1>A quiet harvest"
        "</h1><p id=c>The fields gave much.</p>"
    )
    keep = np.zeros(len(page), dtype=bool)
    keep[page.first("#c") :] = True
    rows = len(page)
    verdict = Verdict(keep, np.zeros(rows, np.float32), np.zeros(rows, np.int8))
    assert read_metadata(page, Content(page, verdict)).value("title") == QUIET


@pytest.mark.parametrize(
    ("title", "wanted"),
    examples(__file__, "chinese separators before the site")
)  # fmt: skip
def test_chinese_separators_before_the_site(title, wanted):
    head = f"<title>{title}</title><meta property=og:site_name content=谷粒周报>"
    prose = "<p>镇子东边的沙岗从来就不是种小麦的好地方，雨水落下去像漏过筛子一样。</p>" * 4
    page = f"<html lang=zh><head>{head}</head><body>{prose}</body>"
    assert extract(page, url="https://news.example/a").title == wanted


@pytest.mark.parametrize(
    ("by_hand", "title"), [(False, "The mill stands"), (True, "》The mill stands")]
)
def test_a_learned_rule_gives_way_to_the_same_letters_without_marks(by_hand, title):
    page = parse(
        "<title>The mill stands - Mills</title><body><h2>》The mill stands</h2><p>It does."
    )
    rule = RoleRule("title", "h2", 0.9, by_hand)
    assert read_metadata(page).value("title") == "The mill stands"
    assert read_metadata(page, roles=(rule,)).value("title") == title
