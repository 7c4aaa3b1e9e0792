import pytest

from answering_server import HOST, HOSTS, serving
from chaffinch.web import CrawlLimits, CrawlPlan, FetchLimits, Politeness, crawl


@pytest.fixture
def web(web_maker):
    """The example web, served in this process; ``asked`` is its log."""
    with web_maker.server.serving() as server:
        yield server


def taken(given, *names):
    """Return those of some options that are given, which are taken out."""
    return {name: given.pop(name) for name in names if name in given}


@pytest.fixture
def crawl_of(web, tmp_path):
    """crawl_of(host, …) crawls a host of the web and gives the summary, the file and its visits."""

    def run(*hosts, path="/", name="crawl", then=None, **given):
        limits = taken(given, "pages", "depth", "idle_pages")
        politeness = {"delay": 0, "back_off": 0.01, "retries": 2} | given.pop("politeness", {})
        fetch = {"total": 5, "read": 1, "max_bytes": 4 << 20} | given.pop("fetch", {})
        options = taken(given, "resume", "stop_signals")
        plan = CrawlPlan(
            urls=tuple(f"http://{host}:{web.port}{path}" for host in hosts),
            limits=CrawlLimits(**limits),
            politeness=Politeness(**politeness),
            fetch=FetchLimits(**fetch),
            allow=given.pop("allow", hosts),
            resolve=given.pop("resolve", tuple(f"{host}=127.0.0.1" for host in hosts)),
            **given,
        )
        out = tmp_path / f"{name}.warc.gz"
        visits = []

        def note(visit):
            visits.append(visit)
            if then is not None:
                then(visits)

        summary = crawl(plan, out, on_visit=note, **options)
        return summary, out, visits

    return run


@pytest.fixture
def crawled(tmp_path):
    """crawled(answer, …) crawls what answers, and gives the summary, the visits and the log."""

    def run(answer, *, extent="site", path="/", politeness=None, fetch_limits=None, **limits):
        fetch = {"total": 5, "read": 2, "max_bytes": 1 << 20} | (fetch_limits or {})
        visits = []
        with serving(answer) as log:
            plan = CrawlPlan(
                urls=(f"http://{HOST}:{log.port}{path}",),
                extent=extent,
                limits=CrawlLimits(**limits),
                politeness=Politeness(delay=0, back_off=0.001, **(politeness or {})),
                fetch=FetchLimits(**fetch),
                allow=HOSTS,
                resolve=tuple(f"{host}=127.0.0.1" for host in HOSTS),
            )
            summary = crawl(plan, tmp_path / "crawl.warc.gz", on_visit=visits.append)
        return summary, visits, log

    return run
