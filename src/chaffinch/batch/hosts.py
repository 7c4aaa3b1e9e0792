"""Buckets of hosts: the same on every machine and in every process."""

from __future__ import annotations

from hashlib import blake2b


def bucket_of(host: str, buckets: int) -> int:
    """Return the bucket of a host, 0..buckets-1, by blake2b."""
    digest = blake2b(host.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets
