"""One service, one web, one browser for all tests that need no settings of theirs."""

import pytest

pytest.importorskip("uvicorn")

from running_service import NAME, PAGES, TOKENS, Web, running

from answering_server import serving
from chaffinch import Site, parse
from real_browser import started


@pytest.fixture(scope="session")
def web():
    one = Web()
    with serving(one.answer) as one.log:
        yield one


@pytest.fixture(scope="module")
def chromium(browser):
    """A browser of one module: while it runs, nothing else of its thread can start a loop."""
    with started(browser) as program:
        yield program


@pytest.fixture(scope="session")
def service(tmp_path_factory):
    """It has a folder for data, keeps pages, renders, and reads any page of this machine."""
    folder = tmp_path_factory.mktemp("data")
    options = ["--workers", "2", "--allow-host", "127.0.0.1", "--delay", "0", "--render", "always"]
    with running(*options, "--max-size", "4", "--data", str(folder), "--cache", "10") as one:
        one.folder = folder
        yield one


@pytest.fixture(scope="session")
def hasty(web):
    """Of this machine it reads the web's port alone, but for `raw.test`; its limits are small."""
    limits = {"deadline": 4, "max_page": 4, "max_body": 1}
    names = {
        "allow": [f"127.0.0.1:{web.log.port}", "raw.test"],
        "resolve": ["raw.test=127.0.0.1"],
    }
    with running(workers=1, delay=0, obeys_robots=False, **names, **limits) as one:
        yield one


@pytest.fixture(scope="session")
def guarded(tmp_path_factory):
    """Whoever calls it needs a token; other machines could reach it."""
    folder = tmp_path_factory.mktemp("guarded")
    tables = (
        f'[[token]]\nname = "{name}"\ntoken = "{secret}"\n' for name, secret in TOKENS.items()
    )
    (folder / "tokens.toml").write_text("".join(tables))
    options = ["--workers", "1", "--waiting", "1", "--no-mcp", "--host", "0.0.0.0"]  # noqa: S104
    files = ["--tokens", str(folder / "tokens.toml")]
    with running(*options, *files) as one:
        yield one


@pytest.fixture(scope="session")
def kept(service):
    """The folder of a site that it keeps."""
    folder = service.folder / "sites" / NAME
    Site.learn([parse(one["html"], url=one["url"]) for one in PAGES]).save(folder)
    return folder


@pytest.fixture
def opened(chromium):
    """What opens an address in a new tab, in whose own scripts nothing may go wrong."""
    wrong, contexts = [], []

    def opened(url, **options):
        given = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **options}
        contexts.append(chromium.new_context(**given))
        tab = contexts[-1].new_page()
        tab.set_default_timeout(20_000)  # a busy machine is slow
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.goto(url)
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not wrong


@pytest.fixture
def tab(opened, service):
    """A tab with the inspector."""
    tab = opened(f"{service.url}/")
    tab.wait_for_selector("main form")
    return tab
