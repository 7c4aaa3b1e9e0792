"""Plain values are those of `dataclasses.asdict`, of every part of real records."""

from dataclasses import asdict, dataclass

import chaffinch
from chaffinch.record import plain_values

PAGE = """<title>Oats</title><meta name=author content="A. Miller"><article><h1>Oats</h1>
<p>Oats are sown in spring and reaped in summer, when ears are ripe, <a href=/mill>and milled</a>.
<figure><img src=a.jpg alt=ear><figcaption>An ear</figcaption></figure>
<table><tr><th>Year<th>Yield<tr><td>2024<td>3.1</table>
<pre>sow()</pre></article>"""


@dataclass(frozen=True)
class Inner:
    name: str
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Outer:
    first: Inner
    more: list[Inner]
    named: dict[str, Inner]
    nothing: None = None


def test_values_are_those_of_asdict():
    one = Inner("a", (1, 2))
    made = Outer(one, [one, Inner("b", ())], {"c": one})
    assert plain_values(made) == asdict(made)
    assert plain_values([made, one]) == [asdict(made), asdict(one)]
    assert plain_values(made)["first"]["rows"] == (1, 2)


def test_parts_of_a_page():
    page = chaffinch.extract(PAGE)
    for name in ("images", "code_blocks", "blocks", "records", "posts"):
        made = getattr(page, name)
        assert plain_values(made) == [asdict(one) for one in made]
    assert plain_values(page.assessment) == asdict(page.assessment)
