"""Titles: what a page calls itself, without the site's name."""

import numpy as np
import pytest
from small_pages import linked, meta, read

from chaffinch import extract
from chaffinch.metadata import read_metadata
from chaffinch.metadata.values import split_title
from chaffinch.page import parse
from chaffinch.verdict import Content, RoleRule, Verdict


def test_a_headline_without_h1_is_the_line_of_the_page_that_the_title_holds():
    body = "<body><p>Fields</p><td>A quiet harvest</td><p>They had waited for the rain.</p>"
    for head in ("The Old Bell : A quiet harvest", "A quiet harvest - Fields - The Old Bell"):
        found = read(f"<title>{head}</title>", body).title
        assert (found.value, found.source) == ("A quiet harvest", "line")
    banner = "<body><h1>The Old Bell</h1><h2>A quiet harvest</h2><p>They had waited."
    assert read("<title>A quiet harvest - The Old Bell</title>", banner).value("title") == (
        "A quiet harvest"
    )
    linked_only = "<body><a href=/b>A quiet harvest</a><p>They had waited for the rain.</p>"
    found = read("<title>The Old Bell : A quiet harvest</title>", linked_only).title
    assert found.source == "title"


def test_an_h1_that_ends_the_title_is_the_sites_where_another_heading_begins_it():
    head = "<title>Hops - A Grain Book for Everyone</title>"
    book = "<body><h1>A Grain Book for Everyone</h1>"
    assert read(head, f"{book}<h2>Hops</h2><p>They had waited.").value("title") == "Hops"
    alone = read(head, f"{book}<h2>Oats</h2><p>They had waited.").value("title")
    assert alone == "A Grain Book for Everyone"


@pytest.mark.parametrize("tail", [" | Bell diary", ""])
@pytest.mark.parametrize("before", ["Bell: ", ""])
def test_the_banner_of_a_section_is_no_title_where_another_heading_is(before, tail):
    title = "Swifts return to the old mill"
    page = f"<body><h1>Diary</h1><h2>{before}{title}</h2><p>They had waited."
    assert read(f"<title>{title}{tail}</title>", page).value("title") == title
    alone = "<body><h1>Diary</h1><h2>Swifts</h2><p>They had waited."
    assert read(f"<title>{title}</title>", alone).value("title") == "Diary"


def test_a_sidebar_that_names_the_section_leaves_the_headline():
    head = "<title>Diary - Birds - Swifts return to the old mill</title>"
    page = "<body><h1>Swifts return to the old mill</h1><p>They had waited.<h3>Diary pages</h3>"
    assert read(head, page).value("title") == "Swifts return to the old mill"


def test_entries_of_a_list_are_not_its_title():
    head, text = "<title>Tag: hops | The Old Bell</title>", "<p>They had waited for the rain."
    first = f"<h1 class=post-title><a href=/2024/mill>A quiet harvest</a></h1>{text}"
    second = f"<h1 class=post-title><a href=/2024/bell>Bells at noon</a></h1>{text}"
    itself = "<h1 class=post-title><a href=/tags/hops/>A quiet harvest</a></h1>"

    def title(body):
        return read(head, f"<body>{body}", url="https://bell.test/tags/hops/").value("title")

    assert title(first + second) == "Tag: hops"
    assert title(first) == title(itself + second) == "A quiet harvest"


def test_a_label_or_a_date_in_the_h1_is_not_the_title():
    for heading in ("<small>News</small> A quiet harvest", "A quiet harvest <i>04.03.21 18:27</i>"):
        data = read("<title>A quiet harvest | The Old Bell</title>", f"<body><h1>{heading}</h1>")
        assert data.value("title") == "A quiet harvest"


def test_an_h1_that_shares_no_word_with_the_declared_titles_gives_way_to_them():
    head = "<title>Threshing machines | The Old Bell</title>" + meta(
        **{"og:title": "Threshing machines"}
    )
    assert read(head, "<body><h1>Work less, rest more</h1>").value("title") == "Threshing machines"
    both = read(head, "<body><h1>Machines for work</h1>").value("title")
    assert both == "Machines for work"


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("A quiet harvest | The Courier", "A quiet harvest"),
        ("A quiet harvest - Thecourier.example", "A quiet harvest"),
        ("The Courier: A quiet harvest", "A quiet harvest"),
        ("A quiet harvest | Fields | The Courier | More", "A quiet harvest | Fields"),
        ("Well-known facts: a list", "Well-known facts: a list"),
    ],
)
def test_the_site_is_cut_off_the_title(title, wanted):
    head = f"<title>{title}</title>{meta(**{'og:site_name': 'The Courier'})}"
    assert read(head).value("title") == wanted


@pytest.mark.parametrize("between", ["_", "｜", "-", " - ", "——"])
def test_chinese_titles_are_cut(between):
    head = f"<title>今年的收成很好{between}麦田报</title>{meta(**{'og:site_name': '麦田报'})}"
    assert read(head).value("title") == "今年的收成很好"


