"""The pages by which version 0.1.0 was attacked: what it took then, and what it takes now.

Each page is made as the attack's report gives it, and each output is made of it by itself, with
parsing. "Before" is what the report says of 0.1.0, on another machine.

    python -m bench.safety.attack          the table of docs/hostile-figures.md
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Final, NamedTuple

import bench.lib.one_core  # noqa: F401  before numpy is loaded
from bench.lib.hostile_outputs import OUTPUTS, Subject
from bench.lib.timing import machine, versions

if TYPE_CHECKING:
    from collections.abc import Callable

_ALL: Final = ("text", "markdown", "html", "tei", "json", "json, all parts", "explain", "metadata")
_JSON: Final = ("json", "json, all parts", "tables")
_TIMES: Final = 3
_LONG: Final = 0.2  # seconds: what takes longer isn't made again


class Attack(NamedTuple):
    """A page of the report.

    Attributes:
        what: in words.
        html: makes the page.
        before: what 0.1.0 took.
        outputs: of `OUTPUTS`, the report's.
    """

    what: str
    html: Callable[[], str]
    before: str
    outputs: tuple[str, ...] = _ALL


_STATE: Final = '<script>window.__INITIAL_STATE__={"a":'

ATTACKS: Final = (
    Attack(
        "`srcset` of 3,000 commas",
        lambda: f"<p>oats<img src=a.jpg srcset='{',' * 3_000}'>" + "<p>rye" * 60,
        "35 s",
    ),
    Attack(
        "twenty authors of `@@@…`",
        lambda: f"<meta name=author content='{'@' * 2_000}'>" * 20 + "<p>oats",
        "52 s",
        ("metadata", "json"),
    ),
    Attack(
        "twenty `rel=author` of `@@@…`",
        lambda: f"<p><a rel=author href=/a>{'@' * 2_000}</a>" * 20,
        "2 s each",
        ("metadata", "json"),
    ),
    Attack(
        "a state script and a long word",
        lambda: f"{_STATE}1}};{'a' * 150_000}</script><p>oats",
        "26 s",
        ("method learned", "metadata", "posts"),
    ),
    Attack(
        "40,000 starts of a state",
        lambda: f"<script>{_STATE[8:] * 40_000}</script><p>oats",
        "not ended",
        ("method learned", "metadata", "posts"),
    ),
    Attack(
        "`dl` of 2,000 terms, then 2,000 definitions",
        lambda: f"<dl>{'<dt>a' * 2_000}{'<dd>b' * 2_000}</dl>",
        "270 s, 1.1 GB",
        (*_ALL, "tables"),
    ),
    Attack(
        "`dl` of 30,000 terms, then 30,000 definitions",
        lambda: f"<dl>{'<dt>a' * 30_000}{'<dd>b' * 30_000}</dl>",
        "`MemoryError`",
        (*_ALL, "tables"),
    ),
    Attack(
        "50 spanned columns of one name",
        lambda: f"<table><tr>{'<th colspan=1000>a' * 50}<tr>{'<td>1' * 50}</table>",
        "16 s",
        (*_ALL, "tables"),
    ),
    Attack(
        "`base` of 100 kB under 5,000 links",
        lambda: (
            f"<base href='https://farm.example/{'a' * 100_000}/'>" + "<p><a href=x>oats</a>" * 5_000
        ),
        "49 s, 5.7 GB",
    ),
    Attack(
        "200 `mi` of 1,000 words",
        lambda: f"<p><math>{'<mi>' + 'oats ' * 1_000 + '</mi>'}</math>" * 200,
        "4.6 s",
        (*_ALL, "formulas"),
    ),
    Attack(
        "200 `mi` of words, 15 kB",
        lambda: f"<p><math>{'<mi>' + 'oats rye ' * 8 + '</mi>'}</math>" * 200,
        "4.6 s",
        (*_ALL, "formulas"),
    ),
    Attack(
        "an unclosed `mi` before a page",
        lambda: "<math><mi>" + "<p>The mill ground <b>oats</b> and rye.</p>" * 3_000,
        "not ended",
        (*_ALL, "formulas"),
    ),
    Attack(
        "`math` nested, 625 kB",
        lambda: "<math>" * 48_000 + "x" + "</math>" * 48_000,
        "9 s",
        (*_ALL, "formulas"),
    ),
    Attack("16,000 empty tables by role", lambda: "<div role=table></div>" * 16_000, "4 s"),
    Attack(
        "nested tables by role",
        lambda: "<div role=table><div role=row><p role=cell>a" * 8_000,
        "15 s",
        _JSON,
    ),
    Attack("`\\(` never closed, 40 kB", lambda: "<p>" + "\\( oats " * 5_000, "3.9 s"),
    Attack("`\\(` never closed, 0.8 MB", lambda: "<p>" + "\\( oats " * 100_000, "over 110 s"),
    Attack(
        "24,000 scripts of `math/tex`",
        lambda: "<p>oats" + "<script type='math/tex'>x</script>" * 24_000,
        "60 s",
        ("text",),
    ),
    Attack("a line of 40,000 dashes", lambda: f"<p>{'-' * 40_000}", "3 s", ("markdown",)),
    Attack(
        "ids, 130 kB",
        lambda: "".join(f"<p id=a{n}>oats" for n in range(8_700)),
        "12 s",
        ("explain", "compare"),
    ),
    Attack(
        "ids, 760 kB",
        lambda: "".join(f"<p id=a{n}>oats" for n in range(48_000)),
        "60 s",
        ("explain", "compare"),
    ),
)


def _seconds(output: str, html: str) -> float:
    """Return the least processor seconds of an output and the parsing of its page."""
    best = float("inf")
    for _ in range(_TIMES):
        start = time.thread_time()
        OUTPUTS[output](Subject(html))
        best = min(best, time.thread_time() - start)
        if best > _LONG:
            break
    return best


def main() -> None:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(f"{machine()}, {versions('chaffinch', 'selectolax', 'numpy')}\n")
    print("| page | kB | before | now, s | slowest of |\n|---|---:|---|---:|---|")
    for attack in ATTACKS:
        html = attack.html()
        slowest = max((_seconds(output, html), output) for output in attack.outputs)
        fields = (
            attack.what, f"{len(html) / 1000:.0f}", attack.before, f"{slowest[0]:.2f}",
            f"{slowest[1]}, of {len(attack.outputs)}",
        )  # fmt: skip
        print(f"| {' | '.join(fields)} |", flush=True)


if __name__ == "__main__":
    main()
