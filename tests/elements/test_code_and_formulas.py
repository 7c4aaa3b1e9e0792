"""Code and formulas of the content, once in every output."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from output_pages import content_of

from chaffinch.elements.formulas import left_in_text
from chaffinch.elements.listed import code_blocks
from chaffinch.elements.mathml import mathml_tex
from chaffinch.output import text
from chaffinch.page import parse
from chaffinch.page.visibility import visible
from chaffinch.verdict import Content, Verdict
from time_growth import is_linear


def one(source, **options):
    found = code_blocks(content_of(source, **options))
    assert len(found) == 1
    return found[0]


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


IMAGE = "<img class=latex alt='a+b' src=/x.png>"


def kept_only(source, *, keep):
    """Keep text rows that hold ``keep`` and nothing else."""
    page = parse(source)
    mask = np.array(
        [keep in page.text[a:b] for a, b in zip(page.text_at, page.text_at[1:], strict=False)]
    )
    return Content(page, Verdict.empty(len(page)).with_keep(mask))


@pytest.mark.parametrize("form", ["<script type='math/tex'>a+b</script>", IMAGE])
def test_formulas_without_text_are_kept_with_the_text_around(form):
    source = f"<p>noise {form} noise</p><p>grain {form} grain</p>"
    assert text.render(kept_only(source, keep="grain")) == "grain $a+b$ grain"


@pytest.mark.parametrize("part", ["\\(", "\\[", "$$ ", "$$=$", "\\(a\n", "\\(\\)", "$$"])
def test_delimiters_that_are_never_closed_take_linear_time(part):
    assert is_linear(lambda raw: list(left_in_text(raw)), lambda size: part * (size // len(part)))


def tex_of(inner):
    page = parse(f"<p><math>{inner}</math></p>")
    return mathml_tex(page, int(np.flatnonzero(page.is_tag("math"))[0]))


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
    for name, words, closing in pieces:
        inner += f"<{name}>{words}"
        opened.append(name)
        for _ in range(min(closing, len(opened))):
            inner += f"</{opened.pop()}>"
    tex = tex_of(inner)
    bare = tex.replace("\\{", "").replace("\\}", "")
    assert bare.count("{") == bare.count("}")
    assert bare.count("\\begin") == bare.count("\\end")
    assert "$" not in tex.replace("\\$", "")
