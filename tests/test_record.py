"""JSON: every record fulfils the published schema, and the schema is that of the code."""

import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given, settings

import chaffinch
from chaffinch.cli import main
from chaffinch.output.options import PARTS
from chaffinch.record import VERSION, schema
from strategies import markup

PUBLISHED = Path(__file__).parents[1] / "docs" / "record.schema.json"
CHECK = jsonschema.Draft202012Validator(schema())
RICH = """<html lang=en><head><title>Seeds</title><meta name=author content="Ann Lee">
<meta property="article:published_time" content="2020-01-02T08:00:00+01:00"></head>
<article><h1>Seeds</h1><p>The finch eats <a href=/s>seeds</a>.</p>
<figure><img src=/a.jpg width=640 height=480 alt=finch><figcaption>A finch</figcaption></figure>
<table><tr><th>bird<th>seeds<tr><td>finch<td>7</table><pre class=language-py>x = 1</pre>
<p><script type="math/tex">2^n</script></p>
<audio src=/song.ogg></audio></article>
<div class=comments><div class=comment><a class=user href=/user/1>Bo</a>
<time datetime=2020-01-03>3</time><p>That is a lot of seeds.</div>
<div class=comment><a class=user href=/user/2>Cy</a><time datetime=2020-01-04>4</time>
<p>It is not, says the tit.</div></div>"""


def record(html, **options):
    values = json.loads(chaffinch.extract(html, keep="article", **options).to_json(parts=PARTS))
    CHECK.validate(values)
    return values


def test_the_schema_is_valid_and_published():
    jsonschema.Draft202012Validator.check_schema(schema())
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == schema(), "run: make docs"
    printed = CliRunner().invoke(main, ["extract", "--schema"])
    assert json.loads(printed.stdout) == schema()


def test_every_field_is_described():
    waiting = [schema()]
    while waiting:
        one = waiting.pop()
        for name, field in one.get("properties", {}).items():
            assert field.get("description"), name
        waiting += [value for value in one.values() if isinstance(value, dict)]
        waiting += [v for value in one.values() if isinstance(value, list) for v in value
                    if isinstance(v, dict)]  # fmt: skip


def test_a_page_with_everything():
    values = record(RICH, url="https://example.org/seeds")
    assert values["version"] == VERSION
    assert [name for name in PARTS if not values[name]] == ["comments"]  # the text is too short
    long = RICH.replace("</article>", "<p>It is hungry in winter, too. " * 9 + "</article>")
    assert [one["author"] for one in record(long)["comments"]] == ["Bo", "Cy"]
    assert values["metadata"]["published"]["value"] == values["published"]
    assert values["tables"][0]["records"] == [{"bird": "finch", "seeds": "7"}]
    first = values["blocks"][0]
    assert values["text"][first["start"] : first["end"]] == "Seeds"


@settings(max_examples=60)
@given(markup())
def test_any_page(html):
    values = record(html)
    assert list(values)[-len(PARTS) :] == list(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_parts_are_there_only_on_demand(part):
    found = chaffinch.extract(RICH, keep="article")
    assert part not in found.to_dict()
    values = found.to_dict(parts=[part])
    assert values.keys() - found.to_dict().keys() == {part}
    CHECK.validate(json.loads(json.dumps(values)))
