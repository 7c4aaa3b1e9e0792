"""Pages that crash, hang or bloat the browser are errors, and leave nothing running."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from chaffinch.errors import BrowserError, OptionError, RenderError
from chaffinch.render import Renderer, RenderLimits
from rows_of_cases import examples

BASE = "http://saved.test/page"
GOOD = "<p>A good page."


@pytest.fixture(scope="module")
def short(browser):
    """A browser with little patience."""
    waits = {"settle": 1.5, "slow": 1.5, "quiet": 0.2, "bare": 0.4, "answer": 1.5}
    limits = RenderLimits(total=20, load=3, scrolls=3, memory=1 << 30, **waits)
    with Renderer(browser=browser, limits=limits) as one:
        yield one


def running(mark):
    """Processes that bear a mark on their command line and aren't dead yet."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        line = process.info["cmdline"] or []
        if process.info["status"] != psutil.STATUS_ZOMBIE and any(mark in part for part in line):
            found.append(process.pid)
    return found


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("<p>a<script>setTimeout(() => { while (true); }, 10)</script>", "doesn't end"),
        (
            "<script>const a = []; setInterval(() => a.push(new Uint8Array(9e7).fill(7)))</script>",
            "MiB of memory",
        ),
    ],
)
def test_what_takes_too_much_ends_and_the_next_page_is_well(short, page, message):
    with pytest.raises(RenderError, match=message):
        short.render(page, base_url=BASE)
    assert short.render(GOOD, base_url=BASE).text == "A good page."


@pytest.mark.parametrize("script", examples(__file__, "what floods a browser is shown or given up"))
def test_what_floods_a_browser_is_shown_or_given_up(short, script):
    with contextlib.suppress(RenderError):
        assert "a" in short.render(f"<p>a<script>{script}</script>", base_url=BASE).text
    assert short.render(GOOD, base_url=BASE).text == "A good page."


def test_a_page_that_never_settles_is_taken_as_it_is(short):
    page = short.render(
        "<ul><li>0</ul><script>let n = 1; setInterval(() =>"
        " document.querySelector('ul').append(n++, ' '), 20)</script>",
        base_url=BASE,
    )
    assert page.text.startswith("0")
    assert len(page.text) > 10


def test_a_list_without_end_is_scrolled_to_the_limit(short):
    page = short.render(
        "<style>p{height:900px}</style><p>0</p><script>let n = 1; addEventListener('scroll', () =>"
        " { if (innerHeight + scrollY > document.body.scrollHeight - 50 && n < 5000)"
        " { const p = document.createElement('p'); p.textContent = n++; document.body.append(p); }"
        " })</script><p>start</p>",
        base_url=BASE,
    )
    assert 3 < len(page.select("p")) < 2000
    assert page.layout[page.body, 1] >= 0  # scrolled back: boxes count from the page's top


def test_dialogs_windows_and_downloads_do_nothing(short):
    page = short.render(
        "<p id=a>a<script>alert(1); const sure = confirm('?'); const name = prompt('?');"
        "window.open('about:blank');"
        "addEventListener('beforeunload', event => event.preventDefault());"
        "const a = document.createElement('a'); a.download = 'x'; a.href = 'data:,x';"
        "document.body.append(a); a.click(); print();"
        "document.getElementById('a').append(` ${sure} ${name}`)</script>",
        base_url=BASE,
    )
    assert page.folded(page.first("#a")) == "a false null"


def test_a_page_that_goes_nowhere_is_refused(short):
    with pytest.raises(RenderError, match="went away to"):
        short.render(
            "<script>location = URL.createObjectURL(new Blob(['<p>x'], {type: 'text/html'}))"
            "</script>",
            base_url=BASE,
        )
    assert short.render(GOOD, base_url=BASE).text == "A good page."


@pytest.mark.parametrize("scripts", [True, False])
def test_a_saved_page_stays_where_it_is(short, scripts):
    page = short.render(
        "<p>here<meta http-equiv=refresh content='0; url=/there'>"
        "<script>location = 'http://other.test/'</script>"
        "<noscript><meta http-equiv=refresh content='0; url=/requirements'></noscript>",
        base_url=BASE,
        scripts=scripts,
    )
    assert page.text.strip() == "here"
    assert page.url == BASE


def test_a_browser_that_dies_is_replaced(short):
    assert short.render(GOOD, base_url=BASE).text == "A good page."
    first = short._chromium  # noqa: SLF001
    threading.Timer(0.7, first.kill).start()
    with pytest.raises(RenderError, match="crashed"):
        short.render(
            "<p>a<script>setInterval(() => document.title += 1, 20)</script>", base_url=BASE
        )
    assert short.render(GOOD, base_url=BASE).text == "A good page."
    assert short._chromium is not first  # noqa: SLF001
    assert running(first._mark) == []  # noqa: SLF001


def test_nothing_runs_after_closing(browser):
    one = Renderer(browser=browser)
    assert one.render(GOOD, base_url=BASE).text == "A good page."
    left = [process.pid for process in one._chromium.processes()]  # noqa: SLF001
    mark = one._chromium._mark  # noqa: SLF001
    assert len(left) > 2
    assert running(mark)
    one.close()
    one.close()
    assert running(mark) == []
    dead = [pid for pid in left if psutil.pid_exists(pid)]
    assert all(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE for pid in dead)
    with pytest.raises(OptionError, match="closed"):
        one.render(GOOD, base_url=BASE)


def test_a_killed_program_leaves_no_browser(browser):
    program = (
        "import time; from chaffinch.render import Renderer;"
        f"one = Renderer(browser={browser!r}); one.render('<p>a', base_url={BASE!r});"
        "print(one._chromium._mark, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        mark = process.stdout.readline().decode().strip()
        assert running(mark)
        os.kill(process.pid, signal.SIGKILL)
    for _ in range(100):
        if not running(mark):
            break
        time.sleep(0.1)
    assert running(mark) == []


def test_a_browser_within_a_running_loop_and_from_several_threads(short):
    import asyncio  # noqa: PLC0415

    async def inside():
        return short.render(GOOD, base_url=BASE).text

    assert asyncio.run(inside()) == "A good page."
    with ThreadPoolExecutor(3) as pool:
        found = pool.map(lambda n: short.render(f"<p>{n}", base_url=BASE).text, range(3))
        assert list(found) == ["0", "1", "2"]


def test_the_error_of_a_missing_browser_has_the_command_that_installs_it():
    with (
        Renderer(browser="/nowhere/chromium") as one,
        pytest.raises(BrowserError, match="install") as caught,
    ):
        one.render(GOOD, base_url=BASE)
    assert "--browser" in str(caught.value)


def test_a_browser_that_does_not_start(tmp_path):
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\necho no display >&2\nexit 1\n")
    program.chmod(0o755)
    with Renderer(browser=program) as one, pytest.raises(BrowserError, match="doesn't start"):
        one.render(GOOD, base_url=BASE)
