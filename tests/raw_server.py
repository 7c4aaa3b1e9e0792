"""A server on loopback that answers by bytes as they are, and answers that are hostile."""

import contextlib
import itertools
import socket
import threading

from rows_of_cases import examples


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
NOT_QUITE_HTTP = [one.encode("latin-1") for one in examples(__file__, "not quite http")]
TYPES = [
    "text/html; charset=", "text/html; charset=utf-7", "text/html; charset=rot13",
    "text/html; charset=hex", "text/html; charset=zip", "text/html; charset=unicode_escape",
    "text/html; charset=idna", "text/html; charset=undefined", "text/html; charset=../../x",
    "text/html; charset=\x01\x02", "text/html; charset=" + "u" * 60_000, "text/html" + ";" * 60_000,
    "text/html; charset*=utf-8''%00%ff", "text/html; charset*0=ut; charset*1=f-8",
    'text/html; charset="', 'text/html; a="\\"; charset=utf-16', "text/html;charset=utf-32",
    "text/html; charset=iso-2022-kr", "text/html, application/pdf", "TeXt/HtMl\t;\tCHARSET=KOI8-R",
]  # fmt: skip
