"""Front matter, as a reader of YAML takes it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import chaffinch
from chaffinch.output.text import front_matter

yaml = pytest.importorskip("yaml", reason="needs pyyaml")

VALUES = st.text(min_size=1) | st.lists(st.text()) | st.integers() | st.booleans()
LOADERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if yaml.__with_libyaml__ else [])]
URL = "https://example.org/p"
PAGE = """<html lang=en><title>Seeds: 1 # "two"</title>
<meta property=article:published_time content=2024-05-06><meta name=author content="Ann: Lee">
<meta name=keywords content="yes, 12, - a"><h1>Seeds: 1 # "two"</h1>
<p>The chaffinch eats seeds of many kinds, and in spring it feeds insects to its young.</p>"""


def read(head, loader):
    before, values, after = head.split("---\n")
    assert before == ""
    assert after == "\n"
    return yaml.load(values, loader)


@pytest.mark.parametrize("loader", LOADERS)
@given(values=st.dictionaries(st.sampled_from(["title", "url", "tags"]), VALUES, min_size=1))
@example(values={"title": "yes"})
@example(values={"title": "2024-05-06"})
@example(values={"title": "a\u2028b\x85c\x7fd\ufeff"})
@example(values={"title": "\U0001f3f4\U000e0067\U000e0062 flag"})
def test_values_are_read_back(loader, values):
    assert read(front_matter(values), loader) == values


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_outputs_begin_with_metadata(loader, form):
    found = chaffinch.extract(PAGE, url=URL)
    names = {"text": "plain"}
    shown = getattr(found, names.get(form, form))(front_matter=True)
    end = shown.index("---\n", 4) + 4
    values = read(f"{shown[:end]}\n", loader)
    assert values["title"] == found.title == 'Seeds: 1 # "two"'
    assert values["url"] == URL
    assert all(isinstance(value, str | list | float | int) for value in values.values())
