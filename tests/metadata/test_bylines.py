"""Chinese bylines: every label gives its own field, in any order, on one line or several."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_pages import linked, named, read

LABELLED = {
    "source": ("来源：麦田报", "来源: 麦田报", "來源：麦田报", "稿源：麦田报", "文章来源：麦田报"),
    "author": ("作者：王小明", "记者：王小明", "記者 王小明", "本报记者 王小明", "文/王小明"),
    "helper": ("通讯员：李芳", "通讯员 李芳"),
    "editor": ("责任编辑：赵四", "责编：赵四", "编辑:赵四", "責任編輯：赵四", "编审：赵四_NB12"),
    "photographer": ("摄影：钱五", "摄影 钱五", "图/钱五", "图片来源：钱五"),
    "published": ("发布时间：2021-03-04 08:00", "發佈時間：2021/03/04 08:00", "2021-03-04 08:00"),
    "modified": (
        "更新时间：2021-03-06 09:30",
        "最后更新：2021年3月6日 09:30",
        "更新於 2021-03-06 09:30",
    ),
}
BETWEEN = (" ", "  ", "\u3000", " | ", "</span> <span>", "</p><p>", "<br>")
STORY = "<p>今年的雨水来得很早，麦子长得又高又密，农民们从早到晚都在田里忙着收割。</p>" * 6


def page(byline, title="今年的收成很好", end=""):
    return read(
        f"<title>{title}</title>", f"<h1>{title}</h1><p><span>{byline}</span></p>{STORY}{end}"
    )


@st.composite
def bylines(draw):
    """Draw a byline: all labels in any order, each in one of its forms, between any separators."""
    order = draw(st.permutations(list(LABELLED)))
    forms = [draw(st.sampled_from(LABELLED[name])) for name in order]
    # A day without a label is the first thing of a byline; elsewhere it would belong to one.
    forms.sort(key=lambda form: form != "2021-03-04 08:00")
    separators = [draw(st.sampled_from(BETWEEN)) for _ in forms[1:]]
    return "".join(a + b for a, b in zip(forms, [*separators, ""], strict=True))


@settings(max_examples=120, deadline=None)
@given(bylines())
def test_labels_give_their_fields_in_any_order(byline):
    data = page(byline)
    assert set(data.value("authors")) == {"王小明", "李芳"}
    assert data.value("original_source") == "麦田报"
    assert data.value("editors") == ("赵四",)
    assert data.value("published")[:10] == "2021-03-04"
    assert data.value("modified")[:10] == "2021-03-06"


@settings(max_examples=100, deadline=None)
@given(st.sets(st.sampled_from(["source", "editor", "photographer", "modified"])), st.data())
def test_who_is_no_author_is_none(names, data):
    forms = [data.draw(st.sampled_from(LABELLED[name])) for name in sorted(names)]
    assert page(" ".join(forms)).authors is None


GOLDEN = {
    "来源：《麦田报》 记者：王小明 李 芳": ("麦田报", ("王小明", "李芳"), None),
    "来源：麦田晚报(北方) 编辑：赵四、孙 六": ("麦田晚报", None, ("赵四", "孙六")),
    "2021年03月04日08:16 来源：麦田网－麦田日报": ("麦田网－麦田日报", None, None),
    "来源：麦田网作者：王小明责任编辑：赵四": ("麦田网", ("王小明",), ("赵四",)),
    "作者丨王小明 编辑丨赵四 来源丨麦田财经": ("麦田财经", ("王小明",), ("赵四",)),
    "記者王小明／台北報導": (None, ("王小明",), None),
    "本报记者 王小明 实 习 生 李芳 深圳、惠州报道": (None, ("王小明", "李芳"), None),
    "文/麦田守望者联盟 图/钱五": (None, ("麦田守望者联盟",), None),
    "点击：200 来源：本站 作者：佚名": (None, None, None),
    "作者：约翰·史密斯 来源：Reuters": ("Reuters", ("约翰·史密斯",), None),
    "作者：Jane Doe": (None, ("Jane Doe",), None),
    "（责任编辑： HN666）": (None, None, None),
    "图片来源：麦田图库": (None, None, None),
    "中麦社记者 王小明 摄": (None, None, None),
    "文/麦田笔记特约作者 伊冯": (None, ("麦田笔记",), None),
    "记者调查": (None, None, None),
    "他告诉记者 王五不来": (None, None, None),
    "麦报记者 欧阳小明 麦报编辑 赵四": (None, ("欧阳小明",), ("赵四",)),
    "记者：王小明</p><p>编辑：</p><p>赵四": (None, ("王小明",), ("赵四",)),
    "<span class=author>责任编辑：赵四</span>": (None, None, ("赵四",)),
    "编辑：<span class=author>赵四</span>": (None, None, ("赵四",)),
    "<span class=author>发布时间：2021-03-04</span>": (None, None, None),
    "<span class=author>来源：麦田报</span>": ("麦田报", None, None),
}


@pytest.mark.parametrize("byline", GOLDEN)
def test_bylines_of_many_kinds(byline):
    data = page(byline)
    found = tuple(data.value(name) for name in ("original_source", "authors", "editors"))
    assert found == GOLDEN[byline]


def test_a_headline_names_nobody():
    data = page("2021-03-04", title="随队记者：他情绪低落 编辑：赵四")
    assert data.authors is None
    assert data.editors is None


def test_metas_and_json_ld_declare_source_and_editors():
    head = named("ContentSource", "麦田报") + named("editor", "赵四")
    data = read(head)
    assert (data.value("original_source"), data.value("editors")) == ("麦田报", ("赵四",))
    assert data.original_source.source == "meta:contentsource"
    assert read(named("source", "来源：麦田报")).value("original_source") == "麦田报"
    assert read(named("source", "https://example.org/a")).original_source is None
    article = {"@type": "NewsArticle", "headline": "A", "editor": ["Jane Doe", {"name": "J. Roe"}]}
    assert read(linked(article)).value("editors") == ("Jane Doe", "J. Roe")


@pytest.mark.parametrize(
    ("line", "published", "modified"),
    [
        ("发布时间：2021-03-04 更新时间：2021-03-06", "2021-03-04", "2021-03-06"),
        ("更新时间：2021-03-06 发布时间：2021-03-04", "2021-03-04", "2021-03-06"),
        ("2021-03-04 发布 2021-03-06 更新", "2021-03-04", "2021-03-06"),
        ("2021-03-04 10:00（2021-03-06 11:00 更新）", "2021-03-04", "2021-03-06"),
        ("发布时间：2021-03-04", "2021-03-04", ""),
        ("更新於 2021/03/06", "2021-03-06", "2021-03-06"),
        ("更新：2021-03-06<b> 发布：</b><b class=date>2021-03-04</b>", "2021-03-04", "2021-03-06"),
    ],
)
def test_labels_say_which_day_is_which(line, published, modified):
    data = page(line)
    assert data.value("published")[:10] == published
    assert (data.value("modified") or "")[:10] == modified


WIKI = """<title>{title}</title><h1>麦田{edit}</h1><p>麦田是种植小麦的农田，广泛分布于温带地区。</p>
<h2>历史{edit}</h2><p>最早的麦田出现在约一万年前，当时的人们开始驯化野生的小麦。</p>
<h2>参考资料{edit}</h2><ol><li>王小明：《麦田史》，2001年。</li></ol>
<footer>本页面最后修订于2021年3月5日 (星期五) 08:04。</footer>"""


@pytest.mark.parametrize(
    "title", ["麦田 - 维基百科，自由的百科全书", "麦田_某某百科", "麦田 — 中文百科在线", "麦田"]
)
@pytest.mark.parametrize("edit", ["", "[编辑]", "<span>[<a href=/w?action=edit>編輯</a>]</span>"])
def test_pages_of_wikis(title, edit):
    data = read("", WIKI.format(title=title, edit=edit), url="https://wiki.example/wiki/m")
    assert data.value("title") == "麦田"
    assert data.value("modified") == "2021-03-05T08:04:00"
    assert (data.authors, data.editors, data.original_source) == (None, None, None)
