"""Each line of the tables of docs/migrate.md, run against the real library.

Two calls on one page are compared by the words that its parts have of their own. Lines of what
isn't installed aren't run: trafilatura and resiliparse are there in every test environment, the
others in that of ``make migrate``, which sets CHAFFINCH_MIGRATE.
"""

import datetime as dt
import importlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import chaffinch
from elsewhere import missing, require

PAGE = Path(__file__).parents[2] / "docs" / "migrate.md"
HTML = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
URL = "https://barn.example/owls.html"
LIBRARIES = {
    "trafilatura": ("trafilatura.feeds", "trafilatura.sitemaps", "trafilatura.spider"),
    "resiliparse": ("resiliparse",),
    "readability-lxml": ("readability",),
    "newspaper4k": ("newspaper",),
    "justext": ("justext",),
    "boilerpy3": ("boilerpy3.extractors",),
    "goose3": ("goose3",),
    "markdown-converters": ("html2text", "markdownify"),
}
"""Section of docs/migrate.md → modules that its lines need."""
TITLES = {"justext": "jusText", "markdown-converters": "html2text and markdownify"}
THERE = [name for name, modules in LIBRARIES.items() if not missing(*modules)]
WORDS = (
    "Navigationword", "Headline", "Ann Lee", "2024-05-06", "barleycorn", "/linkedpage", "dusk over",
    "Subheadingword", "bodypicture", "leadpicture", "tablecellword", "listitemword",
    "firstcommentword", "secondcommentword", "footerword", "descriptionword", "tagword",
    "Sectionword", "licenceword", "Barn Courier", "embedvideo", "barn.example/owls",
)  # fmt: skip
"""Words that tell which parts of the page a result holds."""
ROW = re.compile(r"^\| `(.+?)` \| (?:`(.+?)`|—) \|(.*)\|$", re.MULTILINE)
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
APART = re.compile(r"<!-- apart: (.+?) -->")
DIFFERS = "differs"


def text_of(page):
    _, _, text = PAGE.read_text(encoding="utf-8").partition(f"\n## From {TITLES.get(page, page)}\n")
    return text.partition("\n## ")[0]


def lines(pages):
    for page in pages:
        for theirs, ours, note in ROW.findall(text_of(page)):
            yield pytest.param(page, theirs, ours, note.strip(), id=f"{page}-{theirs[:70]}")


def test_the_libraries_are_there():
    assert {"trafilatura", "resiliparse"} <= set(THERE)
    is_here = os.environ.get("CHAFFINCH_MIGRATE") == "1"
    require([one for own in LIBRARIES.values() for one in own], "make migrate", is_here=is_here)


@pytest.fixture(scope="module")
def names():
    """Page → names that its snippets define; each page is prepared once."""
    known = {}

    def prepared(page):
        if page not in known:
            for module in LIBRARIES[page]:
                importlib.import_module(module)
            space = {"html": HTML, "url": URL, "found": chaffinch.extract(HTML, url=URL)}
            for snippet in SNIPPET.findall(text_of(page)):
                exec(snippet, space)  # noqa: S102
            known[page] = space
        return known[page]

    return prepared


def written(value):
    """Return a result as text, dates as ISO 8601."""
    if isinstance(value, dt.datetime):
        return value.date().isoformat()
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value, default=str, ensure_ascii=False)
    if isinstance(value, list | tuple | set):
        return "\n".join(map(written, value))
    return str(value)


def parts_of(value):
    text = written(value).lower()
    return {word for word in WORDS if word.lower() in text}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("page", "theirs", "ours", "note"), list(lines(THERE)))
def test_a_line_is_true(names, page, theirs, ours, note):
    space = names(page)
    before = eval(theirs, space)  # noqa: S307
    if not ours:
        assert note
        return
    after = eval(ours, space)  # noqa: S307
    if callable(before):
        assert callable(after)
    elif isinstance(before, bool):
        assert note.startswith(DIFFERS) == (bool(after) != before)
    else:
        apart = {
            one.replace("_", " ") for found in APART.findall(text_of(page)) for one in found.split()
        }
        theirs_alone = parts_of(before) - parts_of(after) - apart
        ours_alone = parts_of(after) - parts_of(before) - apart
        same = not theirs_alone and not ours_alone
        assert note.startswith(DIFFERS) != same, f"theirs {theirs_alone}; ours {ours_alone}"


def test_every_page_is_checked():
    titles = re.findall(r"^## From (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(titles) == {TITLES.get(name, name) for name in LIBRARIES}
    assert len(list(lines(LIBRARIES))) > 150
