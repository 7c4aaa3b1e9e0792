"""Programs whose clock jumps by ten years, forth and back, whenever they look at it.

What they call is the C library's clock behind a library of the test's own; how long something has
taken is told by the other clock, which doesn't jump.
"""

import json
import os
import shutil
import subprocess
import sys
from urllib.parse import quote

import pytest
from running_service import PAGE, running

JUMPING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static long jump(void)
{
    static const long years[] = {0, -10, 10, -1, 3};
    static long calls;
    long call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    return years[call / 2 % 5] * 31557600L;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, now);
    if (status == 0 && clock == CLOCK_REALTIME)
        now->tv_sec += jump();
    return status;
}

int gettimeofday(struct timeval *now, void *zone)
{
    int (*real)(struct timeval *, void *) = dlsym(RTLD_NEXT, "gettimeofday");
    int status = real(now, zone);
    now->tv_sec += jump();
    return status;
}

time_t time(time_t *now)
{
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now)
        *now = found.tv_sec;
    return found.tv_sec;
}
"""
LATER = {"retry_after": "Sun, 22 Nov 2026 12:00:01 GMT", "date": "Sun, 22 Nov 2026 12:00:00 GMT"}


@pytest.fixture(scope="module")
def jumping(tmp_path_factory):
    """The environment of programs whose clock jumps."""
    compiler = shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        if os.environ.get("CHAFFINCH_REQUIRE_ALL") == "1":
            pytest.fail("there is no gcc")
        pytest.skip("NO COMPILER for a clock that jumps")
    library = tmp_path_factory.mktemp("clock") / "jumping.so"
    command = [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(library), "-ldl"]
    subprocess.run(command, input=JUMPING, text=True, check=True)
    return {"LD_PRELOAD": str(library)}


def called(jumping, *arguments, folder=None):
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **jumping}, cwd=folder, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip


def test_the_clock_jumps(jumping):
    code = "import time; print(max(t := [time.time() for _ in range(20)]) - min(t))"
    assert float(called(jumping, "-c", code).stdout) > 3e8


def test_limits_of_time_go_by_the_other_clock(jumping):
    code = (
        "import chaffinch, sys; html = sys.argv[1]\n"
        "for _ in range(20):\n"
        "    found = chaffinch.extract(html, limits=chaffinch.Limits(seconds=100))\n"
        "    assert 'chaffinch sings' in found.markdown()\n"
    )
    done = called(jumping, "-c", code, PAGE)
    assert done.returncode == 0, done.stderr


def test_a_crawl_keeps_its_pace_and_its_pages(jumping, web, tmp_path):
    """Retry-After as a date counts from the server's own, robots.txt is asked for once."""
    tries = []

    def twice(site):
        tries.append(site.path)
        if len(tries) == 1:
            site.send_response_only(503)
            for name, value in {**LATER, "content_length": "0"}.items():
                site.send_header(name.replace("_", "-"), value)
            site.end_headers()
        else:
            site.answer()

    links = "".join(f"<a href=/jumps/{number}>Field {number}</a> " for number in range(6))
    start = PAGE.replace("</article>", f"<p>{links}</article>")
    web.pages |= {"jumping": lambda site: site.answer(start), "jumps": twice}
    web.seen.clear()
    done = called(
        jumping,
        *(
            "-m",
            "chaffinch",
            "crawl",
            f"{web.url}/jumping",
            "--output",
            str(tmp_path / "a.warc.gz"),
        ),
        *("--allow-host", "127.0.0.1", "--delay", "0.01"),
    )
    assert done.returncode == 0, done.stderr
    assert "9 requests" in done.stdout, done.stdout  # of which one was sent twice
    assert len(tries) == 7
    assert len(web.asked("/robots.txt")) == 1


def test_a_run_ends_with_all_its_rows(jumping, tmp_path):
    rows = [{"html": PAGE, "url": f"https://rye{number}.example/"} for number in range(6)]
    (tmp_path / "rye.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run = ["-m", "chaffinch", "run", "rye.jsonl", "--output", "out", "--workers", "1"]
    done = called(jumping, *run, "--method", "block_density", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (report["tally"]["rows"], report["seconds"] >= 0) == (6, True)


def test_a_service_answers_within_its_deadline(jumping, web, monkeypatch):
    """What is kept is kept by the clock that doesn't jump."""
    web.seen.clear()
    with monkeypatch.context() as patch:
        for name, value in jumping.items():
            patch.setenv(name, value)
        options = ["--workers", "1", "--no-mcp", "--allow-host", "127.0.0.1", "--delay", "0"]
        started = running(*options, "--cache", "10")
        service = started.__enter__()
    try:
        found = [
            service.get(f"/v1/read?url={quote(web.url)}/jumping/{number % 2}&format=json")
            for number in range(12)
        ]
    finally:
        started.__exit__(None, None, None)
    assert [one.status for one in found] == [200] * 12
    assert {one.json["text"] for one in found} == {found[0].json["text"]}
    assert [one.headers["chaffinch-cache"] for one in found] == ["miss"] * 2 + ["fresh"] * 10
    assert len(web.asked("/robots.txt")) == 1
