"""Pages loaded with a browser where they wait for their scripts; see `test_rendered_verbs`, too."""

import pytest

from chaffinch import extract
from chaffinch.errors import FetchError, OptionError
from chaffinch.loading.loader import Loader, load

FINCH = "The chaffinch builds its nest from moss and lichen. " * 10
SHELL = (
    f"<div id=root></div><script>document.getElementById('root').innerHTML = '<p>{FINCH}'</script>"
)
FULL = f"<p id=it>{FINCH}</p><script>document.getElementById('it').title = 'built'</script>"


@pytest.fixture(scope="module")
def loaders(browser):
    made = {name: Loader(render=name, browser=browser) for name in ("auto", "always", "never")}
    yield made
    for one in made.values():
        one.close()


@pytest.mark.parametrize("render", ["auto", "always", "never"])
def test_a_source_is_rendered_where_that_is_wanted(loaders, render):
    shell = loaders[render].source(SHELL)
    full = loaders[render].source(FULL, url="file:///saved.html")
    assert (shell.layout is not None) == (render != "never")
    assert ("chaffinch" in shell.text) == (render != "never")
    assert (full.layout is not None) == (render == "always")
    assert (full.attribute(full.first("#it"), "title") == "built") == (render == "always")
    assert shell.url is None
    assert full.url == "file:///saved.html"


def test_addresses(browser, own):
    own.put("/api", FINCH, content_type="text/plain")
    shell = own.put(
        "/shell",
        "<div id=root></div><script>fetch('/api').then(r => r.text()).then(text => {"
        "document.getElementById('root').textContent = text; })</script>",
    )
    full = own.put("/full", FULL)
    options = {"browser": browser, "allow": ["own.test"], "resolve": ["own.test=127.0.0.1"]}
    with Loader(render="auto", **options) as loader:
        assert extract(loader.address(shell)).text.strip() == FINCH.strip()
        assert own.asked == ["/shell", "/shell", "/api"]
        assert loader.address(full).layout is None
        with pytest.raises(FetchError, match="404"):
            loader.address(own.url + "/none")
    own.asked.clear()
    assert load(full, render="always", **options).layout is not None
    assert own.asked == ["/full"]


def test_a_shell_that_carries_its_content_as_data_needs_no_browser(loaders):
    data = f'{{"page": {{"body": ["{FINCH}", "{FINCH[:260]}"]}}}}'
    page = loaders["auto"].source(
        f"<div id=root></div><script type=application/json>{data}</script>"
        "<script src=/app.js></script>"
    )
    assert page.layout is None
    assert "moss and lichen" in extract(page).text


def test_an_unknown_way():
    with pytest.raises(OptionError, match="auto, always, never"):
        Loader(render="sometimes")
