"""Titles: what a page calls itself, without the site's name."""

import numpy as np
import pytest
from small_pages import linked, meta, read

from chaffinch import extract
from chaffinch.metadata import read_metadata
from chaffinch.metadata.values import split_title
from chaffinch.page import parse
from chaffinch.verdict import Content, RoleRule, Verdict

QUIET, OWN = "A quiet harvest", "Swifts return to the old mill"
TEXT, RAIN = "<p>They had waited for the rain.", "<p>今年的雨水来得很早。</p>"
SITE, BOOK = meta(**{"og:site_name": "The Courier"}), "<h1>A Grain Book for Everyone</h1>"
MACHINES = "<title>Threshing machines | The Old Bell</title>" + meta(
    **{"og:title": "Threshing machines"}
)
CHINESE = "麦田里的守望者今年收成很好"
WIKI = "维基百科，自由的百科全书"


def others(*names):
    return [
        {"@type": "Article", "headline": f"Story {n}", "url": f"https://www.thecourier.example/{n}"}
        for n in names
    ]


MINE = {"@type": "Article", "headline": "Mine", "url": "https://www.thecourier.example/a/b"}


@pytest.mark.parametrize(
    ("head", "body", "wanted"),
    [
        # A line of the page that the title element holds.
        ("<title>The Old Bell : A quiet harvest</title>", f"<td>{QUIET}</td>{TEXT}", QUIET),
        ("<title>A quiet harvest - Fields - The Old Bell</title>", f"<td>{QUIET}{TEXT}", QUIET),
        (
            "<title>A quiet harvest - The Old Bell</title>",
            f"<h1>The Old Bell</h1><h2>{QUIET}</h2>",
            QUIET,
        ),
        # A banner is no title where another heading is.
        ("<title>Hops - A Grain Book for Everyone</title>", f"{BOOK}<h2>Hops</h2>{TEXT}", "Hops"),
        (
            "<title>Hops - A Grain Book for Everyone</title>",
            f"{BOOK}<h2>Oats</h2>{TEXT}",
            "A Grain Book for Everyone",
        ),
        (f"<title>{OWN} | Bell diary</title>", f"<h1>Diary</h1><h2>{OWN}</h2>{TEXT}", OWN),
        (f"<title>{OWN}</title>", f"<h1>Diary</h1><h2>Bell: {OWN}</h2>{TEXT}", OWN),
        (f"<title>{OWN}</title>", f"<h1>Diary</h1><h2>Swifts</h2>{TEXT}", "Diary"),
        (
            f"<title>Diary - Birds - {OWN}</title>",
            f"<h1>{OWN}</h1>{TEXT}<h3>Diary pages</h3>",
            OWN,
        ),
        (
            "<title>A quiet harvest</title>",
            '<h1><a href="/">Notes of a miller</a></h1><h2 class=entry-title>A quiet harvest</h2>',
            QUIET,
        ),
        # A label or a date in the heading, and one that shares no word.
        (f"<title>{QUIET} | The Old Bell</title>", f"<h1><small>News</small> {QUIET}</h1>", QUIET),
        (f"<title>{QUIET} | The Old Bell</title>", f"<h1>{QUIET} <i>04.03.21 18:27</i>", QUIET),
        (MACHINES, "<h1>Work less, rest more</h1>", "Threshing machines"),
        (MACHINES, "<h1>Machines for work</h1>", "Machines for work"),
        # The site and its sections are cut off.
        (f"<title>{QUIET} | The Courier</title>{SITE}", TEXT, QUIET),
        (f"<title>{QUIET} - Thecourier.example</title>{SITE}", TEXT, QUIET),
        (f"<title>The Courier: {QUIET}</title>{SITE}", TEXT, QUIET),
        (f"<title>{QUIET} | Fields | The Courier | More</title>{SITE}", TEXT, f"{QUIET} | Fields"),
        (f"<title>Well-known facts: a list</title>{SITE}", TEXT, "Well-known facts: a list"),
        ("<title>A quiet harvest in the hills | News | Local | Oakmill</title>", TEXT,
         "A quiet harvest in the hills"),
        ("<title>秋天的收获令人惊喜不已_国内_某某网</title>", TEXT, "秋天的收获令人惊喜不已"),
        (f"<title>{CHINESE}-北方网</title>", f"<p>{CHINESE}-北方网</p>{RAIN}", CHINESE),
        (f"<title>麦田 - {WIKI}</title>", f"<p>{WIKI}</p><p>麦田是种植小麦的农田。</p>", "麦田"),
        ("<title>Fields » A quiet harvest » News</title>", f"<h1>{QUIET} ¶</h1>", QUIET),
        # What stands in a heading.
        ("", "<h1>How to write &lt;br&gt; tags</h1>", "How to write <br> tags"),
        ("", "<h1>A quiet<br>harvest <span>of 2021</span></h1>", "A quiet harvest of 2021"),
        # Articles that a page links to are not its own.
        (linked(others(*"xyz")) + "<title>All stories</title>", TEXT, "All stories"),
        (linked([*others(*"xyz"), MINE]), TEXT, "Mine"),
    ],
)  # fmt: skip
def test_titles(head, body, wanted):
    assert read(head, f"<body>{body}").value("title") == wanted


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
    "end",
    [
        "_北方新闻网", "-北方网", " - 北方在线", "_时政_北方网", "--财经--北方网", "|北方日报",
        "丨北方晚报", "｜北方社区", "——北方电视台", " -新闻频道-北方网", "_国际新闻中心_北方网",
        " - 數碼 - 北方日報", "_北方市新闻_北方网",
    ],
)  # fmt: skip
@pytest.mark.parametrize("heading", ["", "<h1>{}</h1>"])
def test_names_of_chinese_sites_leave_titles(end, heading):
    banner = heading.format(split_title(f"a{end}")[-1])
    assert read(f"<title>{CHINESE}{end}</title>", banner + RAIN).value("title") == CHINESE


@pytest.mark.parametrize(
    "title",
    [
        "深度｜麦田遇上移动互联网", "麦田里的守望者-小麦与我们的故事", "一线 | 农民回应收成",
        "上学梦何处安放——麦田边的故事", "麦田_守望者", "北方网",
    ],
)  # fmt: skip
def test_titles_without_sites_stay(title):
    assert read(f"<title>{title}</title>", f"<h1>{title}</h1>{RAIN}").value("title") == title


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        *((title.format("黑麦回来了", "谷粒周报"), "黑麦回来了") for title in (
            "{}_{}", "{}-{}", "{}|{}", "{}—{}", "{}——{}", "{}–{}", "{}·{}", "{} · {}", "{}》{}",
            "{}>>{}", "{}__{}", "{}（{}）", "{}【{}】",
        )),
        ("列夫·托尔斯泰的秋天_谷粒周报", "列夫·托尔斯泰的秋天"),
    ],
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
