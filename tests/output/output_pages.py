"""Pages and verdicts that the tests of renderers share; their images are as kept as their text."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from chaffinch.elements.aids import reading_aids
from chaffinch.elements.shown_content import shown_content
from chaffinch.output import markdown
from chaffinch.output.options import OutputOptions
from chaffinch.page import parse
from chaffinch.verdict import Content, Verdict
from rows_of_cases import cases_of


def content_of(html, *, keep=None, drop=None, url=None):
    """Keep what the selector matches (all by default) but what ``drop`` matches."""
    page = parse(html, url=url)
    rows = np.arange(len(page))
    kept = np.ones(len(page), dtype=bool)
    if keep is not None:
        kept = page.inside(np.isin(rows, page.select(keep)))
    if drop is not None:
        kept &= ~page.inside(np.isin(rows, page.select(drop)))
    return Content(page, replace(Verdict.empty(len(page)), keep=kept, judges_images=True))


WORDS = r"""
grain a_b 1. 2) - + # ## *** * _ __init__ `x` `` | a|b [x](y) [x]: ![i] <script> <b> </p> &amp; &lt
\ a\ \* ~~ ~ > === --- ( ) “引” 中文 。 é www.x.org $5 http://x.org/a_b : |---| ``` ~~~
! "q" ' x. é,
Ⅷ € :--: -- + 1.) (c) <!-- ]( [ ] ]] [[ {} =
""".split()
INLINE = """
b;strong;i;em;code;a href='/l(1)';span;s;sup;sub;kbd;del;a href='javascript:x';u;q;mark;ruby;rt
""".strip().split(";")
BLOCK = """
p;div;blockquote;ul;ol;ol start=7;li;h1;h2;h3;h6;dl;dt;dd;section;pre;figure;figcaption;details;
summary;table;tr;td;th;caption;thead;table role=table;td colspan=2;td rowspan=2;a href=/block;
button;
div role=table;div role=row;div role=row;span role=cell;div role=cell aria-colspan=2
""".replace("\n", "").split(";")
VOID = ["<br>", "<hr>", "<img src='/i.png' alt='an [i]'>", "<img alt=x>", "<wbr>", " ", "\n  "]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(
    lambda words: " ".join(words).replace("&", "&amp;").replace("<", "&lt;")
)


def _inside(children):
    return st.tuples(
        st.sampled_from(INLINE + BLOCK), st.lists(children, min_size=1, max_size=4)
    ).map(lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0].split()[0]}>")


sources = st.recursive(st.one_of(texts, texts, st.sampled_from(VOID)), _inside, max_leaves=25)
"""Sources of pages with all that renderers treat, nested as no author would."""


@st.composite
def contents(draw):
    """Draw a page with some of its rows kept."""
    page = parse(f"{draw(sources)}<!---->", url="https://example.org/d/p.html")  # no bare address
    share = draw(st.sampled_from([0.0, 0.5, 0.9, 1.0]))
    seed = draw(st.integers(0, 2**16))
    keep = np.random.default_rng(seed).random(len(page)) < share
    return Content(page, replace(Verdict.empty(len(page)), keep=keep, judges_images=True))


def for_the_hand(content):
    """Return bool[n]: what outputs leave out of the content: buttons, permalinks, links to edit."""
    rows = shown_content(content).code.left_out.copy()
    for aid in reading_aids(content.page, content.kept):
        rows[aid : content.page.end[aid]] = True
    return rows


CASES = cases_of(Path(__file__).with_name("outputs.toml"))
"""What a page is written as: id → page, and the name of an output → what it is."""

READER = MarkdownIt("commonmark", {"maxNesting": 2000}).enable(["table", "strikethrough"])
"""A reader of CommonMark that knows nothing of the writer."""


def written(html, **options):
    options = OutputOptions(**options)
    return markdown.render(content_of(html, url="https://example.org/d/p.html"), options=options)


def bare(source):
    """Return a text without white space, and the parentheses that stand around ruby."""
    return re.sub(r"[\s()]+", "", source)


ADDRESSES = set(
    "href src action formaction poster cite background xlink:href data srcset ping".split()
)
SAFE = re.compile(r"(?:https?|mailto|tel|ftp):|[^:]*$|[^:/?#]*[/?#]", re.IGNORECASE)


def faults(html, tags, attributes):
    """Return the elements, attributes and addresses of ``html`` that are not of these lists."""
    page = parse(html)
    found = []
    for row in range(len(page)):
        name = page.name(row)
        if name not in tags and name not in ("#text", "html", "head", "body"):
            found.append(f"<{name}>")
        for key, value in page.attributes(row).items():
            if key not in attributes:
                found.append(f"<{name} {key}>")
            elif key in ADDRESSES and not SAFE.match(re.sub(r"[\x00-\x20]", "", value or "")):
                found.append(f"<{name} {key}={value!r}>")
    return found
