"""Authors: names in bylines, declared, seen, far below, and who is none."""

import pytest
from small_pages import ARTICLE, linked, meta, named, read

from chaffinch.metadata.names import split_names
from time_growth import is_linear

H1, JANE = "<h1>A quiet harvest</h1>", ("Jane Doe",)
FAR = "<p>They had waited for the rain, and when it came it stayed.</p>" * 200
LINK = "<p>About <a href=/author/jane>Jane Doe</a></p>"
COURIER = linked({**ARTICLE, "author": {"@type": "Organization", "name": "The Courier"}})
REFERRED = {
    "@graph": [
        {"@type": "Article", "headline": "Harvest", "author": {"@id": "#jane"}},
        {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
    ]
}
PERSON = {"@type": "Person", "givenName": "Jane", "familyName": "Doe"}
FORUM = (
    "<h1>Which sieve?</h1><div class=authi><a>janedoe7</a></div>"
    "<div class=authi>2021-3-4 23:20</div><p>I look for one.</p>"
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("By Jane Doe and John Roe", ("Jane Doe", "John Roe")),
        ("Von Jana Muster und Hans Beispiel", ("Jana Muster", "Hans Beispiel")),
        ("Jane Doe, Senior Editor", JANE),
        ("Jane Doe, Ph.D.", JANE),
        ("Jane Doe (jane@courier.example)", JANE),
        ("Jane Doe @janedoe", JANE),
        ("https://social.example/janedoe", ()),
        ("Jane Doe | The Courier", JANE),
        ("Jane Doe Published March 4, 2021", JANE),
        ("Jane Doe on Jan 22", JANE),
        ("Staff", ()),
        ("admin", ()),
        ("作者：王小明", ("王小明",)),
        ("记者 李磊 王小明", ("李磊", "王小明")),
        ("王小明、李磊", ("王小明", "李磊")),
        ("王小明、李磊、北京", ("王小明", "李磊")),
        ("王小明 某某观察报", ("王小明",)),
        ("某某观察报", ("某某观察报",)),
        ("责任编辑：王小明", ("王小明",)),
        ("Jane Doe; jane doe", JANE),
        ("<b>Jane&amp;#39;s Doe</b>", ("Jane's Doe",)),
        ("page.head.author", ()),
        ("", ()),
    ],
)
def test_names_in_bylines(text, names):
    assert split_names(text) == names


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("<p class=byline>By <a>Jane Doe</a></p>", JANE),
        ('<span itemprop="author" itemscope><b itemprop="name">Jane Doe</b></span>', JANE),
        ("<a rel=author href=/jane>Jane Doe</a>", JANE),
        ("<div>Written by Jane Doe on March 4, 2021</div>", JANE),
        ("<div class=author><p>Written by<p>Jane Doe<p>Head miller</div>", JANE),
        ("<p>2021-03-04 · Jane Doe</p>", JANE),
        ("<span>By</span><span>Jane Doe</span>", JANE),
        ("<p><span>By</span> <b>Jane Doe</b></p>", JANE),
        ("<small>WRITTEN BY</small><p>Jane Doe</p>", JANE),
        ("<h3>Author</h3><p>Jane Doe</p>", JANE),
        ("<p>Von Jane Doe, Frankfurt</p>", JANE),
        ("<p>By Jane (Janey) Doe</p>", ("Jane (Janey) Doe",)),
        ("<p class=author>박준석 기자</p>", ("박준석",)),
        ("<a class=username>b.miller</a><p>Hello all.</p>", ("b.miller",)),
        ("<p>作者：王小明</p><p>正文。</p>", ("王小明",)),
        ("<p>2014年4月2日 08:04 文/王小明</p><p>正文。</p>", ("王小明",)),
        ("<p>记者 李磊</p><p>正文。</p>", ("李磊",)),
        ("<p class=author><a>陈博</a><a>经济观察报</a></p>", ("陈博",)),
        ("<p>记者 王小明 李四 北京报道</p>", ("王小明", "李四")),
        ("<p>作者：刘 强</p>", ("刘强",)),
        ("<p>（图片来源：全景视觉）</p>", None),
        ("<p>Grain.</p><div class=comments><p class=author>Mary Major</p></div>", None),
        (f"{FAR}{LINK}", JANE),
        (f"{FAR}<h3>Written by Jane Doe\n</h3>", JANE),
        (f"{FAR}{LINK}<p><a href=/author/john>John Roe</a></p>", None),
    ],
)
def test_bylines_as_pages_write_them(body, names):
    assert read("", f"{H1}{body}<p>They had waited.").value("authors") == names


@pytest.mark.parametrize(
    ("head", "body", "names"),
    [
        (COURIER, "", ("The Courier",)),
        (COURIER + named("author", "Jane Doe"), "", JANE),
        (linked(REFERRED), "", JANE),
        (linked(ARTICLE | {"author": PERSON}), "", JANE),
        (
            linked(ARTICLE | {"@type": "Article", "author": "Jane Doe"})
            + linked(ARTICLE)
            + named("author", "Jane Doe")
            + meta(**{"article:author": "Jane Doe"}),
            "",
            ("Jane Doe", "John Roe"),
        ),
        (named("generator", "Plinth! X3") + named("author", "Plinth! Team"), FORUM, ("janedoe7",)),
        (
            linked({"@type": "Product", "name": "Winnowing fan"}),
            "<h1>Winnowing fan</h1><p>By Oakmill</p>",
            None,
        ),
    ],
)
def test_declared_authors(head, body, names):
    assert read(head, f"<body>{body}").value("authors") == names


@pytest.mark.parametrize("part", ["@", "a@", "(@", " and", "posted ", "By ", "a", ",", "记者 "])
def test_hostile_names_take_linear_time(part):
    def head(size):
        return named("author", part * (size // 32 // len(part)) + "!") * 32

    assert is_linear(lambda head: read(head).authors, head)
