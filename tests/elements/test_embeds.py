"""Videos, sounds and frames of the content."""

import pytest

import chaffinch

URL = "https://barn.example/owls/"
TEXT = "<p>" + "The owls that live in this barn have been there for as long as it has stood. " * 4
AD = "<aside><p>Buy now, pay later.</p><iframe src=/ad width=300 height=250></iframe></aside>"


def embeds_of(inner, head=""):
    page = f"<title>Owls</title>{head}<article><h1>Owls</h1>{TEXT}{inner}{TEXT}</article>{AD}"
    return chaffinch.extract(page, url=URL, keep="article").embeds


@pytest.mark.parametrize(
    ("inner", "kind", "url", "source"),
    [
        ("<video src=owl.mp4 poster=owl.jpg></video>", "video", "owl.mp4", "video:src"),
        ("<video><source src=a.webm><source src=a.mp4></video>", "video", "a.webm", "source:src"),
        ("<audio controls src=hoot.ogg></audio>", "audio", "hoot.ogg", "audio:src"),
        ("<iframe src=/play/7 allowfullscreen></iframe>", "video", "/play/7", "iframe:src"),
        ("<iframe data-src=/p allow='autoplay; x'></iframe>", "video", "/p", "iframe:data-src"),
        ("<iframe src=/map title='Where they live'></iframe>", "frame", "/map", "iframe:src"),
        ("<object data=owl.mp4 type=video/mp4></object>", "video", "owl.mp4", "object:data"),
        ("<embed src=hoot.mp3 type=audio/mpeg>", "audio", "hoot.mp3", "embed:src"),
    ],
)
def test_each_element_is_read(inner, kind, url, source):
    (found,) = embeds_of(inner)
    assert (found.kind, found.source) == (kind, source)
    assert found.url == (f"https://barn.example{url}" if url[0] == "/" else URL + url)


@pytest.mark.parametrize(
    "inner",
    [
        "<iframe src=/count width=1 height=1></iframe>",
        "<iframe src='javascript:void(0)'></iframe>",
        "<iframe srcdoc='<p>x'></iframe>",
        "<div hidden><iframe src=/play/7></iframe></div>",
        "<video></video>",
    ],
)
def test_what_shows_nothing_is_left_out(inner):
    assert embeds_of(inner) == []


def test_a_frame_is_what_the_page_declares():
    declared = (
        '<script type="application/ld+json">{"@type": "VideoObject", "name": "Owls at dusk",'
        '"embedUrl": "https://play.example/v/7", "thumbnailUrl": ["/dusk.jpg"],'
        '"duration": "PT3M"}</script>'
    )
    (found,) = embeds_of("<iframe src='//play.example/v/7?rel=0'></iframe>", declared)
    assert (found.kind, found.title, found.duration) == ("video", "Owls at dusk", "PT3M")
    assert found.poster == "https://barn.example/dusk.jpg"
    assert found.source == "iframe:src"
    (alone,) = embeds_of("", declared)
    assert (alone.url, alone.source) == ("https://play.example/v/7", "json-ld:VideoObject")


def test_declared_ones_of_other_pages_are_left_out():
    nodes = ",".join(
        f'{{"@type": "VideoObject", "name": "{n}", "contentUrl": "/v/{n}.mp4"}}' for n in range(3)
    )
    listed = f'<script type="application/ld+json">[{nodes}]</script>'
    assert embeds_of("", listed) == []
    own = f'<script type="application/ld+json">{{"@type": "Article", "video": [{nodes}]}}</script>'
    assert [one.title for one in embeds_of("", own)] == ["0", "1", "2"]


def test_metas_name_one():
    metas = (
        '<meta property="og:video" content="http://play.example/v.mp4">'
        '<meta property="og:video:secure_url" content="https://play.example/v.mp4">'
    )
    (found,) = embeds_of("", metas)
    assert (found.kind, found.source) == ("video", "meta:og:video")


def test_dropped_ones_and_wrong_json_are_no_embeds():
    page = f"<article>{TEXT}<iframe id=x src=/v allowfullscreen></iframe>{TEXT}</article>"
    assert chaffinch.extract(page, url=URL, drop="#x").embeds == []
    assert chaffinch.extract("", url=URL).embeds == []
    for value in ('{"@type": 7, "video": [3, null]}', '{"@type": ["VideoObject", {}], "url": 5}'):
        assert embeds_of("", f'<script type="application/ld+json">{value}</script>') == []


def test_json_has_them():
    page = f"<article>{TEXT}<audio src=hoot.ogg></audio>{TEXT}</article>"
    (one,) = chaffinch.extract(page, url=URL, keep="article").to_dict(parts=["embeds"])["embeds"]
    assert (one["kind"], one["url"], one["width"]) == ("audio", f"{URL}hoot.ogg", None)
