"""Fields of one's own by the rules of a site model: shown once by example, read on every page."""

import json

import pytest

from chaffinch import extract
from chaffinch.site import Site

TEXT = "It opens a furrow, drops one seed at a time and covers it again, all in one go."
PAGE = """<title>{name} | Tools</title><nav><a href=/>Home</a> <a href=/cart>Cart</a></nav><main>
<h1>{name}</h1><p>{name}: {text}</p><p>{more}</p><div class=facts>
<p class=weight>Weight: {weight} kg</p><p class=maker>Made in <b>{place}</b></p></div></main>
<footer>© Tools</footer>"""
NAMES = ["Harrow", "Furlong", "Swathe", "Rick", "Sheaf", "Stook"]


@pytest.fixture
def shop(tmp_path):
    for number, name in enumerate(NAMES):
        page = PAGE.format(name=name, text=TEXT, more=f"{name} {TEXT}", weight=number + 2,
                           place=f"Town {number}")  # fmt: skip
        (tmp_path / f"{name.lower()}.html").write_text(page)
    return tmp_path


def test_one_example_is_found_on_every_page(shop, run):
    model = shop / "model"
    assert run("learn", shop, "-o", model).exit_code == 0
    for given in (("--value", "Weight: 2 kg", "weight"), ("--at", ".maker b", "place")):
        told = run("site", "rules", "propose", model, shop, "--on", "harrow.html", *given[:2],
                   "--as", f"field:{given[2]}", "--save")  # fmt: skip
        assert told.exit_code == 0
    lines = run("extract", shop, "--site", model, "-f", "json").stdout.splitlines()
    found = [json.loads(line)["fields"] for line in lines]
    values = {(one["weight"]["value"], one["place"]["value"]) for one in found}
    assert values == {(f"{number + 2} kg", f"Town {number}") for number in range(len(NAMES))}
    assert found[0]["weight"]["source"].startswith("rule:")


def test_an_example_with_a_label_is_found_where_others_are_left_out(tmp_path, run):
    for number, name in enumerate(NAMES):
        facts = [("Weight", f"{number + 2} kg"), ("Width", f"{number + 20} cm"), ("Hue", "moss")]
        rows = "".join(
            f"<dt>{a}</dt><dd>{b}</dd>" for a, b in facts if number != 3 or a != "Weight"
        )
        text = PAGE.format(name=name, text=TEXT, more=f"{name} {TEXT}", weight=1, place="Town")
        page = text.replace("</main>", f"<dl>{rows}</dl></main>")
        (tmp_path / f"{name.lower()}.html").write_text(page)
    model = tmp_path / "model"
    run("learn", tmp_path, "-o", model)
    run("site", "rules", "propose", model, tmp_path, "--on", "harrow.html", "--value", "20 cm",
        "--as", "field:width", "--save")  # fmt: skip
    lines = run("extract", tmp_path, "--site", model, "-f", "json").stdout.splitlines()
    found = {json.loads(line)["fields"]["width"]["value"] for line in lines}
    assert found == {f"{number + 20} cm" for number in range(len(NAMES))}
    assert 'normalize-space()="Width"' in json.loads(lines[0])["fields"]["width"]["source"]


def test_rules_come_before_labels(shop):
    model = shop / "rules"
    model.mkdir()
    rule = '[[rule]]\nkind = "field:weight"\nselect = "p.maker"\n'
    (model / "rules.toml").write_text('kind = "chaffinch site"\nversion = 1\nsite = "x"\n' + rule)
    page = (shop / "harrow.html").read_text()
    found = extract(page, method=Site.load(model)).fields(["weight=Weight", "Missing"])
    assert {name: one.value for name, one in found.items()} == {"weight": "Made in Town 0"}
    assert extract(page).fields() == {}
