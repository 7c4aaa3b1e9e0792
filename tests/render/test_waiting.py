"""What comes late, is waited for on request, stands behind a control, or doesn't come."""

from dataclasses import replace

import pytest

from answering_server import Given
from chaffinch import load
from chaffinch.errors import OptionError, RenderError
from chaffinch.render import Renderer, RenderLimits

LIMITS = RenderLimits(total=40, load=4, settle=3, slow=9, quiet=0.3, bare=0.6, answer=10)
SENTENCE = "The finch sings in the hedge and eats the grain of the rye. "
HEAD = "<header>Finch news, all of it</header><main id=app></main><footer>Imprint</footer>"
FILL = "document.getElementById('app').innerHTML = '<p>" + SENTENCE * 6 + "</p>';"


def page(script, *, more=""):
    html = f"<!doctype html><title>Finch</title>{HEAD}{more}<script>{script}</script>"
    return Given(body=html.encode())


@pytest.fixture
def show(browser, own):
    def shown(path="/", **options):
        given = {"limits": LIMITS, **options}
        with Renderer(browser=browser, allow=["own.test"], **given) as one:
            return one.rendered(f"{own.url}{path}")

    return shown


def test_an_answer_after_seconds_is_waited_for(show, own):
    own.pages["/"] = page(f"fetch('/slow').then(() => {{ {FILL} }})")
    own.pages["/slow"] = page("")
    own.slow = {"/slow": 5}
    assert show().page.text.count("hedge") == 6


@pytest.mark.parametrize("wait", [2.5, "#app p"])
def test_what_is_asked_for_is_waited_for(show, own, wait):
    long = SENTENCE * 40
    own.pages["/"] = page(f"setTimeout(() => {{ {FILL} }}, 2000)", more=f"<p>{long}")
    assert show().page.text.count("hedge") == 40
    assert show(wait=wait).page.text.count("hedge") == 46


def test_an_element_that_never_comes_is_an_error(show, own):
    own.pages["/"] = page(FILL)
    with pytest.raises(RenderError, match=r"no element '#none' within 4 s"):
        show(wait="#none")
    with pytest.raises(RenderError, match="no element '#none'"):  # before all time is over
        show(wait="#none", limits=replace(LIMITS, load=30, total=6))
    with pytest.raises(OptionError, match="not a selector"):
        show(wait="p[")
    for wait in (-1, ""):
        with pytest.raises(OptionError, match="selector, or seconds"):
            Renderer(wait=wait)


CONTROLS = """
<button onclick="add(this)">Load more</button>
<a href="/full" onclick="add(this); return false">Read the full text</a>
<details><summary>Show all remarks</summary><p>Said in the hedge.</details>
<form action="/sent"><button onclick="add(this)">Show more</button></form>
<a href="http://else.test/" onclick="add(this)">Load more</a>
<a href="/away">Continue reading</a>
<button onclick="add(this)">Buy</button>
"""


def test_controls_that_bring_more_are_clicked_where_asked_for(show, own):
    script = (
        "function add(one) { one.insertAdjacentHTML('afterend', '<p>Added ' + one.textContent) }"
    )
    own.pages["/"] = page(f"{FILL} {script}", more=CONTROLS)
    assert "Added" not in show().page.text
    seen = show(expand=True).page
    assert "Added Load more" in seen.text
    assert "Added Read the full text" in seen.text
    assert seen.attribute(seen.first("details"), "open") is not None
    assert "Added Show more" not in seen.text
    assert "Added Buy" not in seen.text
    assert seen.text.count("Added Load more") <= LIMITS.clicks
    assert seen.url == f"{own.url}/"
    assert not {"/sent", "/away"} & set(own.asked)


def test_a_shell_whose_data_does_not_come_is_not_sold_as_content(browser, own):
    own.pages["/"] = page(f"fetch('/gone').then(r => r.ok && (() => {{ {FILL} }})())")
    options = {"browser": browser, "allow": ["own.test"], "render": "always"}
    with pytest.raises(RenderError, match=r"didn't come: \S+/gone: HTTP status 404 Not Found"):
        load(f"{own.url}/", **options)
