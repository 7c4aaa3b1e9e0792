"""Words that hostile pages are made of; names of fields are the source's own (`source_words`)."""

from __future__ import annotations

from typing import Final

TAGS: Final = tuple(
    """
    a abbr address annotation annotation-xml applet area article aside audio b base bdi bdo big
    blockquote body br button caption center cite code col colgroup data datalist dd del desc
    details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer
    foreignObject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe
    image img input ins kbd keygen label legend li link listing main maglinks malignmark map
    mark marquee math menu menuitem meta meter mfrac mglyph mi mmultiscripts mn mo mover
    mprescripts mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder nav
    nobr noembed noframes noscript object ol optgroup option output p param path picture
    plaintext pre progress q rb rp rt rtc ruby s samp script search section select semantics
    slot small source span strike strong style sub summary sup svg table tbody td template
    textarea tfoot th thead time title tr track tt u ul use var video wbr xmp x-a
    """.split()
)
"""Names of elements."""
FORMATTING: Final = tuple(
    """
    a b big code em font i nobr s small strike strong tt u
    """.split()
)
"""Those that the parser opens again."""
TEXTS: Final = (
    "The mill by the river ground oats and rye all night, and the miller slept by day.", "oats",
    "Ann Miller", "By Ann Miller and Ben Baker", "12 March 2026", "2026-03-12T10:00:00+02:00",
    "3 hours ago", "€ 3.50", "$1,299.00", "1 234,50 zł", "Comments (3)", "Read more",
    "Accept all cookies", "© 2026 The Mill", "燕麦磨坊整夜磨面，磨坊主白天睡觉。",
    "作者：王小明", "2026年3月12日",
    "الطاحونة تطحن الشوفان", "טחנה", "โรงสี", "мельница", "\u202eabc\u202c", "\u2066a\u2069",
    "e\u0301\u0302\u0323" * 8, "\u200b\u200d\ufeff", "\u00ad", "👩‍👩‍👧", "𝒳", "\ud7ff\uffff",
    "\u0085\u2028\u2029", "a\u00a0b\u3000c", "\\(x^2\\)", "$$\\frac{a}{b}$$", "\\[ a", "$x$",
    "*_`[]()#>|~", "1. oats", "```", "---", "| a | b |", "=1+1", "@@@", "&lt;script&gt;",
    "&amp;amp;", "&#0;", "&#xD800;", "&#x110000;", "&notit;", "&NotEqualTilde;", "&lt", "<", ">",
    "\x00", "\r", "\x0c", "\x1b[31m", " " * 40, "\n\n", "\t", "W" * 300, "-" * 60,
)  # fmt: skip
"""Texts of each kind that is read, of many scripts, and characters that mean something."""
VALUES: Final = (
    "", "0", "1", "-1", "999999999999", "1e309", "NaN", "50%", "true", "/a/b?c=d#e",
    "//host.example/x", "../..", "https://farm.example/mill/oats-1.html", "http://[::1",
    "javascript:x", "data:text/html,x", "mailto:a@b.example", "#a", "#", "?", "http://\x00/",
    "a b c", "display:none", "width:3px;visibility:hidden", "color:red;;:", "ltr", "2026-03-12",
    "2026-13-45T99:99", "P1D", "0000", "12/03/26", "de", "x-klingon-latn", "zh-Hant-TW",
    "a.jpg 2x, b.jpg 640w", "a,b,c", ", ,", "a.jpg 1x 2w 3h", "noindex, max-snippet:0",
    "text/html; charset=utf-16", "0; url=/x", "[", "{", '"', "'", "`", "table", "row", "cell",
    "main", "presentation", "tabpanel", "https://schema.org/Article", "\u202e", "é", "燕",
)  # fmt: skip
"""Values of attributes and fields."""
SPACE: Final = (
    " ", "\n", "\t", "/", " / ",
)  # fmt: skip
"""What stands between attributes."""
TYPES: Final = (
    "Article", "NewsArticle", "Comment", "Person", "Organization", "Product", "Offer", "Recipe",
    "BreadcrumbList", "DiscussionForumPosting", "QAPage", "ItemList", "WebSite", "VideoObject",
    "ImageObject", "HowToStep", "Review",
)  # fmt: skip
"""Types of schema.org."""
PIECES: Final = {
    "open": 30, "close": 16, "text": 26, "table": 6, "meta": 6, "link": 3, "json_ld": 4, "state": 2,
    "microdata": 4, "formula": 5, "image": 4, "post": 4, "entries": 4, "role_part+8": 2, "form": 3,
    "foreign": 4, "raw": 4, "broken": 6, "note": 2, "code": 3, "heading": 4, "select": 1, "list": 3,
    "definitions": 3, "quote": 2, "byline": 3, "tabs": 1, "frame": 1, "marks": 8, "nest": 6,
    "again": 4,
}  # fmt: skip
"""Rule of a piece → how often it is taken."""
NESTS: Final = (
    ("<div>", "</div>"), ("<ul><li>", "</ul>"), ("<ol><li>", "</ol>"), ("<font>", ""),
    ("<table><tr><td>", "</table>"), ("<blockquote>", "</blockquote>"), ("<q>", "</q>"),
    ("<dl><dt>a<dd>", "</dl>"), ("<section>", "</section>"), ("<b>", "</b>"), ("<h2>", "</h2>"),
    ("<span>", "</span>"), ("<a href=x>", "</a>"), ("<svg><g>", "</svg>"), ("<p>", "</p>"),
    ("<math><mrow>", "</mrow></math>"), ("<details><summary>a</summary>", "</details>"),
    ("<figure>", "</figure>"), ("<template>", "</template>"), ("<ruby>a<rt>", "</ruby>"),
    ("<svg><foreignObject>", "</foreignObject></svg>"), ("<pre>", "</pre>"),
    ("<code>", "</code>"), ("<object>", "</object>"), ("<article>", "</article>"),
    ("<fieldset><legend>a</legend>", "</fieldset>"), ("<div class=comment>", "</div>"),
    ("<div role=table><div role=row>", "</div></div>"),
)  # fmt: skip
"""(what opens, what closes): repeated within one another."""
