"""What is called HTML and isn't: feeds, site maps and pictures, data, scripts and style sheets."""

from __future__ import annotations

import re
from typing import Final

from chaffinch.errors import PageError

_HEAD: Final = 4_096  # characters in which the root element begins
_SHORT: Final = 512
"""Characters that hold the root element of most pages."""
_BEFORE_ROOT: Final = re.compile(
    r"\A\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*", re.DOTALL
)
_ROOT: Final = re.compile(r"<([A-Za-z][\w:.-]*)([^>]*)", re.ASCII)
_USUAL: Final = re.compile(
    rb"\A\s*+(?:<!doctype[^<>]*+>\s*+)?+<(?:html|head|meta)[\s>]", re.IGNORECASE
)
"""How most pages begin: no root element of another kind follows."""
_KINDS: Final = {
    "rss": "RSS feed",
    "rdf:rdf": "RSS feed (RDF)",
    "feed": "Atom feed",
    "urlset": "site map",
    "sitemapindex": "index of site maps",
    "opml": "list of feeds (OPML)",
    "svg": "SVG image",
}
_NEEDS: Final = {"rdf:rdf": "purl.org/rss", "feed": "w3.org/2005/atom", "svg": "w3.org/2000/svg"}
"""Root → what its attributes must hold."""

_MARKUP: Final = re.compile(
    r"<(?:!doctype|/?html|/?head|/?body|/style|/script)(?![\w-])", re.IGNORECASE
)
"""What a page has whose first lines are a script or style by somebody's mistake."""
_COMMENTS: Final = r"\A(?>\s|/\*(?:[^*]|\*(?!/))*+\*/|//[^\n]*+\n)*+"
_JSON: Final = re.compile(
    r"""\A\s*+(?:\)\]\}',?\s*+|while\(1\);|for\s?\(;;\);)?(?:\{\s*+(?:"|\})|\[\s*+(?:["\[{\]]|-?\d[\d.]{0,30}\s*+,))"""
)
_CODE: Final = {
    "script": re.compile(
        _COMMENTS
        + r"""(?:["']use\ strict["']|[!+;(\s]{0,4}(?:async\s+)?function\b\s*+[\w$]*+\s*+\(
        |\(?\([\w$,\ ]*+\)\s*+=>
        |(?:var|let|const)\s+(?:[\w$]++(?:\s*+,\s*+[\w$]++)*+\s*+[=;]|[{\[])
        |[!+;(]?(?:window|document|self|globalThis|module|exports)(?:\.[\w$]|\[["'])|(?:jQuery|\$)\(
        |import\s*+(?:["'{(*]|[\w$]++\s+from\b)|export\s+(?:default|const|function|class|\{)
        |if\s?\((?:!\s?)?(?:typeof|window|document|self|navigator|location)\b|try\s*\{
        |(?:[\w$]{1,60}\.){0,8}[\w$]{1,60}\s*+=\s*+(?:function\b|new\s|["'{\[(]|[\w$.]{1,80}\|\|)
        |(?:define|require|importScripts)\((?:\s*+["'\[]|function\b)|[\w$.]{1,80}\(\s*+[{\[]\s*+["\[{\]}])""",
        re.VERBOSE,
    ),
    "style sheet": re.compile(
        _COMMENTS
        + r"""(?:@charset\s*+["']|@import\s*+(?:url\(|["'])|@font-face\s*+\{
        |@(?:media|supports|layer|keyframes|-webkit-keyframes)\b[^{}<;]{0,300}\{
        |(?:[.\#][\w-]|[\w*:\[&])[^{}<;]{0,400}\{\s*+(?:/\*[^*]{0,400}\*/\s*+)?(?:\}|[\w-]{1,60}\s*+:[^{}]))""",
        re.VERBOSE,
    ),
}

_ENDS: Final = {"script": frozenset("};/)]'\"`"), "style sheet": frozenset("};/")}
"""What code ends with, and text hardly ever does after such a beginning."""

_FIRST_TAGS: Final = (
    "html head body title meta link base script style noscript iframe div p h1 h2 table font a b br"
    " center main article section header nav ul span img"
)
_PAGE: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s++|<!--.*?-->|<\?[^>]*+>)*+<(?:!doctype\s+html|(?:%s)[\s>/])"
    % _FIRST_TAGS.replace(" ", "|").encode(),
    re.IGNORECASE | re.DOTALL,
)


def begins_as_page(html: bytes) -> bool:
    """Return whether bytes of a type that nobody says begin as a page does."""
    return _PAGE.match(html, 0, _HEAD) is not None


def refuse_other_markup(html: bytes | str) -> None:
    """Raise where ``html`` is data, a script or style sheet, or its root that of no page.

    An ``svg`` counts only behind an XML declaration: pages may begin with a picture.

    Raises:
        PageError: it is; the message names the kind.
    """
    if isinstance(html, bytes) and _USUAL.match(html):
        return
    text, root = _begin(html, _SHORT)
    if root is None or root.end() == len(text):
        text, root = _begin(html, _HEAD)
    if text and not text.lstrip().startswith("<"):
        _refuse_code(html, text)
    name = root[1].lower() if root else ""
    if root is None or name not in _KINDS or _NEEDS.get(name, "") not in root[2].lower():
        return
    if name == "svg" and "<?xml" not in text[: root.start()]:
        return
    raise PageError(f"not HTML: {_KINDS[name]}")


def _refuse_code(html: bytes | str, text: str) -> None:
    """Raise where what begins with ``text``, and with no tag, is data, a script or a style sheet.

    Raises:
        PageError: it is.
    """
    end = html[-_SHORT:]
    last = (end if isinstance(end, str) else end.decode("utf-8", "replace")).rstrip()[-1:]
    if last in "}]" and _JSON.match(text):
        raise PageError("not HTML: JSON")
    for kind, pattern in _CODE.items():
        if last in _ENDS[kind] and pattern.match(text):
            whole = html if isinstance(html, str) else html.decode("utf-8", "replace")
            if not _MARKUP.search(whole):
                raise PageError(f"not HTML: {kind}")


def _begin(html: bytes | str, length: int) -> tuple[str, re.Match[str] | None]:
    """Return the first ``length`` characters, and the root element as far as they have it."""
    head = html[:length]
    text = head if isinstance(head, str) else head.decode("utf-8", "replace")
    before = _BEFORE_ROOT.match(text)
    return text, _ROOT.match(text, before.end() if before else 0)
