"""Pages made to hurt a parser: each a function of its size.

Made by hand from the steps of the HTML Standard that walk or copy without a bound.
"""

from collections.abc import Callable


def numbered(pattern: bytes, count: int) -> bytes:
    """Return the pattern many times, with a number in place of its ``%d``."""
    return b"".join(pattern % number for number in range(count))


def attributes(count: int) -> bytes:
    return b"<p " + numbered(b"a%d=1 ", count) + b">x"


MEGA = 1_000_000

# name: what makes the page, and how many times; all are under 50 MB
PAGES: dict[str, tuple[Callable[[int], bytes], int]] = {
    # depth
    "open divs": (lambda n: b"<div>" * n, MEGA),
    "nested and closed divs": (lambda n: b"<div>" * n + b"x" + b"</div>" * n, MEGA),
    "distinct deep inlines": (lambda n: numbered(b"<span id=%d>x", n), 200_000),
    "unmatched end tag in each div": (lambda n: b"<div></x>" * n, 200_000),
    "end tag of a formatting parent": (lambda n: b"<b><div></b>" * n, 100_000),
    "end tag of an inline parent": (lambda n: b"<span><div></span>" * n, 100_000),
    "end tag beyond a cell": (lambda n: b"<div><table><tr><td></div>" * n, 50_000),
    "end tag beyond a list": (lambda n: b"<li><ul></li>" * n, 100_000),
    "nested objects": (lambda n: b"<object></p></div>" * n, 100_000),
    "nested svg": (lambda n: b"<svg><foreignObject>" * n, 100_000),
    "math with text": (lambda n: b"<math><mi><p>" * n, 100_000),
    "nested tables": (lambda n: b"<table><tr><td>" * n, 100_000),
    "nested templates": (lambda n: b"<body><template>" * n, 100_000),
    "nested framesets": (lambda n: b"<frameset>" * n, 100_000),
    "foster-parented divs": (lambda n: b"<table><div>" * n, 100_000),
    "depth after style in svg": (lambda n: b"<svg><style>" + b"<div>" * n, 100_000),
    "depth after xmp in select": (lambda n: b"<select><xmp></select>" + b"<div>" * n, 100_000),
    "depth after textarea in select": (lambda n: b"<select><textarea>" + b"<div>" * n, 100_000),
    "depth behind a false quote": (lambda n: b'<p =">' + b"<div>" * n + b'">', 100_000),
    "depth behind a script's comment": (
        lambda n: b'<script><!--<script></script><p a="</script>' + b"<div>" * n + b'">',
        100_000,
    ),
    "depth behind a short comment": (lambda n: b"<!--><!--->" + b"<div>" * n + b"-->", 100_000),
    "depth behind CDATA": (lambda n: b"<p><![CDATA[>" + b"<div>" * n + b"]]>", 100_000),
    "depth in noscript": (lambda n: b"<noscript>" + b"<div>" * n, 100_000),
    # attributes
    "attributes of one tag": (attributes, MEGA),
    "attributes between quoted «>»": (lambda n: b"<p " + numbered(b"a%d='>' ", n) + b">x", 300_000),
    "the same attribute": (lambda n: b"<p " + b"a=1 " * n + b">x", MEGA),
    "attributes of body": (lambda n: b"<body>" + numbered(b"<body b%d=1>", n), 300_000),
    "attributes of html": (lambda n: numbered(b"<html b%d=1>", n), 300_000),
    "names of attributes": (lambda n: numbered(b"<p b%d=1>", n), 300_000),
    "names of attributes in one megabyte": (lambda n: numbered(b"<p b%d=1>", n), 60_000),
    "one long attribute": (lambda n: b"<p title='" + b"a" * n + b"'>x", 50 * MEGA),
    "one open attribute": (lambda n: b"<p title='" + b"a " * n, 25 * MEGA),
    # formatting elements
    "fonts and paragraphs": (lambda n: numbered(b"<font size=%d><p>", n), 5_000),
    "fonts closed by their paragraph": (lambda n: numbered(b"<p><font size=%d>x", n), 5_000),
    "sixty fonts for each paragraph": (
        lambda n: b"<p>" + numbered(b"<font size=%d>", 60) + b"</p>" + b"<p>x" * n,
        300_000,
    ),
    "sixty fonts for each foster text": (
        lambda n: b"<p>" + numbered(b"<font size=%d>", 60) + b"</p>" + b"<table>x</table>" * n,
        100_000,
    ),
    "a hundred thousand links": (lambda n: numbered(b"<p><a href=%d>x", n), 100_000),
    "links and divs": (lambda n: numbered(b"<a href=%d><div>", n), 100_000),
    "nobr": (lambda n: b"<nobr><p>" * n, 100_000),
    "crossing formatting": (lambda n: b"<b><i><p></b></i>" * n, 100_000),
    # scans
    "options": (lambda n: b"<select>" + b"<option>a" * n, MEGA),
    "selects of a thousand options": (
        lambda n: (b"<select>" + b"<option>a" * 1_000 + b"</select>") * n,
        500,
    ),
    "unmatched end tags": (lambda n: b"<span>" * 5_000 + b"</x>" * n, MEGA),
    "unmatched end tags of paragraphs": (lambda n: b"<span>" * 5_000 + b"</p>" * n, MEGA),
    "paragraphs deep down": (lambda n: b"<span>" * 5_000 + b"<p>x</p>" * n, 300_000),
    "buttons deep down": (lambda n: b"<span>" * 5_000 + b"<button>x</button>" * n, 200_000),
    "items deep down": (lambda n: b"<ul><li>" + b"<span>" * 5_000 + b"<li>x" * n, 300_000),
    "names of tags": (lambda n: numbered(b"<x%d></x%d>".replace(b"</x%d>", b"</p>"), n), 300_000),
    "names of end tags": (lambda n: numbered(b"</x%d>", n), 300_000),
    "ruby": (lambda n: b"<ruby><rt>" * n, 100_000),
    # sheer number
    "line breaks": (lambda n: b"<br>" * n, 10 * MEGA),
    "paragraphs": (lambda n: b"<p>x" * n, MEGA),
    "list items": (lambda n: b"<li>x" * n, MEGA),
    "cells": (lambda n: b"<table>" + b"<td>x" * n, 500_000),
    "frames": (lambda n: b"<frameset>" + b"<frame>" * n, MEGA),
    "comments": (lambda n: b"<!---->" * n, 7 * MEGA),
    "doctypes": (lambda n: b"<!doctype html>" * n, MEGA),
    "one comment": (lambda n: b"<!--" + b"a" * n, 50 * MEGA),
    "comments that never end": (lambda n: b"<!-- " * n, 10 * MEGA),
    "scripts that never end": (lambda n: b"<script><!-- <script>" * n, 2 * MEGA),
    "one text": (lambda n: b"word " * n, 10 * MEGA),
    "«<» alone": (lambda n: b"< " * n, 10 * MEGA),
    "NUL": (lambda n: b"<p>" + b"\0" * n + b"x", 10 * MEGA),
    "entities": (lambda n: b"&notit;&lt;" * n, 4 * MEGA),
    "slashes": (lambda n: b"<p " + b"/" * n + b">x", 20 * MEGA),
    "quotes": (lambda n: b"<p " + b"'\"" * n + b">x", 10 * MEGA),
    "equals": (lambda n: b"<p " + b"=" * n + b">x", 20 * MEGA),
}
