"""Pages made to hurt a parser: each a function of its size.

Made by hand from the steps of the HTML Standard that walk or copy without a bound. In the table a
page has how many times its parts are repeated, and the parts: what stands there once, or [part,
times], n for as often as the page is large; all pages are under 50 MB.
"""

import tomllib
from functools import partial
from pathlib import Path

FILE = Path(__file__).parent / "page" / "hostile_pages.toml"


def numbered(pattern: bytes, count: int) -> bytes:
    """Return the pattern many times, with a number in place of its ``%d``."""
    if b"%d" not in pattern:
        return pattern * count
    return b"".join(pattern.replace(b"%d", b"%d" % number) for number in range(count))


def attributes(count: int) -> bytes:
    return b"<p " + numbered(b"a%d=1 ", count) + b">x"


def made(parts: list[str | tuple[str, int | str]], count: int) -> bytes:
    found = [(one, 1) if isinstance(one, str) else one for one in parts]
    return b"".join(
        numbered(one.encode(), count if times == "n" else int(times)) for one, times in found
    )


PAGES = {
    name: (partial(made, parts), count)
    for name, (count, *parts) in tomllib.loads(FILE.read_text("utf-8")).items()
}
"""Name → what makes the page, and how many times."""
