"""Signs that link to their own place are in no output; what only looks like them is."""

import numpy as np
import pytest

from chaffinch.output import html, markdown, tei, text
from chaffinch.page import parse
from chaffinch.result import Content, Verdict

URL = "https://example.org/manual"
RENDERERS = {
    "text": text.render,
    "markdown": markdown.render,
    "html": html.render,
    "tei": tei.render,
}


def rendered(source, render):
    page = parse(source, url=URL)
    return render(Content(page, Verdict.empty(len(page)).with_keep(np.ones(len(page), bool))))


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("href", ["#seeds", f"{URL}#seeds"])
@pytest.mark.parametrize("sign", ["¶", "#", "§", "🔗", "<b>🔗\ufe0e</b>", "\uf0c1"])
def test_signs_are_left_out(name, href, sign):
    link = f'<a class=any href="{href}" title="Link to this place">{sign}</a>'
    plain = rendered("<h2 id=seeds>Seeds</h2><p>Of birds.</p>", RENDERERS[name])
    for heading in (f"Seeds{link}", f"{link} Seeds", f"Seeds <span>{link}</span>"):
        source = f"<h2 id=seeds>{heading}</h2><p>Of birds.</p>"
        assert rendered(source, RENDERERS[name]) == plain


@pytest.mark.parametrize(
    "kept", ["<a href=#a>1</a>", "<a href=/law#a>§</a>", "<a href=#>#</a>", "<b>¶</b>", "§ 5"]
)
def test_other_links_and_signs_stay(kept):
    assert rendered(f"<p>Of {kept} birds.</p>", text.render).split() != ["Of", "birds."]


def test_a_heading_of_markdown_does_not_link_to_itself():
    for href in ("#a", f"{URL}#a"):
        source = f'<h2 id=a><a href="{href}">Seeds <b>of</b> birds</a></h2><p><a href=#a>up</a>'
        written = rendered(source, markdown.render)
        assert written.startswith("## Seeds of birds\n")
        assert f"[up]({URL}#a)" in written
    assert "## [Seeds](" in rendered("<h2><a href=/seeds#a>Seeds</a></h2>", markdown.render)
