"""Reading labelled pages."""

import pytest

from chaffinch.errors import OptionError
from chaffinch.evaluate.baselines import page_language
from chaffinch.evaluate.corpora import known_corpora, read_corpus


@pytest.mark.usefixtures("corpora")
def test_rows_are_typed_and_bytes_come_back():
    pages = list(read_corpus("tiny"))
    assert [page.id for page in pages] == ["page-1", "page-2", "page-3", "page-4"]
    chinese = pages[2]
    assert "苍头燕雀" in chinese.html.decode("gb18030")
    assert (chinese.corpus, chinese.lang, chinese.domain) == ("tiny", "zh", "two.invalid")
    assert chinese.wanted == ("苍头燕雀是一种小型鸟类，在欧洲各地都很常",)
    assert chinese.unwanted == ("Imprint",)
    assert chinese.author == "A; B"
    assert chinese.title is None


def test_sites_and_paths_are_found(corpora):
    assert known_corpora() == ["tiny", "sites/two"]
    assert len(list(read_corpus("sites/two"))) == 4
    paths = (corpora / "corpora" / "tiny.jsonl.xz", corpora / "sites" / "two.jsonl")
    assert [len(list(read_corpus(str(path)))) for path in paths] == [4, 4]


@pytest.mark.usefixtures("corpora")
@pytest.mark.parametrize("name", ["nothing", "sites/nothing", "nothing.jsonl"])
def test_an_unknown_corpus_is_an_option_error(name):
    with pytest.raises(OptionError, match="nothing"):
        list(read_corpus(name))


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "x"}', '{"id": "x", "html": "\\u4e00"}'])
def test_a_broken_line_is_named(tmp_path, line):
    path = tmp_path / "broken.jsonl"
    path.write_text('{"id": "fine", "html": ""}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(OptionError, match=r"broken\.jsonl, line 2"):
        list(read_corpus(str(path)))


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<html lang="de-AT"><p>Der Buchfink</p>', "de"),
        ("<html xmlns='x' lang=pl><p>Zięba</p>", "pl"),
        ('<html lang="en"><title>Finch</title><p>苍头燕雀是一种小型鸟类</p>', "zh"),
        ("<p>ズアオアトリはスズメ目アトリ科に分類される鳥</p>", "ja"),
        ("<p>푸른머리되새는 되새과에 속하는 새이다</p>", "ko"),
        ("<p>นกจาบปีกอ่อน</p>", "th"),
        ("<script>var 变量 = '苍头燕雀苍头燕雀'</script><p>The chaffinch</p>", None),
        ("", None),
    ],
)
def test_language_of_a_page(html, language):
    assert page_language(html * 5) == language
