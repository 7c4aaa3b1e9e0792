"""A server on loopback that answers by bytes as they are, and answers that are hostile."""

import contextlib
import itertools
import socket
import threading


@contextlib.contextmanager
def raw_server(*pieces, repeats=False):
    """Serve bytes as they are on loopback; ``asked`` are the requests, ``sent`` counts bytes."""
    over = threading.Event()

    class State:
        asked: list[bytes] = []  # noqa: RUF012
        sent = 0

    def serve(listener):
        while not over.is_set():
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                with connection:
                    State.asked.append(connection.recv(65536))
                    for piece in itertools.cycle(pieces) if repeats else pieces:
                        if over.is_set():
                            break
                        connection.sendall(piece)
                        State.sent += len(piece)

    State.asked = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        State.url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        State.allow = (State.url[7:-1],)
        try:
            yield State
        finally:
            over.set()


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
NOT_QUITE_HTTP = [
    b"<!doctype html><p>a page of HTTP/0.9",
    b"",
    b"\r\n\r\n",
    b"HTTP/1.1\r\n\r\n",
    b"HTTP/1.1 OK 200\r\n\r\n",
    b"HTTP/1.1 -200 OK\r\n\r\n",
    b"HTTP/1.1 99999 OK\r\n\r\n",
    b"HTTP/2.0 abc\r\n\r\n",
    b"ICY 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a",
    OK + b"Content-Length: -1\r\n\r\n<p>a",
    OK + b"Content-Length: 99999999999999999999\r\n\r\n<p>a",
    OK + b"Content-Length: 3, 4\r\n\r\n<p>a",
    OK + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\n<p>a",
    OK + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n<p>a\r\n0\r\n\r\n",
    OK + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n<p>a",
    OK + b"Transfer-Encoding: gzip, chunked\r\nContent-Length: 4\r\n\r\n1\r\na\r\n0\r\n\r\n",
    OK + b": no name\r\n\r\n<p>a",
    OK + b"X-\x00A: b\r\n\r\n<p>a",
    b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>a",
    b"HTTP/1.1 302 Found\r\nLocation: \r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: http://\x7f\xff\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: http://10.0.0.1/\r\n\r\n",
]
TYPES = [
    "text/html; charset=", "text/html; charset=utf-7", "text/html; charset=rot13",
    "text/html; charset=hex", "text/html; charset=zip", "text/html; charset=unicode_escape",
    "text/html; charset=idna", "text/html; charset=undefined", "text/html; charset=../../x",
    "text/html; charset=\x01\x02", "text/html; charset=" + "u" * 60_000, "text/html" + ";" * 60_000,
    "text/html; charset*=utf-8''%00%ff", "text/html; charset*0=ut; charset*1=f-8",
    'text/html; charset="', 'text/html; a="\\"; charset=utf-16', "text/html;charset=utf-32",
    "text/html; charset=iso-2022-kr", "text/html, application/pdf", "TeXt/HtMl\t;\tCHARSET=KOI8-R",
]  # fmt: skip
