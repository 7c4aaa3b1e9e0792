"""Formulas of the content: TeX from wherever pages carry it, once in every output."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from output_pages import content_of

from chaffinch.elements.formulas import left_in_text
from chaffinch.elements.parts import formulas
from chaffinch.output import html, markdown, text
from chaffinch.page import parse
from chaffinch.verdict import Content, Verdict
from time_growth import is_linear

MATHML = (
    "<math{attributes}><semantics><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
    "<annotation encoding='application/x-tex'>a+b</annotation></semantics></math>"
)
INLINE = MATHML.format(attributes="")
BLOCK = MATHML.format(attributes=" display=block")
DRAWN = "<span class=katex-html aria-hidden=true><span class=base>a+b</span></span>"
KATEX = f"<span class=katex><span class=katex-mathml>{INLINE}</span>{DRAWN}</span>"
FORMS = {
    "mathml": (INLINE, False, "mathml"),
    "mathml block": (BLOCK, True, "mathml"),
    "mathml without tex": (
        "<math><mi>a</mi><mn>+</mn><mi>b</mi></math>",
        False,
        "converted",
    ),
    "alttext": ("<math alttext='{\\displaystyle a+b}'><mi>a</mi></math>", False, "mathml"),
    "katex": (KATEX, False, "mathml"),
    "katex display": (f"<span class=katex-display>{KATEX}</span>", True, "mathml"),
    "mathjax source": ("<script type='math/tex'>a+b</script>", False, "mathjax"),
    "mathjax drawn": (
        (
            "<span class=MathJax_Preview>a + b</span><span class=MathJax><span>a+b</span></span>"
            "<script type='math/tex; mode=display'>a+b</script>"
        ),
        True,
        "mathjax",
    ),
    "mathjax 3": (
        (
            f"<mjx-container display=true><mjx-math>a+b</mjx-math><mjx-assistive-mml>{INLINE}"
            "</mjx-assistive-mml></mjx-container>"
        ),
        True,
        "mathml",
    ),
    "mathjax 4": (
        (
            "<mjx-container><mjx-math data-latex='a+b'><mjx-mi>a</mjx-mi>+b</mjx-math>"
            "</mjx-container>"
        ),
        False,
        "data",
    ),
    "wiki": (
        (
            "<span class=mwe-math-element><span class='mwe-math-mathml-inline'>"
            f"{INLINE}</span><img class='mwe-math-fallback-image-inline' src=/m.svg "
            "alt='{\\displaystyle a+b}'></span>"
        ),
        False,
        "mathml",
    ),
    "data": ("<span class=ztext-math data-tex='a+b'><span>a + b</span></span>", False, "data"),
    "image": ("<img class=latex alt='a+b' src=/x.png>", False, "image"),
    "image address": ("<img src='https://e.org/latex.php?latex=a%2Bb&bg=f'>", False, "image"),
    "codecogs": ("<img src='https://latex.codecogs.com/gif.latex?a+b'>", False, "image"),
    "left in text": (r"\(a+b\)", False, "text"),
    "left in text, display": (r"\[a+b\]", True, "text"),
    "dollars": ("$$a+b=c$$", True, "text"),
}


@pytest.mark.parametrize("form", FORMS)
def test_found_once(form):
    source, display, kind = FORMS[form]
    content = content_of(f"<p>We see {source} here.</p><p>And on.</p>")
    (found,) = formulas(content)
    assert (found.tex.removesuffix("=c"), found.display, found.kind) == ("a+b", display, kind)


@pytest.mark.parametrize("form", [form for form in FORMS if FORMS[form][2] != "text"])
def test_every_output_has_it_once(form):
    source, display, _ = FORMS[form]
    content = content_of(f"<p>We see {source} here.</p>", url="https://e.org/")
    tex = "$$a+b$$" if display else "$a+b$"
    assert " ".join(text.render(content).split()) == f"We see {tex} here."
    between = "\n\n" if display else " "
    assert markdown.render(content) == f"We see{between}{tex}{between}here.\n"
    again = html.render(content)
    delimited = r"\[a+b\]" if display else r"\(a+b\)"
    assert again == f"<p>We see {delimited} here.</p>\n"
    assert html.render(content_of(again)) == again
    assert formulas(content_of(again))[0].tex == "a+b"


def test_left_in_text_is_not_escaped():
    content = content_of(r"<p>Let \(a_1*b*c_2\) and \[x^2 \\ y\] be; C:\dir costs $5 or \$$6.</p>")
    written = markdown.render(content)
    assert "Let $a_1*b*c_2$ and $$x^2 \\\\ y$$ be;" in written
    assert "$5 or" in written


@pytest.mark.parametrize(
    "source",
    [
        "<math></math>",
        "<img class=latex alt='a photo' src=/x.png>",
        "<img class=photo alt='a+b' src=/x.png>",
        r"<code>\(a+b\)</code>",
        r"<pre>\(a+b\)</pre>",
        "It is $$ and $$ again",
    ],
)
def test_no_formula(source):
    assert not formulas(content_of(f"<p>{source}</p>"))


def kept_only(source, *, keep):
    """Keep text rows that hold ``keep`` and nothing else."""
    page = parse(source)
    mask = np.array(
        [keep in page.text[a:b] for a, b in zip(page.text_at, page.text_at[1:], strict=False)]
    )
    return Content(page, Verdict.empty(len(page)).with_keep(mask))


@pytest.mark.parametrize("form", ["mathjax source", "image"])
def test_formulas_without_text_are_kept_with_the_text_around(form):
    source = f"<p>noise {FORMS[form][0]} noise</p><p>grain {FORMS[form][0]} grain</p>"
    assert text.render(kept_only(source, keep="grain")) == "grain $a+b$ grain"


def test_display_in_a_block_of_its_own():
    script = "<script type='math/tex; mode=display'>a+b</script>"
    content = kept_only(f"<p>grain</p><div>{script}</div><p>noise</p>", keep="grain")
    assert markdown.render(content) == "grain\n\n$$a+b$$\n"


def test_in_cells_and_headings():
    source = f"<h2>On {KATEX}</h2><table><tr><th>x<th>y<tr><td>{KATEX}<td>1</table>"
    written = markdown.render(content_of(source))
    assert written == "## On $a+b$\n\n| x | y |\n| --- | --- |\n| $a+b$ | 1 |\n"


def test_delimiters_and_styles_are_taken_off():
    for tex in (r"$$a+b$$", r"\(a+b\)", r"{\displaystyle a+b}", r"% <![CDATA[ a+b %]]>"):
        (found,) = formulas(content_of(f"<p>x <span data-tex='{tex}'>a+b</span>"))
        assert found.tex == "a+b"
    (found,) = formulas(content_of(r"<p>x <span data-tex='{\displaystyle a} + {b}'>a</span>"))
    assert found.tex == r"{\displaystyle a} + {b}"


LEFT = re.compile(
    r"\\\((?P<inline>[^\n]+?)\\\)|\\\[(?P<display>.+?)\\\]"
    r"|\$\$(?P<dollars>[^$]*[\\^_={}][^$]*)\$\$",
    re.DOTALL,
)
"""What is left in text, as one expression: it takes quadratic time."""


@given(st.lists(st.sampled_from([*"a=_ \n$\\()[]", "\\(", "\\)", "\\[", "\\]", "$$"])))
def test_formulas_in_text_are_what_one_expression_finds(parts):
    raw = "".join(parts)
    wanted = [
        (*one.span(), " ".join(one[one.lastgroup].split()), one.lastgroup != "inline")
        for one in LEFT.finditer(raw)
    ]
    assert list(left_in_text(raw)) == [one for one in wanted if one[2]]


@pytest.mark.parametrize("part", ["\\(", "\\[", "$$ ", "$$=$", "\\(a\n", "\\(\\)", "$$"])
def test_delimiters_that_are_never_closed_take_linear_time(part):
    assert is_linear(lambda raw: list(left_in_text(raw)), lambda size: part * (size // len(part)))
