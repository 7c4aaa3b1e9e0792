"""Plain values, and JSON, are those of `dataclasses.asdict`, of every part of real records."""

import json
from dataclasses import asdict

import pytest

import chaffinch
from chaffinch.record import json_text, plain_values

PAGE = """<title>Oats</title><meta name=author content="A. Miller"><article><h1>Oats</h1>
<p>Oats are sown in spring and reaped in summer, when ears are ripe, <a href=/mill>and milled</a>.
<figure><img src=a.jpg alt=ear><figcaption>An ear</figcaption></figure>
<table><tr><th>Year<th>Yield<tr><td>2024<td>3.1</table>
<pre>sow()</pre></article>"""


def test_parts_of_a_page():
    page = chaffinch.extract(PAGE)
    for name in ("images", "code_blocks", "blocks", "records", "posts"):
        made = getattr(page, name)
        assert plain_values(made) == [asdict(one) for one in made]
        assert json_text(made) == json.dumps(plain_values(made), ensure_ascii=False)
    assert plain_values(page.assessment) == asdict(page.assessment)


def test_what_has_no_form_in_json():
    with pytest.raises(TypeError, match="no form in JSON for set"):
        json_text([{1}])
