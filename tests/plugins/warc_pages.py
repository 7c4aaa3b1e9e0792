"""WARC files, written by hand, for tools that read them."""


def warc_of(*pages):
    """Return an archive of (address, bytes, Content-Type)."""
    return b"".join(_record(*page) for page in pages)


def _record(url, body, kind):
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    block = http.encode() + body
    fields = {
        "WARC-Type": "response",
        "WARC-Record-ID": "<urn:uuid:6d058a5c-0000-4000-8000-0123456789ab>",
        "WARC-Date": "2026-11-22T08:00:00Z",
        "WARC-Target-URI": url,
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(block)),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.1\r\n{head}\r\n".encode() + block + b"\r\n\r\n"
