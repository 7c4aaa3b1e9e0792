"""Titles split at their separators: ``Title - Site``, ``标题_网站``, ``Site | Section | Title``."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import Final

_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
_SEPARATOR: Final = re.compile(
    rf"(?=[\s｜|丨ㅣ_—-])(?:(?<!\s)\s++[|\-–—―‐•·»«:/<>~]+\s+|(?:(?<!\s)\s++)?(?:[｜|丨ㅣ_]{{1,3}}+|——|--)\s*"
    rf"|(?<=[{_CJK}])-|-(?=[{_CJK}])|(?<!\s)\s++::\s+|(?<!\s)\s++»)"
)
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_SOFT: Final = re.compile(r":\s+|：|[—–·・•»]|>>|》(?!《)")
_IN_BRACKETS: Final = re.compile(r"[（(【\[]([^（(【\[）)】\]]{2,20})[）)】\]]\Z")
_SITE: Final = re.compile(
    "[\u3400-\u9fff\\w，,·]{0,12}(?:(?<!互联)(?<!互聯)(?<!物联)(?<!上)[网網]|在线|在線|[日晚早时時]报|[日晚早時]報|论坛|論壇"
    "|社区|博客|百科|百科全书|百科全書|门户|客户端|新闻中心|电视台|广播网|频道|頻道)"
)
HOST: Final = re.compile(
    r"\A(?:www\.[\w-]+(?:\.[\w-]+)+|(?!asp\.)[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|info|biz|gov|edu|eu"
    r"|a[erstuz]|b[aegry]|c[ahlnz]|d[ek]|e[es]|f[ir]|g[er]|h[kru]|i[delnrst]|jp|k[rz]|l[tuv]|m[xy]"
    r"|n[loz]|p[elhkt]|r[ou]|s[egik]|t[hrw]|u[akz]|vn|za))",
    re.IGNORECASE,
)
"""The name of a host, as a part of a title that names the site: "CAIJING.COM.CN"."""
_SECTION: Final = re.compile("[\u3400-\u9fff]{1,8}(?:频道|頻道|中心|栏目|版)")
_SHORT_SECTION: Final = re.compile("[\u3400-\u9fff]{2,4}")
_TIGHT: Final = frozenset("_-—")  # separators, without spaces, between a title and its sections
MOST_PARTS: Final = 8
_SHORTEST_TITLE: Final = 8  # letters before a part that may be a section


@lru_cache(maxsize=256)
def cuts(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each separator of a title, the first seven.

    Cached: a page repeats its title, and many rules use its parts.
    """
    spans = (m.span() for m in _SEPARATOR.finditer(text) if m.start() and m.end() < len(text))
    return tuple(islice(spans, MOST_PARTS - 1))


def soft_cuts(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each sign that is a separator only where a part names the site.

    A colon, a dash, a point in the middle and the like stand in titles, too.
    """
    spans = (m.span() for m in _SOFT.finditer(text) if m.start() and m.end() < len(text))
    return tuple(islice(spans, MOST_PARTS - 1))


def bracketed_end(text: str) -> tuple[str, str]:
    """Return a title without brackets at its end, and what stands in them; "" for none."""
    found = _IN_BRACKETS.search(text)
    return (text[: found.start()], found[1]) if found else (text, "")


def split_title(text: str) -> list[str]:
    """Return the parts of a title between separators such as ``|``, `` - `` and ``_``."""
    parts, begin = [], 0
    for stop, start in cuts(text):
        parts.append(text[begin:stop])
        begin = start
    parts.append(text[begin:])
    return parts


def named_like_site(part: str) -> bool:
    """Return whether a part of a title is written like the name of a Chinese site: 新华网."""
    return len(part) <= 2 * _SHORTEST_TITLE and _SITE.fullmatch(part) is not None


def without_sections(text: str) -> str:
    """Return a title, its site taken off, without Chinese sections behind: "标题_时政"."""
    while separators := cuts(text):
        stop, start = separators[-1]
        section, is_tight = text[start:], _TIGHT.issuperset(text[stop:start])
        if stop < _SHORTEST_TITLE or not (
            _SECTION.fullmatch(section) or (is_tight and _SHORT_SECTION.fullmatch(section))
        ):
            break
        text = text[:stop]
    return text


def runs(text: str) -> list[str]:
    """Return the parts of a title, and all runs of neighbouring parts, the whole title included."""
    separators = cuts(text)
    starts = [0, *(end for _, end in separators)]
    stops = [*(start for start, _ in separators), len(text)]
    return [text[a:b] for number, a in enumerate(starts) for b in stops[number:]]


def words_of(text: str) -> frozenset[str]:
    """Return the different words of a title; of Han letters and kana, the letters."""
    return frozenset(_WORD.findall(text.casefold()))
