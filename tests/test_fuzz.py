"""Example pages, mutated: whatever comes in, a result or a PageError comes out, never a crash."""

import random

import pytest

import chaffinch
from chaffinch.methods import METHODS

PIECES = [
    b"<", b">", b"</div>", b"<div>", b"<table>", b"<p", b"<b><i>", b"</p></b>", b"<!--", b"-->",
    b"<script>", b"</script>", b"<svg><title>", b"<select><option>", b"<template>", b"<frameset>",
    b"<plaintext>", b"<![CDATA[", b"<math><mi>", b"<td rowspan=99999>", b"<a href=javascript:x>",
    b"<base href='//['>", b"&", b"&#0;", b"&#xD800;", b"&lt", b'"', b"'", b"=", b"\x00", b"\xff",
    b'<script type="application/ld+json">{"@type": ["Article", 3], "author": [[null]]}</script>',
    b"\xef\xbb\xbf", b"\xd6\xd0\xce\xc4", "谷".encode(), "\u202e\ufeff".encode(), b" " * 500,
    b"<br>" * 300,
]  # fmt: skip
ROUNDS = 90


def mutated(pages, rng):
    """Return one page with a few pieces cut out, doubled, swapped in from another or put in."""
    page = bytearray(rng.choice(pages))
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(page) + 1)
        length = rng.choice([1, 3, 30, 300, 3000])
        match rng.randrange(5):
            case 0:
                del page[at : at + length]
            case 1:
                page[at:at] = page[at : at + length]
            case 2:
                page[at:at] = rng.choice(PIECES)
            case 3:
                other = rng.choice(pages)
                start = rng.randrange(len(other))
                page[at:at] = other[start : start + length]
            case 4 if page:
                page[rng.randrange(len(page))] = rng.randrange(256)
    return bytes(page)


@pytest.fixture(scope="module")
def pages(example_site):
    return [row["html"].encode("latin-1") for row in example_site]


@pytest.mark.parametrize("seed", range(4))
def test_mutated_pages_are_extracted_or_refused(pages, seed):
    rng = random.Random(seed)  # noqa: S311
    names = [n for n in METHODS if not METHODS[n].needs_siblings]
    refused = 0
    for _ in range(ROUNDS):
        page = mutated(pages, rng)
        try:
            table = chaffinch.parse(page, url="https://grain.example/a/b")
        except chaffinch.PageError:
            refused += 1
            continue
        got = chaffinch.extract(table, method=rng.choice(names))
        for output in (got.text, got.noise, got.markdown(), got.html(), got.clean(), got.to_json()):
            output.encode("utf-8")
            assert "\x00" not in output
        assert sum(len(chunk.text) for chunk in got.chunks()) >= 0
        assert len(got.keep) == len(table)
    assert refused < ROUNDS / 2


def test_siblings_may_be_broken_too(pages):
    rng = random.Random(7)  # noqa: S311
    names = [n for n in METHODS if METHODS[n].needs_siblings]
    for name in names:
        for _ in range(12):
            made = []
            while len(made) < 3:
                try:
                    made.append(chaffinch.parse(mutated(pages, rng)))
                except chaffinch.PageError:
                    continue
            got = chaffinch.extract(made[0], method=name, siblings=made[1:])
            got.text.encode("utf-8")
