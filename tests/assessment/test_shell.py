import pytest

from chaffinch.assessment.shell import is_shell, shell_features
from chaffinch.page import parse

LONG = "A sentence of prose that stands in the source as it is served. " * 8
SCRIPT = "<script src=/app.js></script>"


@pytest.mark.parametrize(
    "html",
    [
        f"<div id=root></div>{SCRIPT}",
        f"<div id=root>Loading…</div>{SCRIPT}",
        f"<nav><a href=/a>One</a></nav><app-root></app-root><footer>All rights</footer>{SCRIPT}",
        f"<noscript>You need to enable JavaScript to run this app.</noscript>{SCRIPT}",
        f"<script>build()</script><p>{'Short words here. ' * 3}</p>",
        f"<main></main><footer><p>{LONG}</p></footer>{SCRIPT}",
        f"<div role=main></div><footer><p>{LONG}</p></footer>{SCRIPT}",
        f'<div id=app></div><script type=application/json>{{"body": "{LONG}"}}</script>{SCRIPT}',
    ],
)
def test_shells(html):
    assert is_shell(parse(html))


@pytest.mark.parametrize(
    "html",
    [
        f"<div id=root></div><p>{LONG}</p>{SCRIPT}",
        f"<div id=root><p>{LONG}</p></div>{SCRIPT}",
        "<div id=root></div>",
        f"<p>{LONG}</p>",
        f"<div id=root></div><script type=application/ld+json>{{}}</script><p>{LONG}",
        "<ul>" + "<li><a href=/a>A link of a list of links</a>" * 80 + f"</ul>{SCRIPT}",
        f"<main><p>{LONG}</main><article></article>{SCRIPT}",
        "",
    ],
)
def test_pages_that_are_not(html):
    assert not is_shell(parse(html))


def test_shell_features():
    found = shell_features(
        parse(
            "<header id=top></header><div id=a></div><div></div><x-app></x-app>"
            "<noscript><p>JavaScript, please.</p></noscript><a href=/>to it</a> words"
            '<script type=application/json>{"a": ["two words", {"b": "oneword"}, 3]}</script>'
            f"{SCRIPT}"
        )
    )
    assert found.scripts == 1
    assert found.placeholders == 2
    assert found.has_noscript_warning
    assert found.text == len("words") + 1
    assert found.linked == len("to it words")
    assert found.state == len("two words")
    assert not found.is_hollow
