"""Code of the content: exact text and language, in every form that highlighters write."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from output_pages import content_of

from chaffinch.elements.parts import code_blocks
from chaffinch.extraction.extract import extract
from chaffinch.output import html, markdown, text
from chaffinch.output.tables import tables
from chaffinch.page.visibility import visible

CODE = "def f(x):\n    # a\n\n    return x"


def one(source, **options):
    found = code_blocks(content_of(source, **options))
    assert len(found) == 1
    return found[0]


def lines(form, *, code=CODE, joint=""):
    return joint.join(form.format(n=n, line=line) for n, line in enumerate(code.split("\n"), 1))


NUMBERS = "\n".join(str(n) for n in range(1, 5))
FORMS = {
    "plain": f"<pre><code>{CODE}\n</code></pre>",
    "listing": f"<listing>\n{CODE}</listing>",
    "br": f"<pre>{CODE.replace(chr(10), '<br>')}</pre>",
    "pygments table": (
        "<table class=highlighttable><tr><td class=linenos><div class=linenodiv>"
        f"<pre>{NUMBERS}</pre></div></td><td class=code><div class=highlight><pre>{CODE}\n</pre>"
    ),
    "gutter without a class": (
        f"<table><tr><td><pre>{NUMBERS}</pre></td><td><pre>{CODE}</pre></td></tr></table>"
    ),
    "gutter of lines": (
        "<figure class=highlight><table><tr><td class=gutter><pre>"
        + "".join(f"<span class=line>{n}</span><br>" for n in range(1, 5))
        + "</pre></td><td class=code><pre>"
        + lines("<span class=line>{line}</span><br>")
        + "</pre></td></tr></table></figure>"
    ),
    "inline numbers": "<pre>" + lines("<span class=lineno>{n} </span>{line}\n") + "</pre>",
    "spans in blocks": (
        "<pre><code>" + lines("<span style='display: block'>{line}</span>") + "</code></pre>"
    ),
    "spans of lines": "<pre><code>" + lines("<span class=line>{line}</span>") + "</code></pre>",
    "lines and breaks": (
        "<pre><code>" + lines("<span class=line>{line}</span>", joint="\n") + "</code></pre>"
    ),
    "divs": "<pre>" + lines("<div class=line>{line}</div>") + "</pre>",
    "list": "<pre class=prettyprint><ol>" + lines("<li class=L{n}>{line}</li>") + "</ol></pre>",
    "hljs table": (
        "<pre><code><table class=hljs-ln>"
        + lines(
            "<tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number={n}>"
            "<div class=hljs-ln-n data-line-number={n}></div></td>"
            "<td class='hljs-ln-line hljs-ln-code'>{line}</td></tr>"
        )
        + "</table></code></pre>"
    ),
    "repository": (
        "<table class='highlight js-file-line-container'>"
        + lines(
            "<tr><td class='blob-num js-line-number' data-line-number={n}></td>"
            "<td class='blob-code js-file-line'>{line}</td></tr>\n"
        )
        + "</table><code>x</code>"
    ),
    "syntaxhighlighter": (
        "<div><div class='syntaxhighlighter python'><table><tr><td class=gutter>"
        + "".join(f"<div class='line number{n}'>{n}</div>" for n in range(1, 5))
        + "</td><td class=code><div class=container>"
        + lines("<div class='line number{n} index0'><code>{line}</code></div>\n").replace(
            "    ", "&nbsp;&nbsp;&nbsp;&nbsp;"
        )
        + "</div></td></tr></table></div></div>"
    ),
    "dp": "<textarea hidden></textarea><ol class=dp-py>" + lines("<li>{line}</li>\n") + "</ol>",
    "codemirror": (
        "<div class=CodeMirror-code>"
        + lines(
            "<div><div class=CodeMirror-gutter-wrapper><div class='CodeMirror-linenumber'>{n}</div>"
            "</div><pre class=CodeMirror-line><span>{line}</span></pre></div>"
        )
        + "</div>"
    ),
    "copy button": f"<div class=code><pre>{CODE}</pre><button>Copy code</button></div>",
    "copy in the block": f"<pre><code>{CODE}</code><div class=copy-btn>复制</div></pre>",
}
FORMS["names lost"] = FORMS["syntaxhighlighter"].replace(" class='syntaxhighlighter python'", "")


@pytest.mark.parametrize("form", FORMS)
def test_exact_text(form):
    assert one(FORMS[form]).text == CODE


@pytest.mark.parametrize("form", [f for f in FORMS if f != "dp"])
def test_every_output_has_it_once(form):
    content = content_of(f"<p>before</p>{FORMS[form]}<p>after</p>")
    assert f"\n{CODE}\n```" in markdown.render(content)
    assert not re.search(r"\b4\b|[Cc]opy|复制", text.render(content))
    again = html.render(content)
    assert one(again).text == CODE
    assert html.render(content_of(again)) == again
    assert not tables(content)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("<pre><code class='language-py hljs'>x</code></pre>", "py"),
        ("<div class='highlight-python3 notranslate'><div><pre>x</pre></div></div>", "python3"),
        ("<div class='highlight python'><pre>x</pre></div>", "python"),
        ("<pre class='src src-emacs-lisp'>x</pre>", "emacs-lisp"),
        ("<pre class='brush: js; gutter: false'>x</pre>", "js"),
        ("<pre lang=rust>x</pre>", "rust"),
        ("<pre lang=en>x</pre>", ""),
        ("<div class='syntaxhighlighter nogutter php'><code>x<br>y</code></div>", "php"),
        ("<pre class='sourceCode haskell'><code>x</code></pre>", "haskell"),
        ("<div class='lang-en'><pre>x</pre></div>", ""),
        ("<div class='go row'><pre>x</pre></div>", ""),
        ("<pre class='nohighlight language-none'>x</pre>", ""),
        ("<pre>#!/usr/bin/env python3\nx</pre>", "python"),
        ("<pre>#!/bin/bash -e\nx</pre>", "bash"),
        ("<pre>&lt;?php\nx</pre>", "php"),
        ("<div><span>Python</span><button>Copy</button><pre>x</pre></div>", "python"),
    ],
)
def test_language(source, name):
    assert one(source).language == name


def test_lines_of_prose_are_no_code():
    html = "<div><div class=line>Call <code>x()</code> first.</div><div class=line>Then go.</div>"
    assert not code_blocks(content_of(html))


def test_label_and_button_beside_code_are_left_out():
    content = content_of("<div><span>Python</span><button>Copy</button><pre>x</pre></div><p>y</p>")
    assert text.render(content) == "x\ny"
    assert markdown.render(content) == "```python\nx\n```\n\ny\n"


@pytest.mark.parametrize(
    "source",
    [
        "<p>Press <button>Copy</button> now, and read on for some words.</p><pre>x</pre>",
        "<table><tr><td class=num>1<td>a<tr><td class=num>2<td>b</table><pre>x</pre>",
        "<p class=line-no>7</p><p>words</p>",
        "<h2>Python</h2><pre>x</pre>",
        "<div><table><tr><td>C<td>1</table><pre>x</pre></div>",
        "<div><pre>x</pre><table><tr><td>C<td>1</table></div>",
    ],
)
def test_nothing_else_is_left_out(source):
    content = content_of(source)
    words = re.sub(r"<[^>]+>", "", source)
    assert "".join(text.render(content).split()) == "".join(words.split())


def test_only_what_is_kept():
    assert not code_blocks(content_of("<pre>x</pre><p>y", drop="pre"))
    assert one("<pre>a\n<b>x</b>\nb</pre>", drop="b").text == "a\n\nb"


codes = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t"), min_size=1
)


@settings(max_examples=150)
@given(raw=codes)
def test_preformatted_text_is_exact(raw):
    raw = visible(raw)  # what nobody sees leaves all texts
    escaped = raw.replace("&", "&amp;").replace("<", "&lt;")
    found = code_blocks(content_of(f"<pre>\n{escaped}</pre>"))
    wanted = raw.rstrip()
    blank = len(wanted) - len(wanted.lstrip())
    wanted = wanted[wanted.rfind("\n", 0, blank) + 1 :]
    assert [block.text for block in found] == ([wanted] if wanted else [])


def test_on_the_example_site(example_site):
    found = [
        block
        for row in example_site
        if 'class="language-python"' in row["html"]
        for block in extract(row["html"].encode("latin-1"), keep="body").code_blocks
    ]
    assert found
    assert "python" in {block.language for block in found}
