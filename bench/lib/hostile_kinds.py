"""Kinds of hostile pages: each repeats what some output reads, without end, to any size.

Each kind is a function of the size wanted, in characters of what is repeated; what stands around it
comes on top. What hurts the parser itself stands in ``tests/page/hostile_pages.py``; these pass it
and are meant for what comes after.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

TINY: Final = "<!doctype html><title>Oats</title><p>The mill ground oats.</p>"
"""A page whose cost is the constant part of every output."""


def repeated(unit: str, size: int, before: str = "", after: str = "") -> str:
    """Return a page that holds ``size`` characters of ``unit`` repeated; ``%d`` is its number."""
    room = max(size - len(TINY), 0)
    if "%d" not in unit:
        body = unit * max(room // len(unit), 1)
    else:
        longest = len(unit.replace("%d", str(room // len(unit))))
        body = "".join(unit.replace("%d", str(n)) for n in range(max(room // longest, 1)))
    return f"{TINY}{before}{body}{after}"


def _of(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: repeated(unit, size, before, after)


def halves(first: str, second: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Return the maker of pages whose first half repeats one unit, and the second another."""

    def make(size: int) -> str:
        one = repeated(first, size // 2, before)
        return one + repeated(second, size // 2, after=after)[len(TINY) :]

    return make


def nested(begin: str, end: str, inner: str = "oats ") -> Callable[[int], str]:
    """Return the maker of pages whose elements stand in one another, and are closed."""

    def make(size: int) -> str:
        count = max((size - len(TINY)) // (len(begin) + len(end) + len(inner)), 1)
        return TINY + (begin + inner) * count + end * count

    return make


def repeated_nests(begin: str, end: str, depth: int, inner: str = "oats") -> Callable[[int], str]:
    """Return the maker of pages that hold one nest of ``depth`` levels after the other."""
    return _of(begin * depth + inner + end * depth)


def _json(unit: object, head: str, tail: str, script: str) -> Callable[[int], str]:
    text = json.dumps(unit)

    def make(size: int) -> str:
        count = max((size - len(TINY)) // (len(text) + 1), 1)
        return f"{TINY}<script {script}>{head}{','.join([text] * count)}{tail}</script>"

    return make


def _nested_json(size: int) -> str:
    count = max((size - len(TINY)) // 12, 1)
    inner = '{"author":' * count + "1" + "}" * count
    return f'{TINY}<script type="application/ld+json">{inner}</script>'


def _long_base(size: int) -> str:
    base = f"<base href='https://farm.example/{'a' * (size // 2)}/'>"
    return repeated("<p><a href=%d>oats</a>", size, base)


def _long_base_images(size: int) -> str:
    base = f"<base href='https://farm.example/{'a/' * (size // 4)}'>"
    return repeated("<figure><img src=%d.jpg alt=oats width=600 height=400></figure>", size, base)


def _long_links(size: int) -> str:
    return f"{TINY}<p><a href='https://farm.example/{'../a/' * (size // 5)}'>oats</a>"


def _wide_table(size: int) -> str:
    row = "<tr>" + "<td>7" * 50
    return repeated(row, size, "<table><tr>" + "<th colspan=1000>oats" * 3)


def _deep_rows(unit: str) -> Callable[[int], str]:
    """Return the maker of pages whose units all stand 400 levels deep."""
    return lambda size: repeated(unit, size, "<div>" * 400, "</div>" * 400)


def _growing_clauses(size: int) -> str:
    """Paragraphs of a script without spaces, each a word longer than the one before."""
    most = int((2 * size) ** 0.5)
    return TINY + "".join(f"<p>{'燕麦' * (words // 2)}" for words in range(2, most))


KINDS: Final[dict[str, Callable[[int], str]]] = {
    # definition lists
    "dl: all terms, then all definitions": halves("<dt>a", "<dd>b", "<dl>", "</dl>"),
    "dl: one term, many definitions": _of("<dd>oats", "<dl><dt>a", "</dl>"),
    "dl: many terms, one definition": _of("<dt>oats", "<dl>", "<dd>a</dl>"),
    "dl: pairs of one name": _of("<dt>oats<dd>rye", "<dl>", "</dl>"),
    "dl: nested": nested("<dl><dt>a<dd>", "</dl>"),
    "dl: nested objects": nested("<dl><dt>a<dd><object>", "</object></dl>"),
    "dl: many lists": _of("<dl><dt>a<dd>b</dl>"),
    # tables
    "table: many small": _of("<table><tr><th>a<th>b<tr><td>c<td>d</table>"),
    "table: one of many rows": _of("<tr><td>7<td>8", "<table><tr><th>a<th>b", "</table>"),
    "table: one of many columns": _of("<th>a", "<table><tr>", "<tr><td>1<td>2</table>"),
    "table: columns of different names": _of("<th>a%d", "<table><tr>", "<tr><td>1</table>"),
    "table: names that look numbered": _of("<th>a<th>a 2", "<table><tr>", "<tr><td>1</table>"),
    "table: spanned names": _of("<th colspan=1000>a", "<table><tr>", "<tr><td>1</table>"),
    "table: cells that span all": _of(
        "<tr><td rowspan=65000 colspan=1000>oats", "<table><tr><th>a<th>b", "</table>"
    ),
    "table: rows spanned by one cell each": _of(
        "<td rowspan=65000>a<tr>", "<table><tr>", "</table>"
    ),
    "table: rows of growing width": _of("<tr><td rowspan=0>a<td>b", "<table>", "</table>"),
    "table: one wide row, many short ones": halves(
        "<td>a", "<tr><td>b<td>c", "<table><tr>", "</table>"
    ),
    "table: header lines": _of(
        "<tr><th>a<th>b", "<table><thead>", "</thead><tr><td>1<td>2</table>"
    ),
    "table: wide header lines": halves(
        "<th>a", "<tr><th>b<th>c", "<table><thead><tr>", "</thead><tr><td>1<td>2</table>"
    ),
    "table: wide and spanned": _wide_table,
    "table: nested": nested("<table><tr><td>a<td>", "</table>"),
    "table: captions": _of("<caption>oats</caption>", "<table>", "<tr><th>a<th>b</table>"),
    "table: groups": _of("<tbody><tr><td>a<td>b", "<table>", "</table>"),
    "table: empty rows": _of("<tr>", "<table>", "<tr><th>a<th>b<tr><td>c<td>d</table>"),
    "table: key and value of one name": _of("<tr><th>oats:<td>b", "<table>", "</table>"),
    "table: nests of 100": repeated_nests("<table><tr><th>a<td>", "</table>", 100),
    # tables by role
    "roles: empty tables": _of("<div role=table></div>"),
    "roles: nested tables": nested("<div role=table>", "</div>"),
    "roles: many tables": _of(
        "<div role=table><div role=row><p role=cell>a</p><p role=cell>b</p></div></div>"
    ),
    "roles: one table of many rows": _of(
        "<div role=row><p role=cell>a</p><p role=cell>b</p></div>", "<div role=table>", "</div>"
    ),
    "roles: cells without a table": _of("<p role=cell>a</p>"),
    "roles: cells far below their row": _of(
        "<p role=cell>a</p>", "<div role=table><div role=row>" + "<div>" * 300
    ),
    "roles: nested rows": nested("<div role=row><p role=cell>a</p>", "</div>"),
    "roles: nested tables of rows": nested(
        "<div role=table><div role=row><p role=cell>a</p>", "</div></div>"
    ),
    "roles: real tables within": _of("<div role=table><table><tr><td>a</table>"),
    # formulas
    "math: long words": _of("<mi>" + "oats rye " * 100 + "</mi>", "<math>", "</math>"),
    "math: words after one another": _of("<mi>oats rye</mi>", "<math>", "</math>"),
    "math: one symbol of all text": lambda size: f"{TINY}<math><mi>{'oats ' * (size // 5)}</math>",
    "math: unclosed symbol": _of("<p>oats", "<math><mi>"),
    "math: unclosed symbol with elements": _of("<b>oats</b> rye ", "<math><mi>"),
    "math: nested": nested("<math>", "</math>", "<mi>x</mi>"),
    "math: nested through text": nested("<math><mtext>", "</mtext></math>"),
    "math: nested fractions": nested("<mfrac><mi>x</mi><mrow>", "</mrow></mfrac>", ""),
    "math: nested rows": nested("<math><mrow><mi>x</mi>", "</mrow></math>", ""),
    "math: nested roots in one": lambda size: repeated(
        "<msqrt><mi>x</mi>", size, "<math>", "</math>"
    ),
    "math: many": _of("<math><mi>x</mi><mo>+</mo><mn>1</mn></math> "),
    "math: rows in one": _of(
        "<mtr><mtd><mi>x</mi></mtd></mtr>", "<math><mtable>", "</mtable></math>"
    ),
    "math: annotations": _of(
        "<annotation encoding='application/x-tex'>x</annotation>",
        "<math><semantics><mi>x</mi>",
        "</semantics></math>",
    ),
    "tex: scripts": _of("<script type='math/tex'>x</script>"),
    "tex: scripts with previews": _of(
        "<span class=MathJax_Preview>x</span><script type='math/tex'>x</script>"
    ),
    "tex: scripts in one paragraph of words": _of(
        "oats <script type='math/tex; mode=display'>x</script>", "<p>"
    ),
    "tex: opened, never closed": _of("\\( oats ", "<p>"),
    "tex: opened in paragraphs": _of("<p>\\( oats "),
    "tex: closed": _of("\\(x\\) and $$y$$ ", "<p>"),
    "tex: dollars": _of("$$ ", "<p>"),
    "tex: images": _of("<img class=tex alt='x' src=%d.png>"),
    "tex: nested katex": nested("<span class=katex>", "</span>"),
    "tex: nested mathjax": nested("<span class=MathJax data-tex=x>", "</span>"),
    # addresses
    "base: long, many links": _long_base,
    "base: long, many images": _long_base_images,
    "base: as long as it may be": _of(
        "<a href=%d>oats</a> ", f"<base href='https://farm.example/{'a/' * 500}'>"
    ),
    "links: many": _of("<a href='/farm/%d'>oats</a> "),
    "links: one address": _of("<a href='/farm'>oats</a> "),
    "links: one long": _long_links,
    "links: data addresses": _of("<a href='data:text/plain,%d'>oats</a> "),
    "links: nested in spans": nested("<span><a href=x>", "</a></span>"),
    "links: permalinks": _of("<h2 id=a%d>oats <a class=anchor href='#a%d'>¶</a></h2>"),
    "images: data addresses": _of("<img src='data:image/png;base64,aaaa' alt=oats>"),
    "images: srcset of candidates": _of("a%d.jpg %dw, ", "<img alt=oats srcset='", "'>"),
    "images: srcset of commas": _of(",", "<img alt=oats src=a.jpg srcset='", "'>"),
    "images: many with srcset": _of("<img src=a%d.jpg srcset='b%d.jpg 2x, c.jpg 3x' alt=oats>"),
    "images: pictures of sources": _of(
        "<source srcset='a%d.webp 640w'>", "<picture>", "<img src=a.jpg alt=oats></picture>"
    ),
    "images: figures": _of(
        "<figure><img src=%d.jpg alt=oats><figcaption>rye</figcaption></figure>"
    ),
    "images: nested figures": nested("<figure><img src=a.jpg alt=oats>", "</figure>"),
    "images: many in one figure": _of(
        "<img src=%d.jpg alt=oats>", "<figure>", "<figcaption>rye</figcaption></figure>"
    ),
    "images: captions in one figure": _of(
        "<figcaption>rye</figcaption>", "<figure><img src=a.jpg alt=oats>", "</figure>"
    ),
    "images: one alternative text": lambda size: (
        f"{TINY}<img src=a.jpg alt='{'oats ' * (size // 5)}'>"
    ),
    "images: lazy ones with noscript": _of(
        "<img class=lazy data-src=%d.jpg><noscript><img src=%d.jpg></noscript>"
    ),
    "images: deep below": _deep_rows("<img src=%d.jpg alt=oats>"),
    # lists, quotes, details, headings, posts
    "lists: nested": nested("<ul><li>", "</ul>"),
    "lists: numbered, nested": nested("<ol><li>", "</ol>"),
    "lists: nests of 100": repeated_nests("<ul><li>", "</ul>", 100),
    "lists: items": _of("<li>oats", "<ul>", "</ul>"),
    "lists: items 400 deep": _deep_rows("<li>oats"),
    "lists: long starts": _of("<li value=999999999>oats", "<ol start=999999999>", "</ol>"),
    "quotes: nested": nested("<blockquote>", "</blockquote>"),
    "quotes: nests of 200 around paragraphs": repeated_nests(
        "<blockquote><p>", "</blockquote>", 200
    ),
    "quotes: paragraphs 400 deep": lambda size: repeated(
        "<p>oats</p>", size, "<blockquote>" * 400, "</blockquote>" * 400
    ),
    "quotes: lines 400 deep": lambda size: repeated(
        "oats<br>", size, "<blockquote>" * 400, "</blockquote>" * 400
    ),
    "lists: paragraphs 400 deep": lambda size: repeated("<p>oats</p>", size, "<ul><li>" * 250),
    "code: lines 200 lists deep": lambda size: repeated("a\n", size, "<ul><li>" * 200 + "<pre>"),
    "quotations: nested": nested("<q>", "</q>"),
    "details: nested": nested("<details><summary>a</summary>", "</details>"),
    "marks: nested": nested("<b><i>", "</i></b>"),
    "marks: many": _of("<b>oats</b><i>rye</i>", "<p>"),
    "marks: nested sub": nested("<sub>", "</sub>"),
    "copies: one passage": _of(
        "<div><h2>Oats</h2><p>The mill ground oats until night, and in winter the wheel stood still"
        " between the banks.</p><ul><li>bran</li><li>meal</li></ul></div>"
    ),
    "headings: many": _of("<h2>oats</h2>"),
    "headings: with text": _of("<h%d>oats</h%d><p>rye".replace("%d", "3")),
    "headings: nested": nested("<h2><div>", "</div></h2>"),
    "headings: 400 deep": _deep_rows("<h3>oats</h3>"),
    "posts: many": _of(
        "<div class=comment id=c%d><a class=author href=/u/%d>Ann</a><time datetime=2026-01-02>"
        "2 Jan</time><p>The mill ground oats and rye all night.</p></div>"
    ),
    "posts: nested": nested(
        "<div class=comment><a class=author>Ann</a> <time datetime=2026-01-02>2 Jan</time><p>",
        "</div>",
        "The mill ground oats.",
    ),
    "posts: nests of 50": repeated_nests(
        "<div class=comment><a class=author>Ann</a> <time datetime=2026-01-02>2 Jan</time><p>Oats "
        "and rye.</p>",
        "</div>",
        50,
    ),
    "posts: in rows": _of(
        "<tr class=post><td class=author>Ann<td>2 Jan 2026<td>The mill ground oats",
        "<table>",
        "</table>",
    ),
    "posts: declared": _json(
        {"@type": "Comment", "text": "oats", "author": {"name": "Ann"}, "dateCreated": "2026"},
        '{"@type":"Article","comment":[',
        "]}",
        "type='application/ld+json'",
    ),
    "posts: microdata": _of(
        "<div itemprop=comment itemscope itemtype=https://schema.org/Comment><b itemprop=author>Ann"
        "</b><p itemprop=text>oats</p></div>"
    ),
    "posts: microdata nested": nested(
        "<div itemprop=comment itemscope itemtype=https://schema.org/Comment><b itemprop=author>Ann"
        "</b><p itemprop=text>",
        "</div>",
    ),
    # the head
    "metas: many": _of("<meta name=k%d content=oats>"),
    "metas: authors": _of("<meta name=author content='Ann Miller %d'>"),
    "metas: one author of many names": _of("Ann Miller, ", "<meta name=author content='", "'>"),
    "metas: at signs": _of("@", "<meta name=author content='", "'>"),
    "metas: titles": _of("<meta property=og:title content='Oats %d'>"),
    "metas: one long title": lambda size: f"<title>{'Oats | ' * (size // 7)}</title><p>oats",
    "metas: dates": _of("<meta property=article:published_time content='2026-01-%d'>"),
    "metas: tags": _of("<meta property=article:tag content=oats%d>"),
    "metas: languages": _of("<link rel=alternate hreflang=de href='/de/%d'>"),
    "metas: robots": _of("<meta name=robots content='noindex, max-snippet:%d'>"),
    "bylines: many": _of("<p class=byline>By Ann Miller</p>"),
    "bylines: nested": nested("<div class=byline>By Ann Miller ", "</div>"),
    "bylines: rel": _of("<a rel=author href=/a%d>Ann Miller</a>"),
    "dates: written": _of("<p>12 March 2026</p>"),
    "dates: times": _of("<time datetime='2026-03-12T10:%d'>12 March</time>"),
    "dates: in one paragraph": _of("12 March 2026, ", "<p>"),
    "JSON-LD: items": _json(
        {"@type": "Article", "author": {"name": "Ann"}, "headline": "Oats"},
        "[",
        "]",
        "type='application/ld+json'",
    ),
    "JSON-LD: scripts": _of(
        '<script type=\'application/ld+json\'>{"@type":"Article","headline":"Oats %d"}</script>'
    ),
    "JSON-LD: references": _of(
        '{"@id":"%d","author":{"@id":"%d"}},',
        "<script type='application/ld+json'>{\"@graph\":[",
        '{"@type":"Article"}]}</script>',
    ),
    "JSON-LD: nested": _nested_json,
    "JSON-LD: broken": _of('{"a":', "<script type='application/ld+json'>", "</script>"),
    "state: broken": _of('window.__INITIAL_STATE__={"a":', "<script>", "</script>"),
    "state: one word": _of("a", "<script>window.__INITIAL_STATE__=", "</script>"),
    "state: items": _json(
        {"title": "Oats", "body": "The mill ground oats and rye all night, every night."},
        "[",
        "]",
        "id=__NEXT_DATA__ type=application/json",
    ),
    "titles: many h1": _of("<h1>Oats %d</h1>"),
    "titles: breadcrumbs": _of(
        "<li class=breadcrumb><a href=/%d>oats</a>", "<ul class=breadcrumbs>"
    ),
    # structure
    "entries: cards": _of(
        "<div class=c><h2><a href=/%d>oats %d</a></h2><p>rye</p><b>7 €</b></div>"
    ),
    "entries: led": _of("<h3><a href=/%d>oats %d</a></h3><p>Rye at the mill beside the river."),
    "entries: of all classes": _of("<div class=c><p class=a%d><a href=/%d>oats</a></p></div>"),
    "entries: with many fields": _of(
        "<b class=a%d>oats</b>", "<li><a href=/1>rye</a><li><a href=/2>rye</a>"
    ),
    "entries: nested": nested("<div><a href=/>oats</a></div><div>", "</div>"),
    "entries: lines of many cells": _of("<td><a href=/%d>oats</a>", "<table><tr><td>a<tr>"),
    "ids: siblings": _of("<p id=a%d>oats"),
    "ids: one of all": _of("<p id=a>oats"),
    "ids: of anchors": _of("<a id=a%d></a><p>oats"),
    "ids: nested": nested("<div id=a>", "</div>"),
    "classes: different": _of("<p class=a%d>oats"),
    "classes: many of one row": _of("a%d ", "<p class='", "'>oats"),
    "classes: one long": _of("comment", "<p class='", "'>oats"),
    "attributes: one of many words": _of("oats ", "<p title='", "'>rye"),
    "attributes: many rows": _of("<p data-a=1 data-b=2 data-c=3>a"),
    "styles: hidden": _of("<p style='display:none'>oats"),
    "styles: nested": nested("<div style='color:red;visibility:visible'>", "</div>"),
    "styles: sheets": _of(".a%d{display:none}", "<style>", "</style>"),
    "styles: many sheets": _of("<style>.a%d{display:none}</style>"),
    "siblings: equal": _of("<p>oats"),
    "siblings: of different tags": _of("<p>a</p><div>b</div><ul></ul>"),
    "siblings: tags that no selector names": _of('<d">oats'),
    "siblings: unknown tags": _of("<x-a%d>oats</x-a%d>"),
    "depth: closed": nested("<div>", "</div>"),
    "depth: combs": repeated_nests("<div><p>a</p>", "</div>", 300),
    "depth: empty inlines": repeated_nests("<span>", "</span>", 400, " "),
    "depth: blanks between": lambda size: repeated(" <b> </b>", size, "<span>" * 400),
    "depth: invisible lines": lambda size: repeated("<p>\u200b</p>", size, "<div>" * 480),
    "depth: texts and blocks": nested("<div>", "rye</div>"),
    "depth: lists of links": repeated_nests("<ul><li><a href=x>oats</a>", "</ul>", 150),
    "texts: one word": _of("oats", "<p>"),
    "texts: one of many words": _of("oats ", "<p>"),
    "texts: one in another script": _of("燕麦磨坊", "<p>"),
    "texts: clauses of growing length": _growing_clauses,
    "texts: lines": _of("oats<br>", "<p>"),
    "texts: line breaks alone": _of("<br>", "<p>oats", "rye"),
    "texts: dashes": _of("-", "<p>"),
    "texts: marks of Markdown": _of("*_`[", "<p>"),
    "texts: numbered lines": _of("1. oats<br># rye<br>", "<p>"),
    "texts: backticks in code": _of("` ", "<p><code>", "</code>"),
    "texts: white space": _of(" ", "<p>oats", "rye"),
    "texts: white space between": _of("<span> </span>", "<p>"),
    "texts: runs": _of("<span>a</span>", "<p>"),
    "texts: sentences of one passage": _of("<p>The mill by the river ground oats all night long."),
    "texts: passages": _of("<p>The mill by the river ground oats %d all night long."),
    "code: one of many lines": _of("oats\n", "<pre>", "</pre>"),
    "code: blocks": _of("<pre><code class=language-python>a = 1</code></pre>"),
    "code: spans": _of("<span class=k>a</span> ", "<pre>", "</pre>"),
    "code: nested": nested("<pre><code>", "</code></pre>"),
    "code: tables of lines": _of(
        "<tr><td class=linenos>1<td class=code><pre>a = 1</pre>",
        "<table class=highlight>",
        "</table>",
    ),
    "code: cells of one line": _of("<td><pre>a = 1</pre>", "<table><tr>", "</table>"),
    "code: empty blocks 400 deep": _deep_rows("<pre><b></b></pre>"),
    "code: lines of their own": _of("<code>a = 1</code><br>"),
    "notes: marks and notes": halves(
        "<sup><a href='#n%d' id=r%d>1</a></sup>", "<li id=n%d>oats <a href='#r%d'>↩</a>"
    ),
    "forms: many": _of("<form><input name=a%d><button>b</button></form>"),
    "forms: inputs": _of("<input name=a%d><label for=a%d>oats</label>", "<form>", "</form>"),
    "forms: options": _of("<option>oats", "<select>", "</select>"),
    "ruby: many": _of("<ruby>a<rt>b</ruby>", "<p>"),
    "ruby: nested": nested("<ruby>a<rt>", "</ruby>"),
    "comments: many": _of("<!--a--><p>oats"),
    "comments: CDATA": _of("<![CDATA[a]]><p>oats"),
    "templates: nested": nested("<template>", "</template>"),
    "svg: titles": _of("<svg><title>oats</title><path d=a /></svg>"),
    "frames: many": _of("<iframe src=/%d></iframe>"),
    "media: videos": _of("<video src=/%d.mp4><track src=a></video>"),
    "noscript: many": _of("<noscript><p>oats</noscript>"),
    "tabs: widgets": _of("<a href='#t%d' role=tab>a</a><div id=t%d role=tabpanel>oats</div>"),
    "labels: all of one row": _of("<a href='#t' aria-controls=t>a</a>", "<div id=t>oats</div>"),
    "cookies: banners": _of(
        "<div class=cookie-banner>We use cookies <button>Accept</button></div>"
    ),
    "shops: products": _of(
        "<div class=product><h3>Oats %d</h3><b class=price>$3.50</b><a href=/p/%d>Buy</a></div>"
    ),
    "entities: many": _of("&lt;&amp;&quot;", "<p>"),
    "controls: many": _of("a\u0085\u202e", "<p>"),
}
"""Name → maker of a page of about so many characters."""
