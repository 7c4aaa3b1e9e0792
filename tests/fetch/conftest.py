import gzip
import itertools
import socket
import ssl
import time
from pathlib import Path
from urllib.parse import unquote

import brotli
import pytest

from answering_server import Given, serving

CERTIFICATE = Path(__file__).with_name("finch.test.pem")
PAGE = b"<!doctype html><title>Finches</title><p>The chaffinch sings."
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def coded(name, body):
    return Given(body=body, headers=(("Content-Encoding", name),))


def chunked(body):
    return Given(body=[body], headers=(("Transfer-Encoding", "chunked"),))


ANSWERS = {
    "gbk": Given(body="<p>苍头燕雀".encode("gbk"), kind='text/html; charset="GBK"'),
    "untyped": Given(body=PAGE, kind=""),
    "utf8": Given(raw=["HTTP/1.1 302 Found\r\nLocation: /苍头\r\n\r\n".encode()]),
    "gzip": coded("gzip", gzip.compress(PAGE)),
    "brotli": coded("br", brotli.compress(PAGE)),
    "notgzip": coded("gzip", PAGE),
    "chunked": chunked(b"8\r\n<p>finch\r\n0\r\n\r\n"),
    "badchunk": chunked(b"8\r\n<p>finch\r\nnonsense\r\n<p>"),
    "halfchunk": chunked(b"800\r\n<p>finch"),
    "half": Given(body=[PAGE], headers=(("Content-Length", str(len(PAGE) + 1)),)),
    "hangup": Given(raw=[]),
    "nonsense": Given(raw=[b"220 mail.example ESMTP\r\n"]),
    "hostile": Given(raw=[b"HTTP/1.1 404 \x1b[31mred\r\nContent-Length: 0\r\n\r\n"]),
}
SLOW = {
    "silent": (b"", b""),
    "drip": (OK + b"Content-Length: 1000000\r\n\r\n", b"x"),
    "dripheaders": (OK + b"X-Slow: ", b"y"),
    "dripend": (OK + b"\r\n", b"z"),
}
"""What is sent at once, and what comes after it without end."""


def answer(target, _root):
    name, _, rest = target.lstrip("/").partition("/")
    name, rest = name.partition("?")[0], unquote(rest)
    if name in SLOW:
        first, piece = SLOW[name]
        return Given(raw=itertools.chain([first], slowly(piece)))
    if name == "count" and rest != "0":
        return Given(status=301, headers=(("Location", f"{int(rest) - 1}"),))
    if name in ("to", "moved"):
        where = rest if name == "to" else f"/page?from={rest}#part"
        return Given(status=302 if name == "to" else 308, headers=(("Location", where),))
    status = int(rest) if name == "status" else 200
    usual = Given(body=PAGE, status=status, **({"kind": rest} if name == "typed" else {}))
    return ANSWERS.get(name, usual)


def slowly(piece):
    while True:
        time.sleep(0.02)
        yield piece


@pytest.fixture
def server():
    with serving(answer) as log:
        yield log


@pytest.fixture
def secure_server():
    """A server that says it is finch.test, by a certificate that nobody but itself vouches for."""
    called = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    context.sni_callback = lambda _socket, name, _context: called.append(name)
    with serving(answer, context) as log:
        log.called = called
        yield log


@pytest.fixture
def names(monkeypatch):
    """A name server of one's own: name → list of answers, one a question, the last one kept."""
    book: dict[str, list[list[str]]] = {}
    look_up = socket.getaddrinfo

    def answer(host, port, *rest, **options):
        answers = book.get(host)
        if answers is None:
            return look_up(host, port, *rest, **options)
        now = answers.pop(0) if len(answers) > 1 else answers[0]
        return [one for address in now for one in look_up(address, port, *rest, **options)]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    return book
