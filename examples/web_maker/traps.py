"""A host that a crawler can walk for ever, and whose links lead where it must not go."""

import re

from web_maker.answers import Answer, Asked, links, missing, moved, page, text

REAL = tuple(f"/real/{number}.html" for number in range(20))
"""The pages of the host that are worth having."""

WAYS_OUT = ("inner", "loopback", "file", "data", "metadata", "script", "other-port")


def trap(asked: Asked) -> Answer:
    """Real pages, each with a link into every trap."""
    path = asked.path
    if path == "/robots.txt":
        return text("User-agent: *\nAllow: /\n")
    if path == "/":
        return page("Traps", links(list(REAL)) + _out(asked))
    if path in REAL:
        return page(path, f"<h1>Real {path}</h1><p>Worth having.</p>" + _traps(path, asked))
    for pattern, made in _TRAPS:
        if found := re.fullmatch(pattern, path):
            return made(asked, found)
    return missing()


def _traps(seed: str, asked: Asked) -> str:
    session = sum(seed.encode()) + 7919 * asked.times
    return links(
        [
            "/calendar/2025/11/",
            f"/session/{session:08x}/real.html",
            f"/real.html?PHPSESSID={session:032x}",
            "/filter?color=red",
            "/deep/",
            "/search?q=grain&page=1",
        ]
    )


def _out(asked: Asked) -> str:
    return links(
        [f"/out/{way}" for way in WAYS_OUT]
        + [
            asked.url("inner.test", "/secret.html"),
            asked.url("127.0.0.1", "/secret.html"),
            "http://2130706433/secret.html",
            "http://169.254.169.254/latest/meta-data/",
            "file:///etc/passwd",
            "data:text/html,<p>data",
            "ftp://inner.test/file",
            "javascript:void(0)",
            "mailto:miller@trap.test",
        ]
    )


def _ways_out(asked: Asked, found: re.Match[str]) -> Answer:
    targets = {
        "inner": asked.url("inner.test", "/secret.html"),
        "loopback": asked.url("127.0.0.1", "/secret.html"),
        "file": "file:///etc/passwd",
        "data": "data:text/html,<p>data",
        "metadata": "http://169.254.169.254/latest/meta-data/",
        "script": "javascript:alert(1)",
        "other-port": "http://trap.test:1/",
    }
    return moved(targets[found[1]], 302) if found[1] in targets else missing()


def _calendar(_asked: Asked, found: re.Match[str]) -> Answer:
    year, month = int(found[1]), int(found[2])
    after = (year + month // 12, month % 12 + 1)
    before = (year - (month == 1), (month - 2) % 12 + 1)
    targets = [f"/calendar/{y}/{m:02}/" for y, m in (before, after)]
    days = [f"/calendar/{year}/{month:02}/{day:02}.html" for day in (1, 15)]
    return page(f"{year}-{month}", f"<h1>{year}-{month:02}</h1>" + links([*targets, *days]))


def _day(_asked: Asked, found: re.Match[str]) -> Answer:
    day = "-".join(found.groups())
    return page(day, f"<h1>{day}</h1><p>Nothing on this day.</p>")


def _session(asked: Asked, _found: re.Match[str]) -> Answer:
    return page("Session", "<h1>Session</h1><p>Always the same.</p>" + _traps(asked.target, asked))


def _filter(asked: Asked, _found: re.Match[str]) -> Answer:
    have = asked.target.partition("?")[2]
    more = [
        f"/filter?{have}&{key}={value}"
        for key in ("color", "size", "sort")
        for value in ("red", "big", "up", "down")
    ]
    return page("Filter", "<h1>Filter</h1>" + links(more))


def _deep(_asked: Asked, _found: re.Match[str]) -> Answer:
    return page("Deep", "<h1>Deeper</h1>" + links(["deep/", "more/", "../"]))


def _search(asked: Asked, _found: re.Match[str]) -> Answer:
    number = int(asked.query.get("page", "1") or 1)
    return page("Search", f"<h1>Page {number}</h1>" + links([f"/search?q=grain&page={number + 1}"]))


_TRAPS = (
    (r"/calendar/(\d+)/(\d+)/", _calendar),
    (r"/calendar/(\d+)/(\d+)/(\d+)\.html", _day),
    (r"/session/\w+/real\.html", _session),
    (r"/real\.html", _session),
    (r"/filter", _filter),
    (r"(?:/\w+)*/(?:deep|more)/", _deep),
    (r"/search", _search),
    (r"/out/([\w-]+)", _ways_out),
)
