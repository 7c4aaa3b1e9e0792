"""A corpus of the project's own: four pages of two sites, in English and Chinese."""

import json
import lzma

import pytest

_NEST = (
    "The chaffinch builds its nest in the fork of a tree, high enough to be safe from most cats. "
    "It covers the outside with lichen, moss and the webs of spiders, so that the nest is hard "
    "to see from below, even for those who know that it must be there."
)
_SONG = (
    "Its song is loud, and it repeats the same phrase again and again through the whole spring. "
    "The males of one place learn it from each other, and so there are dialects, which people "
    "have described for many years, and which they still record and compare."
)
_ENGLISH = (_NEST, _SONG)
_CHINESE = (
    "苍头燕雀是一种小型鸟类，在欧洲各地都很常见，雄鸟的羽色比雌鸟鲜艳得多，歌声也响亮。",
    "它在树杈上筑巢，雌鸟每次产四到五枚卵，孵化期约十三天，幼鸟由双亲共同喂养。",
)


def _row(number, paragraphs, *, lang, domain, encoding):
    body = "".join(f"<p>{text}</p>" for text in paragraphs * 3)
    declaration = f'<?xml version="1.0" encoding="{encoding}"?>' * (number == 2)
    menu = "".join(f'<li><a href="/{n}">Section {n}</a></li>' for n in range(9))
    html = (
        f'{declaration}<html lang="{lang}"><head><meta charset="{encoding}">'
        f"<title>Page {number}</title></head>"
        f"<body><nav><ul>{menu}</ul></nav><article><h1>{number}</h1>{body}</article>"
        f"<footer><a href='/imprint'>Imprint</a></footer></body></html>"
    )
    return {
        "id": f"page-{number}",
        "url": f"http://{domain}/{number}",
        "domain": domain,
        "lang": lang,
        "page_type": "article" if number % 2 else "forum",
        "gold_text": "\n".join(paragraphs * 3),
        "with": [paragraphs[0][:20]],
        "without": ["Imprint"],
        "author": ["A", "B"],
        "html": html.encode(encoding).decode("latin-1"),
    }


@pytest.fixture
def rows():
    return [
        _row(1, _ENGLISH, lang="en", domain="one.invalid", encoding="utf-8"),
        _row(2, _ENGLISH, lang="en", domain="one.invalid", encoding="utf-8"),
        _row(3, _CHINESE, lang="zh", domain="two.invalid", encoding="gb18030"),
        _row(4, _CHINESE, lang="zh", domain="two.invalid", encoding="utf-8"),
    ]


@pytest.fixture
def corpora(tmp_path, monkeypatch, rows):
    """A folder of corpora with ``tiny`` and ``sites/two``; the environment points to it."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    for folder in ("corpora", "sites"):
        (tmp_path / folder).mkdir()
    with lzma.open(tmp_path / "corpora" / "tiny.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write(text)
    (tmp_path / "sites" / "two.jsonl").write_text(text, encoding="utf-8")
    monkeypatch.setenv("CHAFFINCH_CORPORA", str(tmp_path))
    return tmp_path
