"""Page chrome is dropped beside content, and kept where it is all there is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.decision.boilerplate import lone_links, page_chrome
from chaffinch.model.features import features
from chaffinch.page import parse

TEXT = "<p>The chaffinch builds its nest of moss in the fork of a tree in spring.</p>"


def without_chrome(found, keep):
    dropped = page_chrome(found, keep)
    return keep if dropped is None else keep & ~dropped


def left(html):
    """Return the texts that stay when every block of a page is kept."""
    found = features(parse(html))
    keep = without_chrome(found, np.ones(len(found), dtype=bool))
    texts = list(found.blocks.texts())
    return [text.strip() for text, kept in zip(texts, keep.tolist(), strict=True) if kept]


CHROME = [
    "<footer><p>Apart</p></footer>",
    "<nav><ul><li>Apart</ul></nav>",
    "<div role=navigation><p>Apart</div>",
    "<div role=' Dialog '><p>Apart</div>",
    "<dialog open>Apart</dialog>",
    "<select><option>Apart</option></select>",
    "<div><button><span>Apart</span></button></div>",
    "<section><div role=contentinfo><p>Apart</div></section>",
]


@pytest.mark.parametrize("chrome", CHROME)
def test_chrome_goes_and_the_text_around_it_stays(chrome):
    assert left(f"{TEXT}{chrome}<p>The end.</p>") == left(f"{TEXT}<p>The end.</p>")


@pytest.mark.parametrize("chrome", CHROME)
def test_a_page_that_is_nothing_else_keeps_it(chrome):
    assert left(f"<p>Few words</p>{chrome}") == ["Few words", "Apart"]


@pytest.mark.parametrize(
    "part",
    [
        "<button aria-expanded=false>Where does it winter?</button>",
        "<button aria-controls=answer>Where does it winter?</button>",
        "<h3><button>Where does it winter?</button></h3>",
        "<dl><dt><button>Where does it winter?</button><dd></dl>",
        "<details open><summary><button>Where does it winter?</button></summary></details>",
        "<blockquote>Words.<footer>Where does it winter?</footer></blockquote>",
    ],
)
def test_headings_that_open_and_sources_of_quotes_are_text(part):
    assert "Where does it winter?" in left(TEXT + part)


def test_a_body_with_the_role_of_a_dialog_is_the_page():
    assert left(f"<body role=dialog>{TEXT}<footer>Apart</footer>") == left(TEXT)


@given(st.lists(st.sampled_from([TEXT, *CHROME, "<h2>Nests</h2>"]), min_size=1, max_size=8))
def test_only_kept_blocks_are_dropped_and_something_stays(parts):
    found = features(parse("".join(parts)))
    keep = np.arange(len(found)) % 3 != 1
    after = without_chrome(found, keep)
    assert not (after & ~keep).any()
    assert after.any() == keep.any()


def alone(html):
    """Return the texts of the links that stand alone when every block of a page is kept."""
    found = features(parse(html))
    mask = lone_links(found, np.ones(len(found), dtype=bool))
    if mask is None:
        return []
    texts = list(found.blocks.texts())
    return [text.strip() for text, gone in zip(texts, mask.tolist(), strict=True) if gone]


@pytest.mark.parametrize(
    "link", ["<div><a href=/m>{}</a></div>", "<p><b><a href=/m>{}</a></b> </p>"]
)
def test_a_short_link_that_stands_alone_leads_on(link):
    assert alone(TEXT + link.format("Read more")) == ["Read more"]
    assert alone(TEXT + link.format("Read more</a> or wait")) == []
    assert alone(TEXT + link.format("Where and how birds build nests of moss")) == []


@pytest.mark.parametrize(
    "around", ["<h2>{}</h2>", "<ul><li>{}</ul>", "<table><td>{}</table>", "<pre>{}</pre>"]
)
def test_links_as_headings_entries_and_data_are_text(around):
    assert alone(TEXT + around.format("<a href=/m>Read more</a>")) == []


def test_links_are_all_there_is_on_a_page_of_links():
    links = "".join(f"<p><a href=/{n}>Bird number {n}</a></p>" for n in range(20))
    assert alone(TEXT + links) == []
    assert len(alone(TEXT * 20 + links)) == 20
