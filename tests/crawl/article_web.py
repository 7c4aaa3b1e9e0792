"""An article in four parts, in English and in Chinese, under every usual form of addresses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from answering_server import Given, missing

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = 4


class Language(NamedTuple):
    """What a site in a language says."""

    title: str
    byline: str
    lead: str
    refrain: str
    sentence: str
    next: str
    whole: str
    about: str


EN = Language(
    "The nests of the chaffinch",
    "By Anna Finch, 3 May 2024",
    "All that is known of the nests of chaffinches, told by one who watched them for years.",
    "“No.”",
    "Chapter {n}, sight {k}: the chaffinch wove moss into the fork of the old tree, and sang.",
    "Next page",
    "View all",
    "Anna Finch has written about birds for twenty years and lives by a wood with a dog.",
)
ZH = Language(
    "苍头燕雀的巢",
    "作者：王五　2024年5月3日",
    "关于苍头燕雀如何筑巢的一切知识，由一位在树林边观察了二十年的作者为读者细细讲述出来。",
    "“没有。”",
    "第{n}章，第{k}次观察：燕雀把青苔和地衣编进老树的枝杈里，然后在高高的枝头上歌唱，直到太阳落山，林中渐渐安静下来。",
    "下一页",
    "阅读全文",
    "王五从事鸟类写作二十年，住在一片树林旁边，每天清晨都带着他的狗到林中散步观察鸟类。",
)

FORMS: dict[str, Callable[[int], str]] = {
    "underscore": lambda n: "/a/nest.html" if n == 1 else f"/a/nest_{n}.html",
    "directory": lambda n: "/a/nest" if n == 1 else f"/a/nest/{n}",
    "page key": lambda n: "/a/nest" if n == 1 else f"/a/nest?page={n}",
    "p key": lambda n: "/a/nest" if n == 1 else f"/a/nest?p={n}",
    "index": lambda n: "/a/index.html" if n == 1 else f"/a/index_{n - 1}.html",
    "other names": lambda n: "/a/" + ("nest.html", "moss-and-lichen", "eggs.html", "x9")[n - 1],
}
"""Form → the address of part n, from 1."""


def body(language: Language, n: int) -> str:
    """Return what the author wrote for part n."""
    sights = "".join(
        f"<p>{' '.join(language.sentence.format(n=n, k=k) for _ in range(3))}</p>" for k in range(5)
    )
    return (
        f"<p>{language.refrain}</p><pre class=code>import nest\nnest.build({n})</pre>{sights}"
        f"<table><tr><th>bird<th>eggs<tr><td>finch<td>{n}<tr><td>tit<td>{n + 5}</table>"
        f'<p><img src="pic{n}.jpg" alt="{n}" width=600 height=400></p><p>{language.refrain}</p>'
    )


def whole_page(language: Language, text: str, title: str, links: str, head: str = "") -> str:
    """Return a page of the article's template."""
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>{title} | Birds</title>{head}"
        "</head><body>"
        "<nav><a href=/>Home</a> <a href=/birds>Birds</a></nav>"
        f"<article><h1>{language.title}</h1><p class=byline>{language.byline}</p>"
        f"<p class=lead>{language.lead}</p><div class=text>{text}</div><p class=pager>{links}</p>"
        f"<div class=author><p>{language.about}</p></div></article>"
        '<aside><a rel=next href="/a/other.html">The nests of the tit</a></aside>'
        '<footer>Birds, a paper <a href="/a/comment-page-2/#comments">2</a></footer></body></html>'
    )


def web(form: str, language: Language = EN, *, numbers: bool = True, view_all: bool = False):
    """Return what answers for the article under a form of addresses."""
    address = FORMS[form]
    number_of = {address(n): n for n in range(1, COUNT + 1)}

    def answer(target: str, _root: str) -> Given:
        if target == "/a/other.html":
            html = whole_page(
                language, "<p>" + "Tits nest in holes. " * 30, "The nests of the tit", ""
            )
        elif view_all and target == "/a/all.html":
            text = "".join(body(language, n) for n in range(1, COUNT + 1))
            html = whole_page(language, text, language.title, "")
        elif target in number_of:
            n = number_of[target]
            title = f"{language.title} (page {n} of {COUNT})" if n > 1 else language.title
            links = " ".join(
                f'<a href="{address(k)}">{k}</a>' for k in range(1, COUNT + 1) if numbers and k != n
            )
            if n < COUNT:
                links += f' <a rel=next href="{address(n + 1)}">{language.next}</a>'
            if view_all:
                links += f' <a href="/a/all.html">{language.whole}</a>'
            html = whole_page(language, body(language, n), title, links)
        else:
            return missing()
        return Given(body=html)

    return answer


def numbers_in(text: str, language: Language) -> list[int]:
    """Return the parts whose sentences a text holds, in order, each once in a row."""
    pattern = re.escape(language.sentence).replace(r"\{n\}", r"(\d)").replace(r"\{k\}", r"\d")
    found = [int(one) for one in re.findall(pattern, text)]
    return [one for place, one in enumerate(found) if not place or found[place - 1] != one]
