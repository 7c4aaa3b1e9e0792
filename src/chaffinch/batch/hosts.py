"""Hosts and their buckets: the same on every machine and in every process."""

from __future__ import annotations

from hashlib import blake2b
from urllib.parse import urlsplit


def host_of(url: str) -> str:
    """Return the host of an address in lower case; "" if it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def bucket_of(host: str, buckets: int) -> int:
    """Return the bucket of a host, 0..buckets-1, by blake2b."""
    digest = blake2b(host.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets
