"""MathML as TeX, element by element."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.elements.formulas import formulas
from chaffinch.elements.mathml import mathml_tex
from chaffinch.page import parse


def tex_of(inner):
    page = parse(f"<p><math>{inner}</math></p>")
    return mathml_tex(page, int(np.flatnonzero(page.is_tag("math"))[0]))


def table(*lines):
    rows = ("".join(f"<mtd><mn>{cell}</mn></mtd>" for cell in line) for line in lines)
    return f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in rows)}</mtable>"


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        (
            "<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>",
            r"\frac{a}{b + 1}",
        ),
        ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", r"{n \atop k}"),
        ("<msqrt><mi>x</mi><mo>−</mo><mn>1</mn></msqrt>", r"\sqrt{x - 1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<msub><mi>x</mi><mi>i</mi></msub>", "x_{i}"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{ab}^{2}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        (
            (
                "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>"
                "</munderover><mi>i</mi>"
            ),
            r"\sum_{i = 1}^{n}i",
        ),
        (
            "<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mi>∞</mi></mrow></munder>",
            r"\lim_{x \to \infty}",
        ),
        ("<munder><mi>a</mi><mi>b</mi></munder>", r"\underset{b}{a}"),
        ("<mover><mi>a</mi><mi>b</mi></mover>", r"\overset{b}{a}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<munder><mi>v</mi><mo>_</mo></munder>", r"\underline{v}"),
        (
            (
                "<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><mn>12</mn><none/>"
                "</mmultiscripts>"
            ),
            "{}_{12}C_{6}",
        ),
        (table("12", "34"), r"\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}"),
        (
            f"<mrow><mo>(</mo>{table('10', '01')}<mo>)</mo></mrow>",
            r"\begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}",
        ),
        (
            f"<mfenced open='|' close='|'>{table('12')}</mfenced>",
            r"\begin{vmatrix} 1 & 2 \end{vmatrix}",
        ),
        (
            f"<mi>f</mi><mo>=</mo><mrow><mo>{{</mo>{table('1', '0')}</mrow>",
            r"f = \begin{cases} 1 \\ 0 \end{cases}",
        ),
        (
            "<mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>",
            r"\left(\frac{a}{b} \right)",
        ),
        ("<mi>f</mi><mo>⁡</mo><mo>(</mo><mi>x</mi><mo>)</mo>", "f(x)"),
        ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
        ("<mi>sin</mi><mi>α</mi><mi>x</mi>", r"\sin\alpha x"),
        (
            "<mi>rank</mi><mi mathvariant=bold>v</mi><mi>ℝ</mi><mi>𝑎</mi>",
            r"\mathrm{rank}\mathbf{v}\mathbb{R}a",
        ),
        (
            "<mi>x</mi><mtext>\n if </mtext><mi>y</mi><mo>≤</mo><mn>5%</mn>",
            r"x\text{ if }y \leq 5\%",
        ),
        ("<mo>{</mo><mi>a</mi><mo>}</mo>", r"\{a\}"),
        ("<menclose notation=box><mi>a</mi></menclose>", r"\boxed{a}"),
        ("<mi>a</mi><mspace width=1em></mspace><mi>b</mi>", r"a\quad b"),
        ("<mstyle><mpadded><mi>a</mi></mpadded></mstyle>", "a"),
        ("<semantics><mi>a</mi><annotation>b</annotation></semantics>", "a"),
        ("<mphantom><mi>a</mi></mphantom>", r"\phantom{a}"),
        ("<mfrac><mi>a</mi></mfrac>", r"\frac{a}{}"),
        ("", ""),
    ],
)
def test_elements(mathml, tex):
    assert tex_of(mathml) == tex


def test_mathml_in_an_attribute():
    source = "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>".replace("<", "&lt;")
    page = parse(f'<p>so <span class=MathJax data-mathml="{source}"><span>a 2</span></span></p>')
    assert [(one.tex, one.kind) for one in formulas(page)] == [(r"\frac{a}{2}", "converted")]
    assert not formulas(parse('<p><span data-mathml="none">a</span></p>'))


def test_tex_of_the_page_comes_first():
    inner = "<semantics><mi>a</mi><annotation encoding='application/x-tex'>\\bar a</annotation>"
    page = parse(f"<p><math>{inner}</semantics></math></p>")
    assert [one.tex for one in formulas(page)] == ["\\bar a"]


def test_deep_and_long_rows_are_read():
    fences = "<mo>(</mo>" * 3000
    assert tex_of(fences) == "(" * 3000
    assert tex_of("<mrow>" * 400 + "<mi>a</mi>") == "a"
    assert tex_of("<mi>abc</mi>" * 9000) == ""


NAMES = "mi mn mo mtext mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr"
NAMES += " mtd mfenced mmultiscripts mprescripts none mspace menclose mphantom semantics annotation"


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(NAMES.split()),
            st.sampled_from(["", "a", "∑", "{", "(", "-", "$", "\\"]),
            st.integers(0, 2),
        )
    )
)
def test_any_mathml_has_balanced_braces(pieces):
    inner, opened = "", []
    for name, text, closing in pieces:
        inner += f"<{name}>{text}"
        opened.append(name)
        for _ in range(min(closing, len(opened))):
            inner += f"</{opened.pop()}>"
    tex = tex_of(inner)
    bare = tex.replace("\\{", "").replace("\\}", "")
    assert bare.count("{") == bare.count("}")
    assert bare.count("\\begin") == bare.count("\\end")
    assert "$" not in tex.replace("\\$", "")