def test_the_heading_chooses_the_part_of_the_title():
    data = read("<title>Fields » A quiet harvest » News</title>", "<h1>A quiet harvest ¶</h1>")
    assert data.value("title") == "A quiet harvest"
    assert "title" not in data.title.source


def test_a_heading_that_names_the_site_is_no_title():
    body = '<h1><a href="/">Notes of a miller</a></h1><h2 class="entry-title">A quiet harvest</h2>'
    assert read("<title>A quiet harvest</title>", body).value("title") == "A quiet harvest"


def test_text_of_the_page_keeps_what_looks_like_markup():
    data = read(body="<h1>How to write &lt;br&gt; tags</h1>")
    assert data.value("title") == "How to write <br> tags"


def test_the_heading_near_the_content_wins():
    page = parse(
        "<body><h1>Weather today</h1>" + "<p>Sun and rain all day.</p>" * 50 + "<h1>A quiet harvest"
        "</h1><p id=c>The fields gave much.</p>"
    )
    keep = np.zeros(len(page), dtype=bool)
    keep[page.first("#c") :] = True
    rows = len(page)
    verdict = Verdict(keep, np.zeros(rows, np.float32), np.zeros(rows, np.int8))
    assert read_metadata(page, Content(page, verdict)).value("title") == "A quiet harvest"


def test_articles_that_a_page_links_to_are_not_its_own():
    others = [
        {"@type": "Article", "headline": f"Story {n}", "url": f"https://www.thecourier.example/{n}"}
        for n in "xyz"
    ]
    data = read(linked(others) + "<title>All stories</title>")
    assert data.value("title") == "All stories"
    own = {"@type": "Article", "headline": "Mine", "url": "https://www.thecourier.example/a/b"}
    assert read(linked([*others, own])).value("title") == "Mine"


def test_two_elements_of_a_heading_on_two_lines_are_two_words():
    body = "<body><h1>A quiet<br>harvest <span>of 2021</span></h1>"
    assert read("", body).value("title") == "A quiet harvest of 2021"


def test_sections_after_the_title_are_no_part_of_it():
    head = "<title>A quiet harvest in the hills | News | Local | Oakmill</title>"
    assert read(head, "<p>They had waited.").value("title") == "A quiet harvest in the hills"
    assert read("<title>秋天的收获令人惊喜不已_国内_某某网</title>").value("title") == (
        "秋天的收获令人惊喜不已"
    )


def test_the_rest_of_a_title_that_is_the_heading_names_the_site():
    found = read("<title>A quiet harvest_Oakmill</title>", "<h1>A quiet harvest</h1>", url=None)
    assert (found.site_name.value, found.site_name.source) == ("Oakmill", "title")


CHINESE = "麦田里的守望者今年收成很好"


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
    data = read(f"<title>{CHINESE}{end}</title>", f"{banner}<p>今年的雨水来得很早。</p>")
    assert data.value("title") == CHINESE


@pytest.mark.parametrize(
    "title",
    [
        "深度｜麦田遇上移动互联网", "麦田里的守望者-小麦与我们的故事", "一线 | 农民回应收成",
        "上学梦何处安放——麦田边的故事", "麦田_守望者", "北方网",
    ],
)  # fmt: skip
def test_titles_without_sites_stay(title):
    body = f"<h1>{title}</h1><p>今年的雨水来得很早。</p>"
    assert read(f"<title>{title}</title>", body).value("title") == title


def test_a_line_with_the_site_behind_is_no_title():
    body = f"<p>{CHINESE}-北方网</p><p>今年的雨水来得很早。</p>"
    assert read(f"<title>{CHINESE}-北方网</title>", body).value("title") == CHINESE


def test_the_encyclopedia_under_its_heading_is_no_title():
    name = "维基百科，自由的百科全书"
    body = f"<p>{name}</p><p>麦田是种植小麦的农田。</p>"
    assert read(f"<title>麦田 - {name}</title>", body).value("title") == "麦田"


@pytest.mark.parametrize(
    "title",
    ["{}_{}", "{}-{}", "{}|{}", "{}—{}", "{}——{}", "{}–{}", "{}·{}", "{} · {}", "{}》{}", "{}>>{}",
     "{}__{}", "{}（{}）", "{}【{}】"],
)  # fmt: skip
def test_chinese_separators_before_the_site(title):
    head = "<meta property=og:site_name content=谷粒周报>"
    own = title.format("黑麦回来了", "谷粒周报")
    prose = "<p>镇子东边的沙岗从来就不是种小麦的好地方，雨水落下去像漏过筛子一样。</p>" * 4
    page = f"<html lang=zh><head><title>{own}</title>{head}</head><body>{prose}</body>"
    assert extract(page, url="https://news.example/a").title == "黑麦回来了"


def test_a_point_within_a_title_stays():
    head = (
        "<title>列夫·托尔斯泰的秋天_谷粒周报</title><meta property=og:site_name content=谷粒周报>"
    )
    page = (
        f"<html lang=zh><head>{head}</head><body><p>{'雨水落下去像漏过筛子一样。' * 9}</p></body>"
    )
    assert extract(page, url="https://news.example/a").title == "列夫·托尔斯泰的秋天"


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
