"""A host on which everything goes wrong; most pages name how in their address.

What is good in the end (`ALL_GOOD`) has the text `GOOD`; what never is stands in `HOPELESS`.
"""

import gzip
import re
import zlib
from functools import cache

import brotli

from web_maker.answers import Answer, Asked, links, missing, moved, page, text

GOOD = "The grain is dry and the gate is shut."
ALL_GOOD = (
    "/good",
    "/br",
    "/gzip",
    "/deflate",
    "/chunked",
    "/twice/503",
    "/twice/500",
    "/twice/429",
    "/twice/reset",
    "/date/429",
    "/late",
    "/latin1-said-utf8",
    "/gbk-unsaid",
    "/utf16",
)
HOPELESS = (
    "/status/404",
    "/status/410",
    "/status/403",
    "/status/500",
    "/status/503",
    "/always/429",
    "/reset",
    "/half",
    "/halfchunk",
    "/badchunk",
    "/badgzip",
    "/endless",
    "/drip",
    "/silent",
    "/bomb",
    "/nothttp",
    "/hangup",
    "/loop/a",
    "/hops/40",
    "/to-nowhere",
)
OTHER = ("/paper.pdf", "/picture.png", "/empty", "/hops/3")


def _page(name: str) -> bytes:
    return f"<!doctype html><title>{name}</title><h1>Good: {name}</h1><p>{GOOD}".encode()


def faulty(asked: Asked) -> Answer:  # noqa: PLR0911 one line a fault
    """What the address says goes wrong."""
    path = asked.path
    if path == "/":
        return page("Faults", links([*ALL_GOOD, *HOPELESS, *OTHER]))
    if path in _FIXED:
        return _FIXED[path]
    if path == "/bomb":
        return Answer(body=_bomb(), headers=(("Content-Encoding", "gzip"),))
    if found := re.fullmatch(r"/status/(\d{3})", path):
        return Answer(status=int(found[1]), body=b"<p>No.")
    if found := re.fullmatch(r"/(twice|date|always)/(\w+)", path):
        return _for_a_time(asked, found[1], found[2])
    if found := re.fullmatch(r"/hops/(\d+)", path):
        return moved(f"/hops/{int(found[1]) - 1}") if int(found[1]) else Answer(body=_page(path))
    if found := re.fullmatch(r"/loop/([ab])", path):
        return moved("/loop/" + "ba"["ab".index(found[1])])
    return missing()


def _for_a_time(asked: Asked, how: str, what: str) -> Answer:
    if asked.times >= 2 and how != "always":  # noqa: PLR2004 twice it fails
        return Answer(body=_page(asked.path))
    if what == "reset":
        return Answer(manner="reset")
    wait = "Thu, 20 Nov 2025 10:00:00 GMT" if how == "date" else "1"
    return Answer(status=int(what), body=b"<p>Later.", headers=(("Retry-After", wait),))


@cache
def _bomb() -> bytes:
    press = zlib.compressobj(9, wbits=31)
    piece = bytes(1 << 20)
    return b"".join(press.compress(piece) for _ in range(20)) + press.flush()


def _packed(body: bytes, coding: str) -> Answer:
    return Answer(body=body, headers=(("Content-Encoding", coding),))


_LATIN = f"<meta charset=iso-8859-1><title>Good</title><p>{GOOD} Café, naïve, façade."
_FIXED = {
    "/robots.txt": text("User-agent: *\nDisallow: /never/\n"),
    "/good": Answer(body=_page("good")),
    "/br": _packed(brotli.compress(_page("br")), "br"),
    "/gzip": _packed(gzip.compress(_page("gzip"), mtime=0), "gzip"),
    "/deflate": _packed(zlib.compress(_page("deflate")), "deflate"),
    "/badgzip": _packed(_page("badgzip"), "gzip"),
    "/latin1-said-utf8": Answer(body=_LATIN.encode("latin-1")),
    "/gbk-unsaid": Answer(
        body=f"<title>好</title><p>{GOOD} 谷子干了，门关了。".encode("gbk"), kind="text/html"
    ),
    "/utf16": Answer(
        body=_page("utf16").decode().encode("utf-16"), kind="text/html; charset=utf-16"
    ),
    "/empty": Answer(),
    "/paper.pdf": Answer(body=b"%PDF-1.4 no page", kind="application/pdf"),
    "/picture.png": Answer(body=b"\x89PNG\r\n\x1a\n", kind="image/png"),
    "/to-nowhere": moved("http://[::bad"),
} | {
    f"/{manner}": Answer(body=_page(manner), manner=manner)
    for manner in (
        "chunked reset half halfchunk badchunk endless drip silent nothttp hangup late".split()
    )
}
